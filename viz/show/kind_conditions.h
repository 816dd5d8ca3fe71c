/*
 * SPDX-License-Identifier: MIT
 *
 * kind_conditions.h - the conditions of `doze diagnose --fail-if`.
 *
 * A condition is a kind of trouble ("hang"), which holds if diagnose lists the kind; a kind with a
 * limit for its share of the worker time ("serial>20%"); or a limit for the delay of jobs
 * ("job-delay-p99>1ms").
 */
#ifndef DOZE_VIZ_KIND_CONDITIONS_H
#define DOZE_VIZ_KIND_CONDITIONS_H

#include <stddef.h>

#include "../explain/diagnose.h"

#define DOZE_KIND_CONDITIONS_MAX 16

struct doze_kind_conditions {
	struct doze_kind_condition {
		const char *text; /* borrowed */
		unsigned measure; /* index of a kind; job delays follow the last kind */
		bool limited;
		double limit;
	} at[DOZE_KIND_CONDITIONS_MAX];
	size_t count;
};

/** Adds a condition to the target, a struct doze_kind_conditions. The option may be repeated. */
const char *doze_check_kind_condition(const char *value, void *target);
/** Returns the exit code: 1 if a condition holds; 4 if none holds, but the diagnosis is
 * inconclusive or a delay is unknown; otherwise 0. Prints a line in the first two cases. */
int doze_kind_conditions_judge(const struct doze_kind_conditions *, const struct doze_diagnosis *,
			       const struct doze_model *);

#endif
