/*
 * SPDX-License-Identifier: MIT
 *
 * thread.c - the code of a worker's thread: it sets its name, calls the start handler, works until
 * its terminate latch is set, calls the exit handler and exits. Then the start and the end of all
 * threads of a pool, and the queries that a thread can make about itself.
 *
 * The library joins the threads that it created. The user joins the threads that a spawn handler
 * created; these may start late. So each of them holds a share of the count latch `threads_left`,
 * which it gives up when it exits, and a reference to the pool, which keeps the latch alive until
 * then. The guest has no share, because it is the thread that waits.
 */
#include <stdio.h>
#include <stdlib.h>

#include "guard.h"
#include "os.h"
#include "pool.h"

#define NAME_SIZE 16 /* Linux limits a thread's name to 15 bytes */

/* The guest's thread does not actually get this name. */
static void worker_name(const struct doze_worker *worker, char name[NAME_SIZE])
{
	(void)snprintf(name, NAME_SIZE, "%.10s-%u", worker->pool->settings.name,
		       (unsigned)worker->index % 10000u);
}

static void worker_enter(struct doze_worker *worker)
{
	const struct doze_pool *pool = worker->pool;
	char name[NAME_SIZE];
	uint64_t word = doze_pool_word(worker->pool);

	doze_self_set(worker);
	doze_hold_begin(worker);
	worker_name(worker, name);
	/* Relaxed: only snapshots read it, and they may be slightly out of date. */
	da_store(&worker->tid, doze_os_thread_id(), RLX);
	doze_trace_worker_start(pool->id, worker->index, da_load(&worker->tid, RLX), name);
	doze_worker_transition(worker, DOZE_STATE_active, DOZE_REASON_start, word, word);
}

static void worker_leave(struct doze_worker *worker)
{
	uint64_t word = doze_pool_word(worker->pool);
	doze_worker_transition(worker, DOZE_STATE_stopped, DOZE_REASON_terminate, word, word);
	doze_trace_worker_stop(worker->pool->id, worker->index);
	doze_self_set(NULL);
}

/* Called by the guest's thread. Works until the guest's terminate latch is set, and makes the
 * thread an ordinary one again. Calls no handler, as worker_enter does not. */
static void leave_guest(struct doze_worker *worker)
{
	doze_hold_until_end(worker);
	worker_leave(worker);
}

static void call(void (*handler)(unsigned, void *), const struct doze_worker *worker)
{
	if (handler != NULL)
		DOZE_GUARDED(
		    handler((unsigned)worker->index, worker->pool->settings.user.handler_arg));
}

/* Called by a worker's thread. Waits until all threads exist. Returns false if one could not be
 * created; the caller must then exit. Not inlined, so that its frame is gone when it returns: what
 * a wait leaves on a stack would make two of each state of the explorer. */
static __attribute__((noinline)) bool threads_may_begin(struct doze_pool *pool)
{
	doze_mutex_lock(&pool->life_lock);
	while (!pool->begun && !pool->abandoned)
		doze_cond_wait(&pool->life_cond, &pool->life_lock);
	bool begun = pool->begun;
	doze_mutex_unlock(&pool->life_lock);
	return begun;
}

static void *worker_main(void *arg)
{
	struct doze_worker *worker = arg;
	struct doze_pool *pool = worker->pool;
	const doze_config *user = &pool->settings.user;
	char name[NAME_SIZE];

	if (!threads_may_begin(pool))
		return NULL;
	worker_name(worker, name);
	doze_os_thread_name(name);
	worker_enter(worker);
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
	worker_leave(worker);
	return NULL;
}

/* ---- starting and ending the threads of a pool ---- */

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
	(void)worker_main(worker);
	doze_count_latch_decrement(&pool->threads_left, NULL);
	doze_pool_unref(pool); /* last access to the pool */
	return NULL;
}

static int ask_handler(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	const doze_config *user = &pool->settings.user;
	char name[NAME_SIZE];
	const doze_new_thread thread = {.worker = (unsigned)worker->index,
					.name = name,
					.stack_size = pool->settings.stack_size,
					.run = run_foreign,
					.run_arg = worker};

	worker_name(worker, name);
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
		worker_enter(worker);
		return 0;
	}
	if (pool->settings.user.spawn_handler != NULL)
		return ask_handler(worker);
	return doze_thread_create_sized(&worker->thread, worker_main, worker,
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
			leave_guest(worker);
		else if (own)
			doze_thread_join(worker->thread);
	}
	/* Waits for the threads of a spawn handler; returns at once if there are none. */
	doze_count_latch_wait(&pool->threads_left, NULL);
}

/* ---- queries of the calling thread ---- */

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
