/*
 * SPDX-License-Identifier: MIT
 *
 * doze_tp.h - the events of provider `doze`, and nothing else, because LTTng's macros include it
 * many times. The arguments are those of the hooks in lib/trace.h, in the same order; if they
 * differ, tp_define.c does not compile. README.md describes each event, and a test compares the two
 * files field by field. The old and new values of the counters word are shown in hexadecimal
 * because several counts are packed into them.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER doze
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tracepoints/doze_tp.h"

#if !defined(DOZE_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define DOZE_TP_H

#include <lttng/tracepoint.h>

#include "../lib/trace_info.h"
#include "cpu_limits.h"
#include "cpu_time.h"
#include "frames.h"
#include "thread_times.h"

/* clang-format cannot format LTTng's lists, whose items have no commas between them. */
/* clang-format off */

/* ---- enumerations, from the same lists as the C enums ---- */
#define DOZE_TP_STATE(n)       lttng_ust_field_enum_value(#n, DOZE_STATE_##n)
#define DOZE_TP_REASON(n)      lttng_ust_field_enum_value(#n, DOZE_REASON_##n)
#define DOZE_TP_CAUSE(n)       lttng_ust_field_enum_value(#n, DOZE_CAUSE_##n)
#define DOZE_TP_SCOPE(n)       lttng_ust_field_enum_value(#n, DOZE_SCOPE_##n)
#define DOZE_TP_QUEUE(n)       lttng_ust_field_enum_value(#n, DOZE_QUEUE_##n)
#define DOZE_TP_SOURCE(n)      lttng_ust_field_enum_value(#n, DOZE_SOURCE_##n)
#define DOZE_TP_STEAL(n)       lttng_ust_field_enum_value(#n, DOZE_STEAL_##n)
#define DOZE_TP_ABORT(n)       lttng_ust_field_enum_value(#n, DOZE_ABORT_##n)
#define DOZE_TP_JEC_CAUSE(n)   lttng_ust_field_enum_value(#n, DOZE_JEC_CAUSE_##n)
#define DOZE_TP_LATCH_STATE(n) lttng_ust_field_enum_value(#n, DOZE_LATCH_##n)
#define DOZE_TP_LATCH_KIND(n)  lttng_ust_field_enum_value(#n, DOZE_LATCH_KIND_##n)
#define DOZE_TP_LOCK(n)        lttng_ust_field_enum_value(#n, DOZE_LOCK_##n)
#define DOZE_TP_WORD(n)        lttng_ust_field_enum_value(#n, DOZE_WORD_##n)
#define DOZE_TP_LEVEL(n)       lttng_ust_field_enum_value(#n, DOZE_LEVEL_##n)
#define DOZE_TP_WAIT_KIND(n)   lttng_ust_field_enum_value(#n, DOZE_WAIT_##n)

LTTNG_UST_TRACEPOINT_ENUM(doze, state, LTTNG_UST_TP_ENUM_VALUES(DOZE_STATES(DOZE_TP_STATE)))
LTTNG_UST_TRACEPOINT_ENUM(doze, reason, LTTNG_UST_TP_ENUM_VALUES(DOZE_REASONS(DOZE_TP_REASON)))
LTTNG_UST_TRACEPOINT_ENUM(doze, cause, LTTNG_UST_TP_ENUM_VALUES(DOZE_CAUSES(DOZE_TP_CAUSE)))
LTTNG_UST_TRACEPOINT_ENUM(doze, scope, LTTNG_UST_TP_ENUM_VALUES(DOZE_SCOPES(DOZE_TP_SCOPE)))
LTTNG_UST_TRACEPOINT_ENUM(doze, queue, LTTNG_UST_TP_ENUM_VALUES(DOZE_QUEUES(DOZE_TP_QUEUE)))
LTTNG_UST_TRACEPOINT_ENUM(doze, source, LTTNG_UST_TP_ENUM_VALUES(DOZE_SOURCES(DOZE_TP_SOURCE)))
LTTNG_UST_TRACEPOINT_ENUM(doze, steal, LTTNG_UST_TP_ENUM_VALUES(DOZE_STEALS(DOZE_TP_STEAL)))
LTTNG_UST_TRACEPOINT_ENUM(doze, abort, LTTNG_UST_TP_ENUM_VALUES(DOZE_ABORTS(DOZE_TP_ABORT)))
LTTNG_UST_TRACEPOINT_ENUM(doze, jec_cause,
	LTTNG_UST_TP_ENUM_VALUES(DOZE_JEC_CAUSES(DOZE_TP_JEC_CAUSE)))
LTTNG_UST_TRACEPOINT_ENUM(doze, latch_state,
	LTTNG_UST_TP_ENUM_VALUES(DOZE_LATCH_STATES(DOZE_TP_LATCH_STATE)))
LTTNG_UST_TRACEPOINT_ENUM(doze, latch_kind,
	LTTNG_UST_TP_ENUM_VALUES(DOZE_LATCH_KINDS(DOZE_TP_LATCH_KIND)))
LTTNG_UST_TRACEPOINT_ENUM(doze, lock_kind, LTTNG_UST_TP_ENUM_VALUES(DOZE_LOCKS(DOZE_TP_LOCK)))
LTTNG_UST_TRACEPOINT_ENUM(doze, word_kind, LTTNG_UST_TP_ENUM_VALUES(DOZE_WORDS(DOZE_TP_WORD)))
LTTNG_UST_TRACEPOINT_ENUM(doze, level, LTTNG_UST_TP_ENUM_VALUES(DOZE_LEVELS(DOZE_TP_LEVEL)))
LTTNG_UST_TRACEPOINT_ENUM(doze, wait_kind,
	LTTNG_UST_TP_ENUM_VALUES(DOZE_WAIT_KINDS(DOZE_TP_WAIT_KIND)))

/* ---- macros for fields: the acting worker, numbers, and enumerations in one byte ---- */
#define DOZE_TP_WHO                                                                                \
	lttng_ust_field_integer(uint32_t, pool, pool)                                              \
	lttng_ust_field_integer(int32_t, worker, worker)
#define DOZE_TP_OUTSIDE                                                                            \
	lttng_ust_field_integer(uint32_t, pool, pool)                                              \
	lttng_ust_field_integer(int32_t, worker, -1)
#define DOZE_TP_U32(field, value)       lttng_ust_field_integer(uint32_t, field, value)
#define DOZE_TP_I32(field, value)       lttng_ust_field_integer(int32_t, field, value)
#define DOZE_TP_U64(field, value)       lttng_ust_field_integer(uint64_t, field, value)
#define DOZE_TP_BOOL(field, value)      lttng_ust_field_integer(uint8_t, field, value)
#define DOZE_TP_HEX(field, value)   lttng_ust_field_integer_hex(uint64_t, field, value)
#define DOZE_TP_ENUM(type, field, value) lttng_ust_field_enum(doze, type, uint8_t, field, value)

/* ---- level states ---- */

LTTNG_UST_TRACEPOINT_EVENT(doze, pool_start,
	LTTNG_UST_TP_ARGS(uint32_t, pool, const struct doze_trace_pool_info *, info),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_OUTSIDE
		DOZE_TP_U32(schema_major, info->schema_major)
		DOZE_TP_U32(schema_minor, info->schema_minor)
		lttng_ust_field_string(version, info->version)
		lttng_ust_field_string(policy, info->policy)
		DOZE_TP_U32(workers, info->workers)
		DOZE_TP_U32(rounds_until_sleepy, info->rounds_until_sleepy)
		DOZE_TP_U32(rounds_until_sleeping, info->rounds_until_sleeping)
		DOZE_TP_ENUM(word_kind, word, info->word_kind)
		DOZE_TP_U32(bits_sleeping, info->bits_sleeping)
		DOZE_TP_U32(bits_inactive, info->bits_inactive)
		DOZE_TP_U32(bits_jec, info->bits_jec)
		lttng_ust_field_string(name, info->name)
		DOZE_TP_ENUM(level, level, info->level)
		DOZE_TP_U32(cpus_online, doze_tp_cpus_online())
		DOZE_TP_U64(quota_milli, doze_tp_quota_milli())
		DOZE_TP_U64(throttled_ns, doze_tp_throttled_ns())))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, pool_start, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, pool_stop,
	LTTNG_UST_TP_ARGS(uint32_t, pool),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_OUTSIDE
		DOZE_TP_U64(throttled_ns, doze_tp_throttled_ns())))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, pool_stop, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, worker_start,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, uint32_t, tid, const char *, name),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U32(tid, tid)
		lttng_ust_field_string(name, name)
		DOZE_TP_U32(cpus, doze_tp_cpus_of(tid)) /* also finds the mask */
		DOZE_TP_HEX(cpu_mask, doze_tp_mask())))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, worker_start, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, worker_stop,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U64(run_delay_ns, doze_tp_run_delay_ns())
		DOZE_TP_U32(cpus, doze_tp_cpus()) /* also finds the mask */
		DOZE_TP_HEX(cpu_mask, doze_tp_mask())))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, worker_stop, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, worker_state,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		const struct doze_trace_state_info *, info),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_ENUM(state, from, info->from)
		DOZE_TP_ENUM(state, to, info->to)
		DOZE_TP_ENUM(reason, reason, info->reason)
		DOZE_TP_HEX(old, info->old_word)
		DOZE_TP_HEX(new, info->new_word)
		DOZE_TP_U64(jobs_run, info->jobs_run)
		DOZE_TP_U64(jobs_published, info->jobs_published)
		DOZE_TP_U64(cpu_ns, doze_tp_state_cpu_ns(info))
		DOZE_TP_U32(left_in_deques, info->left_in_deques)
		DOZE_TP_BOOL(left_injected, info->left_injected)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, worker_state, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, jec,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, enum doze_jec_cause, cause,
		uint64_t, old_word, uint64_t, new_word),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_ENUM(jec_cause, cause, cause)
		DOZE_TP_HEX(old, old_word)
		DOZE_TP_HEX(new, new_word)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, jec, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, latch,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, uint64_t, id,
		enum doze_latch_kind, kind, int32_t, owner,
		enum doze_latch_state, from, enum doze_latch_state, to),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_HEX(id, id)
		DOZE_TP_ENUM(latch_kind, kind, kind)
		DOZE_TP_I32(owner, owner)
		DOZE_TP_ENUM(latch_state, from, from)
		DOZE_TP_ENUM(latch_state, to, to)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, latch, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, post,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		const struct doze_trace_post_info *, info),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_ENUM(queue, queue, info->queue)
		DOZE_TP_U32(jobs, info->jobs)
		DOZE_TP_BOOL(was_empty, info->was_empty)
		DOZE_TP_HEX(old, info->old_word)
		DOZE_TP_HEX(new, info->new_word)
		DOZE_TP_I32(idle, info->idle)
		DOZE_TP_I32(sleeping, info->sleeping)
		DOZE_TP_U32(wakes, info->wakes)
		DOZE_TP_U64(decision_id, info->decision_id)
		DOZE_TP_HEX(job, info->job)
		DOZE_TP_HEX(caller, (uint64_t)(uintptr_t)info->caller)
		DOZE_TP_U32(skipped, info->skipped)
		DOZE_TP_HEX(caller2, doze_tp_frames(info->caller)) /* also finds caller3 and
		                                                    * caller4 */
		DOZE_TP_HEX(caller3, doze_tp_frame(3))
		DOZE_TP_HEX(caller4, doze_tp_frame(4))))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, post, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, wake,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		const struct doze_trace_wake_info *, info),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_I32(target, info->target)
		DOZE_TP_U64(wake_id, info->wake_id)
		DOZE_TP_U64(decision_id, info->decision_id)
		DOZE_TP_ENUM(cause, cause, info->cause)
		DOZE_TP_ENUM(scope, scope, info->scope)
		DOZE_TP_HEX(old, info->old_word)
		DOZE_TP_HEX(new, info->new_word)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, wake, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, woken,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, uint64_t, wake_id),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U64(wake_id, wake_id)
		DOZE_TP_U64(cpu_ns, doze_tp_cpu_ns())))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, woken, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, sleep_abort,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, enum doze_abort, by,
		uint64_t, old_word, uint64_t, new_word),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_ENUM(abort, by, by)
		DOZE_TP_HEX(old, old_word)
		DOZE_TP_HEX(new, new_word)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, sleep_abort, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, blocked,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		uint32_t, active, uint32_t, blocked_now),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U32(active, active)
		DOZE_TP_U32(blocked, blocked_now)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, blocked, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, unblocked,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		uint32_t, active, uint32_t, blocked_now),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U32(active, active)
		DOZE_TP_U32(blocked, blocked_now)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, unblocked, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, deadlock,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		uint32_t, active, uint32_t, blocked_now),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U32(active, active)
		DOZE_TP_U32(blocked, blocked_now)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, deadlock, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, mark,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, const char *, text),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		lttng_ust_field_string(text, text)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, mark, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, snapshot,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		const struct doze_trace_snapshot_info *, info),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		lttng_ust_field_string(policy, info->policy)
		DOZE_TP_U32(workers, info->workers)
		DOZE_TP_ENUM(state, state, info->state)
		DOZE_TP_ENUM(word_kind, word, info->word_kind)
		DOZE_TP_U32(bits_sleeping, info->bits_sleeping)
		DOZE_TP_U32(bits_inactive, info->bits_inactive)
		DOZE_TP_U32(bits_jec, info->bits_jec)
		DOZE_TP_HEX(new, info->word)
		DOZE_TP_U64(jobs_run, info->jobs_run)
		DOZE_TP_U64(jobs_published, info->jobs_published)
		DOZE_TP_ENUM(level, level, info->level)
		DOZE_TP_U64(cpu_ns, doze_tp_cpu_ns_of(info->tid))
		DOZE_TP_U64(run_delay_ns, doze_tp_run_delay_ns_of(info->tid))
		DOZE_TP_U32(cpus_online, doze_tp_cpus_online())
		DOZE_TP_U32(cpus, doze_tp_cpus_of(info->tid)) /* also finds the mask */
		DOZE_TP_HEX(cpu_mask, doze_tp_mask())
		DOZE_TP_U64(quota_milli, doze_tp_quota_milli())
		DOZE_TP_U64(throttled_ns, doze_tp_throttled_ns())))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, snapshot, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, job_taken,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		const struct doze_trace_taken_info *, info),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_HEX(job, info->job)
		DOZE_TP_ENUM(source, source, info->source)
		DOZE_TP_U32(skipped, info->skipped)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, job_taken, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

/* ---- level states, only from programs that are not ours ---- */

LTTNG_UST_TRACEPOINT_EVENT(doze, crew,
	LTTNG_UST_TP_ARGS(uint32_t, pool, const void *, start),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_OUTSIDE
		DOZE_TP_HEX(start, (uint64_t)(uintptr_t)start)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, crew, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, wait,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, enum doze_wait_kind, kind,
		const void *, address, const void *, caller),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_ENUM(wait_kind, kind, kind)
		DOZE_TP_HEX(address, (uint64_t)(uintptr_t)address)
		DOZE_TP_HEX(caller, (uint64_t)(uintptr_t)caller)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, wait, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, wake_site,
	LTTNG_UST_TP_ARGS(uint32_t, pool, const struct doze_trace_wake_site_info *, info),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_OUTSIDE
		DOZE_TP_ENUM(wait_kind, kind, info->kind)
		DOZE_TP_HEX(caller, (uint64_t)(uintptr_t)info->caller)
		DOZE_TP_U64(calls, info->calls)
		DOZE_TP_U64(nobody, info->nobody)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, wake_site, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, wait_totals,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker,
		const struct doze_trace_wait_totals_info *, info),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U64(waits, info->waits)
		DOZE_TP_U64(woken, info->woken)
		DOZE_TP_U64(again, info->again)
		DOZE_TP_U64(timed_out, info->timed_out)
		DOZE_TP_BOOL(paused, info->paused)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, wait_totals, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

/* ---- level jobs ---- */

LTTNG_UST_TRACEPOINT_EVENT(doze, job_start,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, uint64_t, job,
		enum doze_source, source),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_HEX(job, job)
		DOZE_TP_ENUM(source, source, source)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, job_start, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION)

LTTNG_UST_TRACEPOINT_EVENT(doze, job_end,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, uint64_t, job),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_HEX(job, job)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, job_end, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION)

LTTNG_UST_TRACEPOINT_EVENT(doze, steal,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, int32_t, victim,
		enum doze_steal, result, uint64_t, job),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_I32(victim, victim)
		DOZE_TP_ENUM(steal, result, result)
		DOZE_TP_HEX(job, job)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, steal, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION)

LTTNG_UST_TRACEPOINT_EVENT(doze, lock,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, enum doze_lock_kind, kind,
		int32_t, owner, bool, contended),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_ENUM(lock_kind, kind, kind)
		DOZE_TP_I32(owner, owner)
		DOZE_TP_BOOL(contended, contended)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, lock, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION)

/* ---- level all ---- */

LTTNG_UST_TRACEPOINT_EVENT(doze, search,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, uint32_t, rounds),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U32(rounds, rounds)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, search, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG)

#endif

#include <lttng/tracepoint-event.h>
