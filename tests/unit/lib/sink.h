/*
 * SPDX-License-Identifier: MIT
 *
 * sink.h - keeps the events of the trace hooks in memory, for suites whose library files are built
 * with -DDOZE_TRACE_SINK. One flat record per event; fields that an event lacks are 0.
 */
#ifndef DOZE_TESTS_LIB_SINK_H
#define DOZE_TESTS_LIB_SINK_H

#include <stddef.h>

#include "lib/trace.h"

enum sink_kind {
	SINK_OTHER,
	SINK_STATE,
	SINK_JEC,
	SINK_LATCH,
	SINK_POST,
	SINK_WAKE,
	SINK_WOKEN,
	SINK_ABORT,
	SINK_POOL_STOP,
	SINK_WORKER_STOP,
	SINK_JOB_START,
	SINK_JOB_END,
	SINK_BLOCKED,
	SINK_UNBLOCKED,
	SINK_DEADLOCK,
	/* Not kept in memory, only passed to the hook: */
	SINK_SEARCH, /* a worker has searched everything and found nothing */
	SINK_POINT,  /* tickle.c, between tickle's load of the word and its swap */
};

struct sink_event {
	enum sink_kind kind;
	uint32_t pool;
	int32_t worker;
	int from, to, reason; /* states or latch states; reason, cause or abort */
	uint64_t old_word, new_word;
	uint64_t id, decision_id; /* wake, latch or job id */
	int32_t target;           /* of a wake; owner of a latch */
	struct doze_trace_post_info post;
};

/** Called on the thread that reaches the point; the function may block that thread to force a
 * schedule. Null: not called. Set it while no pool exists. `rounds` is that of a search, otherwise
 * 0. */
extern void (*sink_hook)(enum sink_kind kind, uint32_t rounds);
void sink_point(void);

/** Discards all events. No pool may exist. */
void sink_reset(void);
/** Returns the events since the last reset, in the order in which the hooks were called, and their
 * number in *count. */
const struct sink_event *sink_events(size_t *count);
/** Returns the number of events of one kind. */
size_t sink_count(enum sink_kind kind);
/** Returns the n-th event (from 0) of one kind, or null. */
const struct sink_event *sink_nth(enum sink_kind kind, size_t n);

#endif
