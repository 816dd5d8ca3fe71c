/*
 * SPDX-License-Identifier: MIT
 *
 * fail_if.h - conditions like "futile>0.5" on the measures of a trace, for use in CI.
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

/** A check for struct doze_option whose target is a struct doze_fail_if; may be given repeatedly.
 * METRIC OP NUMBER with OP one of > >= < <= ==, blanks between them as you like; a finite number,
 * which may carry % or, where the measure is in seconds, ns, us, ms or s. */
const char *doze_check_condition(const char *value, void *target);
/** A condition that only means something for all workers together, or null: then --worker and it do
 * not go together. */
const char *doze_fail_if_of_all(const struct doze_fail_if *);
/** Whether one of them is about findings: the model must be made with its check on then. */
bool doze_fail_if_checks(const struct doze_fail_if *);
/** Exit code: 1 when one holds, else 4 when the trace cannot tell of one, else 0. Each of the first
 * two kinds is told on stderr, in a line of its own. */
int doze_fail_if_judge(const struct doze_fail_if *, const struct doze_model *);
/** The names of the measures, blank-separated. */
const char *doze_fail_if_names(void);

#endif
