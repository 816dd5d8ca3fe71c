/*
 * SPDX-License-Identifier: MIT
 *
 * event.h - one trace event as a C struct; the reader delivers all events in this form.
 *
 * viz/trace creates events from Babeltrace's messages, tests create their own, and viz/model
 * consumes them. tracepoints/README.md documents the fields. Strings are borrowed: valid during the
 * call that passes the event. An enum label that this version does not know decodes to value 0 and
 * sets `unknown_label`; an event with an unknown name has kind DOZE_EV_unknown.
 */
#ifndef DOZE_VIZ_EVENT_H
#define DOZE_VIZ_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/trace_enums.h"

/* clang-format does not terminate on this list. */
/* clang-format off */
#define DOZE_EVENTS(X)                                                                             \
	X(unknown) X(pool_start) X(pool_stop) X(worker_start) X(worker_stop) X(worker_state)       \
	X(jec) X(latch) X(post) X(wake) X(woken) X(sleep_abort) X(blocked) X(unblocked)            \
	X(deadlock) X(mark) X(snapshot) X(job_taken) X(job_start) X(job_end) X(steal) X(lock)      \
	X(search) X(crew) X(wait) X(wake_site) X(wait_totals)
/* clang-format on */

#define DOZE_ENUM_EVENT(n) DOZE_EV_##n,
enum doze_event_kind { DOZE_EVENTS(DOZE_ENUM_EVENT) DOZE_EV_COUNT };

/** The latest accepted time of an event, in the year 2116, so that differences of times cannot
 * overflow. */
#define DOZE_TS_MAX (INT64_C(1) << 62)

/** Bit layout of a counters word, from low to high. Widths are in bits; 0 means that the field is
 * absent. */
struct doze_word_layout {
	enum doze_word_kind kind;
	uint8_t bits_sleeping, bits_inactive, bits_jec;
};

/** The CPUs that a thread may use: their number (0: unknown) and the first 64 of them, CPU 0 in the
 * lowest bit. */
struct doze_cpu_set {
	uint32_t count;
	uint64_t mask;
};

/** What limits the CPU time of a process. */
struct doze_cpu_limits {
	uint32_t cpus_online;  /* number of CPUs of the machine; 0: unknown */
	uint64_t quota_milli;  /* quota of the control groups, in thousandths of a CPU; 0: none */
	uint64_t throttled_ns; /* how long the quota has stopped CPUs in total, added up */
};

struct doze_event {
	/* ns since the epoch of the trace's clock (UTC if the trace declares it), 0 to
	 * DOZE_TS_MAX. */
	int64_t ts;
	enum doze_event_kind kind;
	bool unknown_label;   /* the event has an enum label unknown to this version */
	int32_t cpu;          /* cpu_id of the packet; -1: unknown */
	uint32_t host;        /* small number per traced host, counting from 0 */
	int32_t vpid, vtid;   /* contexts; -1 when absent */
	const char *procname; /* context: name of the thread if it is an outside thread; otherwise
			       * null */
	uint32_t pool;
	int32_t worker;              /* the acting worker; -1: an outside thread */
	uint64_t old_word, new_word; /* 0 in events without counters words */
	bool has_words;
	union {
		struct {
			const char *policy, *version, *name; /* name: since schema 1.1 */
			uint32_t workers, schema_major, schema_minor;
			uint32_t rounds_until_sleepy, rounds_until_sleeping;
			struct doze_word_layout word;
			enum doze_level level;         /* since schema 1.2; earlier: none */
			struct doze_cpu_limits limits; /* since schema 1.4 */
		} pool_start;
		struct {
			struct doze_cpu_limits
			    limits; /* since schema 1.4; only throttled_ns is set */
		} pool_stop;
		struct {
			uint32_t tid;
			const char *name;
			struct doze_cpu_set cpus; /* since schema 1.4 */
		} worker_start;
		struct {
			/* Since schema 1.3: how long the thread has waited for a CPU in total, ns;
			 * 0: unknown. */
			uint64_t run_delay_ns;
			struct doze_cpu_set cpus; /* since schema 1.4 */
		} worker_stop;
		struct {
			enum doze_state from, to;
			enum doze_reason reason;
			uint64_t jobs_run, jobs_published; /* totals of this worker */
			/* The next three fields, since schema 1.1, are set when the worker falls
			 * asleep, and otherwise 0. Since 1.3, cpu_ns is also set when the thread
			 * starts or stops. */
			uint64_t cpu_ns;         /* CPU time of the thread */
			uint32_t left_in_deques; /* number of jobs in the workers' queues */
			bool left_injected;      /* the injector has jobs */
		} state;
		struct {
			enum doze_jec_cause cause;
		} jec;
		struct {
			uint64_t id;
			enum doze_latch_kind kind;
			int32_t owner;
			enum doze_latch_state from, to;
		} latch;
		struct {
			enum doze_queue queue;
			uint32_t jobs;
			bool was_empty;
			int32_t idle, sleeping; /* -1: the policy does not read the number */
			uint32_t wakes;
			uint64_t decision_id;
			/* Since schema 1.1: id of the first job, and address of the caller (0:
			 * unknown). */
			uint64_t job, caller;
			/* Since schema 1.1: number of this thread's posts that saw sleepers but
			 * were not recorded since its previous recorded post. */
			uint32_t skipped;
			/* Since schema 1.1: the callers of `caller`, nearest first; 0: not
			 * recorded. */
			uint64_t caller2, caller3, caller4;
		} post;
		struct {
			int32_t target;
			uint64_t wake_id, decision_id;
			enum doze_cause cause;
			enum doze_scope_kind scope;
		} wake;
		struct {
			uint64_t wake_id; /* 0: a spurious wake */
			uint64_t cpu_ns;  /* CPU time of the thread; 0: unknown (schema 1.0) */
		} woken;
		struct {
			enum doze_abort by;
		} sleep_abort;
		struct {
			uint32_t active, blocked;
		} deadlock; /* for the events blocked, unblocked and deadlock */
		struct {
			const char *text;
		} mark;
		struct {
			const char *policy;
			uint32_t workers;
			enum doze_state state;
			struct doze_word_layout word;
			uint64_t jobs_run, jobs_published;
			enum doze_level level; /* since schema 1.2; earlier: none */
			/* Since schema 1.3: the thread's CPU time, and how long it has waited for a
			 * CPU, ns. 0: unknown. */
			uint64_t cpu_ns, run_delay_ns;
			struct doze_cpu_set cpus;      /* since schema 1.4 */
			struct doze_cpu_limits limits; /* since schema 1.4 */
		} snapshot; /* the word itself is in old_word and new_word */
		struct {
			uint64_t id;
			enum doze_source source; /* undefined in job_end */
			/* job_taken only: number of job starts that were not recorded since the
			 * previous recorded one. */
			uint32_t skipped;
		} job;
		struct {
			int32_t victim;
			enum doze_steal result;
			uint64_t job;
		} steal;
		struct {
			enum doze_lock_kind kind;
			int32_t owner;
			bool contended;
		} lock;
		struct {
			uint32_t rounds;
		} search;
		/* The next four, since schema 1.5, come only from programs that are not ours. */
		struct {
			uint64_t start; /* address of the threads' start routine; 0: main thread */
		} crew;
		struct {
			enum doze_wait_kind kind;
			uint64_t address, caller; /* of the object; of the code that waits */
		} wait;
		struct {
			enum doze_wait_kind kind;
			uint64_t caller;        /* address of the code that wakes */
			uint64_t calls, nobody; /* since the program's start */
		} wake_site;
		struct {
			uint64_t waits, woken, again, timed_out; /* since the thread's start */
			bool paused; /* its waits are only counted, until its next state */
		} wait_totals;
	} u;
};

/** Stores the addresses of the members that hold the strings borrowed by this event, so that a
 * queue can copy the strings. Unused entries are null. */
enum { DOZE_EVENT_TEXTS = 4 };
void doze_event_texts(struct doze_event *e, const char **texts[DOZE_EVENT_TEXTS]);
/** Returns whether doze_event_texts finds a string. Few events contain strings. */
static inline bool doze_event_has_texts(const struct doze_event *e)
{
	return e->procname || e->kind == DOZE_EV_pool_start || e->kind == DOZE_EV_worker_start ||
	       e->kind == DOZE_EV_mark || e->kind == DOZE_EV_snapshot;
}

/** Returns the name of an enum value, as in the trace; "?" for a value out of range. */
const char *doze_event_name(enum doze_event_kind k);
const char *doze_state_name(enum doze_state s);
/** Returns whether a worker in this state has started and not yet stopped. Tools add up the time in
 * these states. */
static inline bool doze_state_is_alive(enum doze_state s)
{
	return s != DOZE_STATE_none && s != DOZE_STATE_stopped;
}
const char *doze_reason_name(enum doze_reason r);
const char *doze_cause_name(enum doze_cause c);
const char *doze_abort_name(enum doze_abort a);
const char *doze_queue_name(enum doze_queue q);
const char *doze_latch_state_name(enum doze_latch_state s);
const char *doze_latch_kind_name(enum doze_latch_kind k);
const char *doze_scope_name(enum doze_scope_kind s);
const char *doze_source_name(enum doze_source s);
const char *doze_steal_name(enum doze_steal s);
const char *doze_jec_cause_name(enum doze_jec_cause c);
const char *doze_lock_name(enum doze_lock_kind k);
const char *doze_word_kind_name(enum doze_word_kind k);
const char *doze_level_name(enum doze_level l);
const char *doze_wait_kind_name(enum doze_wait_kind k);

#endif
