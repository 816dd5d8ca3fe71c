/*
 * SPDX-License-Identifier: MIT
 *
 * Pushes to a worker's own deque skip new_jobs while the policy's word is quiet (sleep.h). Checks
 * for every policy that new_jobs neither changes a word that the quiet test accepts nor wakes a
 * worker.
 */
#include "help.h"
#include "lib/config.h"
#include "lib/pool.h"
#include "sink.h"
#include "tests/fixtures/suite.h"

static struct doze_pool *build(const struct doze_sleep_policy *policy)
{
	struct doze_settings settings;
	doze_config config = {.num_threads = 4, .policy = policy->name};
	struct doze_pool *pool = NULL;

	sink_reset();
	CU_ASSERT_EQUAL_FATAL(doze_settings_read(&settings, &config), 0);
	CU_ASSERT_EQUAL_FATAL(doze_pool_build(&pool, &settings), 0);
	return pool;
}

/* Returns whether the quiet test accepts the word; if so, checks that new_jobs does nothing. */
static bool try_word(struct doze_pool *pool, uint64_t word)
{
	const struct doze_publish one = {DOZE_QUEUE_local, 1, false, 1, NULL};
	const struct doze_publish first = {DOZE_QUEUE_local, 1, true, 1, NULL};
	const struct doze_publish many = {DOZE_QUEUE_local, 9, true, 1, NULL};

	if ((word & pool->sleep.quiet_mask) != pool->sleep.quiet_value)
		return false;
	da_store(&pool->sleep.word, word, SC);
	pool->sleep.policy->new_jobs(pool, 0, &one);
	pool->sleep.policy->new_jobs(pool, 0, &first);
	pool->sleep.policy->new_jobs(pool, 0, &many);
	CU_ASSERT_EQUAL(da_load(&pool->sleep.word, SC), word);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 0);
	CU_ASSERT_EQUAL(sink_count(SINK_JEC), 0);
	return true;
}

static unsigned try_counters(struct doze_pool *pool)
{
	unsigned accepted = 0;

	for (uint64_t jec = 0; jec < 4; jec++)
		for (uint64_t inactive = 0; inactive <= 4; inactive++)
			for (uint64_t sleeping = 0; sleeping <= inactive; sleeping++)
				accepted += try_word(pool, jec * DOZE_ONE_JEC +
							       inactive * DOZE_ONE_INACTIVE +
							       sleeping * DOZE_ONE_SLEEPING);
	return accepted;
}

static unsigned try_tickle_words(struct doze_pool *pool)
{
	unsigned accepted = 0;

	for (uint64_t word = 0; word < 10; word++)
		accepted += try_word(pool, word);
	return accepted;
}

static void quiet_words_need_no_call(void)
{
	unsigned policies = 0;

	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p; p++) {
		struct doze_pool *pool = build(*p);
		unsigned accepted = (*p)->word_kind == DOZE_WORD_tickle ? try_tickle_words(pool)
									: try_counters(pool);

		CU_ASSERT_EQUAL(accepted > 0, (*p)->quiet_mask != 0);
		policies += accepted > 0;
		doze_pool_unref(pool);
	}
	CU_ASSERT_TRUE(policies >= 6);
}

static const struct suite_test tests[] = {
    {"no policy reacts to a post while its word is quiet", quiet_words_need_no_call},
};
SUITE_MAIN("quiet", tests)
