/*
 * SPDX-License-Identifier: MIT
 *
 * scenes.c - scenes TIMES: brings a pool of 8 workers under the policy in DOZE_POLICY into the
 * states in which policies decide differently. Marks before and after each decision show which
 * events belong to it; policies_test.c reads them.
 *
 *   asleep   all sleep, one job from outside
 *   push     one worker runs, the others sleep; it queues a job in its own deque
 *   two      two workers run, the others sleep; one job from outside
 *   last     all run but one, which sleeps; two jobs from outside, one right after the other (TIMES
 *            times, because only chance decides whether the sleeper wakes in between)
 *   many     all sleep, two jobs from outside in one post; each runs until both do, or until the
 *            second one is known to wait although workers sleep: then there is no mark "shared"
 *   latch    a worker waits for a job in another pool, all sleep; the job ends
 */
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/doze.h"
#include "lib/pool.h"

#define WORKERS 8

static doze_pool *pool;
static sem_t held, go_on;

static bool never_sleeps(void)
{
	return strcmp(pool->sleep.policy->name, "spin") == 0;
}

/* Returns whether the worker sleeps and is not being woken. A notified worker's state is sleeping
 * until it runs again, which may take long on a busy machine. `condvar` and `forkjoin` do not know
 * which worker they notified, so for them only the state counts. */
static bool rests(const struct doze_worker *w)
{
	const char *policy = w->pool->sleep.policy->name;
	uint32_t state = da_load(&w->state, RLX);

	if (never_sleeps())
		return state == DOZE_STATE_idle;
	if (strcmp(policy, "condvar") == 0 || strcmp(policy, "forkjoin") == 0)
		return state == DOZE_STATE_sleeping;
	/* Reads without the lock, because a stale value is read again a millisecond later. */
	const volatile struct doze_worker_sleep *sleep = &w->sleep;
	return state == DOZE_STATE_sleeping && sleep->is_blocked && sleep->wake_id == 0;
}

/* Waits until `busy` workers run and all others sleep, or search if the policy never sleeps. */
static void settle_of(doze_pool *which, unsigned busy)
{
	for (int ms = 0; ms < 100000; ms++) { /* longer than the test may take */
		unsigned rest = 0;
		for (unsigned i = 0; i < which->num_workers; i++)
			rest += rests(&which->workers[i]);
		if (rest == which->num_workers - busy) {
			/* Gives a worker that already counts as sleeping time to start waiting. */
			usleep(2000);
			return;
		}
		usleep(1000);
	}
	fprintf(stderr, "scenes: %u workers never fell asleep\n", which->num_workers - busy);
	exit(1);
}

static void settle(unsigned busy)
{
	settle_of(pool, busy);
}

static void nothing(void *arg)
{
	(void)arg;
}

static void hold(void *arg)
{
	(void)arg;
	sem_post(&held);
	sem_wait(&go_on);
}

/* Keeps n workers running until release is called. */
static void occupy(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		settle(i);
		doze_spawn(pool, hold, NULL);
		sem_wait(&held);
	}
	settle(n);
}

static void release(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sem_post(&go_on);
	settle(0);
}

static void asleep(void)
{
	settle(0);
	doze_mark("asleep");
	doze_spawn(pool, nothing, NULL);
	settle(0);
	doze_mark("-");
}

static void push_one(void *arg)
{
	(void)arg;
	settle(1);
	doze_mark("push");
	doze_spawn(pool, nothing, NULL);
	doze_mark("-");
}

static void push(void)
{
	settle(0);
	doze_install(pool, push_one, NULL);
}

static void two(void)
{
	occupy(2);
	doze_mark("two");
	doze_spawn(pool, nothing, NULL);
	doze_mark("-");
	release(2);
}

static void last(int times)
{
	occupy(WORKERS - 1);
	for (int i = 0; i < times; i++) {
		settle(WORKERS - 1);
		doze_mark("last");
		doze_spawn(pool, nothing, NULL);
		doze_spawn(pool, nothing, NULL);
		doze_mark("-");
	}
	release(WORKERS - 1);
}

/* Waits until a second worker has taken a job, or until it is certain that no second worker
 * will. */
static bool second_is_held(void)
{
	const char *policy = pool->sleep.policy->name;
	/* Under these policies, `rests` cannot see which workers were notified. Both must have been
	 * notified; if not, the test hangs. */
	bool sure = strcmp(policy, "condvar") == 0 || strcmp(policy, "forkjoin") == 0;

	for (;;) {
		unsigned rest = 0;
		for (unsigned i = 0; i < WORKERS; i++)
			rest += rests(&pool->workers[i]);
		if (sem_trywait(&held) == 0)
			return true;
		if (rest == WORKERS - 1 && !sure && !never_sleeps())
			return false;
		usleep(1000);
	}
}

static void many(void)
{
	settle(0);
	doze_mark("many");
	doze_spawn_many(pool, hold, NULL, 2, 0);
	sem_wait(&held);
	bool shared = second_is_held();
	doze_mark(shared ? "shared" : "-");
	release(2);
	if (!shared)
		sem_wait(&held);
}

static void wait_for_sleep(void *arg)
{
	(void)arg;
	settle(0); /* the worker that waits for this job also sleeps */
	doze_mark("latch");
}

static void install_there(void *arg)
{
	doze_install(arg, wait_for_sleep, NULL);
}

static void latch(void)
{
	doze_config one = {.num_threads = 1};
	doze_pool *other;
	if (doze_pool_create(&other, &one) != 0) {
		fprintf(stderr, "scenes: %s\n", doze_last_error());
		exit(1);
	}
	settle(0);
	doze_install(pool, install_there, other);
	settle(0);
	doze_mark("-");
	doze_pool_free(other);
}

int main(int argc, char **argv)
{
	doze_config config = {.num_threads = WORKERS};
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "scenes: %s\n", doze_last_error());
		return 1;
	}
	sem_init(&held, 0, 0);
	sem_init(&go_on, 0, 0);
	asleep();
	push();
	two();
	last(argc > 1 ? atoi(argv[1]) : 60);
	many();
	latch();
	doze_pool_free(pool);
	return 0;
}
