/*
 * SPDX-License-Identifier: MIT
 *
 * thread.c - the code of a worker's thread: it sets its name, calls the start handler, works until
 * its terminate latch is set, calls the exit handler and exits. This file also has the queries that
 * a thread can make about itself. threads.c creates the threads.
 */
#include "thread.h"

#include <stdio.h>

#include "guard.h"
#include "os.h"
#include "pool.h"
#include "threads.h"

void doze_worker_name(const struct doze_worker *worker, char name[DOZE_THREAD_NAME_SIZE])
{
	(void)snprintf(name, DOZE_THREAD_NAME_SIZE, "%.10s-%u", worker->pool->settings.name,
		       (unsigned)worker->index % 10000u);
}

void doze_worker_enter(struct doze_worker *worker)
{
	const struct doze_pool *pool = worker->pool;
	char name[DOZE_THREAD_NAME_SIZE];
	uint64_t word = doze_pool_word(worker->pool);

	doze_self = worker;
	doze_hold_begin(worker);
	doze_worker_name(worker, name);
	/* Relaxed: only snapshots read it, and they may be slightly out of date. */
	da_store(&worker->tid, doze_os_thread_id(), RLX);
	doze_trace_worker_start(pool->id, worker->index, da_load(&worker->tid, RLX), name);
	doze_worker_transition(worker, DOZE_STATE_active, DOZE_REASON_start, word, word);
}

static void leave(struct doze_worker *worker)
{
	uint64_t word = doze_pool_word(worker->pool);
	doze_worker_transition(worker, DOZE_STATE_stopped, DOZE_REASON_terminate, word, word);
	doze_trace_worker_stop(worker->pool->id, worker->index);
	doze_self = NULL;
}

void doze_worker_leave(struct doze_worker *worker)
{
	doze_hold_until_end(worker);
	leave(worker);
}

static void call(void (*handler)(unsigned, void *), const struct doze_worker *worker)
{
	if (handler != NULL)
		DOZE_GUARDED(
		    handler((unsigned)worker->index, worker->pool->settings.user.handler_arg));
}

void *doze_worker_main(void *arg)
{
	struct doze_worker *worker = arg;
	struct doze_pool *pool = worker->pool;
	const doze_config *user = &pool->settings.user;
	char name[DOZE_THREAD_NAME_SIZE];

	if (!doze_threads_may_begin(pool))
		return NULL;
	doze_worker_name(worker, name);
	doze_os_thread_name(name);
	doze_worker_enter(worker);
	doze_guard_thread(1);
	call(user->start_handler, worker);
	if (user->start_handler != NULL)
		/* the share that doze_threads_start took for this worker */
		doze_pool_terminate_drop(pool, worker);
	if (pool->sleep.policy->starts != NULL)
		pool->sleep.policy->starts(worker);
	doze_hold_until_end(worker);
	call(user->exit_handler, worker);
	doze_guard_thread(0);
	leave(worker);
	return NULL;
}

int doze_worker_index(void)
{
	return doze_self != NULL ? doze_self->index : -1;
}

doze_pool *doze_current_pool(void)
{
	return doze_self != NULL ? doze_self->pool : NULL;
}

void doze_mark(const char *text)
{
	const struct doze_worker *worker = doze_self;
	char kept[64];

	if (!doze_trace_mark_on())
		return;
	(void)snprintf(kept, sizeof kept, "%s", text != NULL ? text : "");
	doze_trace_mark(worker != NULL ? worker->pool->id : 0, worker != NULL ? worker->index : -1,
			kept);
}
