/*
 * SPDX-License-Identifier: MIT
 *
 * split.c - see split.h. The first event of a pool contains its policy: pool_start or, for a viewer
 * that attaches late, a snapshot.
 */
#include "split.h"

#include <string.h>

static const char *policy_of(const struct doze_event *e)
{
	if (e->kind == DOZE_EV_pool_start)
		return e->u.pool_start.policy;
	return e->kind == DOZE_EV_snapshot ? e->u.snapshot.policy : NULL;
}

/* Returns which of the two sides has this policy, or -1. */
static int side_of(const struct tui_split *s, const char *policy)
{
	for (int i = 0; i < 2; i++)
		if (policy && strcmp(policy, s->policy[i]) == 0)
			return i;
	return -1;
}

struct tui_history *tui_split_route(struct tui_split *s, const struct doze_event *e)
{
	int side;

	for (int i = 0; i < s->processes; i++)
		if (s->process[i].vpid == e->vpid && s->process[i].host == e->host)
			return s->to[s->process[i].side];
	side = side_of(s, policy_of(e));
	if (side < 0 || s->processes == TUI_SPLIT_PROCESSES)
		return NULL;
	s->process[s->processes].host = e->host;
	s->process[s->processes].vpid = e->vpid;
	s->process[s->processes++].side = side;
	return s->to[side];
}
