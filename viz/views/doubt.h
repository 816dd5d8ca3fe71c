/*
 * SPDX-License-Identifier: MIT
 *
 * doubt.h - why what a trace says may not be all: events lost, a table full, a pool that does not
 * stop. Whoever prints that something was not found asks here, and says so.
 */
#ifndef DOZE_VIZ_DOUBT_H
#define DOZE_VIZ_DOUBT_H

#include <stdio.h>

#include "../model/model.h"

/** "at least 3 events were lost, and the trace ends before its pool stopped"; null when the model,
 * which has finished, leaves no doubt. Static, good until the next call. */
const char *doze_doubt(const struct doze_model *);
/** What to do about the first of them; "" when there is none. */
const char *doze_doubt_advice(const struct doze_model *);
/** "Inconclusive: …." on a line of its own; nothing when there is no doubt. */
void doze_doubt_line(const struct doze_model *, FILE *out);

#endif
