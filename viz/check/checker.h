/*
 * SPDX-License-Identifier: MIT
 *
 * checker.h - judges a trace by all rules of its policies' protocols (README.md lists them).
 *
 * Without a checker a model reports only what no policy can do (transition, wake-pair, chain,
 * counters).
 */
#ifndef DOZE_VIZ_CHECKER_H
#define DOZE_VIZ_CHECKER_H

#include "../model/model.h"

/** Has a checker follow the model and report through its on_finding. To be called before the first
 * event, on what doze_model_new returned. Returns the model, which owns the checker; when memory is
 * short, frees the model and returns null. Null stays null. */
struct doze_model *doze_with_checker(struct doze_model *);

#endif
