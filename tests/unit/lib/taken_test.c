/*
 * SPDX-License-Identifier: MIT
 *
 * taken_test.c - the limit on the job events that level `states` records while a worker sleeps.
 */
#include "lib/taken.h"
#include "tests/fixtures/suite.h"

#define SECOND INT64_C(1000000000)

static void records_up_to_the_limit_in_a_second(void)
{
	struct doze_taken_quota quota = {0};
	uint32_t skipped = 99, recorded = 0;

	for (int i = 0; i < DOZE_TAKEN_PER_SECOND + 5; i++)
		recorded += doze_taken_allowed(&quota, 7 * SECOND + i, &skipped);
	CU_ASSERT_EQUAL(recorded, DOZE_TAKEN_PER_SECOND);
	CU_ASSERT_EQUAL(skipped, 0);
}

static void the_next_record_counts_what_was_skipped(void)
{
	struct doze_taken_quota quota = {0};
	uint32_t skipped = 99;

	for (int i = 0; i < DOZE_TAKEN_PER_SECOND + 5; i++)
		(void)doze_taken_allowed(&quota, 7 * SECOND + i, &skipped);
	CU_ASSERT_TRUE(doze_taken_allowed(&quota, 8 * SECOND, &skipped));
	CU_ASSERT_EQUAL(skipped, 5);
	CU_ASSERT_TRUE(doze_taken_allowed(&quota, 8 * SECOND + 1, &skipped));
	CU_ASSERT_EQUAL(skipped, 0);
}

static const struct suite_test tests[] = {
    {"records up to the limit in a second", records_up_to_the_limit_in_a_second},
    {"the next record counts what was skipped", the_next_record_counts_what_was_skipped},
};
SUITE_MAIN("taken", tests)
