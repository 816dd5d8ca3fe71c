/*
 * SPDX-License-Identifier: MIT
 *
 * off_cpu_test.c - viz/explain: jobs that wait for something other than a CPU.
 */
#include <string.h>

#include "tests/fixtures/diagnosed.h"
#include "tests/fixtures/suite.h"

static uint32_t rounds; /* number of searches before a worker sleeps; 0: unknown */

static void feed_line(const char *line)
{
	struct doze_event e;

	if (rounds && script_parse(line, &e) && e.kind == DOZE_EV_pool_start) {
		e.u.pool_start.rounds_until_sleeping = rounds;
		doze_model_feed(model, &e);
	} else {
		script_feed_line(model, line);
	}
}

static void measure(uint32_t cpus, const char *script)
{
	diagnose_lines(cpus, script, feed_line);
}

static int64_t off_cpu(void)
{
	return result.cost[DOZE_TROUBLE_offcpu];
}

#define START_2 "0 x pool jec 2\n0 w0 none>active start\n0 w1 none>active start\n"
/* Both workers run jobs for 10 ms: w0 has a CPU for 4 ms, w1 for the whole time. */
#define STOP_2(delay)                                                                              \
	"10000 w0 active>stopped terminate cpu4000\n10000 w0 stop " delay "\n"                     \
	"10000 w1 active>stopped terminate cpu10000\n10000 w1 stop " delay "\n"                    \
	"10000 x pool stop\n10000 end\n"

static void reports_jobs_without_a_cpu(void)
{
	measure(2, START_2 STOP_2("delay1000"));
	CU_ASSERT_EQUAL_FATAL(result.count, 1);
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_offcpu);
	CU_ASSERT_EQUAL(result.cause[0].worker, 0);
	CU_ASSERT_EQUAL(result.cause[0].sure, DOZE_SURE_high);
	CU_ASSERT_TRUE(about(off_cpu(), 5000));
	CU_ASSERT_PTR_NOT_NULL(strstr(result.verdict, "Jobs were off the CPU for 25.0 %"));
}

static void does_not_blame_jobs_for_waiting_in_run_queues(void)
{
	measure(2, START_2 STOP_2("delay5900"));
	CU_ASSERT_EQUAL(result.count, 0);
	CU_ASSERT_TRUE(about(off_cpu(), 100));
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(result.verdict, "had a CPU for 70.0 % of their time; for up to"));
}

/* A recording from before schema 1.3 does not contain the delay. */
static void is_unsure_where_the_delay_is_unknown(void)
{
	measure(2, START_2 STOP_2(""));
	CU_ASSERT_EQUAL_FATAL(result.count, 1);
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_offcpu);
	CU_ASSERT_EQUAL(result.cause[0].sure, DOZE_SURE_medium);
	CU_ASSERT_TRUE(about(off_cpu(), 6000));
	CU_ASSERT_PTR_NOT_NULL(strstr(result.verdict, "or for a CPU"));
}

/* w0 was active for 6 ms between two sleeps, but its search is not a job. */
static void compares_the_cpu_time_with_that_of_the_jobs_only(void)
{
	measure(2, START_2
		"0 w0 active>idle no_work 0.0.0>0.1.0\n10 w0 idle>sleepy rounds\n"
		"11 w0 sleepy>sleeping rounds 0.1.0>1.1.0 cpu11\n"
		"1000 x post injector 1 empty wakes 1 d1 1.1.0>1.1.0\n"
		"1000 x wake w0 id1 d1 inject 1.1.0>0.1.0\n1001 w0 woken 1 cpu20\n"
		"1001 w0 sleeping>idle woken\n1500 w0 idle>active found_injected 0.1.0>0.0.0\n"
		"7500 w0 active>idle no_work 0.0.0>0.1.0\n7990 w0 idle>sleepy rounds\n"
		"8000 w0 sleepy>sleeping rounds 0.1.0>1.1.0 cpu2020\n"
		"10000 w0 sleeping>idle woken\n10000 w0 idle>stopped terminate cpu2030\n"
		"10000 w0 stop delay100\n10000 w1 active>stopped terminate cpu10000\n"
		"10000 w1 stop delay1\n10000 x pool stop\n10000 end\n");
	CU_ASSERT_TRUE(about(off_cpu(), 3900));
}

/* The worker never sleeps. It had a CPU until 5 ms, but hardly ever afterwards. */
#define SNAPSHOTS                                                                                  \
	"0 x pool jec 1\n0 w0 none>active start cpu1\n"                                            \
	"5000 w0 snapshot active jec 1 0.0.0>0.0.0 cpu5001 delay10\n"                              \
	"9000 w0 snapshot active jec 1 0.0.0>0.0.0 cpu5101 delay20\n"

static void uses_snapshots_of_a_worker_that_never_sleeps(void)
{
	struct doze_diagnosis part;
	int64_t zero = 1000000000;

	measure(1, SNAPSHOTS "10000 x mark end\n10000 end\n");
	CU_ASSERT_TRUE(about(off_cpu(), 3880));
	CU_ASSERT_TRUE_FATAL(doze_diagnose(model, zero, zero + 4000000, &part));
	CU_ASSERT_EQUAL(part.cost[DOZE_TROUBLE_offcpu], 0);
}

static void ignores_the_cpu_time_after_a_loss(void)
{
	measure(1, SNAPSHOTS "9500 lost 9100 3\n9600 w0 active>stopped terminate cpu5102\n"
			     "9600 w0 stop delay20\n9600 x pool stop\n9600 end\n");
	CU_ASSERT_TRUE(about(off_cpu(), 3880));
}

/* Another thread takes over the worker, so the two CPU times cannot be compared. */
static void does_not_compare_the_cpu_times_of_two_threads(void)
{
	measure(1, "0 x pool jec 1\n0 w0 none>active start\n"
		   "4000 w0 active>suspended must_not_help\n4001 w0 suspended>active takes_over\n"
		   "10000 w0 active>stopped terminate cpu5900\n10000 w0 stop delay1\n"
		   "10000 x pool stop\n10000 end\n");
	CU_ASSERT_EQUAL(off_cpu(), 0);
}

/* Four workers share two CPUs. Of their waits for a CPU, the share that corresponds to their own
 * CPU time (4 of 18 ms) counts as crowding; other programs caused the rest. */
static void separates_crowding_from_waiting(void)
{
	measure(2, "0 x pool jec 4\n0 w0 none>active start\n0 w1 none>active start\n"
		   "0 w2 none>active start\n0 w3 none>active start\n"
		   "9000 w3 active>stopped terminate cpu1000\n9000 w3 stop delay500\n"
		   "9000 w2 active>stopped terminate cpu1000\n9000 w2 stop delay500\n"
		   "9000 w1 active>stopped terminate cpu1000\n9000 w1 stop delay500\n"
		   "9000 w0 active>stopped terminate cpu1000\n9000 w0 stop delay500\n"
		   "9000 x pool stop\n9000 end\n");
	CU_ASSERT_TRUE(about(off_cpu(), 4 * 7500));
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_crowded], 2000 * 4 / 18));
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_offcpu);
}

/* Two pools of two workers each share two CPUs for 10 ms. The second pool then has both CPUs for
 * another 10 ms. */
static void adds_up_the_workers_of_all_pools(void)
{
	measure(2,
		START_2 "0 2/x pool jec 2\n0 2/w0 none>active start\n"
			"0 2/w1 none>active start\n"
			"10000 w0 active>stopped terminate cpu5000\n10000 w0 stop delay5000\n"
			"10000 w1 active>stopped terminate cpu5000\n10000 w1 stop delay5000\n"
			"10000 x pool stop\n"
			"20000 2/w0 active>stopped terminate cpu15000\n20000 2/w0 stop delay5000\n"
			"20000 2/w1 active>stopped terminate cpu15000\n20000 2/w1 stop delay5000\n"
			"20000 2/x pool stop\n20000 end\n");
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_crowded], 10000 + 10000));
	CU_ASSERT_EQUAL_FATAL(result.count, 1);
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_crowded);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.verdict, "2 of this pool and 2 of other pools"));
}

/* A busy machine keeps the worker from its CPU before its only job begins; that job then sleeps.
 * Later jobs end the nap, although they do not run either. */
static void cuts_a_nap_where_its_job_begins(void)
{
	measure(1, "0 x pool jec 1\n0 w0 none>active start cpu1\n"
		   "5000 w0 snapshot active jec 1 0.0.0>0.0.0 cpu2 delay10 ran0\n"
		   "10000 w0 snapshot active jec 1 0.0.0>0.0.0 cpu3 delay10 ran1\n"
		   "15000 w0 snapshot active jec 1 0.0.0>0.0.0 cpu4 delay10 ran1\n"
		   "20000 w0 snapshot active jec 1 0.0.0>0.0.0 cpu5 delay10 ran4\n"
		   "24000 w0 active>stopped terminate cpu6\n24000 w0 stop delay10\n"
		   "24000 x pool stop\n24000 end\n");
	CU_ASSERT_EQUAL_FATAL(result.count, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.cause[0].evidence,
				      "the longest time off the CPU was 10.0 ms, on worker 0, from "
				      "0.005000s"));
}

/* While w0 works, w1 searches for 8 ms between two jobs of 1 ms, and has a CPU for 2 of these
 * 10 ms. */
#define STARVED_SEARCH(delay)                                                                      \
	START_2 "1000 w1 active>idle no_work 0.0.0>0.1.0\n"                                        \
		"9000 w1 idle>active found_stolen 0.1.0>0.0.0\n"                                   \
		"10000 w0 active>stopped terminate cpu10000\n10000 w0 stop delay0\n"               \
		"10000 w1 active>stopped terminate cpu2000\n10000 w1 stop " delay "\n"             \
		"10000 x pool stop\n10000 end\n"

static void shares_the_cpu_time_between_search_and_jobs(void)
{
	measure(2, STARVED_SEARCH("delay8000"));
	CU_ASSERT_TRUE_FATAL(result.count > 0);
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_burn);
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_burn], 2000 * 8 / 10));
}

static void does_not_call_a_search_in_a_run_queue_serial(void)
{
	measure(2, STARVED_SEARCH("delay8000"));
	CU_ASSERT_EQUAL(result.cost[DOZE_TROUBLE_serial], 0);
	CU_ASSERT_EQUAL(result.cost[DOZE_TROUBLE_outside], 0);
	measure(2, STARVED_SEARCH("delay5000"));
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_serial], 6400 - 5000));
	measure(2, STARVED_SEARCH(""));
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_serial], 6400));
}

/* The same script, except that a search is limited to 11 rounds. */
#define LIMITED_SEARCH(cpu)                                                                        \
	START_2 "1000 w1 active>idle no_work 0.0.0>0.1.0\n"                                        \
		"9000 w1 idle>active found_stolen 0.1.0>0.0.0\n"                                   \
		"10000 w1 active>stopped terminate " cpu "\n10000 end\n"

static void limits_a_search_to_the_time_of_its_rounds(void)
{
	rounds = 10;
	measure(2, LIMITED_SEARCH("cpu1500"));
	rounds = 0;
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_burn], 11 * 5));
}

/* The jobs took at most 2 ms, so the search had a CPU for 7 ms, however long its rounds usually
 * take. */
static void gives_a_search_the_rest_of_the_cpu_time(void)
{
	rounds = 10;
	measure(2, LIMITED_SEARCH("cpu9000"));
	rounds = 0;
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_burn], 7000));
}

/* The search uses 0.1 ms of CPU time. The jobs use 1.9 ms, although they last 19 ms. */
static void compares_waste_with_the_cpu_time_of_the_jobs(void)
{
	measure(2, START_2 "1000 w1 active>idle no_work 0.0.0>0.1.0\n"
			   "2000 w1 idle>active found_stolen 0.1.0>0.0.0\n"
			   "10000 w0 active>stopped terminate cpu1000\n10000 w0 stop delay9000\n"
			   "10000 w1 active>stopped terminate cpu1000\n10000 w1 stop delay9000\n"
			   "10000 x pool stop\n10000 end\n");
	CU_ASSERT_TRUE(about(result.cost[DOZE_TROUBLE_burn], 100));
	CU_ASSERT_EQUAL_FATAL(result.count, 1);
	CU_ASSERT_EQUAL(result.cause[0].kind, DOZE_TROUBLE_burn);
}

static const struct suite_test tests[] = {
    {"jobs that neither had a CPU nor waited for one are reported", reports_jobs_without_a_cpu},
    {"jobs are not blamed for waiting for a CPU", does_not_blame_jobs_for_waiting_in_run_queues},
    {"confidence is lower when the wait for a CPU is unknown",
     is_unsure_where_the_delay_is_unknown},
    {"a search does not count as a job", compares_the_cpu_time_with_that_of_the_jobs_only},
    {"snapshots report the CPU time of a worker that never sleeps",
     uses_snapshots_of_a_worker_that_never_sleeps},
    {"after lost events, the first reported CPU time only starts a new span",
     ignores_the_cpu_time_after_a_loss},
    {"the CPU times of two threads are not compared",
     does_not_compare_the_cpu_times_of_two_threads},
    {"workers that outnumber the CPUs count as crowded only if they waited for a CPU",
     separates_crowding_from_waiting},
    {"pools with more active workers in total than there are CPUs are crowded",
     adds_up_the_workers_of_all_pools},
    {"the CPU time of a worker that waited for a CPU is divided between its search and its jobs",
     shares_the_cpu_time_between_search_and_jobs},
    {"the longest time off the CPU is that of one job", cuts_a_nap_where_its_job_begins},
    {"a search that waits in a run queue is not serial work",
     does_not_call_a_search_in_a_run_queue_serial},
    {"the cost of a search is at most the time that its rounds usually take",
     limits_a_search_to_the_time_of_its_rounds},
    {"the cost of a search is at least the CPU time that jobs cannot have used",
     gives_a_search_the_rest_of_the_cpu_time},
    {"waste is compared with the CPU time of jobs, not with their duration",
     compares_waste_with_the_cpu_time_of_the_jobs},
};
SUITE_MAIN("diagnose: jobs without a CPU", tests)
