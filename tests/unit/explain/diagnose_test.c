/*
 * SPDX-License-Identifier: MIT
 *
 * diagnose_test.c - viz/explain: each kind of trouble in a synthetic trace, its cost, and the
 * order of the causes. Times are in us; the outside thread is 99.
 */
#include <string.h>

#include "tests/fixtures/diagnosed.h"
#include "tests/fixtures/suite.h"

static const struct doze_cause_entry *cause(enum doze_trouble kind)
{
	for (size_t i = 0; i < result.count; i++)
		if (result.cause[i].kind == kind)
			return &result.cause[i];
	return NULL;
}

#define START_2                                                                                    \
	"0 x pool jec 2\n"                                                                         \
	"0 w0 none>active start\n0 w1 none>active start\n"
#define BOTH_SEARCH                                                                                \
	"100 w0 active>idle no_work 0.0.0>0.1.0\n100 w1 active>idle no_work 0.1.0>0.2.0\n"
#define STOP_2(us)                                                                                 \
	us " w0 active>stopped terminate\n" us " w1 active>stopped terminate\n" us " x pool "      \
	   "stop\n"

static void calls_a_busy_pool_healthy(void)
{
	const struct doze_diagnosis *d = diagnose(2, START_2 STOP_2("10000") "10000 end\n");

	CU_ASSERT_EQUAL(d->count, 0);
	CU_ASSERT_TRUE(d->conclusive);
	CU_ASSERT_TRUE(about(d->active, 20000));
	CU_ASSERT_PTR_NOT_NULL(strstr(d->verdict, "Nothing is wrong"));
}

static void calls_a_cut_trace_not_healthy(void)
{
	const struct doze_diagnosis *d = diagnose(2, START_2 "10000 x mark end\n10000 end\n");

	CU_ASSERT_EQUAL(d->count, 0);
	CU_ASSERT_FALSE(d->conclusive);
	CU_ASSERT_PTR_NULL(strstr(d->verdict, "Nothing is wrong"));
}

/* w1 sets the latch that w0 sleeps on, does not wake w0, and falls asleep. */
#define HANG                                                                                       \
	START_2                                                                                    \
	"100 w0 active>idle no_work 0.0.0>0.1.0\n110 w0 idle>sleepy rounds\n"                      \
	"119 w0 latch unset>sleepy w0 id5\n120 w0 latch sleepy>sleeping w0 id5\n"                  \
	"121 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"                                              \
	"400 w1 latch sleeping>set w0 id5\n"                                                       \
	"401 w1 active>idle no_work 1.1.0>1.2.0\n405 w1 idle>sleepy rounds\n"                      \
	"410 w1 sleepy>sleeping rounds 1.2.0>2.2.0\n"

static void names_the_latch_of_a_hang(void)
{
	const struct doze_diagnosis *d =
	    diagnose(2, HANG "500410 w0 snapshot sleeping jec 2 2.2.0>2.2.0\n500410 end\n");

	CU_ASSERT_TRUE_FATAL(d->count > 0);
	CU_ASSERT_EQUAL(d->cause[0].kind, DOZE_TROUBLE_hang);
	CU_ASSERT_EQUAL(d->cause[0].worker, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(d->cause[0].cause, "worker 0 is asleep on latch"));
	CU_ASSERT_PTR_NOT_NULL(strstr(d->cause[0].cause, "worker 1 set without waking it"));
	CU_ASSERT_TRUE(d->cause[0].cost > INT64_C(999000000));
	CU_ASSERT_PTR_NULL(cause(DOZE_TROUBLE_outside)); /* one cause has one cost */
}

/* The same script, except that the owner is woken and runs. */
static void does_not_call_a_served_latch_a_hang(void)
{
	diagnose(2, HANG "411 w1 wake w0 id1 d1 latch 2.2.0>1.2.0\n412 w0 woken 1\n"
			 "413 w0 sleeping>idle woken\n414 w0 idle>active latch_set 1.2.0>1.1.0\n"
			 "500410 w0 snapshot active jec 2 1.1.0>1.1.0\n500410 end\n");
	CU_ASSERT_PTR_NULL(cause(DOZE_TROUBLE_hang));
}

static void names_the_poster_of_a_stranded_job(void)
{
	const struct doze_diagnosis *d =
	    diagnose(2, START_2 BOTH_SEARCH
		     "110 w0 idle>sleepy rounds\n111 w0 sleepy>sleeping rounds 0.2.0>1.2.0\n"
		     "112 w1 idle>sleepy rounds\n113 w1 sleepy>sleeping rounds 1.2.0>2.2.0\n"
		     "200 x post injector 1 empty wakes 0 d0 2.2.0>2.2.0\n"
		     "600000 w0 snapshot sleeping jec 2 2.2.0>2.2.0\n600000 end\n");

	CU_ASSERT_EQUAL_FATAL(d->cause[0].kind, DOZE_TROUBLE_hang);
	CU_ASSERT_PTR_NOT_NULL(strstr(d->cause[0].cause, "vtid 99"));
	CU_ASSERT_TRUE(about(d->cause[0].at - 1000000000, 200));
}

/* w1 is asleep by 110 us; w0 publishes three jobs and wakes no worker. */
static void integrates_jobs_that_wait_for_sleepers(void)
{
	const struct doze_diagnosis *d = diagnose(
	    2, START_2
	    "100 w1 active>idle no_work 0.0.0>0.1.0\n105 w1 idle>sleepy rounds\n"
	    "110 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
	    "2000 w0 post local 3 full wakes 0 d0 1.1.0>1.1.0\n"
	    "5000 w0 taken local id1\n6000 w0 taken local id2\n"
	    "7000 w0 taken local id3\n10000 w0 active>stopped terminate\n"
	    "10000 w1 sleeping>idle woken\n10000 w1 idle>stopped terminate\n10000 x pool stop\n"
	    "10000 end\n");
	const struct doze_cause_entry *e = cause(DOZE_TROUBLE_asleep);

	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_TRUE(about(e->cost, 5000));
	CU_ASSERT_TRUE(about(e->at - 1000000000, 2000));
	CU_ASSERT_PTR_NOT_NULL(strstr(e->cause, "worker 0 published 3 jobs and woke no worker"));
	(void)d;
}

/* The delays are 3, 4 and 5 ms. Two more posts were not recorded, so more jobs may have waited. */
static void reports_the_delay_of_each_job(void)
{
	struct doze_lost_parallelism l;

	diagnose(2, START_2 "100 w1 active>idle no_work 0.0.0>0.1.0\n105 w1 idle>sleepy rounds\n"
			    "110 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
			    "2000 w0 post local 3 full wakes 0 d0 1.1.0>1.1.0 job5\n"
			    "5000 w0 taken local id5\n6000 w0 taken local id6\n"
			    "7000 w0 taken local id7\n8000 w0 taken local id99\n10000 end\n");
	CU_ASSERT_TRUE_FATAL(doze_lost_parallelism(model, &l));
	CU_ASSERT_EQUAL(l.jobs, 3);
	CU_ASSERT_EQUAL(l.unknown, 1);
	CU_ASSERT_EQUAL(l.delay.min, 3000000);
	CU_ASSERT_EQUAL(l.delay.max, 5000000);
	CU_ASSERT_TRUE(about(l.low, 5000));
	CU_ASSERT_EQUAL(l.high, l.low);
}

/* The post wakes the only sleeper, so no time is lost although the job waits. */
static void does_not_count_a_notified_sleeper(void)
{
	diagnose(2, START_2
		 "100 w1 active>idle no_work 0.0.0>0.1.0\n105 w1 idle>sleepy rounds\n"
		 "110 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
		 "2000 w0 post local 1 full wakes 1 d1 1.1.0>1.1.0\n"
		 "2001 w0 wake w1 id1 d1 push 1.1.0>0.1.0\n"
		 "7000 w1 woken 1\n7001 w1 sleeping>idle woken\n"
		 "7002 w1 idle>active found_stolen 0.1.0>0.0.0\n7003 w1 taken stolen id1\n" STOP_2(
		     "10000") "10000 end\n");
	CU_ASSERT_TRUE(result.cost[DOZE_TROUBLE_asleep] <= 1000);
}

#define SLEEP4                                                                                     \
	"0 x pool tickle 4\n"                                                                      \
	"0 w0 none>active start\n0 w1 none>active start\n"                                         \
	"0 w2 none>active start\n0 w3 none>active start\n"

static void sleep_all(char *text, size_t size, int us)
{
	for (int i = 0; i < 4; i++) {
		size_t n = strlen(text);

		snprintf(text + n, size - n,
			 "%d w%d idle>sleepy rounds\n%d w%d sleepy>sleeping rounds\n", us, i, us,
			 i);
	}
}

/* Ten times, four workers are woken for one job: w0 runs it for 20 us, and the others search for
 * 300 us. */
static void names_the_decision_of_a_storm(void)
{
	static char text[32768] = SLEEP4;
	const struct doze_cause_entry *e;

	for (int i = 0; i < 4; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "10 w%d active>idle no_work\n", i);
	sleep_all(text, sizeof text, 20);
	for (int r = 1; r <= 10; r++) {
		int us = r * 1000;

		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "%d x post injector 1 empty wakes 4 d%d\n", us, r);
		for (int i = 0; i < 4; i++)
			snprintf(text + strlen(text), sizeof text - strlen(text),
				 "%d x wake w%d id%d d%d inject all\n%d w%d woken %d\n"
				 "%d w%d sleeping>idle woken\n",
				 us + 1, i, r * 4 + i, r, us + 2, i, r * 4 + i, us + 2, i);
		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "%d w0 idle>active found_injected\n%d w0 active>idle no_work\n", us + 5,
			 us + 25);
		sleep_all(text, sizeof text, us + 302);
	}
	snprintf(text + strlen(text), sizeof text - strlen(text), "12000 end\n");
	diagnose(4, text);
	CU_ASSERT_EQUAL_FATAL(result.cause[0].kind, DOZE_TROUBLE_storm);
	e = &result.cause[0];
	CU_ASSERT_EQUAL(e->times, 10);
	CU_ASSERT_TRUE(about(e->cost, 10 * 3 * 300));
	CU_ASSERT_PTR_NOT_NULL(strstr(e->cause, "woke 4 workers for 1 job, and 3 found nothing"));
	CU_ASSERT_PTR_NOT_NULL(strstr(e->cause, "vtid 99"));
	CU_ASSERT_PTR_NULL(cause(DOZE_TROUBLE_chain));
}

static void names_search_beside_a_lone_worker(void)
{
	const struct doze_cause_entry *e;

	diagnose(2, START_2
		 "100 w1 active>idle no_work 0.0.0>0.1.0\n"
		 "5100 w1 idle>active found_stolen 0.1.0>0.0.0\n" STOP_2("10000") "10000 end\n");
	e = cause(DOZE_TROUBLE_burn);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_TRUE(about(e->cost, 5000));
	CU_ASSERT_EQUAL(e->worker, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(e->cause, "one worker ran alone"));
}

/* The search took 1 ms of CPU time in 5 ms. A fifth of that is the usual search before a sleep,
 * which does not count as a cost. The rest is the cost of spinning while only one worker works. */
static void charges_a_search_by_its_cpu_time(void)
{
	diagnose(2, START_2 "0 w1 active>idle no_work 0.0.0>0.1.0\n"
			    "4000 w1 idle>active found_stolen 0.1.0>0.0.0\n"
			    "4001 w1 active>idle no_work 0.0.0>0.1.0\n4999 w1 idle>sleepy rounds\n"
			    "5000 w1 sleepy>sleeping rounds 0.1.0>1.1.0 cpu1000\n"
			    "10000 w1 sleeping>idle woken\n10000 w1 idle>stopped terminate\n10000 "
			    "w0 active>stopped terminate\n"
			    "10000 x pool stop\n10000 end\n");
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_burn], 800));
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_serial], 9000));
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_serial);
	CU_ASSERT_EQUAL(result.cause[0].worker, 0);
}

static void counts_the_excess_over_the_cpus(void)
{
	const char *text =
	    "0 x pool jec 4\n0 w0 none>active start\n0 w1 none>active start\n"
	    "0 w2 none>active start\n0 w3 none>active start\n"
	    "9000 w3 active>stopped terminate\n9000 w2 active>stopped terminate\n" STOP_2(
		"9000") "9000 end\n";

	diagnose(2, text);
	CU_ASSERT_EQUAL_FATAL(result.count, 1);
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_crowded);
	CU_ASSERT_TRUE(about(result.cause[0].cost, 18000));
	diagnose(4, text);
	CU_ASSERT_EQUAL(result.count, 0);
}

/* A worker is woken 20 times for a job of 1 us, and searches for 60 us after it. */
static void names_jobs_smaller_than_a_wake(void)
{
	static char text[32768] = START_2 BOTH_SEARCH
	    "110 w0 idle>sleepy rounds\n111 w0 sleepy>sleeping rounds 0.2.0>1.2.0\n"
	    "112 w1 idle>sleepy rounds\n113 w1 sleepy>sleeping rounds 1.2.0>2.2.0\n";

	for (int r = 1; r <= 20; r++) {
		int us = 200 * r;

		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "%d x post injector 1 empty wakes 1 d%d 2.2.0>2.2.0\n"
			 "%d x wake w0 id%d d%d inject 2.2.0>1.2.0\n%d w0 woken %d\n"
			 "%d w0 sleeping>idle woken\n%d w0 idle>active found_injected 1.2.0>1.1.0\n"
			 "%d w0 active>idle no_work 1.1.0>1.2.0\n%d w0 idle>sleepy rounds\n"
			 "%d w0 sleepy>sleeping rounds 1.2.0>2.2.0\n",
			 us, r, us + 1, r, r, us + 2, r, us + 2, us + 3, us + 4, us + 63, us + 64);
	}
	snprintf(text + strlen(text), sizeof text - strlen(text), "5000 end\n");
	diagnose(2, text);
	CU_ASSERT_EQUAL_FATAL(result.cause[0].kind, DOZE_TROUBLE_small);
	CU_ASSERT_EQUAL(result.cause[0].times, 20);
	CU_ASSERT_TRUE(about(result.cause[0].cost, 20 * 61));
}

/* All workers sleep until the outside thread posts, 8 ms later. */
static void names_the_thread_that_the_pool_waits_for(void)
{
	const struct doze_cause_entry *e;

	diagnose(
	    2, START_2 BOTH_SEARCH
	    "110 w0 idle>sleepy rounds\n111 w0 sleepy>sleeping rounds 0.2.0>1.2.0\n"
	    "112 w1 idle>sleepy rounds\n113 w1 sleepy>sleeping rounds 1.2.0>2.2.0\n"
	    "8113 x post injector 2 empty wakes 2 d1 2.2.0>2.2.0\n"
	    "8113 x wake w0 id1 d1 inject 2.2.0>1.2.0\n8113 x wake w1 id2 d1 inject 1.2.0>0.2.0\n"
	    "8114 w0 woken 1\n8114 w1 woken 2\n"
	    "8114 w0 sleeping>idle woken\n8114 w1 sleeping>idle woken\n"
	    "8115 w0 idle>active found_injected 0.2.0>0.1.0\n"
	    "8115 w1 idle>active found_injected 0.1.0>0.0.0\n" STOP_2("20000") "20000 end\n");
	e = &result.cause[0];
	CU_ASSERT_EQUAL_FATAL(e->kind, DOZE_TROUBLE_outside);
	CU_ASSERT_TRUE(about(e->cost, 8003 + 8001));
	CU_ASSERT_PTR_NOT_NULL(strstr(e->cause, "vtid 99"));
	CU_ASSERT_PTR_NOT_NULL(strstr(e->cause, "The pool had nothing to do for"));
}

/* The outside thread posts ten jobs, one every 0.2 ms; each takes 0.15 ms. */
static void names_the_thread_that_posts_one_job_at_a_time(void)
{
	char text[8192] = START_2 BOTH_SEARCH
	    "110 w0 idle>sleepy rounds\n111 w0 sleepy>sleeping rounds 0.2.0>1.2.0\n"
	    "112 w1 idle>sleepy rounds\n113 w1 sleepy>sleeping rounds 1.2.0>2.2.0\n";

	for (int i = 1; i <= 10; i++) {
		int at = 200 * i;

		(void)sprintf(text + strlen(text),
			      "%d x post injector 1 empty wakes 1 d%d 2.2.0>2.2.0\n"
			      "%d x wake w0 id%d d%d inject 2.2.0>1.2.0\n%d w0 woken %d\n"
			      "%d w0 sleeping>idle woken\n"
			      "%d w0 idle>active found_injected 1.2.0>1.1.0\n"
			      "%d w0 taken injected id%d\n"
			      "%d w0 active>idle no_work 1.1.0>1.2.0\n%d w0 idle>sleepy rounds\n"
			      "%d w0 sleepy>sleeping rounds 1.2.0>2.2.0\n",
			      at, i, at, i, i, at + 2, i, at + 2, at + 3, at + 3, i, at + 153,
			      at + 154, at + 155);
	}
	diagnose(2, strcat(text, "2200 end\n"));
	CU_ASSERT_EQUAL_FATAL(result.cause[0].kind, DOZE_TROUBLE_outside);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.cause[0].cause, "posted few jobs at a time"));
	CU_ASSERT_PTR_NOT_NULL(strstr(result.cause[0].cause, "vtid 99"));
}

static void puts_a_breach_before_all_costs(void)
{
	diagnose(2, START_2
		 "100 w1 active>idle no_work 0.0.0>0.1.0\n"
		 "5100 w1 idle>active mark_blocked 0.1.0>0.0.0\n" STOP_2("10000") "10000 end\n");
	CU_ASSERT_EQUAL_FATAL(result.cause[0].kind, DOZE_TROUBLE_breach);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.cause[0].cause, "'transition'"));
}

static void charges_lost_time_to_losses_only(void)
{
	diagnose(2, START_2 "5000 x mark a\n9000 lost 5000 7\n" STOP_2("10000") "10000 end\n");
	CU_ASSERT_EQUAL_FATAL(result.count, 1);
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_losses);
	CU_ASSERT_TRUE(about(result.cause[0].cost, 8000));
	CU_ASSERT_FALSE(result.conclusive);
}

/* The search lasts only from 100 to 5100 us. A part of the trace after the search has no cost, and
 * a part within it consists only of cost. */
static void diagnoses_a_part(void)
{
	struct doze_diagnosis part;
	int64_t zero = 1000000000;

	diagnose(2, START_2
		 "100 w1 active>idle no_work 0.0.0>0.1.0\n"
		 "5100 w1 idle>active found_stolen 0.1.0>0.0.0\n" STOP_2("20000") "20000 end\n");
	CU_ASSERT_TRUE_FATAL(doze_diagnose(model, zero + 6000000, zero + 20000000, &part));
	CU_ASSERT_EQUAL(part.count, 0);
	CU_ASSERT_TRUE_FATAL(doze_diagnose(model, zero + 1000000, zero + 3000000, &part));
	CU_ASSERT_EQUAL(part.count, 1);
	CU_ASSERT_TRUE(part.cause[0].share > 0.45 && part.cause[0].share < 0.55);
}

/* With one CPU, both workers are too many; with two, w1 searches while w0 works. */
static void advises_pools_of_other_libraries(void)
{
	static const char text[] =
	    "0 x pool libuv 2\n0 w0 none>active start\n"
	    "0 w1 none>active start\n5000 w1 active>idle no_work\n"
	    "9000 w1 idle>active found_injected\n" STOP_2("10000") "10000 end\n";
	const struct doze_cause_entry *e;

	diagnose(1, text);
	e = cause(DOZE_TROUBLE_crowded);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_STRING_EQUAL(e->change, "use as many workers as CPUs: 1");
	diagnose(2, text);
	e = cause(DOZE_TROUBLE_burn);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_PTR_NULL(strstr(e->change, "DOZE_"));
}

/* w1 is asleep; of two jobs, w0 takes one, and the other one is cancelled. */
static void does_not_wait_for_a_cancelled_job(void)
{
	diagnose(2, "0 x pool libuv 2\n0 w0 none>active start\n0 w1 none>active start\n"
		    "100 w1 active>idle no_work\n110 w1 idle>sleeping rounds\n"
		    "2000 x post injector 2 empty wakes 0 d0\n2001 w0 taken injected id1\n"
		    "5000 x taken injected\n10000 w0 active>stopped terminate\n"
		    "10000 w1 sleeping>idle woken\n10000 w1 idle>stopped terminate\n"
		    "10000 x pool stop\n10000 end\n");
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_asleep], 3000));
}

static void needs_a_pool(void)
{
	const struct doze_diagnosis *d = diagnose(2, "0 x mark alone\n10 end\n");

	CU_ASSERT_EQUAL(d->count, 0);
	CU_ASSERT_EQUAL(d->worker_ns, 0);
}

static const struct suite_test tests[] = {
    {"a busy pool is reported as healthy", calls_a_busy_pool_healthy},
    {"a trace that ends early is not reported as healthy", calls_a_cut_trace_not_healthy},
    {"a report of a hang names the latch and the thread that set it", names_the_latch_of_a_hang},
    {"a latch whose owner was woken is not reported as a hang",
     does_not_call_a_served_latch_a_hang},
    {"a report of a hang names the poster of a stranded job", names_the_poster_of_a_stranded_job},
    {"the time that jobs wait while workers sleep counts as a cost",
     integrates_jobs_that_wait_for_sleepers},
    {"the delay of each recorded job counts as a cost", reports_the_delay_of_each_job},
    {"time after a sleeper was notified does not count as lost", does_not_count_a_notified_sleeper},
    {"the report of a storm names its decision", names_the_decision_of_a_storm},
    {"searching while only one worker works counts as the cost `burn`",
     names_search_beside_a_lone_worker},
    {"the cost of a search is the CPU time that it used", charges_a_search_by_its_cpu_time},
    {"having more active workers than CPUs counts as crowding", counts_the_excess_over_the_cpus},
    {"jobs that take less time than waking a worker for them are reported",
     names_jobs_smaller_than_a_wake},
    {"the outside thread that the pool waits for is named",
     names_the_thread_that_the_pool_waits_for},
    {"the outside thread that posts one job at a time is named",
     names_the_thread_that_posts_one_job_at_a_time},
    {"the advice for a pool of another library does not name libdoze's options",
     advises_pools_of_other_libraries},
    {"a cancelled job no longer waits", does_not_wait_for_a_cancelled_job},
    {"protocol violations are listed before costs", puts_a_breach_before_all_costs},
    {"time in which events were lost counts only as a loss", charges_lost_time_to_losses_only},
    {"a part of a trace can be diagnosed on its own", diagnoses_a_part},
    {"a trace without a pool is not reported as healthy", needs_a_pool},
};
SUITE_MAIN("diagnose: kinds of trouble", tests)
