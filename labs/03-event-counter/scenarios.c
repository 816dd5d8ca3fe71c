/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 3: the four steps, on a word without a pool.
 */
#include "labs/scenarios/common.h"

#include "lib/sleep/event_counter.h"
#include "lib/sleep/steps.h"

static DOZE_ATOMIC(uint64_t) word;

#define SOME_COUNTS (3 * DOZE_ONE_INACTIVE + DOZE_ONE_SLEEPING)

static void word_is(uint64_t value)
{
	da_init(&word, value);
}
static uint64_t counts(uint64_t value)
{
	return value & (DOZE_ONE_JEC - 1);
}

/* In one thread: checks the parity and the words that a step reports. */
static void parity_from(uint64_t jec)
{
	uint64_t before = jec * DOZE_ONE_JEC + SOME_COUNTS;
	word_is(before);
	struct doze_jec_step sleepy = doze_jec_get_sleepy(&word);
	EX_CHECK(sleepy.old_word == before);
	EX_CHECK(!doze_counters_jec_active(sleepy.new_word));
	EX_CHECK(da_load(&word, SC) == sleepy.new_word && counts(sleepy.new_word) == SOME_COUNTS);
	struct doze_jec_step post = doze_jec_post(&word, false);
	EX_CHECK(post.old_word == sleepy.new_word);
	EX_CHECK(doze_counters_jec_active(post.new_word));
	EX_CHECK(da_load(&word, SC) == post.new_word && counts(post.new_word) == SOME_COUNTS);
}
static void parity(void)
{
	parity_from(0);
	parity_from(1);
	parity_from(DOZE_MASK_BITS(DOZE_BITS_JEC)); /* wraps around without changing the counts */
}

/* In one thread: a post that finds the JEC odd must not write, and neither must a worker that finds
 * it even. */
static void cost(void)
{
	word_is(DOZE_ONE_JEC);
	uint64_t before = ex_rmws();
	(void)doze_jec_post(&word, true);
	(void)doze_jec_post(&word, false);
	EX_CHECK(ex_rmws() == before);
	word_is(2 * DOZE_ONE_JEC);
	(void)doze_jec_get_sleepy(&word);
	EX_CHECK(ex_rmws() == before);
}

/* In one thread: doze_jec_lie_down counts the worker only if the JEC is the remembered one. */
static void lie_down(void)
{
	uint64_t seen = 0, before = 2 * DOZE_ONE_JEC + 2 * DOZE_ONE_INACTIVE;
	word_is(before);
	EX_CHECK(doze_jec_lie_down(&word, 2, &seen));
	EX_CHECK(seen == before && da_load(&word, SC) == before + DOZE_ONE_SLEEPING);
	EX_CHECK(doze_jec_lie_down(&word, 2, &seen)); /* although another worker sleeps */
	EX_CHECK(da_load(&word, SC) == before + 2 * DOZE_ONE_SLEEPING);
	word_is(before + DOZE_ONE_JEC);
	EX_CHECK(!doze_jec_lie_down(&word, 2, &seen));
	EX_CHECK(da_load(&word, SC) == before + DOZE_ONE_JEC);
}

/* In two threads: a post may come between the load of the JEC and the step. The poster's words show
 * which came first, because `seen` may be older than the step. */
static struct doze_jec_step posted;
static void *one_post(void *arg)
{
	ex_name_thread("poster");
	posted = doze_jec_post(&word, false);
	return arg;
}
static void post_meets_sleeper(void)
{
	doze_thread t;
	uint64_t seen;
	word_is(0);
	EX_CHECK(doze_thread_create(&t, one_post, NULL) == 0);
	ex_must_note("lay down before the post");
	ex_must_note("the post came first");
	bool slept = doze_jec_lie_down(&word, 0, &seen);
	ex_note(slept ? "lay down before the post" : "the post came first");
	EX_CHECK(!slept || doze_counters_jec(seen) == 0);
	doze_thread_join(t);
	EX_CHECK(doze_counters_sleeping(da_load(&word, SC)) == (slept ? 1 : 0));
	EX_CHECK(doze_counters_sleeping(posted.new_word) == (slept ? 1 : 0));
}

/* In two threads: another worker changes a count during the step, which must not keep the worker
 * awake. */
static void *one_idle(void *arg)
{
	ex_name_thread("other");
	da_add(&word, DOZE_ONE_INACTIVE, SC);
	return arg;
}
static void count_meets_sleeper(void)
{
	doze_thread t;
	uint64_t seen;
	word_is(DOZE_ONE_INACTIVE);
	EX_CHECK(doze_thread_create(&t, one_idle, NULL) == 0);
	EX_CHECK(doze_jec_lie_down(&word, 0, &seen));
	doze_thread_join(t);
	EX_CHECK(da_load(&word, SC) == 2 * DOZE_ONE_INACTIVE + DOZE_ONE_SLEEPING);
}

/* A job makes the last check on its worker while another job waits in the injector, and the other
 * job makes the same check when the injector is empty. */
static DOZE_ATOMIC(int) queued;
static void look_while_queued(void *arg)
{
	(void)arg;
	while (!da_load(&queued, ACQ))
		doze_thread_yield();
	EX_CHECK(doze_jec_last_look(doze_self) == DOZE_ABORT_injector);
}
static void look_at_nothing(void *arg)
{
	(void)arg;
	EX_CHECK(doze_jec_last_look(doze_self) == DOZE_ABORT_none);
}
static void last_look(void)
{
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_spawn(pool, look_while_queued, NULL) == 0);
	EX_CHECK(doze_spawn(pool, look_at_nothing, NULL) == 0);
	da_store(&queued, 1, REL);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* The counter has wrapped around, so comparing it reveals nothing. Either the poster must see the
 * sleeper, or the sleeper's last check must see the job. */
static DOZE_ATOMIC(int) found;
static void lie_down_and_look(void *arg)
{
	uint64_t seen;
	(void)arg;
	if (doze_jec_lie_down(&word, 1, &seen))
		da_store(&found, doze_jec_last_look(doze_self) != DOZE_ABORT_none, RLX);
}
static void fences(void)
{
	doze_pool *pool = small_pool(1);
	word_is(DOZE_ONE_JEC);
	EX_CHECK(doze_spawn(pool, lie_down_and_look, NULL) == 0);
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	uint32_t sleepers = doze_counters_sleeping(doze_jec_post(&word, true).new_word);
	ex_expect("the termination");
	doze_pool_free(pool);
	if (doze_counters_sleeping(da_add(&word, 0, RLX)) != 0)
		EX_CHECK(sleepers != 0 || da_load(&found, RLX));
}

const struct ex_scenario ex_scenarios[] = {
    {"parity", "getting sleepy makes the JEC even, and a post makes it odd", parity, 1, NULL, NULL,
     0},
    {"cost", "a post on an odd JEC writes nothing", cost, 1, NULL, NULL, 0},
    {"lie-down", "lying down compares the JEC and counts the worker", lie_down, 1, NULL, NULL, 0},
    {"meet", "a post while a worker lies down", post_meets_sleeper, 2, NULL, NULL, 0},
    {"count", "another worker is counted while a worker lies down", count_meets_sleeper, 2, NULL,
     NULL, 0},
    {"look", "the last check of the injector", last_look, 2, "jec", NULL, 0},
    {"fences", "a post and a last check after the counter wrapped around", fences, 2, "jec", NULL,
     0},
    {.name = NULL},
};
