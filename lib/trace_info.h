/*
 * SPDX-License-Identifier: MIT
 *
 * trace_info.h - the argument structs of the hooks in trace.h.
 *
 * A hook with more than a few arguments takes a pointer to one of these. They are separate from
 * trace.h because the provider needs them without the hooks. The caller owns the struct and its
 * strings, which are read only during the call.
 */
#ifndef DOZE_TRACE_INFO_H
#define DOZE_TRACE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "trace_enums.h"

/** Describes a pool, for pool_start. */
struct doze_trace_pool_info {
	const char *policy;
	const char *version;
	const char *name; /* the configured prefix of the threads' names */
	uint32_t workers;
	uint32_t schema_major, schema_minor;
	uint32_t rounds_until_sleepy, rounds_until_sleeping;
	enum doze_word_kind word_kind;
	/* widths of the word's fields, low to high; 0 = no such field */
	uint32_t bits_sleeping, bits_inactive, bits_jec;
	enum doze_level level;
};

/** One transition of a worker. */
struct doze_trace_state_info {
	enum doze_state from, to;
	enum doze_reason reason;
	uint64_t old_word, new_word;
	uint64_t jobs_run, jobs_published; /* numbers of jobs of this worker since its start */
	/* If `to` is sleeping: the number of jobs left in the workers' queues, and whether the
	 * injector has a job. Otherwise 0. */
	uint32_t left_in_deques;
	bool left_injected;
};

/** One queued job that starts while a worker sleeps. */
struct doze_trace_taken_info {
	uint64_t job;
	enum doze_source source;
	uint32_t skipped; /* number of starts that were not recorded since the last record */
};

/** One decision about a post. */
struct doze_trace_post_info {
	enum doze_queue queue;
	uint32_t jobs;
	bool was_empty; /* the queue was empty before the push */
	uint64_t old_word, new_word;
	/* numbers of idle and sleeping workers that the policy read; -1 if it does not read the
	 * number */
	int32_t idle, sleeping;
	uint32_t wakes;       /* number of workers that the policy chose to wake */
	uint64_t decision_id; /* id of the decision; 0 if it woke no worker */
	uint64_t job;         /* id of the job, or of the first of several; 0 = unknown */
	const void *caller;   /* address of the user's call that posted; null = unknown */
	uint32_t skipped;     /* number of posts that were not recorded since the last record */
};

/** One wake, as seen by the waker. Emitted under the lock that the sleeper waits with. */
struct doze_trace_wake_info {
	int32_t target; /* -1 if a condition variable chooses the worker, whose `woken` then has
			 * this wake_id */
	uint64_t wake_id, decision_id;
	enum doze_cause cause;
	enum doze_scope_kind scope;
	uint64_t old_word, new_word;
};

/** The current state of one worker, for snapshot. */
struct doze_trace_snapshot_info {
	const char *policy;
	uint32_t workers;
	enum doze_state state;
	enum doze_word_kind word_kind;
	uint32_t bits_sleeping, bits_inactive, bits_jec;
	uint64_t word;
	uint64_t jobs_run, jobs_published;
	enum doze_level level;
	uint32_t tid; /* kernel id of the worker's thread; 0 = unknown */
};

/** The calls at one place of a program that is not ours that wake threads, since its start. */
struct doze_trace_wake_site_info {
	enum doze_wait_kind kind;
	const void *caller; /* code address after the call */
	uint64_t calls;     /* number of calls */
	uint64_t nobody;    /* how many of them found no thread that waits */
};

/** The waits of one thread of a program that is not ours, since the thread's start. They are
 * counted even if events are lost. */
struct doze_trace_wait_totals_info {
	uint64_t waits;
	uint64_t woken;     /* how many were ended by a wake */
	uint64_t again;     /* woken, and then waited again with the mutex held throughout */
	uint64_t timed_out; /* how many ended without a wake */
	bool paused;        /* its waits are only counted, until its next worker_state */
};

#endif
