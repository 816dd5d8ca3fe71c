/*
 * SPDX-License-Identifier: MIT
 *
 * event_why.c - see event_why.h.
 */
#include "event_why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../trace/policies.h"

#define ROUNDS "{rounds}"

/* Returns the number of unsuccessful search rounds after which a worker of the pool takes the step
 * of this event, or 0 if unknown. */
static uint32_t rounds_of(const struct doze_pool_view *p, const struct doze_event *e)
{
	if (!p || e->kind != DOZE_EV_worker_state)
		return 0;
	return e->u.state.to == DOZE_STATE_sleepy ? p->rounds_until_sleepy
						  : p->rounds_until_sleeping;
}

const char *doze_event_why(char *buf, size_t size, const struct doze_pool_view *p,
			   const struct doze_event *e)
{
	const struct doze_policy_descriptor *d = doze_policy_descriptor(p ? p->policy : "?");
	const char *text = doze_policy_sentence(d, e), *gap = strstr(text, ROUNDS);
	uint32_t n = rounds_of(p, e);
	char count[16] = "enough";

	/* The sentences for unknown policies mention the JEC, which this pool may lack. */
	if (p && !doze_pool_has_jec(p) && strstr(text, "JEC")) {
		buf[0] = '\0';
		return buf;
	}
	if (n)
		snprintf(count, sizeof count, "%" PRIu32, n);
	if (gap)
		snprintf(buf, size, "%.*s%s fruitless round%s%s", (int)(gap - text), text, count,
			 n == 1 ? "" : "s", gap + strlen(ROUNDS));
	else
		snprintf(buf, size, "%s", text);
	return buf;
}
