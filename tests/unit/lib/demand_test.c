/*
 * SPDX-License-Identifier: MIT
 *
 * Policy `demand`, step by step, where it differs from `jec`. As in jec_test.c, the pool has no
 * threads: the test's thread acts as each worker in turn.
 */
#include "lib/config.h"
#include "lib/pool.h"
#include "lib/queues.h"
#include "sink.h"
#include "tests/fixtures/suite.h"

static struct doze_pool *pool;
static const struct doze_sleep_policy *demand;

/* Puts the workers with index `asleep` and above to sleep; the others are active. */
static void stage(unsigned workers, unsigned asleep)
{
	struct doze_settings settings;
	doze_config config = {.num_threads = workers, .policy = "demand"};
	sink_reset();
	CU_ASSERT_EQUAL_FATAL(doze_settings_read(&settings, &config), 0);
	CU_ASSERT_EQUAL_FATAL(doze_pool_build(&pool, &settings), 0);
	demand = pool->sleep.policy;
	for (unsigned i = asleep; i < workers; i++) {
		struct doze_worker *w = &pool->workers[i];
		(void)doze_core_latch_get_sleepy(&w->terminate);
		(void)doze_core_latch_fall_asleep(&w->terminate);
		w->sleep.is_blocked = true;
		da_add(&pool->sleep.word, DOZE_ONE_SLEEPING + DOZE_ONE_INACTIVE, SC);
	}
}

static void strike(void)
{
	while (doze_queue_pop(&pool->workers[0]) != NULL)
		;
	while (doze_queue_uninject(&pool->workers[0]) != NULL)
		;
	doze_pool_unref(pool);
}

static struct doze_job jobs[8];

static void push(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		(void)doze_queue_push(&pool->workers[0], &jobs[i]);
}

/* Returns how many of 5 sleepers worker 1 of 8 wakes when it stops searching while `waiting` jobs
 * are in worker 0's deque and `idle` other workers search. */
static size_t woken_when_found(unsigned waiting, unsigned idle, enum doze_reason reason)
{
	struct doze_idle search;
	stage(8, 3);
	push(waiting);
	da_add(&pool->sleep.word, idle * DOZE_ONE_INACTIVE, SC);
	demand->start_looking(&pool->workers[1], &search);
	demand->work_found(&pool->workers[1], &search, reason);
	size_t wakes = sink_count(SINK_WAKE);
	strike();
	return wakes;
}

static void found_wakes_for_waiting_jobs(void)
{
	CU_ASSERT_EQUAL(woken_when_found(0, 0, DOZE_REASON_found_stolen), 0);
	CU_ASSERT_EQUAL(woken_when_found(0, 0, DOZE_REASON_latch_set), 0);
	CU_ASSERT_EQUAL(woken_when_found(1, 0, DOZE_REASON_found_stolen), 1);
	CU_ASSERT_EQUAL(woken_when_found(1, 0, DOZE_REASON_latch_set), 1);
	CU_ASSERT_EQUAL(woken_when_found(2, 0, DOZE_REASON_found_stolen), 2);
	/* The two woken workers wake the others. */
	CU_ASSERT_EQUAL(woken_when_found(6, 0, DOZE_REASON_found_stolen), 2);
	/* The idle worker will take the job. */
	CU_ASSERT_EQUAL(woken_when_found(1, 1, DOZE_REASON_found_stolen), 0);
	CU_ASSERT_EQUAL(woken_when_found(2, 1, DOZE_REASON_latch_set), 1);
}

static void found_sees_the_injector(void)
{
	struct doze_idle search;
	stage(4, 1);
	(void)doze_queue_inject(pool, -1, &jobs[0]);
	(void)doze_queue_inject(pool, -1, &jobs[1]);
	demand->start_looking(&pool->workers[0], &search);
	demand->work_found(&pool->workers[0], &search, DOZE_REASON_latch_set);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE),
			1); /* the woken worker will check whether there are more jobs */
	strike();
}

static void wakes_begin_at_the_neighbour(void)
{
	static const struct {
		int32_t by, target;
	} c[] = {{-1, 1}, {1, 2}, {2, 3}, {3, 1}};
	for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
		stage(4, 1);
		demand->new_jobs(pool, c[i].by,
				 &(struct doze_publish){DOZE_QUEUE_injector, 1, true, 0, NULL});
		CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, 0)->target, c[i].target);
		strike();
	}
}

/* Returns the number of failed searches that make a worker sleepy while `idle` others search. */
static unsigned searches(unsigned idle)
{
	struct doze_idle search;
	unsigned n = 0;
	stage(32, 32);
	da_add(&pool->sleep.word, idle * DOZE_ONE_INACTIVE, SC);
	demand->start_looking(&pool->workers[0], &search);
	for (; da_load(&pool->workers[0].state, SC) == DOZE_STATE_idle && n < 100; n++)
		demand->no_work_found(&pool->workers[0], &search, &pool->workers[0].terminate);
	strike();
	return n;
}

static void idle_workers_share_the_search(void)
{
	/* As under jec, the 33rd search makes the worker sleepy. */
	CU_ASSERT_EQUAL(searches(0), 33);
	CU_ASSERT_EQUAL(searches(1), 17);
	CU_ASSERT_EQUAL(searches(3), 9);
	CU_ASSERT_EQUAL(searches(7), 5);
	CU_ASSERT_EQUAL(searches(30), 5); /* never fewer than an eighth of the searches under jec */
}

static const struct suite_test tests[] = {
    {"a worker that stops searching wakes another worker if jobs would otherwise be overlooked",
     found_wakes_for_waiting_jobs},
    {"a worker that stops searching also checks the injector", found_sees_the_injector},
    {"the first worker to be woken is the waker's neighbour", wakes_begin_at_the_neighbour},
    {"the more workers are idle, the fewer rounds each one searches",
     idle_workers_share_the_search},
};
SUITE_MAIN("demand", tests)
