/*
 * SPDX-License-Identifier: MIT
 *
 * rules_check.c - what options.check adds to the three rules that always hold.
 */
#include "rules.h"

void rules_event(struct doze_model *m, struct pool *p, struct worker *w, const struct doze_event *e)
{
	(void)m, (void)p, (void)w, (void)e;
}

void rules_quiet(struct doze_model *m, struct pool *p, int64_t ts)
{
	(void)m, (void)p, (void)ts;
}

void rules_finish(struct doze_model *m, struct pool *p, int64_t ts)
{
	(void)m, (void)p, (void)ts;
}
