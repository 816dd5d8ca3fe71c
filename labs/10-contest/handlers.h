/*
 * SPDX-License-Identifier: MIT
 *
 * handlers.h - scenarios of lab 10 about the release and acquire handlers.
 */
#ifndef DOZE_LAB10_HANDLERS_H
#define DOZE_LAB10_HANDLERS_H

#include "labs/scenarios/common.h"

static DOZE_THREAD_LOCAL bool released;
static DOZE_ATOMIC(bool) was_released;

static inline void release(void *arg)
{
	(void)arg;
	if (released)
		ex_fail("a worker called the release handler twice without the acquire handler in "
			"between");
	released = true;
	da_store(&was_released, true, RLX);
}
static inline void acquire(void *arg)
{
	(void)arg;
	if (!released)
		ex_fail("a worker called the acquire handler without the release handler before");
	released = false;
}
static inline void checks_acquired(void *arg)
{
	(void)arg;
	if (released)
		ex_fail("after its sleep, a worker ran a job before it called the acquire handler");
}
static inline doze_pool *pool_with_handlers(void (*acquire_handler)(void *))
{
	static doze_pool *pool; /* also used by the handlers */
	doze_config config = {.num_threads = 1,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .release_handler = release,
			      .acquire_handler = acquire_handler,
			      .deadlock_arg = &pool};
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	return pool;
}
static inline void handlers(void)
{
	doze_pool *pool = pool_with_handlers(acquire);
	if (ex_choose(2)) {
		check_quiet(pool);
		EX_REQUIRE(da_load(&was_released, RLX),
			   "a worker sleeps but has not called the release handler");
	}
	EX_CHECK(doze_spawn(pool, checks_acquired, NULL) == 0);
	ex_expect("the termination, or a spawned job");
	doze_pool_free(pool);
}

/* The acquire handler makes a broadcast, which takes the sleep lock of every worker in turn. So a
 * worker must not hold its own lock when it calls the handler. */
static inline void no_turn(unsigned index, unsigned total, void *arg)
{
	(void)index;
	(void)total;
	(void)arg;
}
static inline void acquire_and_call(void *arg)
{
	static DOZE_ATOMIC(bool) called;
	acquire(arg);
	if (da_swap(&called, true, RLX))
		return;
	ex_expect("its own lock, in a broadcast by the acquire handler");
	EX_CHECK(doze_spawn_broadcast(*(doze_pool **)arg, no_turn, NULL) == 0);
	ex_expect(NULL);
}
static inline void handler_calls(void)
{
	doze_pool *pool = pool_with_handlers(acquire_and_call);
	check_quiet(pool);
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	ex_expect("the termination, or a spawned job");
	doze_pool_free(pool);
}

#endif
