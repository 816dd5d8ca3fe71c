/*
 * SPDX-License-Identifier: MIT
 *
 * trace_enums.h - the vocabulary of the trace, defined once.
 *
 * The C enums of the library, the enum labels of the LTTng provider and the reader's conversion
 * from label to value are all generated from these lists, so that they cannot diverge. The labels
 * are the names below, in lower case, and are part of the contract: append to them, never rename or
 * reorder them. Value 0 of each list means "none" or is harmless, so that zeroed memory claims
 * nothing.
 */
#ifndef DOZE_TRACE_ENUMS_H
#define DOZE_TRACE_ENUMS_H

/** Schema of the trace. The major version is incremented when a field changes its meaning or is
 * removed, and readers refuse newer major versions; the minor version is incremented for new
 * fields, labels and events. */
#define DOZE_SCHEMA_MAJOR 1
#define DOZE_SCHEMA_MINOR 6

/** What a worker is doing. `none` precedes worker_start. */
#define DOZE_STATES(X)                                                                             \
	X(none)                                                                                    \
	X(active)                                                                                  \
	X(idle)                                                                                    \
	X(sleepy)                                                                                  \
	X(sleeping)                                                                                \
	X(blocked)                                                                                 \
	X(stopped)                                                                                 \
	X(suspended) /* the worker changes threads; the new thread's next event reports active */

/** Why a worker changed state. Each comment shows the transition, and what caused it; "-> active"
 * means from idle or sleepy. */
#define DOZE_REASONS(X)                                                                            \
	X(none)                                                                                    \
	X(start)           /* none -> active: the thread runs */                                   \
	X(no_work)         /* active -> idle: found no work, starts to search */                   \
	X(rounds)          /* idle -> sleepy, sleepy -> sleeping: enough fruitless rounds */       \
	X(found_local)     /* -> active: own deque */                                              \
	X(found_stolen)    /* -> active: another worker's deque */                                 \
	X(found_injected)  /* -> active, or a sleep averted: the injector */                       \
	X(found_broadcast) /* -> active, or a sleep averted: own broadcast queue */                \
	X(jec_changed)     /* sleepy -> idle: work was posted since the worker got sleepy */       \
	X(tickled)         /* sleepy -> idle: under `tickle`, another thread freed the sleepy      \
			    * slot */                                                              \
	X(latch_set)       /* -> active, or a sleep averted: the awaited latch */                  \
	X(woken)           /* sleeping -> idle: by a wake with an id */                            \
	X(self_wake)       /* sleeping -> idle: spurious wake */                                   \
	X(terminate)       /* -> stopped */                                                        \
	X(mark_blocked)    /* active -> blocked */                                                 \
	X(mark_unblocked)  /* blocked -> active */                                                 \
	X(recheck)         /* sleeping -> idle: under `go`, the last check of the queues found     \
			    * work */                                                              \
	X(must_not_help)   /* active -> suspended: a wait must not run the job that it found */    \
	X(gives_back)      /* active -> suspended: a suspended wait can continue */                \
	X(takes_over)      /* suspended -> active: on the new thread */                            \
	/* Only in programs that are not ours (tracepoints/any): */                                \
	X(waits)     /* -> sleeping: the thread calls a function that waits */                     \
	X(went_on)   /* idle -> active: the woken thread released its mutex */                     \
	X(timed_out) /* sleeping -> active: the wait ended without a wake */

/** Why a waker woke a worker. */
#define DOZE_CAUSES(X)                                                                             \
	/* `call` only in programs that are not ours */                                            \
	X(none)                                                                                    \
	X(push) X(inject) X(latch) X(job_done) X(work_found) X(broadcast) X(terminate) X(call)

/** Whether a decision was meant to wake one worker or all. */
#define DOZE_SCOPES(X) X(none) X(one) X(all)

/** The queue that a job was published to. */
#define DOZE_QUEUES(X) X(none) X(local) X(injector) X(broadcast)

/** The queue that a started job came from. `inline` means that the job's creator ran it without
 * publishing it. */
#define DOZE_SOURCES(X) X(none) X(local) X(stolen) X(injected) X(broadcast) X(inline) X(helped)

/** How a steal attempt ended. */
#define DOZE_STEALS(X) X(none) X(success) X(empty) X(retry) X(moved)

/** What averted a sleep. */
#define DOZE_ABORTS(X) X(none) X(jec) X(latch) X(injector) X(broadcast) X(tickled) X(recheck)

/** What toggled the jobs event counter; `tickle` means that a tickle cleared the word of that
 * policy. */
#define DOZE_JEC_CAUSES(X) X(none) X(post) X(sleepy) X(tickle)

/** States of a core latch. */
#define DOZE_LATCH_STATES(X) X(unset) X(sleepy) X(sleeping) X(set) X(suspended)

/** What a core latch belongs to. */
#define DOZE_LATCH_KINDS(X) X(none) X(spin) X(count) X(terminate) X(future)

/** Locks of the `forkjoin` preset. */
#define DOZE_LOCKS(X) X(none) X(pool) X(deque)

/** Level of detail that a process records: `jobs` includes posts and starts of jobs that may leave
 * their poster's worker, `all` the posts and starts of every job. `none` means unknown. */
#define DOZE_LEVELS(X) X(none) X(states) X(jobs) X(all)

/** What the counters word of a policy holds: packed counters, the tickle word, or nothing. */
#define DOZE_WORDS(X) X(none) X(counters) X(tickle)

/** What a thread of a program that is not ours waits on: a condition variable, a semaphore, or a
 * futex. */
#define DOZE_WAIT_KINDS(X) X(none) X(cond) X(sem) X(futex)

#define DOZE_ENUM_STATE(n)       DOZE_STATE_##n,
#define DOZE_ENUM_REASON(n)      DOZE_REASON_##n,
#define DOZE_ENUM_CAUSE(n)       DOZE_CAUSE_##n,
#define DOZE_ENUM_SCOPE(n)       DOZE_SCOPE_##n,
#define DOZE_ENUM_QUEUE(n)       DOZE_QUEUE_##n,
#define DOZE_ENUM_SOURCE(n)      DOZE_SOURCE_##n,
#define DOZE_ENUM_STEAL(n)       DOZE_STEAL_##n,
#define DOZE_ENUM_ABORT(n)       DOZE_ABORT_##n,
#define DOZE_ENUM_JEC_CAUSE(n)   DOZE_JEC_CAUSE_##n,
#define DOZE_ENUM_LATCH_STATE(n) DOZE_LATCH_##n,
#define DOZE_ENUM_LATCH_KIND(n)  DOZE_LATCH_KIND_##n,
#define DOZE_ENUM_LOCK(n)        DOZE_LOCK_##n,
#define DOZE_ENUM_WORD(n)        DOZE_WORD_##n,
#define DOZE_ENUM_LEVEL(n)       DOZE_LEVEL_##n,
#define DOZE_ENUM_WAIT_KIND(n)   DOZE_WAIT_##n,

enum doze_state { DOZE_STATES(DOZE_ENUM_STATE) DOZE_STATE_COUNT };
enum doze_reason { DOZE_REASONS(DOZE_ENUM_REASON) DOZE_REASON_COUNT };
enum doze_cause { DOZE_CAUSES(DOZE_ENUM_CAUSE) DOZE_CAUSE_COUNT };
enum doze_scope_kind { DOZE_SCOPES(DOZE_ENUM_SCOPE) DOZE_SCOPE_COUNT };
enum doze_queue { DOZE_QUEUES(DOZE_ENUM_QUEUE) DOZE_QUEUE_COUNT };
enum doze_source { DOZE_SOURCES(DOZE_ENUM_SOURCE) DOZE_SOURCE_COUNT };
enum doze_steal { DOZE_STEALS(DOZE_ENUM_STEAL) DOZE_STEAL_COUNT };
enum doze_abort { DOZE_ABORTS(DOZE_ENUM_ABORT) DOZE_ABORT_COUNT };
enum doze_jec_cause { DOZE_JEC_CAUSES(DOZE_ENUM_JEC_CAUSE) DOZE_JEC_CAUSE_COUNT };
enum doze_latch_state { DOZE_LATCH_STATES(DOZE_ENUM_LATCH_STATE) DOZE_LATCH_COUNT };
enum doze_latch_kind { DOZE_LATCH_KINDS(DOZE_ENUM_LATCH_KIND) DOZE_LATCH_KIND_COUNT };
enum doze_lock_kind { DOZE_LOCKS(DOZE_ENUM_LOCK) DOZE_LOCK_COUNT };
enum doze_word_kind { DOZE_WORDS(DOZE_ENUM_WORD) DOZE_WORD_COUNT };
enum doze_level { DOZE_LEVELS(DOZE_ENUM_LEVEL) DOZE_LEVEL_COUNT };
enum doze_wait_kind { DOZE_WAIT_KINDS(DOZE_ENUM_WAIT_KIND) DOZE_WAIT_KIND_COUNT };

#endif
