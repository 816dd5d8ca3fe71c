/*
 * SPDX-License-Identifier: MIT
 *
 * sink.h - keeps the events of the trace hooks in memory, for suites whose library files are built
 * with -DDOZE_TRACE_SINK. There is one flat record per event; fields that an event lacks are 0.
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
	SINK_STEAL,
	SINK_BLOCKED,
	SINK_UNBLOCKED,
	SINK_DEADLOCK,
	/* Not kept in memory, only passed to the hook: */
	SINK_SEARCH, /* a worker has searched all queues and found nothing */
	SINK_POINT,  /* tickle.c has loaded the word and is about to swap it */
};

struct sink_event {
	enum sink_kind kind;
	uint32_t pool;
	int32_t worker;
	int from, to, reason; /* states of a worker or latch; reason, cause, source or result */
	uint64_t old_word, new_word;
	uint64_t id, decision_id; /* id of the wake, latch or job */
	int32_t target;           /* target of a wake, owner of a latch, or victim of a steal */
	struct doze_trace_post_info post;
};

/** Called on the thread that reaches a point; the function may block that thread to force a
 * schedule. Null disables the calls. Set it while no pool exists. For SINK_SEARCH, `rounds` is the
 * number of the search; otherwise it is 0. */
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
