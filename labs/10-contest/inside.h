/*
 * SPDX-License-Identifier: MIT
 *
 * inside.h - scenarios of lab 10 in which a worker of the pool makes the call that must wake
 * another one, or finds something other than an injected job.
 */
#ifndef DOZE_LAB10_INSIDE_H
#define DOZE_LAB10_INSIDE_H

#include "labs/scenarios/flags.h"

static bool may_end, served; /* protected by lock */

static inline void serves(void *arg)
{
	(void)arg;
	announce(&served);
}
static inline void waits_for_service(void)
{
	ex_expect("the injected job, which a sleeping worker has to run");
	await(&served);
	ex_expect(NULL);
}

/* ---- a job makes a broadcast while the other worker sleeps ---- */

static inline void empty_turn(unsigned index, unsigned total, void *arg)
{
	(void)index;
	(void)total;
	(void)arg;
}
static inline void makes_broadcast(void *arg)
{
	(void)arg;
	ex_expect("the broadcast of a job");
	EX_CHECK(doze_broadcast(NULL, empty_turn, NULL) == 0);
	ex_expect(NULL);
}
static inline void broadcast_inside(void)
{
	doze_pool *pool = small_pool(2);
	ex_wait_quiet();
	EX_CHECK(doze_spawn(pool, makes_broadcast, NULL) == 0);
	ex_expect("the job that broadcasts, and the termination");
	doze_pool_free(pool);
}

/* ---- a worker ends a task that a suspended wait of the other worker waits for ---- */

static doze_future *near_task;

static inline void *ends_later(void *arg)
{
	await(&may_end);
	return arg;
}
static inline void *gets_near(void *arg)
{
	EX_CHECK(doze_future_get(near_task) == arg);
	return arg;
}
static inline void *is_found(void *arg)
{
	return arg;
}
static inline void resume_inside(void)
{
	doze_pool *pool = small_pool(2);
	doze_future *getter, *found;
	void *arg = &near_task;
	init_flags();
	EX_CHECK(doze_submit(&near_task, pool, ends_later, arg) == 0);
	ex_wait_quiet();
	EX_CHECK(doze_submit(&getter, pool, gets_near, arg) == 0);
	ex_wait_quiet();
	EX_CHECK(doze_submit(&found, pool, is_found, arg) == 0);
	ex_wait_quiet();
	announce(&may_end);
	ex_expect("the suspended wait to end");
	EX_CHECK(doze_future_get(getter) == arg);
	EX_CHECK(doze_future_get(found) == arg);
	doze_future_free(getter);
	doze_future_free(found);
	doze_future_free(near_task);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* ---- a post relies on a searching worker, and that worker finds something else ---- */

/* The searching worker 0 finds its turn of a broadcast. The job for which that turn waits is
 * injected when worker 1 has run its own turn, and may be asleep again. */
static bool other_turn_ran; /* protected by lock */

static inline void turn_of_each(unsigned index, unsigned total, void *arg)
{
	(void)total;
	(void)arg;
	if (index == 0)
		waits_for_service();
	else
		announce(&other_turn_ran);
}
static inline void finds_turn(void)
{
	doze_pool *pool = small_pool(2);
	init_flags();
	EX_CHECK(doze_spawn_broadcast(pool, turn_of_each, NULL) == 0);
	ex_expect("the turn of worker 1");
	await(&other_turn_ran);
	EX_CHECK(doze_spawn(pool, serves, NULL) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* The searching worker finds a job in another worker's deque. The job is pushed while the two other
 * workers sleep. */
static bool may_push; /* protected by lock */

static inline void is_stolen(void *arg)
{
	(void)arg;
	waits_for_service();
}
static inline void pushes_and_waits(void *arg)
{
	await(&may_push);
	EX_CHECK(doze_spawn(NULL, is_stolen, arg) == 0);
	announce(&may_end);
	waits_for_service();
}
static inline void finds_stolen(doze_pool *three_workers)
{
	init_flags();
	EX_CHECK(doze_spawn(three_workers, pushes_and_waits, NULL) == 0);
	ex_wait_quiet();
	announce(&may_push);
	ex_expect("the job that pushes another one");
	await(&may_end);
	EX_CHECK(doze_spawn(three_workers, serves, NULL) == 0);
	ex_expect("the termination");
	doze_pool_free(three_workers);
}

/* ---- the creator of the pool is worker 0, and injects what it spawns ---- */

static inline void creator_posts(void)
{
	doze_pool *pool;
	doze_config config = {.num_threads = 2,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .use_current_thread = true};
	init_flags();
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	EX_CHECK(doze_spawn(NULL, serves, NULL) == 0);
	waits_for_service();
	ex_expect("the termination");
	doze_pool_free(pool);
}

#endif
