/*
 * SPDX-License-Identifier: MIT
 *
 * The packed counters word. Runs with the default widths and, as narrow_test, with a JEC of 2 bits.
 */
#include "lib/sleep/counters.h"
#include "tests/fixtures/suite.h"

static uint64_t word_of(uint64_t sleeping, uint64_t inactive, uint64_t jec)
{
	return sleeping * DOZE_ONE_SLEEPING + inactive * DOZE_ONE_INACTIVE + jec * DOZE_ONE_JEC;
}

static void fields_come_back(void)
{
	uint64_t word = word_of(3, 7, 2);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word), 3);
	CU_ASSERT_EQUAL(doze_counters_inactive(word), 7);
	CU_ASSERT_EQUAL(doze_counters_idle(word), 4);
	CU_ASSERT_EQUAL(doze_counters_jec(word), 2);
}

static void full_fields_do_not_carry(void)
{
	uint64_t most = DOZE_MAX_WORKERS;
	uint64_t word = word_of(most, most - 1, 1) + DOZE_ONE_INACTIVE;
	CU_ASSERT_EQUAL(doze_counters_sleeping(word), most);
	CU_ASSERT_EQUAL(doze_counters_inactive(word), most);
	CU_ASSERT_EQUAL(doze_counters_jec(word), 1);
	word -= DOZE_ONE_SLEEPING;
	CU_ASSERT_EQUAL(doze_counters_sleeping(word), most - 1);
	CU_ASSERT_EQUAL(doze_counters_idle(word), 1);
}

static void parity_is_activity(void)
{
	CU_ASSERT_FALSE(doze_counters_jec_active(word_of(1, 2, 0)));
	CU_ASSERT_TRUE(doze_counters_jec_active(word_of(1, 2, 1)));
	CU_ASSERT_FALSE(doze_counters_jec_active(word_of(1, 2, 2)));
	CU_ASSERT_TRUE(doze_counters_jec_active(word_of(1, 2, 3)));
}

static void next_changes_only_the_jec(void)
{
	uint64_t word = doze_counters_jec_next(word_of(5, 9, 1));
	CU_ASSERT_EQUAL(word, word_of(5, 9, 2));
}

static void jec_wraps_to_zero(void)
{
	uint64_t last = DOZE_MASK_BITS(DOZE_BITS_JEC);
	uint64_t word = doze_counters_jec_next(word_of(5, 9, last));
	CU_ASSERT_EQUAL(word, word_of(5, 9, 0));
	CU_ASSERT_TRUE(doze_counters_jec_active(word_of(0, 0, last)));
	CU_ASSERT_FALSE(doze_counters_jec_active(word));
}

static void dummy_is_no_jec(void)
{
	CU_ASSERT_NOT_EQUAL(doze_counters_jec(UINT64_MAX), DOZE_JEC_DUMMY);
}

static void holds_many_workers(void)
{
	/* In rayon #883, 1024 threads overflowed 10 bits. */
	CU_ASSERT_TRUE(DOZE_MAX_WORKERS >= 1024);
}

static const struct suite_test tests[] = {
    {"fields that are packed into the word are unpacked unchanged", fields_come_back},
    {"the largest counts do not overflow into neighbouring fields", full_fields_do_not_carry},
    {"an odd JEC means active, and an even one means sleepy", parity_is_activity},
    {"incrementing the JEC changes no other field", next_changes_only_the_jec},
    {"the JEC wraps around without changing the counts (rayon #797)", jec_wraps_to_zero},
    {"no counters word has a JEC equal to DOZE_JEC_DUMMY", dummy_is_no_jec},
    {"the word has room for more than 1023 workers (rayon #883)", holds_many_workers},
};
SUITE_MAIN("counters", tests)
