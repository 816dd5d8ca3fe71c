/*
 * SPDX-License-Identifier: MIT
 *
 * common.h - helpers for scenarios on whole pools: small pools whose workers soon get sleepy, jobs
 * that count their runs, and checks for when all is quiet.
 */
#ifndef DOZE_EXPLORE_COMMON_H
#define DOZE_EXPLORE_COMMON_H

#include "labs/explorer/explore.h"

#include "lib/doze.h"
#include "lib/forkjoin/forkjoin.h"
#include "lib/pool.h"

#include "shown.h"

#include <string.h>

#define ALL_POLICIES EX_POLICIES_THAT_SLEEP

/** Makes the explorer ignore data that does not influence the pool, so that states that differ only
 * in such data count as one: the ids in the trace, and statistics. */
static inline void ignore_numbers(doze_pool *pool)
{
	ex_ignore(&pool->sleep.wake_ids, sizeof(pool->sleep.wake_ids));
	ex_ignore(&pool->sleep.decision_ids, sizeof(pool->sleep.decision_ids));
	for (unsigned i = 0; i < pool->num_workers; i++) {
		struct doze_worker *w = &pool->workers[i];
		ex_ignore(&w->latch_ids, sizeof(w->latch_ids));
		ex_ignore(&w->job_ids, sizeof(w->job_ids));
		ex_ignore(&w->jobs_stolen, sizeof(w->jobs_stolen));
		ex_ignore(&w->sleeps, sizeof(w->sleeps));
		ex_ignore_number(&w->sleep.wake_id, sizeof(w->sleep.wake_id));
	}
}

/** Excludes what ignore_numbers excludes, and the random numbers that choose where a worker begins
 * its search, because with at most two workers there is only one victim. */
static inline void ignore_names(doze_pool *pool)
{
	EX_CHECK(pool->num_workers <= 2);
	ignore_numbers(pool);
	for (unsigned i = 0; i < pool->num_workers; i++)
		ex_ignore(&pool->workers[i].rng, sizeof(pool->workers[i].rng));
}

/** Creates a pool of n workers with the policy under test. A worker gets sleepy after one fruitless
 * search and sleeps after the next. */
static inline doze_pool *small_pool(unsigned n)
{
	doze_pool *pool;
	doze_config config = {.num_threads = n,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2};
	int error = doze_pool_create(&pool, &config);
	if (error)
		ex_fail("cannot create a pool: %s", doze_last_error());
	ignore_names(pool);
	show_pool(pool, false);
	return pool;
}

/** Returns whether the policy under test has a sleepy state. The next two functions use this to
 * decide which notes to require (ex_must_note). */
static inline bool gets_sleepy(void)
{
	return strcmp(ex_policy(), "jec") == 0 || strcmp(ex_policy(), "demand") == 0 ||
	       strcmp(ex_policy(), "tickle") == 0;
}
static inline void must_meet(const char *sleepy, const char *asleep)
{
	if (gets_sleepy())
		ex_must_note(sleepy);
	ex_must_note(asleep);
}
static inline void must_end_sleeps(const char *averted)
{
	ex_must_note("woken");
	if (strcmp(ex_policy(), "tickle") != 0) /* tickle always wakes its sleepers */
		ex_must_note(averted);
}

/** A job's body. arg points to an atomic int that counts the runs. The store is relaxed, so that in
 * the weak mode only the library's memory orders make it visible to the thread that waited for the
 * job. */
static inline void count_run(void *arg)
{
	DOZE_ATOMIC(int) *runs = arg;
	da_store(runs, da_load(runs, RLX) + 1, RLX);
}
static inline int ran(DOZE_ATOMIC(int) * runs)
{
	return da_load(runs, RLX);
}

static inline void nothing(void *arg)
{
	(void)arg;
}

static inline void check_forkjoin(struct forkjoin *fj, uint32_t workers)
{
	EX_CHECK(da_add(&fj->sleepers, 0, RLX) == workers);
	doze_mutex_lock(&fj->pool_lock);
	size_t owed = fj->owed, queued = fj->global.count;
	doze_mutex_unlock(&fj->pool_lock);
	EX_CHECK(owed == 0);
	EX_CHECK(queued == 0);
}

/** Waits until no other thread can take a step. Then no work may remain, so every worker must sleep
 * and be counted once. */
static inline void check_quiet(doze_pool *pool)
{
	ex_wait_quiet();
	/* A read-modify-write reads the newest value in every memory mode. */
	uint64_t word = da_add(&pool->sleep.word, 0, RLX);
	if (pool->sleep.policy->word_kind == DOZE_WORD_tickle)
		EX_CHECK(word == 1); /* a worker sleeps, and none is sleepy */
	if (pool->sleep.policy->word_kind != DOZE_WORD_counters)
		return;
	EX_CHECK(doze_counters_inactive(word) == pool->num_workers);
	EX_CHECK(doze_counters_sleeping(word) == pool->num_workers);
	if (strcmp(ex_policy(), "forkjoin") == 0)
		check_forkjoin(pool->sleep.data, pool->num_workers);
	if (strcmp(ex_policy(), "condvar") != 0)
		return;
	/* The counts of policy `condvar` are private, so check the count that a post reads. */
	ex_expect_asleep(pool->id, (int32_t)pool->num_workers);
	EX_CHECK(doze_spawn(pool, nothing, NULL) == 0);
}

/** Explores two cases: the caller continues at once, or after check_quiet. */
static inline void perhaps_quiet(doze_pool *pool)
{
	if (ex_choose(2))
		check_quiet(pool);
}

#endif
