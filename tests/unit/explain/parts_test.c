/*
 * SPDX-License-Identifier: MIT
 *
 * parts_test.c - viz/explain: the causes of a part of a trace name only what happened in it. Times
 * are in us.
 */
#include <string.h>

#include "tests/fixtures/diagnosed.h"
#include "tests/fixtures/suite.h"

enum { GAPS = 40, GAP = 4000 /* us */ };

static char script[65536];
static struct doze_diagnosis part;

static void say(const char *line)
{
	CU_ASSERT_TRUE_FATAL(strlen(script) + strlen(line) < sizeof script);
	strcat(script, line);
}

/* Both workers sleep until `thread` posts a job, at `us`, which wakes both. Worker 0 finds the job;
 * worker 1 searches in vain. */
static void one_gap(int us, const char *thread)
{
	char text[1024];

	(void)snprintf(text, sizeof text,
		       "%d %s post injector 1 empty wakes 2 d%d 2.2.0>2.2.0\n"
		       "%d %s wake w0 id%d d%d inject 2.2.0>1.2.0\n"
		       "%d %s wake w1 id%d d%d inject 1.2.0>0.2.0\n"
		       "%d w0 woken %d\n%d w1 woken %d\n",
		       us, thread, us, us, thread, us, us, us, thread, us + 1, us, us + 1, us,
		       us + 1, us + 1);
	say(text);
	(void)snprintf(text, sizeof text,
		       "%d w0 sleeping>idle woken\n%d w1 sleeping>idle woken\n"
		       "%d w0 idle>active found_injected 0.2.0>0.1.0\n"
		       "%d w0 active>idle no_work 0.1.0>0.2.0\n"
		       "%d w0 idle>sleepy rounds\n%d w0 sleepy>sleeping rounds 0.2.0>1.2.0\n"
		       "%d w1 idle>sleepy rounds\n%d w1 sleepy>sleeping rounds 1.2.0>2.2.0\n",
		       us + 2, us + 2, us + 3, us + 500, us + 600, us + 601, us + 1000, us + 1001);
	say(text);
}

/* Diagnoses a trace of GAPS gaps: thread 99 ends the first gaps, and thread 98 ends the last `late`
 * gaps. */
static void trace_of_gaps(int late)
{
	char end[128];

	strcpy(script,
	       "0 x pool jec 2\n0 w0 none>active start\n0 w1 none>active start\n"
	       "1 w0 active>idle no_work 0.0.0>0.1.0\n1 w1 active>idle no_work 0.1.0>0.2.0\n"
	       "2 w0 idle>sleepy rounds\n3 w0 sleepy>sleeping rounds 0.2.0>1.2.0\n"
	       "4 w1 idle>sleepy rounds\n5 w1 sleepy>sleeping rounds 1.2.0>2.2.0\n");
	for (int i = 1; i <= GAPS; i++)
		one_gap(i * GAP, i <= GAPS - late ? "x" : "y");
	(void)snprintf(end, sizeof end, "%d end\n", (GAPS + 1) * GAP);
	say(end);
	diagnose(2, script);
}

static const char *cause(enum doze_trouble kind)
{
	for (size_t i = 0; i < part.count; i++)
		if (part.cause[i].kind == kind)
			return part.cause[i].cause;
	CU_FAIL_FATAL("the kind is not listed");
	return "";
}

static const char *evidence(enum doze_trouble kind)
{
	for (size_t i = 0; i < part.count; i++)
		if (part.cause[i].kind == kind)
			return part.cause[i].evidence;
	CU_FAIL_FATAL("the kind is not listed");
	return "";
}

static void diagnose_from_to(int from_us, int to_us)
{
	const int64_t zero = 1000000000;

	CU_ASSERT_TRUE_FATAL(
	    doze_diagnose(model, zero + from_us * 1000LL, zero + to_us * 1000LL, &part));
}

/* Over the whole trace, the pool waits longer for thread 98. */
static void names_the_outside_thread_of_the_part(void)
{
	trace_of_gaps(30);
	diagnose_from_to(0, 8 * GAP);
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(DOZE_TROUBLE_outside), "vtid 99"));
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(DOZE_TROUBLE_outside), "8 times"));
	diagnose_from_to(0, (GAPS + 1) * GAP);
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(DOZE_TROUBLE_outside), "vtid 98"));
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(DOZE_TROUBLE_outside), "30 times"));
}

static void counts_the_instances_of_the_part(void)
{
	trace_of_gaps(0);
	diagnose_from_to(GAP / 2, 10 * GAP + GAP / 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(DOZE_TROUBLE_chain), "10 decisions"));
	CU_ASSERT_PTR_NOT_NULL(strstr(evidence(DOZE_TROUBLE_chain), "at 0.0"));
	diagnose_from_to(25 * GAP + GAP / 2, (GAPS + 1) * GAP);
	CU_ASSERT_PTR_NOT_NULL(strstr(cause(DOZE_TROUBLE_chain), "15 decisions"));
	CU_ASSERT_PTR_NOT_NULL(strstr(evidence(DOZE_TROUBLE_chain), "at 0.1"));
}

/* The part begins and ends within one fruitless search. The cost of the search is known, but the
 * decision that caused it is outside the part. */
static void admits_that_no_instance_is_known(void)
{
	bool found = false;

	trace_of_gaps(0);
	for (int i = 1; i <= GAPS && !found; i++) {
		diagnose_from_to(i * GAP + 300, i * GAP + 400);
		for (size_t k = 0; k < part.count; k++)
			found |=
			    strstr(part.cause[k].evidence, "no single instance is known") != NULL;
		for (size_t k = 0; k < part.count; k++)
			CU_ASSERT_PTR_NULL(strstr(part.cause[k].cause, " 0 workers"));
	}
	CU_ASSERT_TRUE(found);
}

static const struct suite_test tests[] = {
    {"the report names the outside thread for which the pool waited during the selected part",
     names_the_outside_thread_of_the_part},
    {"only instances in the selected part are counted", counts_the_instances_of_the_part},
    {"a cause that has no known instance in the selected part is described in general terms",
     admits_that_no_instance_is_known},
};
SUITE_MAIN("diagnose: parts of a trace", tests)
