/*
 * SPDX-License-Identifier: MIT
 *
 * emit.c - the part of doze_emit.h that is not inline: the pools of the process, for the snapshots,
 * and the events that are rare.
 */
#include "doze_emit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/trace_load.h"
#include "../snapshots.h"

/* The pools of libdoze count from 1, too. A program may have both kinds. The declaration has
 * libdoze's name but not its types, since only the address matters. */
enum { BESIDE_LIBDOZE = 1000 };
void doze_pool_free(void *) __attribute__((weak));

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Protected by the lock. */
static struct doze_emit_pool *pools;
static uint32_t ids;

/* A child has none of the workers, and the thread that held the lock may be missing. The parent's
 * pools are not freed, because the child's copy of the program may still point to them. */
static void forget_pools(void)
{
	(void)pthread_mutex_init(&lock, NULL);
	pools = NULL;
}

static void forget_in_children(void)
{
	(void)pthread_atfork(NULL, NULL, forget_pools);
}

static void add(struct doze_emit_pool *p)
{
	(void)pthread_mutex_lock(&lock);
	p->id = ++ids + (doze_pool_free ? BESIDE_LIBDOZE : 0);
	p->next = pools;
	pools = p;
	(void)pthread_mutex_unlock(&lock);
}

static void drop(const struct doze_emit_pool *p)
{
	struct doze_emit_pool **at = &pools;

	(void)pthread_mutex_lock(&lock);
	while (*at && *at != p)
		at = &(*at)->next;
	if (*at)
		*at = p->next;
	(void)pthread_mutex_unlock(&lock);
}

static void describe(const struct doze_emit_pool *p, int32_t worker,
		     struct doze_trace_snapshot_info *out)
{
	const struct doze_emit_worker *w = &p->worker[worker];

	*out = (struct doze_trace_snapshot_info){
	    .policy = p->policy,
	    .workers = p->workers,
	    .state = (enum doze_state)__atomic_load_n(&w->state, __ATOMIC_RELAXED),
	    .jobs_run = __atomic_load_n(&w->jobs_run, __ATOMIC_RELAXED),
	    .jobs_published = __atomic_load_n(&w->published, __ATOMIC_RELAXED),
	    .level = doze_trace_level(),
	    .tid = __atomic_load_n(&w->tid, __ATOMIC_RELAXED),
	};
}

/* Called by the snapshot thread of trace_load.c. The lock keeps the pools alive. */
static void for_each_worker(doze_trace_worker_fn *fn, void *ctx)
{
	struct doze_trace_snapshot_info info;

	(void)pthread_mutex_lock(&lock);
	for (const struct doze_emit_pool *p = pools; p; p = p->next)
		for (uint32_t i = 0; i < p->workers; i++) {
			describe(p, (int32_t)i, &info);
			if (info.state != DOZE_STATE_none && info.state != DOZE_STATE_stopped)
				fn(ctx, p->id, (int32_t)i, &info);
		}
	(void)pthread_mutex_unlock(&lock);
}

struct doze_emit_pool *doze_emit_pool_start(const char *name, const char *policy, uint32_t workers)
{
	size_t size = sizeof(struct doze_emit_pool) + workers * sizeof(struct doze_emit_worker);
	struct doze_emit_pool *p = aligned_alloc(_Alignof(struct doze_emit_pool), size);
	struct doze_trace_pool_info info = {.version = DOZE_VERSION,
					    .workers = workers,
					    .schema_major = DOZE_SCHEMA_MAJOR,
					    .schema_minor = DOZE_SCHEMA_MINOR};

	if (!p)
		return NULL;
	memset(p, 0, size);
	p->workers = workers;
	(void)snprintf(p->name, sizeof p->name, "%s", name);
	(void)snprintf(p->policy, sizeof p->policy, "%s", policy);
	(void)pthread_once(&once, forget_in_children);
	doze_trace_snapshot_also(for_each_worker);
	doze_trace_boot();
	info.name = p->name;
	info.policy = p->policy;
	info.level = doze_trace_level();
	add(p);
	doze_trace_pool_start(p->id, &info);
	return p;
}

void doze_emit_pool_stop(struct doze_emit_pool *p)
{
	if (!p)
		return;
	doze_trace_pool_stop(p->id);
	drop(p);
	free(p);
	doze_trace_settle();
}

void doze_emit_worker_start(struct doze_emit_pool *p, int32_t worker)
{
	char name[16] = "";

	if (!p)
		return;
	__atomic_store_n(&p->worker[worker].tid, (uint32_t)gettid(), __ATOMIC_RELAXED);
	(void)pthread_getname_np(pthread_self(), name, sizeof name);
	doze_trace_worker_start(p->id, worker, (uint32_t)gettid(), name);
	doze_emit_state(p, worker, DOZE_STATE_active, DOZE_REASON_start);
}

void doze_emit_worker_stop(struct doze_emit_pool *p, int32_t worker)
{
	if (!p)
		return;
	doze_emit_state(p, worker, DOZE_STATE_stopped, DOZE_REASON_terminate);
	doze_trace_worker_stop(p->id, worker);
}

uint64_t doze_emit_post(struct doze_emit_pool *p, int32_t worker, const struct doze_emit_post *post)
{
	struct doze_trace_post_info info = {.queue = post->queue,
					    .jobs = post->jobs,
					    .was_empty = post->was_empty,
					    .idle = post->counted ? post->idle : -1,
					    .sleeping = post->counted ? post->sleeping : -1,
					    .wakes = post->wakes,
					    .job = post->job,
					    .caller = post->caller};

	if (!p)
		return 0;
	if (worker >= 0)
		(void)__atomic_fetch_add(&p->worker[worker].published, post->jobs,
					 __ATOMIC_RELAXED);
	if (post->wakes)
		info.decision_id = __atomic_add_fetch(&p->decisions, 1, __ATOMIC_RELAXED);
	if (!info.caller)
		info.caller = __builtin_extract_return_addr(__builtin_return_address(0));
	doze_trace_post(p->id, worker, &info);
	return info.decision_id;
}

uint64_t doze_emit_wake(struct doze_emit_pool *p, int32_t worker, int32_t target, uint64_t decision,
			enum doze_cause cause, enum doze_scope_kind scope)
{
	struct doze_trace_wake_info info = {
	    .target = target, .decision_id = decision, .cause = cause, .scope = scope};

	if (!p)
		return 0;
	info.wake_id = __atomic_add_fetch(&p->wakes, 1, __ATOMIC_RELAXED);
	doze_trace_wake(p->id, worker, &info);
	return info.wake_id;
}
