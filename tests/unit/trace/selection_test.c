/*
 * SPDX-License-Identifier: MIT
 *
 * selection_test.c - viz/trace/selection: lists of workers.
 */
#include "tests/fixtures/suite.h"
#include "viz/trace/selection.h"

static void reads_lists(void)
{
	static const bool shown[] = {false, true, false, true, true, true, false};
	struct doze_worker_set set = {.limited = false};

	CU_ASSERT_TRUE(doze_worker_set_has(&set, 0) && doze_worker_set_has(&set, -1));
	CU_ASSERT_TRUE_FATAL(doze_worker_set_parse(&set, "1,3-5"));
	for (int i = 0; i < 7; i++)
		CU_ASSERT_EQUAL(doze_worker_set_has(&set, i), shown[i]);
	CU_ASSERT_FALSE(doze_worker_set_has(&set, -1));
	CU_ASSERT_FALSE(doze_worker_set_has(&set, DOZE_WORKERS_MAX));
	CU_ASSERT_TRUE(doze_worker_set_parse(&set, "4095"));
	CU_ASSERT_TRUE(doze_worker_set_has(&set, DOZE_WORKERS_MAX - 1));
	CU_ASSERT_FALSE(doze_worker_set_has(&set, 4));
}

static void refuses_malformed_lists(void)
{
	static const char *const bad[] = {"",   "x",  "3-1",  "1,",     ",1",         "1-",
					  "1 ", "-1", "4096", "0-4096", "99999999999"};
	struct doze_selection s = DOZE_SELECT_ALL;

	CU_ASSERT_PTR_NULL(doze_check_worker_list("2", &s));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		CU_ASSERT_PTR_NOT_NULL(doze_check_worker_list(bad[i], &s));
		CU_ASSERT_STRING_EQUAL(s.list, "2");
		CU_ASSERT_TRUE(doze_worker_set_has(&s.workers, 2));
		CU_ASSERT_FALSE(doze_worker_set_has(&s.workers, 1));
	}
}

/* Parses a list of workers for a trace of w0 to w3. */
static void finds_missing_workers(void)
{
	static const struct {
		const char *list;
		int beyond;
	} cases[] = {{"0", -1}, {"3", -1}, {"0-9", -1}, {"4", 4}, {"1,7-9,5", 7}, {"0-3,4", 4}};
	struct doze_selection s = DOZE_SELECT_ALL;

	CU_ASSERT_EQUAL(doze_selection_beyond(&s, -1), -1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CU_ASSERT_PTR_NULL(doze_check_worker_list(cases[i].list, &s));
		CU_ASSERT_EQUAL(doze_selection_beyond(&s, 3), cases[i].beyond);
	}
	CU_ASSERT_PTR_NULL(doze_check_worker_list("0", &s));
	CU_ASSERT_EQUAL(doze_selection_beyond(&s, -1), 0);
}

static const struct suite_test tests[] = {
    {"a list selects its workers and no others", reads_lists},
    {"a malformed list is rejected and changes nothing", refuses_malformed_lists},
    {"a list item beyond the last worker is detected", finds_missing_workers},
};

SUITE_MAIN("selection", tests)
