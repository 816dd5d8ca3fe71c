/*
 * SPDX-License-Identifier: MIT
 *
 * spare_threads.c - the threads that hold workers: home threads and spares.
 *
 * When a suspended wait is ready, a thread with an empty stack gives its worker to that wait and
 * parks. A parked home thread waits for its own worker, a parked spare for any worker that needs a
 * thread.
 */
#include "suspend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../guard.h"
#include "../os.h"
#include "../pool.h"

void doze_hold_init(struct doze_worker *worker)
{
	worker->hold.home.pool = worker->pool;
	doze_cond_init(&worker->hold.home.changed);
}

void doze_hold_fini(struct doze_worker *worker)
{
	doze_cond_destroy(&worker->hold.home.changed);
}

/* Reports that the calling thread gives the worker away. The thread must not touch the owner's data
 * afterwards. */
static void report_gift(struct doze_worker *worker, enum doze_reason reason)
{
	uint64_t word = doze_pool_word(worker->pool);
	doze_worker_transition(worker, DOZE_STATE_suspended, reason, word, word);
}

/* Called with the lock held. */
static void give(struct doze_worker *worker, struct doze_holder *to, struct doze_job *job,
		 enum doze_source source)
{
	to->job = job;
	to->source = source;
	to->given = worker;
	doze_cond_signal(&to->changed);
}

/* Called with the lock held, by the owner, which has seen that the list is not empty; only the
 * owner removes entries. */
static struct doze_holder *take_ready(struct doze_worker *worker)
{
	struct doze_hold *hold = &worker->hold;
	struct doze_holder *first = hold->first_ready;

	hold->first_ready = first->next;
	da_sub(&hold->ready, 1, RLX); /* relaxed: the lock orders it for the next owner */
	return first;
}

void doze_give_to_ready(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;

	report_gift(worker, DOZE_REASON_gives_back);
	doze_mutex_lock(&pool->suspend.lock);
	give(worker, take_ready(worker), NULL, DOZE_SOURCE_none);
	doze_mutex_unlock(&pool->suspend.lock);
}

/* Called with the lock held. Returns a thread that is parked until it may run this worker, or null.
 */
static struct doze_holder *parked_thread(struct doze_worker *worker)
{
	struct doze_suspend *all = &worker->pool->suspend;
	struct doze_holder *holder = all->idle;

	if (worker->hold.home_parked) {
		worker->hold.home_parked = false;
		return &worker->hold.home;
	}
	if (holder != NULL)
		all->idle = holder->next;
	return holder;
}

/* Called with the lock held. Returns the worker that the thread was given, or null. */
static struct doze_worker *accept(struct doze_holder *holder)
{
	struct doze_worker *worker = holder->given;
	holder->given = NULL;
	return worker;
}

struct doze_worker *doze_holder_await(struct doze_holder *holder)
{
	struct doze_pool *pool = holder->pool;

	doze_mutex_lock(&pool->suspend.lock);
	while (holder->given == NULL && !holder->quit)
		doze_cond_wait(&holder->changed, &pool->suspend.lock);
	struct doze_worker *worker = accept(holder);
	doze_mutex_unlock(&pool->suspend.lock);
	if (worker == NULL)
		return NULL;
	worker->hold.by = holder;
	doze_self_set(worker);
	da_store(&worker->tid, 0, RLX); /* relaxed: only snapshots read it */
	uint64_t word = doze_pool_word(pool);
	doze_worker_transition(worker, DOZE_STATE_active, DOZE_REASON_takes_over, word, word);
	return worker;
}

/* Called by a thread with an empty stack. Gives the worker to a ready wait or, when the pool ends,
 * to its home thread; the caller parks next. */
static void give_and_park(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	struct doze_hold *hold = &worker->hold;
	struct doze_holder *me = hold->by;

	report_gift(worker, DOZE_REASON_gives_back);
	doze_mutex_lock(&pool->suspend.lock);
	struct doze_holder *to =
	    hold->first_ready != NULL ? take_ready(worker) : parked_thread(worker);
	if (me == &hold->home) {
		hold->home_parked = true;
	} else {
		me->next = pool->suspend.idle;
		pool->suspend.idle = me;
	}
	give(worker, to, NULL, DOZE_SOURCE_none);
	doze_mutex_unlock(&pool->suspend.lock);
}

/* Called by a thread with an empty stack. Serves the worker. Returns true when the worker has ended
 * (only on its home thread), or false when another thread holds the worker. */
static bool hold_worker(struct doze_worker *worker)
{
	struct doze_hold *hold = &worker->hold;

	doze_worker_serve(worker);
	if (!doze_has_ready(worker) && hold->by == &hold->home)
		return true;
	give_and_park(worker);
	return false;
}

/* Called by a thread with an empty stack. Waits for a worker, runs the job that came with it, if
 * any, and returns the worker, or null if the thread must exit. */
static struct doze_worker *next_worker(struct doze_holder *me)
{
	struct doze_worker *worker = doze_holder_await(me);
	if (worker == NULL)
		return NULL;
	worker->root = NULL;
	if (me->job != NULL)
		doze_worker_execute(worker, me->job, me->source);
	return worker;
}

void doze_hold_begin(struct doze_worker *worker)
{
	worker->hold.home.stack_floor = doze_os_stack_middle();
	worker->hold.by = &worker->hold.home;
}

void doze_hold_until_end(struct doze_worker *worker)
{
	while (!hold_worker(worker))
		(void)next_worker(&worker->hold.home);
}

static void *spare_main(void *arg)
{
	struct doze_holder *me = arg;
	struct doze_worker *worker;
	char name[16];

	(void)snprintf(name, sizeof name, "%.10s-s", me->pool->settings.name);
	doze_os_thread_name(name);
	me->stack_floor = doze_os_stack_middle();
	doze_guard_thread(1);
	while ((worker = next_worker(me)) != NULL)
		(void)hold_worker(worker);
	doze_guard_thread(0);
	doze_self_set(NULL);
	return NULL;
}

/* Starts a spare thread that holds the worker from its start. Returns 0, or an errno value with
 * nothing changed. */
static int spare_start(struct doze_worker *worker, struct doze_job *job, enum doze_source source)
{
	struct doze_pool *pool = worker->pool;
	struct doze_holder *spare = calloc(1, sizeof *spare);
	if (spare == NULL)
		return ENOMEM;
	spare->pool = pool;
	spare->given = worker;
	spare->job = job;
	spare->source = source;
	doze_cond_init(&spare->changed);
	/* Create it under the lock: the pool's end joins the threads in the list, and the new
	 * thread may end the worker before pthread_create returns. */
	doze_mutex_lock(&pool->suspend.lock);
	int error =
	    doze_thread_create_sized(&spare->thread, spare_main, spare, pool->settings.stack_size);
	if (error == 0) {
		spare->next_spare = pool->suspend.spares;
		pool->suspend.spares = spare;
	}
	doze_mutex_unlock(&pool->suspend.lock);
	if (error != 0) {
		doze_cond_destroy(&spare->changed);
		free(spare);
	}
	return error;
}

void doze_give_to_any(struct doze_suspended *s, struct doze_job *job, enum doze_source source)
{
	struct doze_worker *worker = s->worker;
	struct doze_pool *pool = worker->pool;

	report_gift(worker, DOZE_REASON_must_not_help);
	doze_mutex_lock(&pool->suspend.lock);
	struct doze_holder *to = parked_thread(worker);
	if (to != NULL)
		give(worker, to, job, source);
	doze_mutex_unlock(&pool->suspend.lock);
	int error = to != NULL ? 0 : spare_start(worker, job, source);
	if (error != 0)
		doze_no_spare(s, error);
}

void doze_spares_end(struct doze_pool *pool)
{
	doze_mutex_lock(&pool->suspend.lock);
	for (struct doze_holder *s = pool->suspend.spares; s != NULL; s = s->next_spare) {
		s->quit = true;
		doze_cond_signal(&s->changed);
	}
	doze_mutex_unlock(&pool->suspend.lock);
	while (pool->suspend.spares != NULL) {
		struct doze_holder *s = pool->suspend.spares;
		pool->suspend.spares = s->next_spare;
		doze_thread_join(s->thread);
		doze_cond_destroy(&s->changed);
		free(s);
	}
}
