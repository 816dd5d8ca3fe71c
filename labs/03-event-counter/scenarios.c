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

/* Checks the result of a step that began with the word `before` and must leave the JEC odd or even.
 */
static void check_step(const char *name, struct doze_jec_step step, uint64_t before, bool odd)
{
	EX_REQUIRE(step.old_word == before, "%s: old_word is not the word before the step", name);
	EX_REQUIRE(doze_counters_jec_active(step.new_word) == odd, "%s leaves the JEC %s", name,
		   odd ? "even" : "odd");
	EX_REQUIRE(da_load(&word, SC) == step.new_word,
		   "%s: new_word is not the word after the step", name);
	EX_REQUIRE(counts(step.new_word) == counts(before), "%s changes one of the two counts",
		   name);
	if (doze_counters_jec_active(before) != odd)
		EX_REQUIRE(
		    step.new_word == doze_counters_jec_next(before),
		    "%s changes the JEC from %lu to %lu instead of adding one: two changes may "
		    "then restore the value that a sleepy worker remembers",
		    name, (unsigned long)doze_counters_jec(before),
		    (unsigned long)doze_counters_jec(step.new_word));
}

/* Single-threaded: checks the parity of the JEC after each step, and the words that the step
 * returns. */
static void parity_from(uint64_t jec)
{
	uint64_t before = jec * DOZE_ONE_JEC + SOME_COUNTS;
	word_is(before);
	struct doze_jec_step sleepy = doze_jec_get_sleepy(&word);
	check_step("doze_jec_get_sleepy", sleepy, before, false);
	check_step("doze_jec_post", doze_jec_post(&word, false), sleepy.new_word, true);
}
static void parity(void)
{
	parity_from(0);
	parity_from(1);
	parity_from(5);
	parity_from(DOZE_MASK_BITS(DOZE_BITS_JEC)); /* the JEC wraps around */
}

/* Single-threaded: a post that finds an odd JEC must not write, and neither must a worker that gets
 * sleepy and finds an even JEC. */
static void cost(void)
{
	word_is(DOZE_ONE_JEC);
	uint64_t before = ex_rmws();
	(void)doze_jec_post(&word, true);
	(void)doze_jec_post(&word, false);
	EX_REQUIRE(ex_rmws() == before, "a post that finds an odd JEC makes a read-modify-write");
	word_is(2 * DOZE_ONE_JEC);
	(void)doze_jec_get_sleepy(&word);
	EX_REQUIRE(ex_rmws() == before,
		   "a worker that finds an even JEC makes a read-modify-write");

	before = ex_fences();
	(void)doze_jec_post(&word, false);
	EX_REQUIRE(ex_fences() == before, "a post executes a fence that it was not asked for");
}

/* Single-threaded: doze_jec_lie_down counts the worker only if the JEC still has the remembered
 * value. */
static void lies_down(uint64_t remembered, bool expected, const char *when)
{
	uint64_t seen = 0, before = da_load(&word, SC);
	bool lay = doze_jec_lie_down(&word, remembered, &seen);
	EX_REQUIRE(lay == expected, "doze_jec_lie_down returns %s, %s", lay ? "true" : "false",
		   when);
	EX_REQUIRE(seen == before, "doze_jec_lie_down: *seen is not the word before the step, %s",
		   when);
	EX_REQUIRE(da_load(&word, SC) == before + (expected ? DOZE_ONE_SLEEPING : 0),
		   "doze_jec_lie_down %s, %s",
		   expected ? "does not add exactly one sleeping worker to the word"
			    : "changes the word",
		   when);
}
static void lie_down(void)
{
	uint64_t even = 4 * DOZE_ONE_JEC + 3 * DOZE_ONE_INACTIVE;
	word_is(even);
	lies_down(4, true, "although the JEC is the remembered one");
	lies_down(4, true, "although the JEC is the remembered one (another worker sleeps)");
	word_is(even + DOZE_ONE_JEC);
	lies_down(4, false, "although the JEC has become odd");
	word_is(even);
	lies_down(2, false, "although the JEC was changed twice, and is even again");
}

/* No step is taken back: in these scenarios a word that another thread has seen only grows. */
static void *watcher(void *arg)
{
	ex_name_thread("watcher");
	uint64_t first = da_load(&word, SC), then = da_load(&word, SC);
	EX_REQUIRE(then >= first,
		   "a change of the word is taken back: another thread sees a JEC of %lu and %u "
		   "sleeping workers, and then a JEC of %lu and %u",
		   (unsigned long)doze_counters_jec(first), doze_counters_sleeping(first),
		   (unsigned long)doze_counters_jec(then), doze_counters_sleeping(then));
	return arg;
}

static struct doze_jec_step posted, got_sleepy;
static void *one_post(void *arg)
{
	ex_name_thread("poster");
	posted = doze_jec_post(&word, false);
	return arg;
}
static void *one_sleepy(void *arg)
{
	ex_name_thread("worker");
	got_sleepy = doze_jec_get_sleepy(&word);
	return arg;
}

/* Runs the two functions and the watcher as threads. */
static void meet(void *(*one)(void *), void *(*other)(void *))
{
	doze_thread t, u;
	EX_CHECK(doze_thread_create(&t, other, NULL) == 0);
	EX_CHECK(doze_thread_create(&u, watcher, NULL) == 0);
	(void)one(NULL);
	doze_thread_join(t);
	doze_thread_join(u);
}

/* Two threads make the same step at the same time: both leave the JEC odd, or even, and together
 * they increment it only once. */
static void same(const char *name, void *(*step)(void *), struct doze_jec_step *done,
		 void *(*other)(void *), const struct doze_jec_step *others, uint64_t before)
{
	uint64_t after = doze_counters_jec_next(before);
	word_is(before);
	meet(step, other);
	EX_REQUIRE(done->new_word == after && others->new_word == after,
		   "one of two calls of %s at once leaves the JEC %s", name,
		   doze_counters_jec_active(before) ? "odd" : "even");
	EX_REQUIRE(da_load(&word, SC) == after,
		   "two calls of %s at once change the word by more than one step of the JEC",
		   name);
	EX_REQUIRE((done->old_word == after) + (others->old_word == after) == 1,
		   "of two calls of %s at once, one finds the word that the other has left, but "
		   "old_word does not show that",
		   name);
}
static struct doze_jec_step first;
static void *first_post(void *arg)
{
	first = doze_jec_post(&word, false);
	return arg;
}
static void *first_sleepy(void *arg)
{
	first = doze_jec_get_sleepy(&word);
	return arg;
}
static void post_meets_post(void)
{
	same("doze_jec_post", first_post, &first, one_post, &posted, SOME_COUNTS);
}
static void sleepy_meets_sleepy(void)
{
	same("doze_jec_get_sleepy", first_sleepy, &first, one_sleepy, &got_sleepy,
	     SOME_COUNTS + DOZE_ONE_JEC);
}

/* A post meets a worker that gets sleepy. One of the two finds the JEC that it wants to change; the
 * other one finds either the same word, which it leaves as it is, or the changed one. */
static void post_meets_sleepy(void)
{
	bool odd = ex_choose(2) == 1;
	uint64_t before = SOME_COUNTS + odd * DOZE_ONE_JEC;
	uint64_t once = doze_counters_jec_next(before);
	word_is(before);
	meet(one_sleepy, one_post);
	const struct doze_jec_step *changes = odd ? &got_sleepy : &posted,
				   *other = odd ? &posted : &got_sleepy;
	const char *name = odd ? "doze_jec_post" : "doze_jec_get_sleepy";
	EX_REQUIRE(changes->old_word == before && changes->new_word == once,
		   "%s does not return the two words of its step",
		   odd ? "doze_jec_get_sleepy" : "doze_jec_post");
	uint64_t left = other->old_word == before ? before : doze_counters_jec_next(once);
	EX_REQUIRE(other->old_word == before || other->old_word == once,
		   "%s: old_word is not a word that it can have found", name);
	EX_REQUIRE(other->new_word == left, "%s leaves the JEC %s", name, odd ? "even" : "odd");
	EX_REQUIRE(da_load(&word, SC) == (left == before ? once : left),
		   "a post and a worker that gets sleepy leave a JEC of %lu",
		   (unsigned long)doze_counters_jec(da_load(&word, SC)));
}

/* While a thread makes a step, a worker adds itself to the count of inactive workers. That changes
 * the word, but the step must still be made, exactly once. */
static DOZE_ATOMIC(uint64_t) others_word;
static void *one_idle(void *arg)
{
	ex_name_thread("other");
	da_store(&others_word, da_add(&word, DOZE_ONE_INACTIVE, SC), RLX);
	return arg;
}
static void count_meets_step(void)
{
	bool odd = ex_choose(2) == 1;
	uint64_t before = SOME_COUNTS + odd * DOZE_ONE_JEC;
	const char *name = odd ? "doze_jec_get_sleepy" : "doze_jec_post";
	word_is(before);
	meet(odd ? one_sleepy : one_post, one_idle);
	struct doze_jec_step step = odd ? got_sleepy : posted;
	EX_REQUIRE(
	    da_load(&word, SC) == doze_counters_jec_next(before) + DOZE_ONE_INACTIVE,
	    "another worker changes a count during %s, and the word is wrong afterwards: the "
	    "JEC has not changed by one, or the count is overwritten",
	    name);
	bool came_first = da_add(&others_word, 0, RLX) == before;
	EX_REQUIRE(
	    step.old_word == before + (came_first ? DOZE_ONE_INACTIVE : 0) &&
		step.new_word == doze_counters_jec_next(step.old_word),
	    "another worker changes a count during %s, which does not return the two words of "
	    "its own step",
	    name);
}

/* Another thread posts while a worker lies down. The post may come between the sleeper's load of
 * the JEC and its write. The post is not the student's, so a mistake in that one fails only the
 * tests of posts; with one poster, and a JEC of 0, an addition is a post. */
static void *posts_rightly(void *arg)
{
	ex_name_thread("poster");
	posted.old_word = da_add(&word, DOZE_ONE_JEC, SC);
	return arg;
}
static void post_meets_sleeper(void)
{
	doze_thread t, u;
	uint64_t seen;
	word_is(0);
	EX_CHECK(doze_thread_create(&t, posts_rightly, NULL) == 0);
	EX_CHECK(doze_thread_create(&u, watcher, NULL) == 0);
	ex_must_note("lay down before the post");
	ex_must_note("the post came first");
	bool lay = doze_jec_lie_down(&word, 0, &seen);
	ex_note(lay ? "lay down before the post" : "the post came first");
	EX_REQUIRE(
	    !lay || doze_counters_jec(seen) == 0,
	    "the worker lies down although the JEC in *seen is not the one that it remembers");
	doze_thread_join(t);
	doze_thread_join(u);
	EX_REQUIRE(doze_counters_sleeping(da_load(&word, SC)) == (lay ? 1 : 0),
		   "the worker %s, but the word counts %u sleeping workers",
		   lay ? "lay down" : "did not lie down",
		   doze_counters_sleeping(da_load(&word, SC)));
	EX_REQUIRE(doze_counters_jec(da_load(&word, SC)) == 1,
		   "lying down overwrites the JEC of a post");
	EX_REQUIRE(doze_counters_sleeping(posted.old_word) == (lay ? 1 : 0),
		   lay ? "the worker lay down after the post had changed the JEC"
		       : "the post counts a worker that did not lie down");
}

/* While the worker tries to lie down, another worker adds itself to the count of inactive workers.
 * That changes the word, but not the JEC, so it must not keep the worker awake. */
static void count_meets_sleeper(void)
{
	doze_thread t;
	uint64_t seen;
	word_is(DOZE_ONE_INACTIVE);
	EX_CHECK(doze_thread_create(&t, one_idle, NULL) == 0);
	EX_REQUIRE(doze_jec_lie_down(&word, 0, &seen),
		   "another worker's count keeps this worker awake, although the JEC is the same");
	doze_thread_join(t);
	EX_REQUIRE(da_load(&word, SC) == 2 * DOZE_ONE_INACTIVE + DOZE_ONE_SLEEPING,
		   "lying down overwrites the count that another worker has changed");
}

/* Two workers lie down at the same time. Exactly one of the two words that they saw must count the
 * other worker as sleeping. */
static void *one_sleeps(void *arg)
{
	ex_name_thread("other");
	da_store(&others_word, da_add(&word, DOZE_ONE_SLEEPING, SC), RLX);
	return arg;
}
static void sleeper_meets_sleeper(void)
{
	doze_thread t;
	uint64_t seen = 0;
	word_is(2 * DOZE_ONE_INACTIVE);
	EX_CHECK(doze_thread_create(&t, one_sleeps, NULL) == 0);
	EX_REQUIRE(doze_jec_lie_down(&word, 0, &seen),
		   "another sleeper keeps this worker awake, although the JEC is the same");
	doze_thread_join(t);
	uint64_t other = da_add(&others_word, 0, RLX);
	EX_REQUIRE(
	    doze_counters_sleeping(seen) + doze_counters_sleeping(other) == 1,
	    "two workers lie down, and *seen is not the word that the step replaced: it counts %u "
	    "sleepers, and the other worker's %u",
	    doze_counters_sleeping(seen), doze_counters_sleeping(other));
}

/* The first job calls doze_jec_last_look while a second job waits in the injector. The second job
 * calls it with all queues empty, then with a job in its worker's deque, then with a broadcast. */
static DOZE_ATOMIC(int) queued;
static void look_while_queued(void *arg)
{
	(void)arg;
	while (!da_load(&queued, ACQ))
		doze_thread_yield();
	EX_REQUIRE(doze_jec_last_look(doze_self) == DOZE_ABORT_injector,
		   "the last look misses a job in the injector");
}
static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker, (void)workers, (void)arg;
}
static void look_at_other_queues(void *pool)
{
	EX_REQUIRE(doze_jec_last_look(doze_self) == DOZE_ABORT_none,
		   "the last look reports a job although all queues are empty");
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	EX_REQUIRE(doze_jec_last_look(doze_self) == DOZE_ABORT_none,
		   "the last look reports a job in a deque: its owner will take that job");
	EX_CHECK(doze_spawn_broadcast(pool, turn, NULL) == 0);
	EX_REQUIRE(doze_jec_last_look(doze_self) == DOZE_ABORT_broadcast,
		   "the last look misses a broadcast to this worker");
}
static void last_look(void)
{
	doze_pool *pool = small_pool(1);
	EX_CHECK(doze_spawn(pool, look_while_queued, NULL) == 0);
	EX_CHECK(doze_spawn(pool, look_at_other_queues, pool) == 0);
	da_store(&queued, 1, REL);
	ex_expect("the termination");
	doze_pool_free(pool);
}

/* The JEC has wrapped around to the remembered value, so comparing the two does not reveal the
 * post. Either the poster must see the sleeper, or the sleeper's last check must see the job. */
static DOZE_ATOMIC(int) found;
static void lie_down_and_look(void *arg)
{
	uint64_t seen;
	(void)arg;
	if (doze_jec_lie_down(&word, 1, &seen))
		da_store(&found, doze_jec_last_look(doze_self) != DOZE_ABORT_none, RLX);
}
static void post_and_look(const char *end)
{
	doze_pool *pool = small_pool(1);
	word_is(DOZE_ONE_JEC);
	EX_CHECK(doze_spawn(pool, lie_down_and_look, NULL) == 0);
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
	uint32_t sleepers = doze_counters_sleeping(doze_jec_post(&word, true).new_word);
	ex_expect(end);
	doze_pool_free(pool);
	if (doze_counters_sleeping(da_add(&word, 0, RLX)) != 0)
		EX_REQUIRE(
		    sleepers != 0 || da_load(&found, RLX),
		    "the post saw no sleeper, and the sleeper's last look did not see the job");
}
static void fences(void)
{
	post_and_look("the termination");
}
static void refused(void)
{
	ex_refuse_heavy_fences();
	post_and_look("the termination (on this kernel da_fence_heavy returns false)");
}

const struct ex_scenario ex_scenarios[] = {
    {"parity", "getting sleepy makes the JEC even, and a post makes it odd", parity, 1, NULL, NULL,
     0},
    {"cost", "a post on an odd JEC writes nothing", cost, 1, NULL, NULL, 0},
    {"lie-down", "lying down compares the JEC and counts the worker", lie_down, 1, NULL, NULL, 0},
    {"meet", "a post while a worker lies down", post_meets_sleeper, 3, NULL, NULL, 0},
    {"meet-post", "two posts at once", post_meets_post, 3, NULL, NULL, 0},
    {"meet-sleepy", "two workers get sleepy at once", sleepy_meets_sleepy, 3, NULL, NULL, 0},
    {"meet-both", "a post while a worker gets sleepy", post_meets_sleepy, 3, NULL, NULL, 0},
    {"meet-count", "a worker is counted as idle during a step", count_meets_step, 3, NULL, NULL, 0},
    {"meet-sleeper", "two workers lie down at once", sleeper_meets_sleeper, 2, NULL, NULL, 0},
    {"count", "another worker is counted as asleep while a worker lies down", count_meets_sleeper,
     2, NULL, NULL, 0},
    {"look", "the last check of the injector", last_look, 2, "jec", NULL, 0},
    {"fences", "a post and a last check after the counter wrapped around", fences, 2, "jec", NULL,
     0},
    {"refused", "the same on a kernel that refuses heavy fences", refused, 2, "jec", NULL, 0},
    {.name = NULL},
};
