/*
 * SPDX-License-Identifier: MIT
 *
 * threads.c - see threads.h. thread.c has the code that a worker's thread runs.
 *
 * The library joins the threads that it created. The user joins the threads that a spawn handler
 * created; these may start late. So each of them holds a share of the count latch `threads_left`,
 * which it gives up when it exits, and a reference to the pool, which keeps the latch alive until
 * then. The guest has no share, because it is the thread that waits.
 */
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>

#include "guard.h"
#include "pool.h"
#include "thread.h"

/* Entry point of a thread that a spawn handler created. */
static void *run_foreign(void *arg)
{
	struct doze_worker *worker = arg;
	struct doze_pool *pool = worker->pool;

	if (doze_self != NULL) {
		fprintf(stderr,
			"doze: spawn_handler: worker %d was started on the thread of worker %d; "
			"create a new thread for each worker\n",
			worker->index, doze_self->index);
		abort();
	}
	(void)doze_worker_main(worker);
	doze_count_latch_decrement(&pool->threads_left, NULL);
	doze_pool_unref(pool); /* last access to the pool */
	return NULL;
}

static int ask_handler(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	const doze_config *user = &pool->settings.user;
	char name[DOZE_THREAD_NAME_SIZE];
	const doze_new_thread thread = {.worker = (unsigned)worker->index,
					.name = name,
					.stack_size = pool->settings.stack_size,
					.run = run_foreign,
					.run_arg = worker};

	doze_worker_name(worker, name);
	/* takes the reference before the call, because the thread may exit before the handler
	 * returns */
	doze_pool_ref(pool);
	doze_count_latch_increment(&pool->threads_left);
	int error;
	DOZE_GUARDED(error = user->spawn_handler(&thread, user->handler_arg));
	if (error != 0) {
		doze_count_latch_decrement(&pool->threads_left, NULL);
		doze_pool_unref(pool);
	}
	return error;
}

static int start_worker(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	if (worker->guest) {
		doze_worker_enter(worker);
		return 0;
	}
	if (pool->settings.user.spawn_handler != NULL)
		return ask_handler(worker);
	return doze_thread_create_sized(&worker->thread, doze_worker_main, worker,
					pool->settings.stack_size);
}

/* Lets the created threads begin if all of them exist; otherwise makes them exit. */
static void let_begin(struct doze_pool *pool, bool all)
{
	doze_mutex_lock(&pool->life_lock);
	pool->begun = all;
	pool->abandoned = !all;
	doze_cond_broadcast(&pool->life_cond);
	doze_mutex_unlock(&pool->life_lock);
}

bool doze_threads_may_begin(struct doze_pool *pool)
{
	doze_mutex_lock(&pool->life_lock);
	while (!pool->begun && !pool->abandoned)
		doze_cond_wait(&pool->life_cond, &pool->life_lock);
	bool begun = pool->begun;
	doze_mutex_unlock(&pool->life_lock);
	return begun;
}

int doze_threads_start(struct doze_pool *pool, uint32_t *started)
{
	bool handled = pool->settings.user.start_handler != NULL;
	size_t handlers = handled ? pool->num_workers - pool->workers[0].guest : 0;
	int error = 0;

	/* A start handler may wait for other workers, so no worker may exit before all start
	 * handlers have run. */
	if (handlers != 0)
		doze_pool_terminate_hold_many(pool, handlers);
	*started = 0;
	while (error == 0 && *started < pool->num_workers) {
		error = start_worker(&pool->workers[*started]);
		if (error == 0)
			++*started;
	}
	if (error != 0 && handlers != 0)
		doze_pool_terminate_unhold(pool, handlers);
	let_begin(pool, error == 0);
	return error;
}

void doze_threads_end(struct doze_pool *pool, uint32_t started)
{
	bool own = pool->settings.user.spawn_handler == NULL;

	for (uint32_t i = 0; i < started; i++) {
		struct doze_worker *worker = &pool->workers[i];
		/* The guest, which is worker 0, first works until the end, because other workers
		 * may wait for it. */
		if (worker->guest)
			doze_worker_leave(worker);
		else if (own)
			doze_thread_join(worker->thread);
	}
	/* Waits for the threads of a spawn handler; returns at once if there are none. */
	doze_count_latch_wait(&pool->threads_left, NULL);
}
