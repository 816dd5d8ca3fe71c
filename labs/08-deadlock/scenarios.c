/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 8: only the counts, in one thread; and a real pool,
 * for the game.
 */
#include "labs/scenarios/common.h"

#include "lib/deadlock_counts.h"

#include "every.h"

static struct doze_deadlock d;

/* The student's function that was called last, for the reports: a count that is wrong after it may
 * be its fault. */
static const char *last;
#define CALLED(f)            (last = #f, f)
#define doze_counts_block    CALLED(doze_counts_block)
#define doze_counts_unblock  CALLED(doze_counts_unblock)
#define doze_counts_sleep    CALLED(doze_counts_sleep)
#define doze_counts_back     CALLED(doze_counts_back)
#define doze_counts_wake     CALLED(doze_counts_wake)
#define doze_counts_wake_all CALLED(doze_counts_wake_all)

static void pool_of(uint32_t workers)
{
	last = "none";
	d = (struct doze_deadlock){.active = workers, .events = 1};
}

/* Checks the verdict on the pool, the counts, and the result of a claim and of a handler call. */
static void deadlock_is(bool is, const char *when)
{
	EX_REQUIRE(doze_counts_deadlock(&d) == is,
		   "%s: this is %s, but doze_counts_deadlock returns %s (last call: %s)", when,
		   is ? "a deadlock" : "no deadlock", is ? "false" : "true", last);
}
static void counts_are(uint32_t active, uint32_t blocked, const char *when)
{
	EX_REQUIRE(d.active == active && d.blocked == blocked,
		   "%s: %u workers are active and %u are blocked, but the counts are %d and %d "
		   "(last call: %s)",
		   when, active, blocked, (int)d.active, (int)d.blocked,
		   last); /* may be negative */
}
static void claims(bool may_call, const char *when)
{
	EX_REQUIRE(doze_counts_claim(&d) == may_call, "%s: doze_counts_claim returns %s", when,
		   may_call ? "false" : "true");
}
static void calls_again(bool again, const char *when)
{
	EX_REQUIRE(doze_counts_called(&d) == again, "%s: doze_counts_called returns %s", when,
		   again ? "false" : "true");
}
static void is_event(uint64_t before, const char *what)
{
	EX_REQUIRE(
	    d.events > before,
	    "%s must count as an event, but the count of events stays the same (last call: %s)",
	    what, last);
	EX_REQUIRE(d.resting == 0,
		   "%s is an event, but searches that began before it still count: resting is %u "
		   "(last call: %s)",
		   what, d.resting, last);
}

/* Under a policy that never sleeps, the pool is at rest when all active workers rest. */
static void all_rest(void)
{
	pool_of(3);
	doze_counts_block(&d);
	deadlock_is(false, "one worker is blocked and two search");
	d.resting = 1;
	deadlock_is(false, "one worker is blocked, one rests and one works");
	d.resting = 2;
	deadlock_is(true, "one worker is blocked and the two others rest");
	d.resting = 1;
	uint64_t events = d.events;
	doze_counts_block(&d); /* the third worker, perhaps just after it queued a job */
	is_event(events, "a block");
	deadlock_is(false, "one worker rests, but its search began before another worker blocked");
	d.resting = 1;
	events = d.events;
	doze_counts_unblock(&d);
	is_event(events, "an unblock");
}

/* An event ends the searches of all workers, not only one of them. */
static void several_rest(void)
{
	pool_of(4);
	doze_counts_block(&d);
	d.resting = 2;
	uint64_t events = d.events;
	doze_counts_block(&d); /* the fourth worker, perhaps just after it queued a job */
	is_event(events, "a worker blocks while two others are idle or asleep");
	d.resting = 2;
	deadlock_is(true, "two workers are blocked and the two others rest");
	events = d.events;
	doze_counts_unblock(&d);
	is_event(events, "an unblock while two workers rest");
	pool_of(1);
	events = d.events;
	doze_counts_block(&d);
	is_event(events, "the block of the only worker");
}

/* Of four workers, two are blocked and two sleep. Then one is unblocked, and blocks again. */
static void several_blocked(void)
{
	pool_of(4);
	doze_counts_block(&d);
	doze_counts_block(&d);
	counts_are(2, 2, "two of four workers have blocked");
	doze_counts_sleep(&d, false);
	doze_counts_sleep(&d, false);
	deadlock_is(true, "two workers are blocked and the two others sleep");
	doze_counts_unblock(&d);
	counts_are(1, 1, "two workers sleep, and one of two blocked ones has been unblocked");
	doze_counts_sleep(&d, false);
	deadlock_is(
	    true, "one of two blocked workers has been unblocked and sleeps, like all the others");
}

/* Of three workers, one sleeps, one blocks, and then the last one sleeps too. */
static void last_one_out(void)
{
	pool_of(3);
	doze_counts_sleep(&d, false);
	deadlock_is(false, "one of three workers sleeps");
	uint64_t events = d.events;
	doze_counts_block(&d);
	deadlock_is(false, "one worker sleeps, one is blocked and one works");
	is_event(events, "a block");
	doze_counts_sleep(&d, false);
	deadlock_is(true, "two workers sleep and one is blocked");
	events = d.events;
	doze_counts_unblock(&d);
	is_event(events, "an unblock");
	deadlock_is(false, "the blocked worker has been unblocked");
	counts_are(1, 0, "two workers sleep, and the third has been unblocked");
	all_rest();
	several_rest();
	several_blocked();
}

/* A pool whose workers all sleep merely has no work; it is not deadlocked. */
static void all_asleep(void)
{
	pool_of(2);
	doze_counts_block(&d);
	doze_counts_unblock(&d);
	doze_counts_sleep(&d, false);
	doze_counts_sleep(&d, false);
	counts_are(0, 0, "both workers sleep");
	deadlock_is(false, "all workers sleep and none is blocked");
}

/* Two sleepers are woken for two jobs. */
static void several_woken(void)
{
	pool_of(10);
	doze_counts_block(&d);
	for (int i = 0; i < 9; i++)
		doze_counts_sleep(&d, false);
	doze_counts_wake(&d, 7);
	counts_are(7, 1, "seven of nine sleepers are woken at once (doze_counts_wake with n = 7)");
	pool_of(4);
	doze_counts_block(&d);
	for (int i = 0; i < 3; i++)
		doze_counts_sleep(&d, false);
	doze_counts_wake(&d, 2);
	counts_are(2, 1, "two of three sleepers are woken at once (doze_counts_wake with n = 2)");
	doze_counts_sleep(&d, false);
	deadlock_is(false, "two sleepers were woken at once, and one of them sleeps again");
	doze_counts_wake(&d, 1);
	counts_are(2, 1, "a worker was awake, and a sleeper has been woken");
	doze_counts_block(&d);
	doze_counts_wake_all(&d, 4);
	counts_are(2, 2, "two of four workers are blocked, and all sleepers have been woken");
}

static void woken(void)
{
	pool_of(3);
	doze_counts_block(&d);
	doze_counts_sleep(&d, false);
	doze_counts_sleep(&d, false);
	deadlock_is(true, "two workers sleep and one is blocked");
	doze_counts_wake(&d, 1); /* a job was injected */
	deadlock_is(false, "a worker has been woken, but is not running yet");
	counts_are(1, 1, "one of two sleepers has been woken");
	doze_counts_sleep(&d, false);
	doze_counts_wake_all(&d, 3);
	counts_are(2, 1, "both sleepers have been woken together");
	pool_of(3);
	doze_counts_sleep(&d, false);
	doze_counts_wake_all(&d, 3);
	counts_are(3, 0, "two workers were awake when all sleepers were woken");
	several_woken();
}

/* A sleeper whose latch another pool sets keeps the pool from being deadlocked. */
static void elsewhere(void)
{
	pool_of(2);
	doze_counts_block(&d);
	doze_counts_sleep(&d, true);
	counts_are(0, 1, "one worker is blocked, the other sleeps and waits for another pool");
	deadlock_is(false, "one worker is blocked, the other sleeps and waits for another pool");
	doze_counts_wake(&d, 1);
	counts_are(1, 1,
		   "the worker that waits for another pool has been woken, but is not back yet");
	doze_counts_back(&d);
	counts_are(1, 1, "the worker that waited for another pool is back");
	doze_counts_sleep(&d, false);
	deadlock_is(true, "one worker is blocked, the other sleeps");
}
/* One worker is blocked, one waits for another pool, and the third does not. */
static void third_worker(void)
{
	pool_of(3);
	doze_counts_sleep(&d, true);
	doze_counts_block(&d);
	deadlock_is(false, "one worker is blocked, one waits for another pool and one works");
	d.resting = 1;
	deadlock_is(false, "one worker is blocked, one waits for another pool and one rests");
	d.resting = 0;
	doze_counts_sleep(&d, false);
	deadlock_is(false, "one worker waits for another pool, one then blocked, and one sleeps");
	doze_counts_wake(&d, 1);
	counts_are(1, 1, "of two sleepers, the one that does not wait for another pool is woken");
	doze_counts_unblock(&d);
	doze_counts_block(&d);
	doze_counts_sleep(&d, false);
	deadlock_is(false,
		    "the worker that was woken sleeps again, but another sleeper still waits for "
		    "another pool");
}
/* All workers are woken while two wait for another pool. Each calls doze_counts_back when it
 * runs. */
static void all_woken_elsewhere(void)
{
	pool_of(3);
	doze_counts_block(&d);
	doze_counts_sleep(&d, true);
	doze_counts_sleep(&d, true);
	doze_counts_wake_all(&d, 3);
	counts_are(2, 1, "all were woken, two of which wait for another pool and are not back yet");
	EX_REQUIRE(
	    d.elsewhere == 2,
	    "two workers wait for another pool: doze_counts_wake_all changes elsewhere from 2 to "
	    "%u, but each of them will decrement it when it runs (doze_counts_back)",
	    d.elsewhere);
}
static void several_elsewhere(void)
{
	pool_of(3);
	doze_counts_block(&d);
	doze_counts_sleep(&d, true);
	doze_counts_sleep(&d, true);
	doze_counts_wake(&d, 1);
	doze_counts_back(&d);
	doze_counts_sleep(&d, false);
	deadlock_is(false, "one of two sleepers that waited for another pool still waits for it");
	pool_of(3);
	doze_counts_block(&d);
	doze_counts_sleep(&d, true);
	doze_counts_sleep(&d, false);
	deadlock_is(false, "one sleeper waits for another pool, and a later one does not");
	pool_of(3);
	doze_counts_block(&d);
	doze_counts_block(&d);
	doze_counts_sleep(&d, true);
	deadlock_is(false, "two workers are blocked, and a sleeper waits for another pool");
	pool_of(2);
	doze_counts_sleep(&d, true);
	doze_counts_wake_all(&d, 2);
	doze_counts_back(&d);
	counts_are(2, 0, "all were woken, and the one that waited for another pool is back");
	doze_counts_block(&d);
	doze_counts_sleep(&d, false);
	deadlock_is(true, "one worker is blocked, the other has waited for another pool, is back, "
			  "and sleeps again");
	third_worker();
	all_woken_elsewhere();
}

/* A thread is in the handler when another one finds a deadlock. */
static void called_once(void)
{
	pool_of(1);
	doze_counts_block(&d);
	claims(true, "the first thread finds a deadlock");
	calls_again(false, "no thread found another deadlock during the handler's call");
	claims(true, "a thread finds a deadlock, and no thread is in the handler");
	claims(false, "a thread finds a deadlock while another is in the handler");
	calls_again(true, "a deadlock was found during the call, and persists");
	claims(false, "a thread finds a deadlock while another calls the handler again");
	calls_again(true, "a deadlock was found during the second call, and persists");
	calls_again(false, "no deadlock was found during the third call");
	claims(true, "a thread finds a deadlock later");
	claims(false, "a thread finds a deadlock while another is in the handler");
	doze_counts_unblock(&d);
	calls_again(false, "a deadlock was found while the handler ran, but has been resolved");
	doze_counts_block(&d);
	claims(true, "a thread finds a new deadlock, and no thread is in the handler");
	calls_again(false, "only the previous call overlapped with another deadlock");
	claims(true, "a thread finds a deadlock, and no thread is in the handler");
	pool_of(1); /* d now holds the counts of another pool, whose handler is not running */
	doze_counts_block(&d);
	claims(true, "a thread is in the handler of one pool, and another pool is deadlocked");
	calls_again(false, "the handlers of two pools run, and no thread found a deadlock again");
}

/* For the game: one worker is blocked, the other about to fall asleep, and main injects the job
 * that releases the blocked one. */
static doze_mutex block_lock;
static doze_cond block_cond;
static bool let_go; /* protected by block_lock */
static DOZE_ATOMIC(int) blocked_index;

static void alarm(void *arg)
{
	doze_pool *pool = *(doze_pool **)arg;
	if (jobs_injected(pool) != 0)
		ex_event("the handler is called although a job waits");
}
static void blocking_job(void *arg)
{
	(void)arg;
	da_store(&blocked_index, doze_worker_index(), RLX);
	doze_mutex_lock(&block_lock);
	doze_mark_blocked();
	ex_expect("its release");
	while (!let_go)
		doze_cond_wait(&block_cond, &block_lock);
	doze_mutex_unlock(&block_lock);
	ex_expect(NULL);
}
static void releasing_job(void *arg)
{
	doze_mutex_lock(&block_lock);
	doze_mark_unblocked(arg, da_load(&blocked_index, RLX));
	let_go = true;
	doze_cond_signal(&block_cond);
	doze_mutex_unlock(&block_lock);
}
static void false_alarm(void)
{
	static doze_pool *pool; /* also used by the handler */
	doze_config config = {.num_threads = 2,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .deadlock_handler = alarm,
			      .deadlock_arg = &pool};
	doze_mutex_init(&block_lock);
	doze_cond_init(&block_cond);
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	show_pool(pool, true);
	EX_CHECK(doze_spawn(pool, blocking_job, NULL) == 0);
	EX_CHECK(doze_spawn(pool, releasing_job, pool) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
}

const struct ex_scenario ex_scenarios[] = {
    {"last-out", "the last active worker goes to sleep", last_one_out, 1, NULL, NULL, 0},
    {"all-asleep", "all workers sleep", all_asleep, 1, NULL, NULL, 0},
    {"woken", "a woken worker counts as active at once", woken, 1, NULL, NULL, 0},
    {"elsewhere", "a sleeper waits for another pool", elsewhere, 1, NULL, NULL, 0},
    {"several-elsewhere", "several sleepers, of which some wait for another pool",
     several_elsewhere, 1, NULL, NULL, 0},
    {"false-alarm", "a deadlock is resolved while a thread reports it", false_alarm, 3, "jec", NULL,
     0},
    {"every-last-out", "blocks, unblocks and verdicts in every state", every_last_out, 1, NULL,
     NULL, 0},
    {"every-silent", "sleeps in every state", every_silent, 1, NULL, NULL, 0},
    {"every-wake", "wakes in every state", every_wake, 1, NULL, NULL, 0},
    {"every-elsewhere", "the count of those that wait for another pool, in every state",
     every_elsewhere, 1, NULL, NULL, 0},
    {"every-order", "deadlocks are found and handlers return in every order", every_order, 1, NULL,
     NULL, 0},
    {"once", "the handler is called by one thread at a time", called_once, 1, NULL, NULL, 0},
    {.name = NULL},
};
