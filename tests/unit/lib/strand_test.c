/*
 * SPDX-License-Identifier: MIT
 *
 * Stranded jobs: jobs that wait although workers sleep, with no wake in progress. Forces
 * the schedule of lib/sleep/rfc.md, race 4, on real threads: all posts are made before the first
 * notified worker runs again, so under `rfc` and `local` each post notifies the same worker.
 */
#include "help.h"
#include "hold.h"
#include "lib/park.h"
#include "lib/pool.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/policies.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 4, JOBS = 40 };

/* ---- holding workers between the notification and their reaction ---- */

static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static bool gate_closed; /* protected by gate_lock */

/* The linker replaces the library's waits with this function (module.mk). */
int __real_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);

static void pass_gate(void)
{
	pthread_mutex_lock(&gate_lock);
	while (gate_closed)
		(void)__real_pthread_cond_wait(&gate_changed, &gate_lock);
	pthread_mutex_unlock(&gate_lock);
}

/* Simulates a notified thread that does not get a CPU: it has left the condition variable but does
 * not hold the mutex yet. */
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	int error = __real_pthread_cond_wait(cond, mutex);
	if (doze_self != NULL) {
		pthread_mutex_unlock(mutex);
		pass_gate();
		pthread_mutex_lock(mutex);
	}
	return error;
}

static void set_gate(bool closed)
{
	pthread_mutex_lock(&gate_lock);
	gate_closed = closed;
	pthread_cond_broadcast(&gate_changed);
	pthread_mutex_unlock(&gate_lock);
}

/* ---- jobs that run until they are released ---- */

static long at_work, let_go, runs_by[WORKERS]; /* atomic */

static void long_job(void *arg)
{
	(void)arg;
	help_count(&runs_by[doze_worker_index()]);
	help_count(&at_work);
	(void)help_reaches(&let_go, 1, 20);
}

static unsigned workers_used(long *jobs)
{
	unsigned used = 0;
	*jobs = 0;
	for (int i = 0; i < WORKERS; i++) {
		used += runs_by[i] > 0;
		*jobs += runs_by[i];
	}
	return used;
}

static bool all_asleep(doze_pool *pool)
{
	doze_stats stats = {0};
	for (struct patience limit = patience_of(10000); !patience_is_over(&limit);
	     help_sleep_us(200)) {
		doze_pool_stats(pool, &stats);
		if (stats.sleeping != WORKERS)
			continue;
		for (unsigned i = 0; i < WORKERS; i++)
			hold_await_sleep(pool, i);
		return true;
	}
	return false;
}

/* Returns the number of sleeping workers that have not been notified. Works only for policies in
 * which each worker waits under its own lock. */
static unsigned forgotten(struct doze_pool *pool)
{
	unsigned n = 0;
	for (unsigned i = 0; i < WORKERS; i++) {
		struct doze_worker_sleep *s = &pool->workers[i].sleep;
		doze_mutex_lock(&s->lock);
		n += s->is_blocked && s->wake_id == 0;
		doze_mutex_unlock(&s->lock);
	}
	return n;
}

/* Returns how many workers run the jobs while the others sleep, by the policy's descriptor. If a
 * wake may target a worker that has been notified before, each post notifies the same workers
 * again. The others stay asleep, unless a worker that finds a job wakes the next one. */
static unsigned used_by(const struct doze_policy_descriptor *d)
{
	const struct doze_wake_facts one = {
	    .jobs = 1, .sleeping = WORKERS, .workers = WORKERS, .was_empty = true};

	return d->aim == DOZE_AIM_AGAIN && d->found_wakes == 0 ? doze_policy_post_wakes(d, &one)
							       : WORKERS;
}

/* Posts all jobs while the notified workers are held, then releases them. */
static void post_to_sleepers(doze_pool *pool)
{
	memset(runs_by, 0, sizeof runs_by);
	at_work = let_go = 0;
	CU_ASSERT_TRUE_FATAL(all_asleep(pool));
	set_gate(true);
	for (int i = 0; i < JOBS; i++)
		CU_ASSERT_EQUAL(doze_spawn(pool, long_job, NULL), 0);
	set_gate(false);
}

static void try_policy(const char *policy, unsigned used)
{
	doze_pool *pool = help_pool(WORKERS, policy);
	long jobs;

	post_to_sleepers(pool);
	CU_ASSERT_TRUE(help_reaches(&at_work, (long)used, 10));
	/* The other workers are not just late: no thread will wake them while these jobs run. */
	if (used < WORKERS)
		CU_ASSERT_EQUAL(forgotten(pool), WORKERS - used);
	help_count(&let_go);
	CU_ASSERT_TRUE(help_reaches(&at_work, JOBS, 20));
	doze_pool_free(pool);
	unsigned were = workers_used(&jobs);
	if (were != used)
		fprintf(stderr, "\npolicy %s: %u workers ran the jobs, not %u\n", policy, were,
			used);
	CU_ASSERT_EQUAL(were, used);
	CU_ASSERT_EQUAL(jobs, JOBS);
}

static void notified_worker_is_counted_on_again(void)
{
	unsigned stranded = 0;

	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);
		if (!doze_policy_has_state(d, DOZE_STATE_sleeping))
			continue;
		try_policy(d->name, used_by(d));
		stranded += used_by(d) < WORKERS;
	}
	CU_ASSERT_TRUE(stranded >= 4); /* rfc, local, block and spare */
}

static const struct suite_test tests[] = {
    {"only rfc and local leave workers asleep while 40 jobs wait",
     notified_worker_is_counted_on_again},
};
SUITE_MAIN("strand", tests)
