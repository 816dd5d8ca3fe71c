/*
 * SPDX-License-Identifier: MIT
 *
 * hold.c - see hold.h.
 */
#include "hold.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/forkjoin/forkjoin.h"
#include "lib/pool.h"
#include "lib/sleep/sleep.h"
#include "sink.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct {
	unsigned held, permits;
	bool open;
} points[HOLD_POINTS]; /* protected by lock */

/* The number of the search after which a worker sleeps; constant while the pool exists. */
static uint32_t last_search;
static _Thread_local bool stops_in_tickle;

static void stop(enum hold_point point)
{
	pthread_mutex_lock(&lock);
	points[point].held++;
	pthread_cond_broadcast(&changed);
	while (!points[point].open && points[point].permits == 0)
		pthread_cond_wait(&changed, &lock);
	if (!points[point].open)
		points[point].permits--;
	points[point].held--;
	pthread_mutex_unlock(&lock);
}

static void on_hook(enum sink_kind kind, uint32_t rounds)
{
	if (kind == SINK_SEARCH && rounds == last_search)
		stop(HOLD_BEFORE_SLEEP);
	else if (kind == SINK_POINT && stops_in_tickle)
		stop(HOLD_IN_TICKLE);
}

doze_pool *hold_pool_new(unsigned workers, const char *policy, void (*on_deadlock)(void *),
			 void *arg)
{
	doze_config config = {.num_threads = workers,
			      .policy = policy,
			      .deadlock_handler = on_deadlock,
			      .deadlock_arg = arg};
	doze_pool *pool;

	sink_reset();
	memset(points, 0, sizeof points);
	/* `forkjoin` counts the round before it decides whether to sleep; the other policies count
	 * it afterwards. */
	last_search = doze_policy_find(policy)->rounds_until_sleeping;
	if (strcmp(policy, "forkjoin") == 0)
		last_search--;
	sink_hook = on_hook;
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "cannot create a pool of %u workers: %s\n", workers,
			doze_last_error());
		exit(3);
	}
	return pool;
}

void hold_pool_free(doze_pool *pool)
{
	for (int i = 0; i < HOLD_POINTS; i++)
		hold_end((enum hold_point)i);
	doze_pool_free(pool);
	sink_hook = NULL;
}

void hold_await(enum hold_point point, unsigned n)
{
	pthread_mutex_lock(&lock);
	while (points[point].held < n)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

void hold_release(enum hold_point point, unsigned n)
{
	pthread_mutex_lock(&lock);
	points[point].permits += n;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void hold_end(enum hold_point point)
{
	pthread_mutex_lock(&lock);
	points[point].open = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void hold_this_thread(void)
{
	stops_in_tickle = true;
}

/* ---- sleeping workers ---- */

struct sleep_wait {
	doze_mutex *lock; /* the worker holds it from before it reports the sleep until it waits */
	doze_cond *cond;
	bool shared; /* all workers share one lock and condition */
};

/* Repeats the first members of the private structs of `tickle` and `condvar`. */
struct lock_and_cond {
	doze_mutex lock;
	doze_cond cond;
};

static struct sleep_wait sleep_of(struct doze_pool *pool, unsigned i)
{
	const char *name = pool->sleep.policy->name;
	if (strcmp(name, "forkjoin") == 0) {
		struct forkjoin *fj = forkjoin_of(pool);
		return (struct sleep_wait){&fj->pool_lock, &fj->work_avail, true};
	}
	if (strcmp(name, "tickle") == 0 || strcmp(name, "condvar") == 0) {
		struct lock_and_cond *shared = pool->sleep.data;
		return (struct sleep_wait){&shared->lock, &shared->cond, true};
	}
	struct doze_worker_sleep *own = &pool->workers[i].sleep;
	return (struct sleep_wait){&own->lock, &own->cond, false};
}

void *hold_sleep_lock(doze_pool *pool, unsigned i)
{
	return sleep_of(pool, i).lock;
}

void hold_await_sleep(doze_pool *pool, unsigned i)
{
	struct sleep_wait wait = sleep_of(pool, i);
	doze_mutex_lock(wait.lock);
	doze_mutex_unlock(wait.lock);
}

void hold_wake_spuriously(doze_pool *pool)
{
	for (unsigned i = 0; i < pool->num_workers; i++) {
		struct sleep_wait wait = sleep_of(pool, i);
		doze_mutex_lock(wait.lock);
		doze_cond_broadcast(wait.cond);
		doze_mutex_unlock(wait.lock);
		/* With a shared condition, a second broadcast would wake workers that have gone
		 * back to sleep. */
		if (wait.shared)
			break;
	}
}
