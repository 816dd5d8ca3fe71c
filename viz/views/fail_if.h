/*
 * SPDX-License-Identifier: MIT
 *
 * fail_if.h - conditions such as "futile>0.5" on the measures of a trace, for use in CI.
 */
#ifndef DOZE_VIZ_FAIL_IF_H
#define DOZE_VIZ_FAIL_IF_H

#include <stddef.h>

#include "../model/measures.h"

#define DOZE_FAIL_IF_MAX 16

struct doze_condition {
	const char *text; /* borrowed */
	unsigned metric, op;
	double limit;
};

struct doze_fail_if {
	struct doze_condition condition[DOZE_FAIL_IF_MAX];
	size_t count;
};

/** Parses "0.5", "12 %", "3ms" (in s); returns whether it is a finite number with a known unit. */
bool doze_parse_amount(const char *, double *);
/** Adds a condition to the target, a struct doze_fail_if. The option may be repeated. The syntax is
 * METRIC OP NUMBER, with OP one of > >= < <= == and optional blanks in between. The number is
 * finite and may have the unit % or, for a measure in seconds, ns, us, ms or s. */
const char *doze_check_condition(const char *value, void *target);
/** Returns the text of a condition that is defined only for all workers together, and thus excludes
 * --worker; or null. */
const char *doze_fail_if_of_all(const struct doze_fail_if *);
/** Returns exit code 1 if a condition holds, 4 if the trace lacks the data for one, else 0. Prints
 * a line on stderr for each condition of the first two kinds. */
int doze_fail_if_judge(const struct doze_fail_if *, const struct doze_model *);
/** Returns the names of the measures, separated by blanks. */
const char *doze_fail_if_names(void);

#endif
