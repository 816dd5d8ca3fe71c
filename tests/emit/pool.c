/*
 * SPDX-License-Identifier: MIT
 *
 * pool.c - the example of tracepoints/emit/README.md: a pool with the hooks of doze_emit.h.
 *
 *   pool healthy     a post wakes one sleeper
 *   pool storm       a post wakes all sleepers
 *   pool lost        a post wakes a sleeper only if the queue was empty
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <doze_emit.h>

enum { WORKERS = 8, QUEUE = 1024, BURSTS = 150, BURST = 4, GAP_US = 4000 };
enum { JOB = 200000, LOOK = 40000 }; /* rounds of a loop */

struct worker {
	pthread_t thread;
	pthread_cond_t cond;
	bool asleep;
	uint64_t wake; /* the id of the wake that ended the sleep */
};

static struct {
	pthread_mutex_t lock;
	uint64_t queue[QUEUE];
	unsigned first, count, sleepers;
	bool ends, wakes_all, only_first;
	struct worker worker[WORKERS];
	struct doze_emit_pool *emit;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* With the lock. */
static void wake(unsigned wanted, uint64_t decision, enum doze_cause cause)
{
	for (int i = 0; i < WORKERS && wanted; i++) {
		struct worker *w = &pool.worker[i];

		if (!w->asleep)
			continue;
		w->wake = doze_emit_wake(pool.emit, DOZE_EMIT_OUTSIDE, i, decision, cause,
					 pool.wakes_all ? DOZE_SCOPE_all : DOZE_SCOPE_one);
		w->asleep = false;
		pool.sleepers--;
		wanted--;
		pthread_cond_signal(&w->cond);
	}
}

/* With the lock. */
static void sleep_until_woken(int i, struct worker *w)
{
	w->asleep = true;
	w->wake = 0;
	pool.sleepers++;
	doze_emit_sleep(pool.emit, i, DOZE_REASON_rounds, pool.count);
	while (w->asleep)
		pthread_cond_wait(&w->cond, &pool.lock);
	doze_emit_woken(pool.emit, i, w->wake);
	doze_emit_state(pool.emit, i, DOZE_STATE_idle, DOZE_REASON_woken);
}

static void spend(int rounds)
{
	for (volatile int round = 0; round < rounds; round++)
		continue;
}

static void run(int i, uint64_t job)
{
	doze_emit_state(pool.emit, i, DOZE_STATE_active, DOZE_REASON_found_injected);
	doze_emit_job_start(pool.emit, i, job, DOZE_SOURCE_injected);
	pthread_mutex_unlock(&pool.lock);
	spend(JOB);
	doze_emit_job_end(pool.emit, i, job);
	doze_emit_state(pool.emit, i, DOZE_STATE_idle, DOZE_REASON_no_work);
	pthread_mutex_lock(&pool.lock);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	int i = (int)(w - pool.worker);
	doze_emit_worker_start(pool.emit, i);
	doze_emit_state(pool.emit, i, DOZE_STATE_idle, DOZE_REASON_no_work);
	pthread_mutex_lock(&pool.lock);
	while (!pool.ends || pool.count) {
		if (pool.count) {
			uint64_t job = pool.queue[pool.first++ % QUEUE];

			pool.count--;
			run(i, job);
			continue;
		}
		pthread_mutex_unlock(&pool.lock); /* a job may come soon */
		spend(LOOK);
		pthread_mutex_lock(&pool.lock);
		if (!pool.ends && !pool.count)
			sleep_until_woken(i, w);
	}
	pthread_mutex_unlock(&pool.lock);
	doze_emit_worker_stop(pool.emit, i);
	return NULL;
}

static void post(uint64_t job)
{
	struct doze_emit_post p = {
	    .queue = DOZE_QUEUE_injector, .jobs = 1, .counted = true, .job = job};

	pthread_mutex_lock(&pool.lock);
	p.was_empty = !pool.count;
	p.sleeping = (int32_t)pool.sleepers;
	p.wakes = pool.wakes_all ? pool.sleepers : pool.sleepers != 0;
	if (pool.only_first && !p.was_empty)
		p.wakes = 0;
	pool.queue[(pool.first + pool.count++) % QUEUE] = job;
	wake(p.wakes, doze_emit_post(pool.emit, DOZE_EMIT_OUTSIDE, &p), DOZE_CAUSE_inject);
	pthread_mutex_unlock(&pool.lock);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "healthy";

	pool.wakes_all = !strcmp(how, "storm");
	pool.only_first = !strcmp(how, "lost");
	pool.emit = doze_emit_pool_start("small", pool.wakes_all ? "broadcast" : "signal", WORKERS);
	for (int i = 0; i < WORKERS; i++) {
		pthread_cond_init(&pool.worker[i].cond, NULL);
		if (pthread_create(&pool.worker[i].thread, NULL, work, &pool.worker[i]))
			return 1;
	}
	for (uint64_t job = 1; job <= BURSTS * BURST; job++) {
		if (job % BURST == 1)
			usleep(GAP_US);
		post(job);
	}
	pthread_mutex_lock(&pool.lock);
	pool.ends = true;
	wake(WORKERS, 0, DOZE_CAUSE_terminate);
	pthread_mutex_unlock(&pool.lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(pool.worker[i].thread, NULL);
	doze_emit_pool_stop(pool.emit);
	return 0;
}
