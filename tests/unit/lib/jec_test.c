/*
 * SPDX-License-Identifier: MIT
 *
 * Policy `jec`, step by step. The pool has no threads: the test's thread acts as each worker in
 * turn, which forces each interleaving below. The events show the policy's decisions.
 */
#include "help.h"
#include "lib/config.h"
#include "lib/pool.h"
#include "lib/queues.h"
#include "sink.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>

static struct doze_pool *pool;
static const struct doze_sleep_policy *jec;

static void stage(unsigned workers)
{
	struct doze_settings settings;
	doze_config config = {.num_threads = workers, .policy = "jec"};
	sink_reset();
	CU_ASSERT_EQUAL_FATAL(doze_settings_read(&settings, &config), 0);
	CU_ASSERT_EQUAL_FATAL(doze_pool_build(&pool, &settings), 0);
	jec = pool->sleep.policy;
}

static void strike(void)
{
	doze_pool_unref(pool);
}

static struct doze_worker *worker(int i)
{
	return &pool->workers[i];
}

static uint64_t word(void)
{
	return da_load(&pool->sleep.word, SC);
}

static enum doze_state state(int i)
{
	return da_load(&worker(i)->state, SC);
}

/* Makes worker i search without success until it is sleepy and one more round would put it to
 * sleep. */
static void make_sleepy(int i, struct doze_idle *idle)
{
	jec->start_looking(worker(i), idle);
	for (uint32_t r = 0; r <= pool->sleep.rounds_until_sleepy; r++)
		jec->no_work_found(worker(i), idle, &worker(i)->terminate);
}

/* Makes worker i look asleep to the other workers: counted as sleeping, blocked, and waiting on its
 * latch. */
static void pretend_asleep(int i)
{
	(void)doze_core_latch_get_sleepy(&worker(i)->terminate);
	(void)doze_core_latch_fall_asleep(&worker(i)->terminate);
	worker(i)->sleep.is_blocked = true;
	da_add(&pool->sleep.word, DOZE_ONE_SLEEPING + DOZE_ONE_INACTIVE, SC);
}

/* Adds n workers to the count of idle workers. */
static void pretend_idle(unsigned n)
{
	da_add(&pool->sleep.word, n * DOZE_ONE_INACTIVE, SC);
}

static void do_nothing(struct doze_job *job, struct doze_worker *by, enum doze_source source)
{
	(void)job;
	(void)by;
	(void)source;
}

static void gets_sleepy_after_32(void)
{
	struct doze_idle idle;
	stage(2);
	jec->start_looking(worker(0), &idle);
	CU_ASSERT_EQUAL(word(), DOZE_ONE_INACTIVE);
	for (int r = 0; r < 32; r++)
		jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_idle);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_sleepy);
	CU_ASSERT_EQUAL(idle.rounds, 33);
	jec->work_found(worker(0), &idle, DOZE_REASON_found_local);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_active);
	CU_ASSERT_EQUAL(doze_counters_inactive(word()), 0);
	strike();
}

static void sleepy_makes_the_jec_even(void)
{
	struct doze_idle idle;
	stage(2);
	da_store(&pool->sleep.word, DOZE_ONE_JEC, SC); /* makes the JEC odd */
	make_sleepy(0, &idle);
	CU_ASSERT_EQUAL(doze_counters_jec(word()), 2);
	CU_ASSERT_EQUAL(idle.jec, 2);
	CU_ASSERT_EQUAL(sink_count(SINK_JEC), 1);
	make_sleepy(1, &idle); /* the JEC is already even, so there is no step and no event */
	CU_ASSERT_EQUAL(idle.jec, 2);
	CU_ASSERT_EQUAL(sink_count(SINK_JEC), 1);
	strike();
}

static void post_toggles_only_even(void)
{
	stage(2);
	jec->new_jobs(pool, 0, &(struct doze_publish){DOZE_QUEUE_local, 1, true, 0, NULL});
	CU_ASSERT_EQUAL(doze_counters_jec(word()), 1);
	uint64_t before = word();
	jec->new_jobs(pool, 0, &(struct doze_publish){DOZE_QUEUE_local, 1, true, 0, NULL});
	jec->new_jobs(pool, -1, &(struct doze_publish){DOZE_QUEUE_injector, 1, true, 0, NULL});
	CU_ASSERT_EQUAL(word(), before); /* the JEC is odd, so there is nothing to write */
	CU_ASSERT_EQUAL(sink_nth(SINK_POST, 0)->old_word, 0);
	CU_ASSERT_EQUAL(sink_nth(SINK_POST, 0)->new_word, before);
	strike();
}

static void moved_jobs_toggle_only_even(void)
{
	struct doze_idle idle;
	stage(2);
	make_sleepy(0, &idle);
	sink_reset();
	jec->moved(pool, 1);
	CU_ASSERT_EQUAL(sink_count(SINK_JEC), 1);
	CU_ASSERT_EQUAL(sink_nth(SINK_JEC, 0)->reason, DOZE_JEC_CAUSE_post);
	jec->moved(pool, 1); /* the JEC is odd */
	CU_ASSERT_EQUAL(sink_count(SINK_JEC), 1);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_idle);
	CU_ASSERT_EQUAL(sink_nth(SINK_ABORT, 0)->reason, DOZE_ABORT_jec);
	strike();
}

/* Returns the number of workers that a post of n jobs wakes, given the numbers of idle and sleeping
 * workers. */
static size_t woken_by_post(unsigned idle, unsigned asleep, unsigned n, bool was_empty)
{
	stage(idle + asleep + 1);
	for (unsigned i = 0; i < asleep; i++)
		pretend_asleep((int)i);
	pretend_idle(idle);
	jec->new_jobs(pool, (int)(idle + asleep),
		      &(struct doze_publish){DOZE_QUEUE_local, n, was_empty, 0, NULL});
	size_t wakes = sink_count(SINK_WAKE);
	const struct sink_event *post = sink_nth(SINK_POST, 0);
	CU_ASSERT_EQUAL(post->post.wakes, wakes);
	CU_ASSERT_EQUAL(post->post.idle, idle);
	CU_ASSERT_EQUAL(post->post.sleeping, asleep);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), asleep - wakes);
	for (size_t i = 0; i < wakes; i++) {
		CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, i)->decision_id, post->decision_id);
		/* Sleepers are woken in the order of their index. */
		CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, i)->target, i);
	}
	strike();
	return wakes;
}

static void post_wakes_the_right_number(void)
{
	CU_ASSERT_EQUAL(woken_by_post(0, 4, 1, true), 1);
	CU_ASSERT_EQUAL(woken_by_post(1, 4, 1, true), 0); /* the idle worker takes the job */
	/* The queue was not empty, so the idle worker has not kept up. */
	CU_ASSERT_EQUAL(woken_by_post(1, 4, 1, false), 1);
	CU_ASSERT_EQUAL(woken_by_post(2, 4, 3, true), 1);
	CU_ASSERT_EQUAL(woken_by_post(2, 4, 3, false), 3);
	CU_ASSERT_EQUAL(woken_by_post(0, 2, 9, true), 2); /* wakes all sleepers */
	CU_ASSERT_EQUAL(woken_by_post(3, 0, 9, false), 0);
}

static void work_found_wakes_two(void)
{
	struct doze_idle idle;
	stage(5);
	for (int i = 1; i < 5; i++)
		pretend_asleep(i);
	jec->start_looking(worker(0), &idle);
	jec->work_found(worker(0), &idle, DOZE_REASON_found_injected);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 2);
	jec->start_looking(worker(0), &idle);
	/* This time the worker stops searching because of a latch, not a job. */
	jec->work_found(worker(0), &idle, DOZE_REASON_latch_set);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 4);
	jec->start_looking(worker(0), &idle);
	jec->work_found(worker(0), &idle, DOZE_REASON_found_injected);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 4);
	strike();
}

static void posted_since_sleepy_averts_sleep(void)
{
	struct doze_idle idle;
	stage(2);
	make_sleepy(0, &idle);
	jec->new_jobs(pool, 1, &(struct doze_publish){DOZE_QUEUE_local, 1, true, 0, NULL});
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_idle);
	CU_ASSERT_EQUAL(idle.rounds, 32); /* one more search makes the worker sleepy again */
	CU_ASSERT_EQUAL(sink_nth(SINK_ABORT, 0)->reason, DOZE_ABORT_jec);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), 0);
	CU_ASSERT_EQUAL(da_load(&worker(0)->terminate.state, SC), DOZE_LATCH_unset);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_sleepy);
	strike();
}

static void last_check_sees_injected(void)
{
	struct doze_idle idle;
	struct doze_job job = {.run = do_nothing};
	stage(2);
	make_sleepy(0, &idle);
	/* Simulates a JEC that has wrapped around to the remembered value: queues a job without
	 * notifying the policy, so that the JEC stays the same. */
	(void)doze_queue_inject(pool, -1, &job);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_idle);
	CU_ASSERT_EQUAL(idle.rounds, 0); /* the worker counts its rounds from 0 again */
	const struct sink_event *abort_event = sink_nth(SINK_ABORT, 0);
	CU_ASSERT_EQUAL(abort_event->reason, DOZE_ABORT_injector);
	CU_ASSERT_EQUAL(abort_event->old_word - abort_event->new_word, DOZE_ONE_SLEEPING);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), 0);
	strike();
}

static void last_check_sees_broadcast(void)
{
	struct doze_idle idle;
	struct doze_job job = {.run = do_nothing};
	stage(2);
	make_sleepy(0, &idle);
	doze_injector_push(&worker(0)->broadcast, &job);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(sink_nth(SINK_ABORT, 0)->reason, DOZE_ABORT_broadcast);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), 0);
	strike();
}

static void set_latch_averts_sleep(void)
{
	struct doze_idle idle;
	stage(2);
	make_sleepy(0, &idle);
	(void)doze_core_latch_set(&worker(0)->terminate, -1);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(sink_nth(SINK_ABORT, 0)->reason, DOZE_ABORT_latch);
	/* The worker has not slept; its loop will see the latch. */
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_sleepy);
	CU_ASSERT_EQUAL(idle.rounds, 33);
	jec->work_found(worker(0), &idle, DOZE_REASON_latch_set);
	CU_ASSERT_EQUAL(word(), doze_counters_jec(word()) * DOZE_ONE_JEC);
	strike();
}

static void latch_wakes_its_owner_only_asleep(void)
{
	stage(3);
	pretend_asleep(1);
	pretend_asleep(2);
	jec->latch_set(pool, 0, 2, DOZE_LATCH_unset, DOZE_CAUSE_latch);
	jec->latch_set(pool, 0, 2, DOZE_LATCH_sleepy, DOZE_CAUSE_latch);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 0);
	jec->latch_set(pool, 0, 2, DOZE_LATCH_sleeping, DOZE_CAUSE_latch);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 1);
	CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, 0)->target, 2);
	CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, 0)->reason, DOZE_CAUSE_latch);
	strike();
}

static void broadcast_wakes_every_sleeper(void)
{
	stage(4);
	pretend_asleep(0);
	pretend_asleep(3);
	uint64_t jec_before = doze_counters_jec(word());
	jec->broadcast(pool, 1);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 2);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), 0);
	CU_ASSERT_EQUAL(doze_counters_jec(word()), jec_before); /* the JEC has not changed */
	strike();
}

static const struct suite_test tests[] = {
    {"a worker becomes sleepy in its 33rd fruitless round, and not earlier", gets_sleepy_after_32},
    {"only the first worker that becomes sleepy makes the JEC even", sleepy_makes_the_jec_even},
    {"a post writes the word only when the JEC is even", post_toggles_only_even},
    {"jobs that a thief has moved make a sleepy worker search again", moved_jobs_toggle_only_even},
    {"the number of workers that a post wakes depends on the jobs, the idle workers and the queue",
     post_wakes_the_right_number},
    {"a worker that stops searching wakes up to two others, even if it stops because of a latch",
     work_found_wakes_two},
    {"a post keeps a sleepy worker awake, and one more round makes the worker sleepy again",
     posted_since_sleepy_averts_sleep},
    {"the last check finds an injected job even if the JEC has wrapped around",
     last_check_sees_injected},
    {"the last check finds a broadcast (rayon #992)", last_check_sees_broadcast},
    {"a set latch keeps its owner from sleeping", set_latch_averts_sleep},
    {"the owner is woken only from SLEEPING", latch_wakes_its_owner_only_asleep},
    {"a broadcast wakes every sleeper and does not change the JEC", broadcast_wakes_every_sleeper},
};
SUITE_MAIN("jec", tests)
