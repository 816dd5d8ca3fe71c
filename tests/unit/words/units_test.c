/*
 * SPDX-License-Identifier: MIT
 *
 * units_test.c - viz/words: numbers are printed with the digits and units that a reader needs.
 */
#include "viz/words/units.h"

#include "tests/fixtures/suite.h"

static void counts_have_separators(void)
{
	CU_ASSERT_STRING_EQUAL(doze_count(0), "0");
	CU_ASSERT_STRING_EQUAL(doze_count(999), "999");
	CU_ASSERT_STRING_EQUAL(doze_count(1000), "1,000");
	CU_ASSERT_STRING_EQUAL(doze_count(1234567), "1,234,567");
	CU_ASSERT_STRING_EQUAL(doze_count(UINT64_MAX), "18,446,744,073,709,551,615");
}

static void short_counts_have_at_most_four_characters(void)
{
	CU_ASSERT_STRING_EQUAL(doze_short_count(0), "0");
	CU_ASSERT_STRING_EQUAL(doze_short_count(9999), "9999");
	CU_ASSERT_STRING_EQUAL(doze_short_count(10000), "10k");
	CU_ASSERT_STRING_EQUAL(doze_short_count(999999), "999k");
	CU_ASSERT_STRING_EQUAL(doze_short_count(1000000), "1.0M");
	CU_ASSERT_STRING_EQUAL(doze_short_count(1299999), "1.2M");
	CU_ASSERT_STRING_EQUAL(doze_short_count(UINT32_MAX), "4.2G");
	CU_ASSERT_STRING_EQUAL(doze_short_count(UINT64_MAX), "18E");
}

static void durations_have_three_digits(void)
{
	CU_ASSERT_STRING_EQUAL(doze_duration(83), "83 ns");
	CU_ASSERT_STRING_EQUAL(doze_duration(999), "999 ns");
	CU_ASSERT_STRING_EQUAL(doze_duration(1000), "1.00 us");
	CU_ASSERT_STRING_EQUAL(doze_duration(12345678), "12.3 ms");
	CU_ASSERT_STRING_EQUAL(doze_duration(-4200), "-4.20 us");
}

static void positions_are_rounded_down(void)
{
	CU_ASSERT_STRING_EQUAL(doze_position(2065512345, DOZE_LISTED), "2.065512s");
	CU_ASSERT_STRING_EQUAL(doze_position(1999999999, 1000000), "1.999s");
	CU_ASSERT_STRING_EQUAL(doze_position(2000000000, 0), "2s");
	CU_ASSERT_STRING_EQUAL(doze_position(-1, DOZE_LISTED), "-0.000001s");
}

static const struct suite_test tests[] = {
    {"counts have separators", counts_have_separators},
    {"short counts have at most four characters", short_counts_have_at_most_four_characters},
    {"durations have three digits", durations_have_three_digits},
    {"positions are rounded down", positions_are_rounded_down},
};

SUITE_MAIN("units", tests)
