/*
 * SPDX-License-Identifier: MIT
 *
 * sink.c - see sink.h. Any thread may append. Read the records only while no thread appends.
 */
#include "sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/atomic.h"
#include "lib/trace_load.h"

enum { MOST = 1 << 20 };
static struct sink_event *events;
static DOZE_ATOMIC(size_t) used;
void (*sink_hook)(enum sink_kind kind, uint32_t rounds);

void sink_reset(void)
{
	if (events == NULL)
		events = calloc(MOST, sizeof *events);
	if (events == NULL)
		abort();
	da_store(&used, 0, SC);
}

static void append(const struct sink_event *event)
{
	if (events == NULL)
		return;
	size_t at = da_add(&used, 1, SC);
	if (at >= MOST) {
		fprintf(stderr, "sink: more than %d events\n", MOST);
		abort();
	}
	events[at] = *event;
}

const struct sink_event *sink_events(size_t *count)
{
	*count = da_load(&used, SC);
	return events;
}

size_t sink_count(enum sink_kind kind)
{
	size_t count, n = 0;
	sink_events(&count);
	for (size_t i = 0; i < count; i++)
		n += events[i].kind == kind;
	return n;
}

const struct sink_event *sink_nth(enum sink_kind kind, size_t n)
{
	size_t count;
	sink_events(&count);
	for (size_t i = 0; i < count; i++)
		if (events[i].kind == kind && n-- == 0)
			return &events[i];
	return NULL;
}

/* ---- the hooks ---- */

#define EVENT(...) append(&(struct sink_event){__VA_ARGS__})

void doze_trace_boot(void)
{
}
void doze_trace_settle(void)
{
}

void doze_sink_pool_start(uint32_t pool, const struct doze_trace_pool_info *info)
{
	(void)info;
	EVENT(.kind = SINK_OTHER, .pool = pool);
}
void doze_sink_pool_stop(uint32_t pool)
{
	EVENT(.kind = SINK_POOL_STOP, .pool = pool);
}
void doze_sink_worker_start(uint32_t pool, int32_t worker, uint32_t tid, const char *name)
{
	(void)tid;
	(void)name;
	EVENT(.kind = SINK_OTHER, .pool = pool, .worker = worker);
}
void doze_sink_worker_stop(uint32_t pool, int32_t worker)
{
	EVENT(.kind = SINK_WORKER_STOP, .pool = pool, .worker = worker);
}
void doze_sink_worker_state(uint32_t pool, int32_t worker, const struct doze_trace_state_info *info)
{
	EVENT(.kind = SINK_STATE, .pool = pool, .worker = worker, .from = (int)info->from,
	      .to = (int)info->to, .reason = (int)info->reason, .old_word = info->old_word,
	      .new_word = info->new_word);
}
void doze_sink_job_taken(uint32_t pool, int32_t worker, const struct doze_trace_taken_info *info)
{
	(void)info;
	EVENT(.kind = SINK_OTHER, .pool = pool, .worker = worker);
}
void doze_sink_jec(uint32_t pool, int32_t worker, enum doze_jec_cause cause, uint64_t old_word,
		   uint64_t new_word)
{
	EVENT(.kind = SINK_JEC, .pool = pool, .worker = worker, .reason = (int)cause,
	      .old_word = old_word, .new_word = new_word);
}
void doze_sink_latch(uint32_t pool, int32_t worker, uint64_t id, enum doze_latch_kind kind,
		     int32_t owner, enum doze_latch_state from, enum doze_latch_state to)
{
	EVENT(.kind = SINK_LATCH, .pool = pool, .worker = worker, .id = id, .reason = (int)kind,
	      .target = owner, .from = (int)from, .to = (int)to);
}
void doze_sink_post(uint32_t pool, int32_t worker, const struct doze_trace_post_info *info)
{
	EVENT(.kind = SINK_POST, .pool = pool, .worker = worker, .old_word = info->old_word,
	      .new_word = info->new_word, .decision_id = info->decision_id, .post = *info);
}
void doze_sink_wake(uint32_t pool, int32_t worker, const struct doze_trace_wake_info *info)
{
	EVENT(.kind = SINK_WAKE, .pool = pool, .worker = worker, .target = info->target,
	      .id = info->wake_id, .decision_id = info->decision_id, .reason = (int)info->cause,
	      .old_word = info->old_word, .new_word = info->new_word);
}
void doze_sink_woken(uint32_t pool, int32_t worker, uint64_t wake_id)
{
	EVENT(.kind = SINK_WOKEN, .pool = pool, .worker = worker, .id = wake_id);
}
void doze_sink_sleep_abort(uint32_t pool, int32_t worker, enum doze_abort by, uint64_t old_word,
			   uint64_t new_word)
{
	EVENT(.kind = SINK_ABORT, .pool = pool, .worker = worker, .reason = (int)by,
	      .old_word = old_word, .new_word = new_word);
}
void doze_sink_blocked(uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now)
{
	EVENT(.kind = SINK_BLOCKED, .pool = pool, .worker = worker, .from = (int)active,
	      .to = (int)blocked_now);
}
void doze_sink_unblocked(uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now)
{
	EVENT(.kind = SINK_UNBLOCKED, .pool = pool, .worker = worker, .from = (int)active,
	      .to = (int)blocked_now);
}
void doze_sink_deadlock(uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now)
{
	EVENT(.kind = SINK_DEADLOCK, .pool = pool, .worker = worker, .from = (int)active,
	      .to = (int)blocked_now);
}
void doze_sink_mark(uint32_t pool, int32_t worker, const char *text)
{
	(void)text;
	EVENT(.kind = SINK_OTHER, .pool = pool, .worker = worker);
}
void doze_sink_job_start(uint32_t pool, int32_t worker, uint64_t job, enum doze_source source)
{
	EVENT(.kind = SINK_JOB_START, .pool = pool, .worker = worker, .id = job,
	      .reason = (int)source);
}
void doze_sink_job_end(uint32_t pool, int32_t worker, uint64_t job)
{
	EVENT(.kind = SINK_JOB_END, .pool = pool, .worker = worker, .id = job);
}
void doze_sink_steal(uint32_t pool, int32_t worker, int32_t victim, enum doze_steal result,
		     uint64_t job)
{
	EVENT(.kind = SINK_STEAL, .pool = pool, .worker = worker, .target = victim,
	      .reason = (int)result, .id = job);
}
void doze_sink_lock(uint32_t pool, int32_t worker, enum doze_lock_kind kind, int32_t owner,
		    bool contended)
{
	(void)pool;
	(void)worker;
	(void)kind;
	(void)owner;
	(void)contended;
}
void doze_sink_search(uint32_t pool, int32_t worker, uint32_t rounds)
{
	(void)pool;
	(void)worker;
	if (sink_hook != NULL)
		sink_hook(SINK_SEARCH, rounds);
}
void sink_point(void)
{
	if (sink_hook != NULL)
		sink_hook(SINK_POINT, 0);
}
