/*
 * SPDX-License-Identifier: MIT
 *
 * finding_log_int.h - shared by finding_log.c, which collects, and finding_log_print.c, which
 * prints.
 */
#ifndef DOZE_VIZ_FINDING_LOG_INT_H
#define DOZE_VIZ_FINDING_LOG_INT_H

#include "finding_log.h"

enum {
	RING_EVENTS = 256, /* a larger ring would not fit into the cache */
	PAST_EVENTS = 8 /* minimum number of earlier events to keep, if there are that many */,
	FINDING_RULES = 48,
	FINDING_FOLLOWS = 6, /* rules listed as consequences of one finding */
};

struct rule_count {
	const char *rule; /* a constant of the model */
	uint64_t n;
};

struct finding_item {
	struct doze_finding finding;
	struct rule_count follows[FINDING_FOLLOWS]; /* its consequences; an unused entry has a null
						     * rule */
	uint64_t consequences;
	struct doze_event event[DOZE_FINDING_EVENTS]; /* copies, without their strings */
	size_t events, past;            /* the first `past` events are not later than the finding */
	bool mark[DOZE_FINDING_EVENTS]; /* whether this is the finding's own event */
	uint64_t ends;                  /* number of the last event that may still be added */
};

struct doze_findings {
	size_t max, count, complete; /* items before `complete` collect no further events */
	struct finding_item *item;   /* owned */
	struct rule_count by_rule[FINDING_RULES];
	int64_t origin; /* ts of the first event */
	uint64_t seen;
	struct doze_event ring[RING_EVENTS];
};

#endif
