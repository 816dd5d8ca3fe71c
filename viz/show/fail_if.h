/*
 * SPDX-License-Identifier: MIT
 *
 * fail_if.h - conditions such as "futile>0.5" on the measures of a trace, for use in CI.
 */
#ifndef DOZE_VIZ_FAIL_IF_H
#define DOZE_VIZ_FAIL_IF_H

#include <stddef.h>

#include "../explain/diagnose.h"
#include "../model/model.h"

#define DOZE_FAIL_IF_MAX 16

struct doze_condition {
	const char *text;    /* borrowed */
	unsigned metric, op; /* op: meaningless for a kind without a limit */
	bool limited;        /* only of doze diagnose: a limit is given */
	double limit;
};

struct doze_fail_if {
	struct doze_condition condition[DOZE_FAIL_IF_MAX];
	size_t count;
};

/** Parses a number such as "0.5", "12 %" or "3ms" (converted to seconds). Returns whether it is
 * finite and its unit is known. */
bool doze_parse_amount(const char *, double *);
/** Adds a condition to the target, a struct doze_fail_if. The option may be repeated. The syntax is
 * MEASURE OP NUMBER, where OP is one of > >= < <= ==, with optional blanks around it. The number is
 * finite and may have the unit % or, for a measure in seconds, ns, us, ms or s. */
const char *doze_check_condition(const char *value, void *target);
/** Returns the text of a condition that is defined only for all workers together, and therefore
 * excludes --worker; null if there is none. */
const char *doze_fail_if_of_all(const struct doze_fail_if *);
/** Returns exit code 1 if a condition holds, 4 if the trace lacks the data for a condition,
 * otherwise 0. Prints a line on stderr for each condition that holds or cannot be judged. */
int doze_fail_if_judge(const struct doze_fail_if *, const struct doze_model *);

/*
 * ---- doze diagnose --fail-if ----
 *
 * A condition is a kind of trouble ("hang"), which holds if diagnose lists the kind; a kind with a
 * limit for its share of the worker time ("serial>20%"); or a limit for the delay of jobs
 * ("job-delay-p99>1ms").
 */

/** Adds a condition to the target, a struct doze_fail_if. The option may be repeated. */
const char *doze_check_kind_condition(const char *value, void *target);
/** Returns the exit code: 1 if a condition holds; 4 if none holds, but the diagnosis is
 * inconclusive or a delay is unknown; otherwise 0. Prints a line in the first two cases. */
int doze_kind_conditions_judge(const struct doze_fail_if *, const struct doze_diagnosis *,
			       const struct doze_model *);

#endif
