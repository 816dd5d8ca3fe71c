/*
 * SPDX-License-Identifier: MIT
 *
 * finding_log_int.h - the data that finding_log.c collects and finding_log_print.c prints.
 */
#ifndef DOZE_VIZ_FINDING_LOG_INT_H
#define DOZE_VIZ_FINDING_LOG_INT_H

#include "finding_log.h"

enum {
	RING_EVENTS = 256, /* a larger ring would not fit into the cache */
	PAST_EVENTS = 8,   /* minimum number of earlier events to keep, if there are enough */
	FINDING_RULES = 48,
	FINDING_FOLLOWS = 6, /* maximum number of rules listed as consequences of one finding */
};

struct rule_count {
	const char *rule; /* a string constant; not owned */
	uint64_t n;
};

struct finding_item {
	struct doze_finding finding;
	/* the rules that were violated as a consequence; an unused entry has a null rule */
	struct rule_count follows[FINDING_FOLLOWS];
	uint64_t consequences;
	struct doze_event event[DOZE_FINDING_EVENTS]; /* copies, without strings */
	size_t events, past;            /* the first `past` events are not later than the finding */
	bool mark[DOZE_FINDING_EVENTS]; /* whether this is the finding's own event */
	/* number (see `seen`) of the last event that may still be added */
	uint64_t ends;
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
