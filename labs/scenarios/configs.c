/*
 * SPDX-License-Identifier: MIT
 *
 * configs.c - scenarios on specially configured pools: fairness for an injected job and a broadcast
 * during a chain of jobs; the pool's creator as worker 0; a spawn handler.
 */
#include "common.h"

static doze_config small_config(unsigned workers)
{
	return (doze_config){.num_threads = workers,
			     .policy = ex_policy(),
			     .rounds_until_sleepy = 1,
			     .rounds_until_sleeping = 2};
}

enum { EVERY = 2, LINKS = 2 * EVERY + 1 };

static DOZE_ATOMIC(int) injected, turns, links;

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	count_run(arg);
}

/* A job in a chain of jobs, each of which spawns the next. The first job queues a broadcast's turn
 * and waits until main has injected a job. The turn must run after exactly EVERY jobs of the chain,
 * and the injected job after at most one more. */
static void link_of_chain(void *arg)
{
	DOZE_ATOMIC(int) *posted = arg;
	count_run(&links);
	int n = ran(&links);
	if (n == 1) {
		EX_CHECK(doze_spawn_broadcast(doze_current_pool(), turn, &turns) == 0);
		while (!da_load(posted, ACQ))
			doze_thread_yield();
	}
	EX_CHECK(n > EVERY || ran(&turns) == 0);
	EX_CHECK(n <= EVERY || ran(&turns) == 1);
	EX_CHECK(n <= EVERY + 1 || ran(&injected) == 1);
	if (n < LINKS)
		EX_CHECK(doze_spawn(NULL, link_of_chain, arg) == 0);
}

static void fair(void)
{
	static DOZE_ATOMIC(int) posted;
	doze_pool *pool;
	doze_config config = small_config(1);
	config.fair_every = EVERY;
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	EX_CHECK(doze_spawn(pool, link_of_chain, &posted) == 0);
	EX_CHECK(doze_spawn(pool, count_run, &injected) == 0);
	da_store(&posted, 1, REL);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&links) == LINKS && ran(&injected) == 1 && ran(&turns) == 1);
}

/* The guest spawns a job and waits for it in user code, so the guest never runs the job itself. */
static doze_mutex guest_lock;
static doze_cond guest_cond;
static bool guest_served; /* protected by guest_lock */

static void serve_guest(void *arg)
{
	count_run(arg);
	doze_mutex_lock(&guest_lock);
	guest_served = true;
	doze_cond_signal(&guest_cond);
	doze_mutex_unlock(&guest_lock);
}

static void guest(void)
{
	static DOZE_ATOMIC(int) runs;
	doze_config config = small_config(2);
	doze_pool *pool;
	config.use_current_thread = true;
	doze_mutex_init(&guest_lock);
	doze_cond_init(&guest_cond);
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	EX_CHECK(doze_spawn(NULL, serve_guest, &runs) == 0);
	doze_mutex_lock(&guest_lock);
	ex_expect("the job that it spawned");
	while (!guest_served)
		doze_cond_wait(&guest_cond, &guest_lock);
	doze_mutex_unlock(&guest_lock);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&runs) == 1 && doze_self == NULL);
}

/* The thread of a spawn handler may be the last user of the pool and then has to free it. */
static doze_thread foreign;

static int make_foreign(const doze_new_thread *thread, void *arg)
{
	(void)arg;
	return doze_thread_create(&foreign, thread->run, thread->run_arg);
}

static void spawn_handler(void)
{
	static DOZE_ATOMIC(int) runs;
	doze_config config = small_config(1);
	doze_pool *pool;
	config.spawn_handler = make_foreign;
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	EX_CHECK(doze_spawn(pool, count_run, &runs) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&runs) == 1);
	doze_thread_join(foreign);
}

const struct ex_scenario ex_scenarios[] = {
    {"fair", "an injected job and a broadcast during a chain of jobs", fair, 2, ALL_POLICIES, NULL,
     0},
    {"guest", "the pool's creator spawns a job while the worker falls asleep", guest, 2,
     ALL_POLICIES, NULL, 0},
    {"spawn-handler", "the thread of a spawn handler exits while the pool ends", spawn_handler, 2,
     ALL_POLICIES, NULL, 0},
    {.name = NULL},
};
