/*
 * SPDX-License-Identifier: MIT
 *
 * why_test.c - viz/explain: the chain of causes that explains a job, a worker or a time in
 * synthetic traces. Times are in us; the outside thread is 99.
 */
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"
#include "viz/explain/why.h"

static struct doze_model *model;
static struct doze_why_answer a;

static void free_model(void)
{
	doze_model_free(model);
	model = NULL;
}

static const struct doze_why_answer *ask(const char *what, const char *text)
{
	struct doze_why_question q = {.to = INT64_MAX, .cpus = 2};

	free_model();
	if (*what)
		CU_ASSERT_PTR_NULL_FATAL(doze_check_why(what, &q));
	model = doze_with_why(doze_model_new(NULL, NULL), &q);
	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n')
		script_feed_line(model, s);
	CU_ASSERT_TRUE_FATAL(doze_why_answer(model, &a));
	return &a;
}

static bool says(const char *part)
{
	bool found = strstr(a.headline, part) != NULL;

	if (!found)
		fprintf(stderr, "no '%s' in: %s\n", part, a.headline);
	return found;
}

/* Returns the first step of the given kind, or null. */
static const struct doze_why_step *step(enum doze_event_kind kind)
{
	for (size_t i = 0; i < a.count; i++)
		if (a.step[i].kind == kind)
			return &a.step[i];
	return NULL;
}

static bool step_says(enum doze_event_kind kind, const char *part)
{
	const struct doze_why_step *s = step(kind);
	bool found = s && (strstr(s->text, part) || strstr(s->rule, part));

	if (!found)
		fprintf(stderr, "no '%s' in: %s\n", part, s ? s->text : "(no step)");
	return found;
}

#define START                                                                                      \
	"0 x pool jec 2\n"                                                                         \
	"0 w0 none>active start\n0 w1 none>active start\n"
#define W1_SLEEPS                                                                                  \
	"100 w1 active>idle no_work 0.0.0>0.1.0\n105 w1 idle>sleepy rounds\n"                      \
	"110 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
#define STOP(us)                                                                                   \
	us " w0 active>stopped terminate\n" us " w1 active>stopped terminate\n" us " x pool "      \
	   "stop\n" us " end\n"

/* A job from outside wakes w1 immediately, but w1 does not run for another 5 ms. */
#define LATE_WAKE                                                                                  \
	START W1_SLEEPS "200 x post injector 1 empty wakes 1 d7 1.1.0>1.1.1 saw 0 1 job42\n"       \
			"205 x wake w1 id3 d7 inject 1.1.1>0.1.1\n"                                \
			"5205 w1 woken 3\n5206 w1 sleeping>idle woken\n"                           \
			"5216 w1 idle>active found_injected 0.1.1>0.0.1\n"                         \
			"5217 w1 job injected id42\n5300 w1 ended id42\n" STOP("9000")

static void blames_a_worker_that_was_not_run(void)
{
	ask("0x2a", LATE_WAKE);
	CU_ASSERT_TRUE(a.found);
	CU_ASSERT_EQUAL(a.delay, 5017000);
	CU_ASSERT_TRUE(says("Job 0x2a started 5.02 ms after its post"));
	CU_ASSERT_TRUE(says("worker 1, which was woken for it, did not run for 5.00 ms"));
	CU_ASSERT_TRUE(says("only 1 worker was active on 2 CPUs"));
}

static void lists_the_chain_backwards_with_its_rules(void)
{
	static const enum doze_event_kind kinds[] = {DOZE_EV_job_start, DOZE_EV_worker_state,
						     DOZE_EV_woken,     DOZE_EV_wake,
						     DOZE_EV_post,      DOZE_EV_worker_state};

	ask("0x2a", LATE_WAKE);
	CU_ASSERT_EQUAL_FATAL(a.count, sizeof kinds / sizeof *kinds);
	for (size_t i = 0; i < a.count; i++) {
		CU_ASSERT_EQUAL(a.step[i].kind, kinds[i]);
		CU_ASSERT_TRUE(!i || a.step[i].ts <= a.step[i - 1].ts);
		CU_ASSERT_PTR_NOT_NULL(strstr(a.step[i].command, "timeline --from="));
	}
	CU_ASSERT_TRUE(step_says(DOZE_EV_woken, "5.00 ms after it was notified"));
	CU_ASSERT_TRUE(step_says(DOZE_EV_wake, "starting with number 0"));
	CU_ASSERT_TRUE(step_says(DOZE_EV_post, "0 searching and 1 sleeping"));
	CU_ASSERT_TRUE(step_says(DOZE_EV_post, "min(jobs, sleepers)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(a.step[5].text, "Worker 1 falls asleep"));
	CU_ASSERT_FALSE(a.truncated);
}

static void finds_the_same_delay_by_worker_and_by_time(void)
{
	ask("w1", LATE_WAKE);
	CU_ASSERT_TRUE(says("Job 0x2a started 5.02 ms after its post"));
	ask("3ms", LATE_WAKE);
	CU_ASSERT_TRUE(says("Job 0x2a started 5.02 ms after its post"));
	ask("", LATE_WAKE);
	CU_ASSERT_TRUE(says("Job 0x2a started 5.02 ms after its post"));
	ask("w0", LATE_WAKE);
	CU_ASSERT_FALSE(a.found);
	CU_ASSERT_TRUE(says("never late"));
}

/* If jobs are not recorded, the chain of causes ends with the wake instead of a job. */
static void explains_a_wake_without_a_job(void)
{
	ask("w1", START W1_SLEEPS "200 x post injector 1 empty wakes 1 d7 1.1.0>1.1.1 saw 0 1\n"
				  "205 x wake w1 id3 d7 inject 1.1.1>0.1.1\n"
				  "5205 w1 woken 3\n5206 w1 sleeping>idle woken\n"
				  "5216 w1 idle>active found_injected 0.1.1>0.0.1\n" STOP("9000"));
	CU_ASSERT_EQUAL(a.delay, 5000000);
	CU_ASSERT_TRUE(says("Worker 1 ran 5.00 ms after it was notified"));
	CU_ASSERT_TRUE(step_says(DOZE_EV_post, "decides to wake 1 worker"));
}

/* w0 posts a job, wakes no worker, and runs the job 4 ms later; w1 sleeps. */
#define UNDER_WAKE                                                                                 \
	START W1_SLEEPS "150 w0 job local id5\n"                                                   \
			"200 w0 post local 1 empty wakes 0 d0 1.1.1>1.1.1 saw 0 1 job6\n"          \
			"4200 w0 ended id5\n4201 w0 job local id6\n4300 w0 ended id6\n"            \
			"9000 w1 sleeping>idle self_wake 1.1.1>0.1.1\n"                            \
			"9000 w1 idle>active terminate 0.1.1>0.0.1\n" STOP("9001")

static void blames_the_post_that_woke_nobody(void)
{
	ask("w1", UNDER_WAKE);
	CU_ASSERT_EQUAL(a.delay, 4001000);
	CU_ASSERT_TRUE(says("Job 0x6 started 4.00 ms after its post while worker 1 slept"));
	CU_ASSERT_TRUE(says("1 post during its sleep woke no worker"));
	CU_ASSERT_TRUE(says("worker 0, which took it, ran other code until then"));
	CU_ASSERT_TRUE(says("the post woke none of 1 sleeper"));
	ask("0x6", UNDER_WAKE);
	CU_ASSERT_TRUE(says("the post woke none of 1 sleeper"));
	CU_ASSERT_TRUE(step_says(DOZE_EV_post, "decides to wake no worker"));
}

/* w0 sets the latch that w1 sleeps on, and does not wake w1. */
#define LOST_LATCH                                                                                 \
	START "90 w1 latch unset>sleepy w1 id5\n" W1_SLEEPS                                        \
	      "111 w1 latch sleepy>sleeping w1 id5\n400 w0 job local id8\n"                        \
	      "500 w0 latch sleeping>set w1 id5\n600 w0 ended id8\n"                               \
	      "500000 w0 snapshot active jec 2 1.1.0>1.1.0\n500000 end\n"

static void names_who_set_the_latch_of_an_endless_sleep(void)
{
	ask("w1", LOST_LATCH);
	CU_ASSERT_TRUE(says("Worker 1 sleeps for 500 ms until the trace ends"));
	CU_ASSERT_TRUE(says("worker 0 set latch L1"));
	CU_ASSERT_TRUE(step_says(DOZE_EV_latch, "on which worker 1 sleeps"));
	CU_ASSERT_TRUE(step_says(DOZE_EV_latch, "must wake the owner"));
	CU_ASSERT_TRUE(step_says(DOZE_EV_job_start, "Worker 0 starts job 0x8"));
	ask("400ms", LOST_LATCH);
	CU_ASSERT_TRUE(says("worker 0 set latch L1"));
}

static void says_that_a_job_never_started(void)
{
	ask("0x6",
	    START W1_SLEEPS "200 x post injector 1 empty wakes 0 d0 1.1.1>1.1.1 saw 0 1 job6\n"
			    "500000 w0 snapshot active jec 2 1.1.0>1.1.0\n500000 end\n");
	CU_ASSERT_TRUE(a.found);
	CU_ASSERT_TRUE(says("Job 0x6 was posted 500 ms before the end of the trace"));
	CU_ASSERT_EQUAL(a.count, 1);
}

static void says_what_ended_a_quiet_time(void)
{
	ask("150us", LATE_WAKE);
	CU_ASSERT_TRUE(says("No recorded job waited then: 1 worker active, 0 searching, 1 asleep"));
	CU_ASSERT_TRUE(says("posted by an outside thread (vtid 99), at 0.000200s"));
}

/* The chain continues through the poster: w0 was woken for the job that posts the late job. */
static void goes_on_through_the_poster(void)
{
	ask("0x6",
	    START "100 w0 active>idle no_work 0.0.0>0.1.0\n105 w0 idle>sleepy rounds\n"
		  "110 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"
		  "200 x post injector 1 empty wakes 1 d1 1.1.0>1.1.1 saw 0 1 job5\n"
		  "201 x wake w0 id1 d1 inject 1.1.1>0.1.1\n210 w0 woken 1\n"
		  "211 w0 sleeping>idle woken\n212 w0 idle>active found_injected 0.1.1>0.0.1\n"
		  "213 w0 job injected id5\n"
		  "300 w0 post local 1 empty wakes 0 d0 0.0.1>0.0.1 saw 0 0 job6\n"
		  "900 w0 ended id5\n901 w0 job local id6\n" STOP("9000"));
	CU_ASSERT_EQUAL(a.delay, 601000);
	CU_ASSERT_EQUAL(a.step[a.count - 1].ts, step(DOZE_EV_worker_state) ? 1000110000 : 0);
	CU_ASSERT_TRUE(step_says(DOZE_EV_wake, "notifies worker 0"));
	CU_ASSERT_EQUAL(step(DOZE_EV_post)->worker, 0);
	CU_ASSERT_EQUAL(a.step[a.count - 2].worker, -1);
}

static void refuses_what_the_trace_lacks(void)
{
	struct doze_why_question q = {0};

	ask("0x77", LATE_WAKE);
	CU_ASSERT_FALSE(a.found);
	CU_ASSERT_PTR_NOT_NULL(doze_check_why("0x", &q));
	CU_ASSERT_PTR_NOT_NULL(doze_check_why("w", &q));
	CU_ASSERT_PTR_NOT_NULL(doze_check_why("w-1", &q));
	CU_ASSERT_PTR_NOT_NULL(doze_check_why("worker", &q));
	CU_ASSERT_PTR_NOT_NULL(doze_check_why("0x10000000000000000", &q));
	CU_ASSERT_EQUAL(q.kind, DOZE_WHY_none);
}

static const struct suite_test tests[] = {
    {"a worker that is notified but does not run is named as the cause",
     blames_a_worker_that_was_not_run},
    {"the chain of causes runs backwards, with the rule of each step",
     lists_the_chain_backwards_with_its_rules},
    {"questions about a worker, about a time and without a subject find the same delay",
     finds_the_same_delay_by_worker_and_by_time},
    {"a late wake is explained without recorded jobs", explains_a_wake_without_a_job},
    {"the delay of a job that waits while a worker sleeps is blamed on its post",
     blames_the_post_that_woke_nobody},
    {"the explanation of an endless sleep names the thread that set the latch",
     names_who_set_the_latch_of_an_endless_sleep},
    {"a job that never started can be found through its post", says_that_a_job_never_started},
    {"a quiet period ends with the next post", says_what_ended_a_quiet_time},
    {"the chain of causes continues through the poster", goes_on_through_the_poster},
    {"malformed questions, and questions about jobs that the trace lacks, are rejected",
     refuses_what_the_trace_lacks},
};
SUITE_MAIN("why: the chain behind a delay", tests)
