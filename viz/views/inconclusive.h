/*
 * SPDX-License-Identifier: MIT
 *
 * inconclusive.h - why a trace may not hold everything: lost events, a full table, a pool that did
 * not stop. A view that reports that something was not found must say so, too.
 */
#ifndef DOZE_VIZ_INCONCLUSIVE_H
#define DOZE_VIZ_INCONCLUSIVE_H

#include <stdio.h>

#include "../model/model.h"

/** All reasons why the finished model is inconclusive: "at least 3 events were lost, and the trace
 * ends before its pool stopped"; null when there is none. Static, good until the next call. */
const char *doze_inconclusive(const struct doze_model *);
/** What the user can do about the first of them; "" when there is none. */
const char *doze_inconclusive_advice(const struct doze_model *);
/** Prints "Inconclusive: …." on a line of its own; nothing when the model is conclusive. */
void doze_inconclusive_line(const struct doze_model *, FILE *out);

#endif
