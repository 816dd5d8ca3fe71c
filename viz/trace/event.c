/*
 * SPDX-License-Identifier: MIT
 *
 * event.c - see event.h. The names of events and enum values are generated from the lists that the
 * library and the provider use, so that doze shows the labels of the trace.
 */
#include "event.h"

#include <stddef.h>

#define NAME(n) #n,

/* Defines the function that returns the names of one list. A damaged trace may contain any value,
 * so the function accepts values out of range. */
#define NAMES(function, type, LIST)                                                                \
	const char *function(type v)                                                               \
	{                                                                                          \
		static const char *const names[] = {LIST(NAME)};                                   \
		unsigned i = (unsigned)v;                                                          \
                                                                                                   \
		return i < sizeof(names) / sizeof(names[0]) ? names[i] : "?";                      \
	}

NAMES(doze_event_name, enum doze_event_kind, DOZE_EVENTS)
NAMES(doze_state_name, enum doze_state, DOZE_STATES)
NAMES(doze_reason_name, enum doze_reason, DOZE_REASONS)
NAMES(doze_cause_name, enum doze_cause, DOZE_CAUSES)
NAMES(doze_abort_name, enum doze_abort, DOZE_ABORTS)
NAMES(doze_queue_name, enum doze_queue, DOZE_QUEUES)
NAMES(doze_latch_state_name, enum doze_latch_state, DOZE_LATCH_STATES)
NAMES(doze_latch_kind_name, enum doze_latch_kind, DOZE_LATCH_KINDS)
NAMES(doze_scope_name, enum doze_scope_kind, DOZE_SCOPES)
NAMES(doze_source_name, enum doze_source, DOZE_SOURCES)
NAMES(doze_steal_name, enum doze_steal, DOZE_STEALS)
NAMES(doze_jec_cause_name, enum doze_jec_cause, DOZE_JEC_CAUSES)
NAMES(doze_lock_name, enum doze_lock_kind, DOZE_LOCKS)
NAMES(doze_word_kind_name, enum doze_word_kind, DOZE_WORDS)
NAMES(doze_level_name, enum doze_level, DOZE_LEVELS)
NAMES(doze_wait_kind_name, enum doze_wait_kind, DOZE_WAIT_KINDS)

void doze_event_texts(struct doze_event *e, const char **texts[DOZE_EVENT_TEXTS])
{
	texts[0] = e->procname ? &e->procname : NULL;
	texts[1] = texts[2] = texts[3] = NULL;
	switch (e->kind) {
	case DOZE_EV_pool_start:
		texts[1] = &e->u.pool_start.policy;
		texts[2] = &e->u.pool_start.version;
		texts[3] = &e->u.pool_start.name;
		break;
	case DOZE_EV_worker_start:
		texts[1] = &e->u.worker_start.name;
		break;
	case DOZE_EV_mark:
		texts[1] = &e->u.mark.text;
		break;
	case DOZE_EV_snapshot:
		texts[1] = &e->u.snapshot.policy;
		break;
	default:
		break;
	}
}
