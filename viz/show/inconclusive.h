/*
 * SPDX-License-Identifier: MIT
 *
 * inconclusive.h - determines why a trace may be incomplete: lost events, a full table, a pool that
 * did not stop. A view that reports no findings must also print this reason.
 */
#ifndef DOZE_VIZ_INCONCLUSIVE_H
#define DOZE_VIZ_INCONCLUSIVE_H

#include <stdio.h>

#include "../model/model.h"

/** Returns all reasons why the finished model is inconclusive, such as "at least 3 events were
 * lost, and the trace ends before its pool stopped", or null if there are none. The text is in a
 * static buffer, valid until the next call. */
const char *doze_inconclusive(const struct doze_model *);
/** Returns what the user can do about the first reason, or "" if there is no reason. */
const char *doze_inconclusive_advice(const struct doze_model *);
/** Prints "Inconclusive: REASONS." on its own line, or nothing if the model is conclusive. */
void doze_inconclusive_line(const struct doze_model *, FILE *out);

#endif
