/*
 * SPDX-License-Identifier: MIT
 *
 * plan_runs.c - sorts the steps of a plan, so that the decoder needs no decision per field.
 */
#include "plan.h"

static enum doze_step_run run_of(const struct doze_plan_step *s)
{
	if (s->load == DOZE_LOAD_signed)
		return s->store == DOZE_STORE_32 ? DOZE_RUN_signed_32 : DOZE_RUN_other;
	if (s->load != DOZE_LOAD_unsigned)
		return DOZE_RUN_other;
	switch (s->store) {
	case DOZE_STORE_32:
		return DOZE_RUN_unsigned_32;
	case DOZE_STORE_64:
		return DOZE_RUN_64;
	default:
		return s->store == DOZE_STORE_enum ? DOZE_RUN_enum : DOZE_RUN_other;
	}
}

void doze_plan_sort(struct doze_plan *p)
{
	for (int r = 0; r < DOZE_RUN_COUNT; r++)
		p->run_end[r] = p->step;
	for (uint32_t i = 0; i < p->steps; i++) {
		struct doze_plan_step s = p->step[i];
		uint32_t k = i;

		for (; k && run_of(&p->step[k - 1]) > run_of(&s); k--)
			p->step[k] = p->step[k - 1];
		p->step[k] = s;
		for (int r = (int)run_of(&s); r < DOZE_RUN_COUNT; r++)
			p->run_end[r]++;
	}
}
