/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 1: a worker takes idle steps one at a time.
 */
#include "labs/scenarios/common.h"

#include "lib/sleep/idle_step.h"
#include "lib/sleep/steps.h"

static struct doze_core_latch latch;
static struct doze_idle idle;

enum { ROUNDS_UNTIL_SLEEPY = 2, ROUNDS_UNTIL_SLEEPING = 4 };

static doze_pool *patient_pool(void)
{
	doze_pool *pool;
	doze_config config = {.num_threads = 1,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = ROUNDS_UNTIL_SLEEPY,
			      .rounds_until_sleeping = ROUNDS_UNTIL_SLEEPING};
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	return pool;
}
/* Runs `body` as a job in a pool of one worker. */
static void on_patient_worker(void (*body)(void *))
{
	doze_pool *pool = patient_pool();
	EX_CHECK(doze_spawn(pool, body, NULL) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
}

static void begin_at_once(void)
{
	doze_spin_latch_init(&latch, doze_self, true);
	doze_self->pool->sleep.policy->start_looking(doze_self, &idle);
}
static void begin(void)
{
	ex_wait_quiet(); /* until the post of this job has also changed the JEC */
	begin_at_once();
}
static void end(void)
{
	doze_self->pool->sleep.policy->work_found(doze_self, &idle, DOZE_REASON_latch_set);
}
static uint64_t word(void)
{
	return da_add(&doze_self->pool->sleep.word, 0, RLX);
}
static void step_to(enum doze_state state)
{
	static const char *const names[] = {[DOZE_STATE_active] = "active",
					    [DOZE_STATE_idle] = "idle",
					    [DOZE_STATE_sleepy] = "sleepy",
					    [DOZE_STATE_sleeping] = "sleeping"};
	uint32_t round = idle.rounds;
	uint64_t yields = ex_yields();
	doze_idle_step(doze_self, &idle, &latch);
	enum doze_state now = da_load(&doze_self->state, RLX);
	if (now != state)
		ex_fail("doze_idle_step was called with idle->rounds = %u; the worker is now %s, "
			"but should "
			"be %s (each search counts one round; a worker gets sleepy in round %u and "
			"falls "
			"asleep in round %u)",
			round, names[now], names[state], ROUNDS_UNTIL_SLEEPY,
			ROUNDS_UNTIL_SLEEPING);
	if (round < ROUNDS_UNTIL_SLEEPING && ex_yields() == yields)
		ex_fail("doze_idle_step in round %u does not yield the CPU: the worker searches "
			"again at "
			"once",
			round);
}
static void remembers_jec(void)
{
	if (idle.jec != doze_counters_jec(word()))
		ex_fail(
		    "get_sleepy: the worker is sleepy, but idle->jec is not the JEC of the word");
}
static void step_to_sleepy(void)
{
	step_to(DOZE_STATE_idle);
	step_to(DOZE_STATE_idle);
	step_to(DOZE_STATE_sleepy);
	step_to(DOZE_STATE_sleepy);
}

static void count_rounds(void *arg)
{
	(void)arg;
	begin();
	step_to_sleepy();
	remembers_jec();
	if (doze_counters_jec_active(word()))
		ex_fail("get_sleepy: the worker is sleepy, but the JEC is odd: the step must make "
			"it even");
	doze_spin_latch_set(&latch, doze_self);
	doze_idle_step(doze_self, &idle, &latch);
	EX_CHECK(doze_counters_sleeping(word()) == 0);
	end();
}
static void rounds(void)
{
	on_patient_worker(count_rounds);
}

/* A job that is posted while the worker is sleepy keeps it awake; the worker must then get sleepy
 * again. */
static void post_to_sleepy(void *arg)
{
	(void)arg;
	begin();
	bool early = ex_choose(2); /* post one round before the worker would sleep */
	if (early) {
		step_to(DOZE_STATE_idle);
		step_to(DOZE_STATE_idle);
		step_to(DOZE_STATE_sleepy);
	} else {
		step_to_sleepy();
	}
	EX_CHECK(doze_spawn(NULL, nothing, NULL) == 0);
	if (early)
		step_to(DOZE_STATE_sleepy);
	step_to(DOZE_STATE_idle);
	if (idle.rounds != ROUNDS_UNTIL_SLEEPY)
		ex_fail("a post averted the sleep: the worker continues with round %u instead of "
			"round %u, in which it gets sleepy",
			idle.rounds, ROUNDS_UNTIL_SLEEPY);
	EX_CHECK(doze_counters_sleeping(word()) == 0);
	step_to(DOZE_STATE_sleepy);
	remembers_jec();
	end();
}
static void changed(void)
{
	on_patient_worker(post_to_sleepy);
}

/* Only the last look can see a job that is queued but not posted yet. */
static void queue_unposted(void *arg)
{
	struct doze_job job;
	struct doze_pool *pool = doze_self->pool;
	(void)arg;
	begin();
	step_to_sleepy();
	(void)doze_queue_inject(pool, -1, &job);
	step_to(DOZE_STATE_idle);
	if (idle.rounds != 0)
		ex_fail("the last look averted the sleep: the worker continues with round %u "
			"instead of round 0",
			idle.rounds);
	EX_CHECK(doze_counters_sleeping(word()) == 0);
	EX_CHECK(doze_queue_uninject(doze_self) == &job);
	end();
}
static void looked(void)
{
	on_patient_worker(queue_unposted);
}

/* A worker that was woken searches as long as any other. */
static DOZE_ATOMIC(int) posted;
static void sleep_until_woken(void *arg)
{
	(void)arg;
	while (!da_load(&posted, ACQ)) /* until the post of this job has also changed the JEC */
		doze_thread_yield();
	begin_at_once();
	step_to_sleepy();
	step_to(DOZE_STATE_idle);
	if (idle.rounds != 0)
		ex_fail("the worker slept and was woken: it continues with round %u instead of "
			"round 0",
			idle.rounds);
	end();
}
static void woken(void)
{
	doze_pool *pool = patient_pool();
	EX_CHECK(doze_spawn(pool, sleep_until_woken, NULL) == 0);
	da_store(&posted, 1, REL);
	ex_wait_quiet();
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
}

static void rest(void)
{
	doze_pool *pool = small_pool(1);
	check_quiet(pool);
	EX_CHECK(ex_worker_sleeps(1, 0));
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* Posts a job while the worker is falling asleep or asleep. The worker must report each step. */
static void reported(void)
{
	ex_check_reports();
	doze_pool *pool = small_pool(1);
	ex_expect("the spawned job");
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	perhaps_quiet(pool);
	ex_expect("the termination");
	doze_pool_free(pool);
}

static void turn(unsigned index, unsigned total, void *arg)
{
	(void)index;
	(void)total;
	(void)arg;
}
static void broadcast(void)
{
	ex_check_reports();
	doze_pool *pool = small_pool(1);
	ex_must_note("averted by the broadcast queue");
	ex_expect("the broadcast");
	EX_CHECK(doze_broadcast(pool, turn, NULL) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"rounds", "a worker becomes idle and sleepy, but does not sleep if its latch is set", rounds,
     2, "jec", NULL, 0},
    {"changed", "a job is posted while the worker is sleepy", changed, 2, "jec", NULL, 0},
    {"looked", "a job is queued that only the last look can see", looked, 2, "jec", NULL, 0},
    {"woken", "a worker sleeps, and is woken by a post", woken, 2, "jec", NULL, 0},
    {"rest", "a worker without work falls asleep", rest, 2, "jec", NULL, 0},
    {"reported", "a job is posted at any point of a sleep, and the worker reports each step",
     reported, 2, "jec", NULL, 0},
    {"broadcast", "a broadcast at any point of a sleep, and the worker reports each step",
     broadcast, 2, "jec", NULL, 0},
    {.name = NULL},
};
