/*
 * SPDX-License-Identifier: MIT
 *
 * checker.h - checks a trace against all rules of its policies' protocols (check.md lists them).
 *
 * Without a checker, a model reports only violations of the rules for all policies (transition,
 * wake-pair, chain, counters).
 */
#ifndef DOZE_VIZ_CHECKER_H
#define DOZE_VIZ_CHECKER_H

#include "model.h"

/** Attaches a checker that reports through the model's on_finding. Pass it the result of
 * doze_model_new, before the first event. Returns the model, which owns the checker. If out of
 * memory, frees the model and returns null. Returns null if given null. */
struct doze_model *doze_with_checker(struct doze_model *);

#endif
