/*
 * SPDX-License-Identifier: MIT
 *
 * contract_test.c - the contract of a sleep policy: with 1, 2, 3, 8 and 33 workers, every construct
 * gives its result, no job is lost, injected work wakes a worker, and the pool can be freed with
 * work in progress. There is one test per policy. CONTRACT_WORKERS=1,3, for example, selects other
 * numbers of workers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "constructs.h"
#include "constructs_int.h"
#include "lib/atomic.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/policies.h"

enum { MOST_SIZES = 16 };
static unsigned sizes[MOST_SIZES] = {1, 2, 3, 8, 33};
static const char *policy;

static DOZE_ATOMIC(int) late;

static void later(void *arg)
{
	intptr_t depth = (intptr_t)arg;
	da_add(&late, 1, SC);
	if (depth > 0) {
		doze_spawn(NULL, later, (void *)(depth - 1));
		doze_spawn_fifo(NULL, later, (void *)(depth - 1));
	}
}

/* Frees the pool while spawned jobs still spawn others, all of which must run. */
static const char *end_in_flight(doze_pool *pool)
{
	late = 0;
	doze_spawn(pool, later, (void *)(intptr_t)6);
	doze_pool_free(pool);
	return late == 127 ? NULL : "queued jobs were lost when the pool was freed";
}

/* ---- frees with a deadline ---- */

static DOZE_ATOMIC(int) held, released, counted;

static void hold(void *arg)
{
	(void)arg;
	da_store(&held, 1, SC);
	while (!da_load(&released, SC))
		constructs_pause(100);
}

/* Frees the pool twice: the first deadline passes while a job runs, the second does not. The pool
 * must work in between. Returns the number of jobs discarded, or -1 if a call returned an
 * unexpected value. */
static long end_by_deadlines(doze_pool *pool, unsigned flags)
{
	const uint64_t ms = 1000 * 1000;
	size_t discarded = 0, more = 0;

	if (doze_pool_free_timed(pool, 2 * ms, flags, &discarded) != ETIMEDOUT)
		return -1;
	doze_spawn(pool, constructs_add_one, &counted);
	da_store(&released, 1, SC);
	doze_install(pool, constructs_add_one, &counted);
	if (doze_pool_free_timed(pool, 60000 * ms, flags, &more) != 0)
		return -1;
	return (long)(discarded + more);
}

/* Frees a pool with a deadline. Each job must either run or be counted as discarded; without the
 * flag, all jobs must run. */
static const char *end_with_deadline(unsigned workers, unsigned flags)
{
	enum { MORE_JOBS = 100 };
	doze_config config = {.num_threads = workers, .policy = policy};
	const char *wrong;
	doze_pool *pool;

	held = released = counted = 0;
	if (doze_pool_create(&pool, &config) != 0 || doze_spawn(pool, hold, NULL) != 0)
		return doze_last_error();
	wrong = constructs_wait(&held, 1, "a job from outside did not start");
	if (wrong != NULL)
		return wrong;
	if (doze_spawn_many(pool, constructs_add_one, &counted, MORE_JOBS, 0) != 0)
		return doze_last_error();
	long discarded = end_by_deadlines(pool, flags);
	if (discarded < 0)
		return "the deadline passed without ETIMEDOUT, or the pool did not end";
	if (flags == 0 && discarded != 0)
		return "jobs were discarded without the flag";
	return counted + discarded == MORE_JOBS + 2 ? NULL : "a job was neither run nor counted";
}

/* Frees a pool whose workers all sleep, if the policy sleeps. */
static void end_asleep(unsigned workers)
{
	doze_config config = {.num_threads = workers, .policy = policy};
	doze_pool *pool;

	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	constructs_settle(pool);
	doze_pool_free(pool);
}

static void expect(const char *wrong, const char *what, unsigned workers)
{
	if (wrong != NULL)
		printf("\n      %s, %u workers, %s: %s", policy, workers, what, wrong);
	CU_ASSERT_PTR_NULL(wrong);
}

static void holds_with(unsigned workers)
{
	doze_config config = {.num_threads = workers, .policy = policy};
	doze_pool *pool;

	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	for (const struct construct *c = constructs; c->name != NULL; c++) {
		expect(c->run(pool), c->name,
		       workers); /* while the workers are in unknown states */
		constructs_settle(pool);
		/* Now all workers sleep, if the policy lets them. */
		expect(c->run(pool), c->name, workers);
	}
	expect(end_in_flight(pool), "end", workers);
	expect(end_with_deadline(workers, 0), "freeing with a deadline", workers);
	expect(end_with_deadline(workers, DOZE_FREE_DISCARD), "freeing that discards jobs",
	       workers);
	expect(contract_current_thread(policy, workers), "use_current_thread", workers);
	expect(contract_spawn_handler(policy, workers), "spawn_handler", workers);
	end_asleep(workers);
}

/* Replaces `sizes` with the numbers given in the environment. Exits if they are malformed. */
static void read_sizes(const char *text)
{
	memset(sizes, 0, sizeof sizes);
	for (size_t i = 0; i < MOST_SIZES && *text != '\0'; i++) {
		char *end;
		unsigned long n = strtoul(text, &end, 10);
		if (n == 0 || n > 1000 || (*end != ',' && *end != '\0')) {
			fprintf(stderr,
				"contract: CONTRACT_WORKERS=%s: must be numbers from 1 to 1000, "
				"separated by commas\n",
				text);
			exit(2);
		}
		sizes[i] = (unsigned)n;
		text = *end == ',' ? end + 1 : end;
	}
}

static void holds(void)
{
	const char *text = getenv("CONTRACT_WORKERS");
	if (text != NULL && text[0] != '\0')
		read_sizes(text);
	suite_allow_seconds(150);
	for (size_t i = 0; i < MOST_SIZES && sizes[i] != 0; i++)
		holds_with(sizes[i]);
}

#define POLICY_TEST(name)                                                                          \
	static void holds_under_##name(void)                                                       \
	{                                                                                          \
		policy = #name;                                                                    \
		holds();                                                                           \
	}
DOZE_POLICIES(POLICY_TEST)

/* Checks that the library's descriptors name the same policies as this suite. */
static void all_are_here(void)
{
#define COUNT_ONE(name) +1
	size_t here = 0 DOZE_POLICIES(COUNT_ONE), there = 0;
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		there++;
	CU_ASSERT_EQUAL(here, there);
}

static const struct suite_test tests[] = {
#define POLICY_LINE(name) {"every construct works under " #name "", holds_under_##name},
    DOZE_POLICIES(POLICY_LINE){"this suite tests every policy", all_are_here},
};
SUITE_MAIN("contract", tests)
