/*
 * SPDX-License-Identifier: MIT
 *
 * gaps_test.c - viz/explain: gaps in which searching workers had no CPU, because other programs
 * were using it. Times are in us; the outside thread of the scripts is 99.
 */
#include <string.h>

#include "tests/fixtures/diagnosed.h"
#include "tests/fixtures/suite.h"

#define START_2 "0 x pool jec 2\n0 w0 none>active start\n0 w1 none>active start\n"
#define STOP_2(at, cpu)                                                                            \
	at " w0 active>stopped terminate " cpu "\n" at " w0 stop delay39900\n" at                  \
	   " w1 active>stopped terminate " cpu "\n" at " w1 stop delay39900\n" at                  \
	   " x pool stop\n" at " end\n"
/* After 1 ms of jobs, both workers search for 40 ms until they find jobs. They had a CPU for 2.1 of
 * 42 ms, 2 of which count as the search. No worker sleeps, so no post is recorded. */
#define STARVED(during)                                                                            \
	START_2 "1000 w0 active>idle no_work 0.0.0>0.1.0\n"                                        \
		"1000 w1 active>idle no_work 0.1.0>0.2.0\n" during                                 \
		"41000 w0 idle>active found_injected 0.2.0>0.1.0\n"                                \
		"41000 w1 idle>active found_injected 0.1.0>0.0.0\n" STOP_2("42000", "cpu2100")

static void charges_searchers_without_a_cpu(void)
{
	diagnose(2, STARVED(""));
	/* The jobs may have waited for the last 4 ms, which is one time slice of another thread. */
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_outside], 2 * 38000 * 36 / 40));
	CU_ASSERT_EQUAL(result.cost[DOZE_TROUBLE_serial], 0);
	CU_ASSERT_EQUAL_FATAL(result.cause[result.count - 1].kind, DOZE_TROUBLE_outside);
	CU_ASSERT_EQUAL(result.cause[result.count - 1].end - result.cause[result.count - 1].at,
			40000000);
}

static void charges_no_more_searchers_than_cpus(void)
{
	diagnose(1, STARVED(""));
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_outside], 38000 * 36 / 40));
}

/* At level `all`, every post is recorded: the job has been waiting since 11 ms. */
static void charges_only_until_a_job_waits(void)
{
	diagnose(2, STARVED("1000 w0 ended id3\n"
			    "11000 x post injector 1 empty wakes 0 0.2.0>0.2.0\n"));
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_outside], 2 * 38000 * 6 / 40));
}

/* Jobs had a CPU for a tenth of their time, so they may wait 36 ms for a time slice. */
static void allows_for_the_turns_of_other_threads(void)
{
	diagnose(2, "0 x pool jec 1\n0 w0 none>active start cpu0\n"
		    "10000 w0 snapshot active jec 1 0.0.0>0.0.0 cpu1000 delay9000\n"
		    "10000 w0 active>idle no_work 0.0.0>0.1.0\n"
		    "50000 w0 idle>active found_injected 0.1.0>0.0.0\n"
		    "51000 w0 active>stopped terminate cpu1051\n51000 w0 stop delay49000\n"
		    "51000 x pool stop\n51000 end\n");
	CU_ASSERT_TRUE(result.cost[DOZE_TROUBLE_outside] > 3700000);
	CU_ASSERT_TRUE(result.cost[DOZE_TROUBLE_outside] <= 4000000);
}

/* A worker that falls asleep has checked every queue, so its whole search counts. */
static void charges_all_of_a_search_before_sleep(void)
{
	diagnose(1, "0 x pool jec 1\n0 w0 none>active start cpu0\n"
		    "1000 w0 active>idle no_work 0.0.0>0.1.0\n"
		    "41000 w0 idle>sleepy rounds\n41000 w0 sleepy>sleeping rounds 0.1.0>1.1.0 "
		    "cpu1000\n41000 w0 snapshot sleeping jec 1 1.1.0>1.1.0 cpu1000 "
		    "delay40000\n41000 x pool stop\n41000 end\n");
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_outside], 40000 - 1000 * 40 / 41));
}

static const char *cause(void)
{
	for (size_t i = 0; i < result.count; i++)
		if (result.cause[i].kind == DOZE_TROUBLE_outside)
			return result.cause[i].cause;
	return "";
}

static void reports_unrecorded_posts(void)
{
	diagnose(2, STARVED(""));
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(), "their posts are not recorded"));
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(), "1 time, 40.0 ms"));
}

/* An earlier gap of 10 ms ends with a post of thread 99. */
#define KNOWN_GAP                                                                                  \
	START_2 "1000 w0 active>idle no_work 0.0.0>0.1.0\n"                                        \
		"1000 w1 active>idle no_work 0.1.0>0.2.0\n"                                        \
		"11000 x post injector 2 empty wakes 0 0.2.0>0.2.0\n"                              \
		"11000 w0 idle>active found_injected 0.2.0>0.1.0\n"                                \
		"11000 w1 idle>active found_injected 0.1.0>0.0.0\n"                                \
		"12000 w0 active>idle no_work 0.0.0>0.1.0\n"                                       \
		"12000 w1 active>idle no_work 0.1.0>0.2.0\n"                                       \
		"52000 w0 idle>active found_injected 0.2.0>0.1.0\n"                                \
		"52000 w1 idle>active found_injected 0.1.0>0.0.0\n" STOP_2("53000", "cpu3200")

static void names_the_only_outside_thread(void)
{
	diagnose(2, KNOWN_GAP);
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(), "vtid 99"));
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(), "2 times, 50.0 ms"));
}

/* A worker takes the job before its poster, thread 99, reports the post. */
#define LATE_POST                                                                                  \
	START_2 "1000 w0 active>idle no_work 0.0.0>0.1.0\n"                                        \
		"1000 w1 active>idle no_work 0.1.0>0.2.0\n"                                        \
		"41000 w0 idle>active found_injected 0.2.0>0.1.0\n"                                \
		"41001 x post injector 1 empty wakes 0 0.1.0>0.1.0\n"                              \
		"41002 w1 idle>active found_stolen 0.1.0>0.0.0\n" STOP_2("42000", "cpu2100")

static void names_a_late_poster(void)
{
	diagnose(2, LATE_POST);
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(), "vtid 99"));
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(), "1 time, 40.0 ms"));
}

/* The first pool ends in a gap of 40 ms; later, thread 98 posts to another pool with the same
 * number. */
#define LATER_POOL                                                                                 \
	"0 x pool jec 1\n0 w0 none>active start\n1000 w0 active>idle no_work 0.0.0>0.1.0\n"        \
	"1001 w0 idle>sleepy rounds\n1001 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"                 \
	"41001 w0 sleeping>idle woken 1.1.0>0.1.0\n41001 w0 idle>stopped terminate\n"              \
	"41001 x pool stop\n50000 x pool jec 1\n50000 w0 none>active start\n"                      \
	"50001 y post injector 1 empty wakes 0 0.0.0>0.0.0\n"                                      \
	"52000 w0 active>stopped terminate\n52000 x pool stop\n52000 end\n"

/* The time between the pools, 9 ms, does count: then, too, the program had no job. */
static void attributes_no_gap_to_a_later_poster(void)
{
	diagnose(1, LATER_POOL);
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(), "vtid 98"));
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(), "1 time, 9.00 ms"));
}

static const struct suite_test tests[] = {
    {"workers that search without a CPU count as waiting for the outside thread, as sleepers do",
     charges_searchers_without_a_cpu},
    {"searching workers that outnumber the CPUs do not add to the cost",
     charges_no_more_searchers_than_cpus},
    {"the wait for an outside thread ends as soon as a job waits", charges_only_until_a_job_waits},
    {"time in which a job may have waited for a CPU does not count as waiting for an outside "
     "thread",
     allows_for_the_turns_of_other_threads},
    {"the cost of a search after which the worker falls asleep is its whole duration",
     charges_all_of_a_search_before_sleep},
    {"the report states that the posts that end the gaps were not recorded",
     reports_unrecorded_posts},
    {"gaps whose posts are not recorded are attributed to the only known outside thread",
     names_the_only_outside_thread},
    {"a gap is attributed to a thread that reports its post after a worker has taken the job",
     names_a_late_poster},
    {"the gap in which a pool ends is not attributed to a thread that posts to a later pool",
     attributes_no_gap_to_a_later_poster},
};
SUITE_MAIN("diagnose: gaps on busy CPUs", tests)
