/*
 * SPDX-License-Identifier: MIT
 *
 * bounds_test.c - viz/explain: costs that are known only as an interval because some posts were
 * not recorded, and the conditions of `doze diagnose --fail-if`.
 */
#include <string.h>

#include "tests/fixtures/diagnosed.h"
#include "tests/fixtures/suite.h"
#include "viz/show/fail_if.h"
#include "viz/words/complain.h"

static uint32_t unrecorded;

/* Feeds a line of a script. Each post reports that `unrecorded` earlier posts were not recorded. */
static void feed_line(const char *line)
{
	struct doze_event e;

	if (unrecorded && script_parse(line, &e) && e.kind == DOZE_EV_post) {
		e.u.post.skipped = unrecorded;
		doze_model_feed(model, &e);
	} else {
		script_feed_line(model, line);
	}
}

static void diagnose_skipped(const char *script, uint32_t skipped)
{
	unrecorded = skipped;
	diagnose_lines(3, script, feed_line);
}

/* w1 and w2 are asleep by 110 us; w0 publishes one job at 2 ms and takes it at 5 ms. */
#define ONE_JOB                                                                                    \
	"0 x pool jec 3\n0 w0 none>active start\n0 w1 none>active start\n0 w2 none>active start\n" \
	"100 w1 active>idle no_work 0.0.0>0.1.0\n101 w2 active>idle no_work 0.1.0>0.2.0\n"         \
	"105 w1 idle>sleepy rounds\n106 w2 idle>sleepy rounds\n"                                   \
	"110 w1 sleepy>sleeping rounds 0.2.0>1.2.0\n"                                              \
	"111 w2 sleepy>sleeping rounds 1.2.0>2.2.0\n"                                              \
	"2000 w0 post local 1 full wakes 0 d0 2.2.0>2.2.0 job7\n"                                  \
	"5000 w0 taken local id7\n"                                                                \
	"10000 w0 active>stopped terminate\n10000 w1 sleeping>idle woken\n"                        \
	"10000 w1 idle>stopped terminate\n10000 w2 sleeping>idle woken\n"                          \
	"10000 w2 idle>stopped terminate\n10000 x pool stop\n10000 end\n"

static void is_exact_when_all_posts_are_recorded(void)
{
	struct doze_lost_parallelism l;

	diagnose_skipped(ONE_JOB, 0);
	CU_ASSERT_TRUE_FATAL(doze_lost_parallelism(model, &l));
	CU_ASSERT_TRUE(about(l.low, 3000));
	CU_ASSERT_EQUAL(l.low, l.high);
}

/* One post was not recorded; after it, a second job may wait for the second sleeper. */
static void is_an_interval_when_posts_were_skipped(void)
{
	struct doze_lost_parallelism l;

	diagnose_skipped(ONE_JOB, 1);
	CU_ASSERT_TRUE_FATAL(doze_lost_parallelism(model, &l));
	CU_ASSERT_TRUE(about(l.low, 3000));
	/* Two jobs wait for 3 ms, then one of them until the end. */
	CU_ASSERT_TRUE(about(l.high, 3000 * 2 + 5000));
}

static void never_counts_more_than_the_sleepers(void)
{
	struct doze_lost_parallelism l;

	diagnose_skipped(ONE_JOB, 1000);
	CU_ASSERT_TRUE_FATAL(doze_lost_parallelism(model, &l));
	CU_ASSERT_TRUE(about(l.high, 2 * 8000));
}

/* In a damaged trace, four workers search for 146 years. */
static void adds_up_times_that_do_not_fit(void)
{
	diagnose_skipped(
	    "0 x pool jec 4\n0 w0 none>active start\n0 w1 none>active start\n"
	    "0 w2 none>active start\n0 w3 none>active start\n"
	    "1 w0 active>idle no_work 0.0.0>0.1.0\n1 w1 active>idle no_work 0.1.0>0.2.0\n"
	    "1 w2 active>idle no_work 0.2.0>0.3.0\n1 w3 active>idle no_work 0.3.0>0.4.0\n"
	    "4600000000000000 x mark late\n4600000000000000 end\n",
	    0);
	CU_ASSERT_EQUAL(result.worker_ns, INT64_MAX);
	CU_ASSERT_EQUAL(result.cost[DOZE_TROUBLE_burn], INT64_MAX);
	CU_ASSERT_EQUAL_FATAL(result.count, 1);
	CU_ASSERT_DOUBLE_EQUAL(result.cause[0].share, 1, 1e-9);
}

static int judge(const char *condition)
{
	struct doze_fail_if c = {0};

	CU_ASSERT_PTR_NULL_FATAL(doze_check_kind_condition(condition, &c));
	return doze_kind_conditions_judge(&c, &result, model);
}

static void judges_conditions(void)
{
	diagnose_skipped(ONE_JOB, 0); /* the cost is 3 of 30 ms */
	CU_ASSERT_EQUAL(judge("asleep"), DOZE_EXIT_FINDINGS);
	CU_ASSERT_EQUAL(judge("asleep>9%"), DOZE_EXIT_FINDINGS);
	CU_ASSERT_EQUAL(judge("asleep>11%"), DOZE_EXIT_OK);
	CU_ASSERT_EQUAL(judge("asleep > 0.09"), DOZE_EXIT_FINDINGS);
	CU_ASSERT_EQUAL(judge("hang"), DOZE_EXIT_OK);
	CU_ASSERT_EQUAL(judge("job-delay-p99>2ms"), DOZE_EXIT_FINDINGS);
	CU_ASSERT_EQUAL(judge("job-delay-p50>4ms"), DOZE_EXIT_OK);
}

static void leaves_conditions_open_when_events_are_missing(void)
{
	diagnose_skipped("0 x pool jec 1\n0 w0 none>active start\n10000 x mark end\n10000 end\n",
			 0);
	CU_ASSERT_EQUAL(judge("hang"), DOZE_EXIT_INCONCLUSIVE);
	CU_ASSERT_EQUAL(judge("job-delay-p99>1ms"), DOZE_EXIT_INCONCLUSIVE);
}

static void refuses_invalid_conditions(void)
{
	static const char *const wrong[] = {"",      "hung",          "hang<3%",
					    "hang>", "hang>x",        ">3%",
					    "asle",  "job-delay-p99", "job-delay-p98>1ms"};
	struct doze_fail_if c = {0};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CU_ASSERT_PTR_NOT_NULL(doze_check_kind_condition(wrong[i], &c));
	CU_ASSERT_EQUAL(c.count, 0);
	for (int i = 0; i < DOZE_FAIL_IF_MAX; i++)
		CU_ASSERT_PTR_NULL(doze_check_kind_condition("hang", &c));
	CU_ASSERT_PTR_NOT_NULL(doze_check_kind_condition("hang", &c));
}

static const struct suite_test tests[] = {
    {"lost parallelism is exact when all posts are recorded", is_exact_when_all_posts_are_recorded},
    {"lost parallelism is an interval when posts were skipped",
     is_an_interval_when_posts_were_skipped},
    {"the upper bound of lost parallelism is limited by the number of sleepers",
     never_counts_more_than_the_sleepers},
    {"sums of times that would overflow 64 bits are capped", adds_up_times_that_do_not_fit},
    {"a condition holds only if its measure exceeds the limit", judges_conditions},
    {"conditions are undecided when events are missing",
     leaves_conditions_open_when_events_are_missing},
    {"an invalid condition is rejected", refuses_invalid_conditions},
};
SUITE_MAIN("diagnose: bounds and conditions", tests)
