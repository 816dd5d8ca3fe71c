/*
 * SPDX-License-Identifier: MIT
 *
 * trace.h - the typed hooks that the library calls; no other part of lib/ depends on the
 * tracer. tracepoints/README.md has the catalogue of events, with their units, log levels and
 * positions relative to steps; a test compares it with this file.
 *
 * Backends, chosen at build time, so that hot code has no #ifdef:
 *   TRACE=1 (default)         a disabled hook costs one load and one predicted branch; the probes
 *                             are in a shared object found at run time (tracepoints/trace_load.c)
 *   TRACE=0 (DOZE_NO_TRACE)   empty inline functions, whose arguments are still type-checked
 *   DOZE_TRACE_SINK           plain functions doze_sink_<event>(same arguments), for the explorer
 *
 * Conventions
 *   pool    pool id, unique in the process, from 1.
 *   worker  the acting worker's index in that pool; -1 for a thread that is not one of its workers.
 *   old,new the counters word before and after. If old != new, this event, and no other, reports
 *           that atomic step. If old == new, the event reports no step; the word is as last seen.
 *   A hook that reports a step is called right after the step, by the thread that took it, before
 *   that thread's next step on the word.
 */
#ifndef DOZE_TRACE_H
#define DOZE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace_enums.h"
#include "trace_info.h"

/*
 * The hooks, one per event: X(name, prototype, arguments). Comments mark the first event of each
 * level.
 */
#define DOZE_TRACE_HOOKS(X)                                                                        \
	/* events of level states */                                                               \
	X(pool_start, (uint32_t pool, const struct doze_trace_pool_info *info), (pool, info))      \
	X(pool_stop, (uint32_t pool), (pool))                                                      \
	X(worker_start, (uint32_t pool, int32_t worker, uint32_t tid, const char *name),           \
	  (pool, worker, tid, name))                                                               \
	X(worker_stop, (uint32_t pool, int32_t worker), (pool, worker))                            \
	X(worker_state, (uint32_t pool, int32_t worker, const struct doze_trace_state_info *info), \
	  (pool, worker, info))                                                                    \
	X(jec,                                                                                     \
	  (uint32_t pool, int32_t worker, enum doze_jec_cause cause, uint64_t old_word,            \
	   uint64_t new_word),                                                                     \
	  (pool, worker, cause, old_word, new_word))                                               \
	X(latch,                                                                                   \
	  (uint32_t pool, int32_t worker, uint64_t id, enum doze_latch_kind kind, int32_t owner,   \
	   enum doze_latch_state from, enum doze_latch_state to),                                  \
	  (pool, worker, id, kind, owner, from, to))                                               \
	X(post, (uint32_t pool, int32_t worker, const struct doze_trace_post_info *info),          \
	  (pool, worker, info))                                                                    \
	X(wake, (uint32_t pool, int32_t worker, const struct doze_trace_wake_info *info),          \
	  (pool, worker, info))                                                                    \
	X(woken, (uint32_t pool, int32_t worker, uint64_t wake_id), (pool, worker, wake_id))       \
	X(sleep_abort,                                                                             \
	  (uint32_t pool, int32_t worker, enum doze_abort by, uint64_t old_word,                   \
	   uint64_t new_word),                                                                     \
	  (pool, worker, by, old_word, new_word))                                                  \
	X(blocked, (uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now),         \
	  (pool, worker, active, blocked_now))                                                     \
	X(unblocked, (uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now),       \
	  (pool, worker, active, blocked_now))                                                     \
	X(deadlock, (uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now),        \
	  (pool, worker, active, blocked_now))                                                     \
	X(mark, (uint32_t pool, int32_t worker, const char *text), (pool, worker, text))           \
	X(snapshot, (uint32_t pool, int32_t worker, const struct doze_trace_snapshot_info *info),  \
	  (pool, worker, info))                                                                    \
	X(job_taken, (uint32_t pool, int32_t worker, const struct doze_trace_taken_info *info),    \
	  (pool, worker, info))                                                                    \
	/* events of level states that only tracepoints/any emits */                               \
	X(crew, (uint32_t pool, const void *start), (pool, start))                                 \
	X(wait,                                                                                    \
	  (uint32_t pool, int32_t worker, enum doze_wait_kind kind, const void *address,           \
	   const void *caller),                                                                    \
	  (pool, worker, kind, address, caller))                                                   \
	X(wake_site, (uint32_t pool, const struct doze_trace_wake_site_info *info), (pool, info))  \
	X(wait_totals,                                                                             \
	  (uint32_t pool, int32_t worker, const struct doze_trace_wait_totals_info *info),         \
	  (pool, worker, info))                                                                    \
	/* events of level jobs */                                                                 \
	X(job_start, (uint32_t pool, int32_t worker, uint64_t job, enum doze_source source),       \
	  (pool, worker, job, source))                                                             \
	X(job_end, (uint32_t pool, int32_t worker, uint64_t job), (pool, worker, job))             \
	X(steal,                                                                                   \
	  (uint32_t pool, int32_t worker, int32_t victim, enum doze_steal result, uint64_t job),   \
	  (pool, worker, victim, result, job))                                                     \
	X(lock,                                                                                    \
	  (uint32_t pool, int32_t worker, enum doze_lock_kind kind, int32_t owner,                 \
	   bool contended),                                                                        \
	  (pool, worker, kind, owner, contended))                                                  \
	/* events of level all */                                                                  \
	X(search, (uint32_t pool, int32_t worker, uint32_t rounds), (pool, worker, rounds))

/* Each hook is called as doze_trace_<event>(...). Four queries let a caller skip the preparation of
 * arguments that no event needs. Each costs a load and a predicted branch if no trace is being
 * recorded. Each returns whether something is being recorded:
 *   doze_trace_<event>_on()     this event
 *   doze_trace_every_job()      level all, and thus every post and every start
 *   doze_trace_starts_wanted()  at least some starts; see job_records.h
 *   doze_trace_delays_wanted()  how long jobs wait while workers sleep
 * doze_trace_starts_state() and doze_trace_every_job_state() return the address of an int that is
 * not 0 while doze_trace_starts_wanted() or doze_trace_every_job() is true, for doze_inline.h.
 * Only the snapshot thread in trace_load.c calls `snapshot`. */

#if defined DOZE_TRACE_SINK

#define DOZE_HOOK_DECL(name, proto, args)                                                          \
	void doze_sink_##name proto;                                                               \
	static inline void doze_trace_##name proto                                                 \
	{                                                                                          \
		doze_sink_##name args;                                                             \
	}                                                                                          \
	static inline bool doze_trace_##name##_on(void)                                            \
	{                                                                                          \
		return true;                                                                       \
	}
DOZE_TRACE_HOOKS(DOZE_HOOK_DECL)
static inline bool doze_trace_every_job(void)
{
	return true;
}
static inline bool doze_trace_starts_wanted(void)
{
	return true;
}
static inline enum doze_level doze_trace_level(void)
{
	return DOZE_LEVEL_all;
}
static inline bool doze_trace_delays_wanted(void)
{
	return false; /* reading all queues would multiply the states that the explorer visits */
}
static const int doze_trace_state = 1;

#elif defined DOZE_NO_TRACE

void doze_trace_ignore(int first, ...); /* never defined, never called */
#define DOZE_TRACE_UNWRAP(...) __VA_ARGS__
#define DOZE_HOOK_DECL(name, proto, args)                                                          \
	static inline void doze_trace_##name proto                                                 \
	{                                                                                          \
		if (0)                                                                             \
			doze_trace_ignore(0, DOZE_TRACE_UNWRAP args);                              \
	}                                                                                          \
	static inline bool doze_trace_##name##_on(void)                                            \
	{                                                                                          \
		return false;                                                                      \
	}
DOZE_TRACE_HOOKS(DOZE_HOOK_DECL)
static inline bool doze_trace_every_job(void)
{
	return false;
}
static inline bool doze_trace_starts_wanted(void)
{
	return false;
}
static inline enum doze_level doze_trace_level(void)
{
	return DOZE_LEVEL_none;
}
static inline bool doze_trace_delays_wanted(void)
{
	return false;
}
static const int doze_trace_state = 0;

#else
#include "../tracepoints/hooks.h" /* the same inline functions, based on LTTng-UST tracepoints */
#endif

#if defined DOZE_TRACE_SINK || defined DOZE_NO_TRACE
static inline const int *doze_trace_starts_state(void)
{
	return &doze_trace_state;
}
static inline const int *doze_trace_every_job_state(void)
{
	return &doze_trace_state;
}
#endif

#endif
