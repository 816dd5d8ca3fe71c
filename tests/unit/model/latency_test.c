/*
 * SPDX-License-Identifier: MIT
 *
 * latency_test.c - viz/model: the latency of useful wakes, its parts, and the jobs that follow the
 * wakes.
 */
#include "one_wake.h"

/* A worker that found a job wakes another worker before it runs the job; a third worker sleeps. */
#define FOUND                                                                                      \
	"0 x pool jec 3\n1 w0 none>active start\n1 w1 none>active start\n1 w2 none>active start\n" \
	"20 w1 active>idle no_work\n30 w1 idle>sleepy rounds\n40 w1 sleepy>sleeping rounds\n"      \
	"41 w2 active>idle no_work\n42 w2 idle>sleepy rounds\n43 w2 sleepy>sleeping rounds\n"      \
	"50 w0 post local 1 empty wakes 1 d1\n52 w0 wake w1 id1 d1 push\n55 w1 woken 1\n"          \
	"56 w1 sleeping>idle woken\n60 w1 idle>active found_stolen\n"                              \
	"62 w1 wake w2 id2 d2 work_found\n"

static void first_job_is_the_recorded_start(void)
{
	static const char *const starts[] = {"69 w1 job stolen id7\n", "69 w1 taken stolen id7\n"};

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		struct script_result *d = script_run(0, FOUND);
		const struct doze_measures *s = doze_model_measures(d->model);

		CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_useful), 1);
		CU_ASSERT_EQUAL(d->verdicts, 0);
		script_continue(d, starts[i]);
		CU_ASSERT_EQUAL_FATAL(d->verdicts, 1);
		CU_ASSERT_EQUAL(d->verdict[0].found - d->verdict[0].awake, 5000);
		CU_ASSERT_EQUAL(d->verdict[0].first_job - d->verdict[0].awake, 14000);
		CU_ASSERT_EQUAL(s->awake_found.sum, 5000);
		CU_ASSERT_EQUAL(s->found_job.sum, 9000);
		CU_ASSERT_EQUAL(s->publish_job.sum, 19000);
	}
}

/* Level `states` may omit the start of a job. The start of a later job must not be used in its
 * place. */
static void first_job_without_a_start(void)
{
	static const char *const later[] = {"65 w1 active>idle no_work 0.0.1>0.1.1\n",
					    "65 w1 taken local id8\n",
					    "65 w1 taken stolen id8 skipped2\n"};

	for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
		struct script_result *d = script_run(
		    0, ASLEEP("jec") WOKEN "60 w1 idle>active found_stolen 0.1.1>0.0.1\n");

		script_continue(d, later[i]);
		script_continue(d, "90 end\n");
		only(d, DOZE_VERDICT_useful);
		CU_ASSERT_EQUAL(d->verdict[0].first_job, d->verdict[0].found);
	}
}

/* Level `states` omits posts that changed no counter; the count of jobs run reveals them. */
static void counts_the_jobs_that_were_run(void)
{
	struct script_result *d = script_run(0, ASLEEP("jec") WOKEN);
	struct doze_event e;

	CU_ASSERT_DOUBLE_EQUAL(doze_model_amplification(d->model), 0, 1e-9);
	CU_ASSERT_TRUE_FATAL(script_parse("60 w1 idle>active found_stolen 0.1.1>0.0.1", &e));
	e.u.state.jobs_published = 1;
	e.u.state.jobs_run = 4;
	doze_model_feed(d->model, &e);
	CU_ASSERT_DOUBLE_EQUAL(doze_model_amplification(d->model), 0.25, 1e-9);
}

/* Two wakes of one sleep, then a futile wake: only the latency of the useful wake is split. */
static void parts_of_useful_wakes(void)
{
	struct script_result *d = script_run(
	    0, ASLEEP("jec") WOKEN "57 w0 post local 1 empty wakes 1 d2 0.1.1>0.1.1\n"
				   "58 w0 wake w1 id2 d2 push 0.1.1>0.1.1\n"
				   "60 w1 idle>active found_stolen 0.1.1>0.0.1\n"
				   "62 w1 active>idle no_work 0.0.1>0.1.1\n"
				   "63 w1 idle>sleepy rounds 0.1.1>0.1.1\n"
				   "65 w1 sleepy>sleeping rounds 0.1.1>1.1.1\n"
				   "70 w0 wake w1 id3 d3 work_found 1.1.1>0.1.1\n"
				   "80 w1 woken 3\n80 w1 sleeping>idle woken\n"
				   "90 w1 idle>active found_stolen 0.1.1>0.0.1\n99 end\n");
	const struct doze_measures *s = doze_model_measures(d->model);

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_useful), 2);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_redundant), 1);
	CU_ASSERT_EQUAL(s->publish_notify.n, 1); /* the third wake has no post */
	CU_ASSERT_EQUAL(s->useful_awake.n, 1);
	CU_ASSERT_EQUAL(s->awake_found.n, 1);
	CU_ASSERT_EQUAL(s->publish_job.n, 1);
	CU_ASSERT_EQUAL(s->notify_awake.n, 2);
	CU_ASSERT_EQUAL(s->publish_notify.sum + s->useful_awake.sum + s->awake_found.sum +
			    s->found_job.sum,
			s->publish_job.sum);
}

/* The poster is preempted between its decision and its wake, while other threads make decisions. */
static void delayed_poster(void)
{
	struct script_result *d =
	    script_run(0, ASLEEP("jec") "50 x post injector 1 empty wakes 1 d1 1.1.0>1.1.1\n");
	char line[96];

	for (int i = 2; i <= 400; i++) {
		snprintf(line, sizeof line, "%d w0 post local 1 full wakes 1 d%d 1.1.1>1.1.1\n",
			 50 + i, i);
		script_continue(d, line);
	}
	script_continue(d, "5000 x wake w1 id1 d1 inject 1.1.1>0.1.1\n5001 w1 woken 1\n"
			   "5002 w1 sleeping>idle woken\n5003 w1 idle>active found_injected\n"
			   "6000 end\n");
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->publish_job.n, 1);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->publish_job.max, 4953000);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->unmeasured, 0);
}

/* A sample whose post is not in the trace still counts. */
static void wakes_without_their_post(void)
{
	struct script_result *d = script_run(
	    0, ASLEEP("jec") "52 w0 wake w1 id1 d1 push 1.1.1>0.1.1\n55 w1 woken 1\n"
			     "56 w1 sleeping>idle woken\n60 w1 idle>active found_stolen\n70 end\n");

	CU_ASSERT_EQUAL(doze_model_measures(d->model)->publish_job.n, 0);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->unmeasured, 1);
}

static const struct suite_test tests[] = {
    {"amplification is computed from the jobs that ran if they outnumber the jobs posted",
     counts_the_jobs_that_were_run},
    {"a job's recorded start ends the latency, even if the finder sends wakes before it",
     first_job_is_the_recorded_start},
    {"if no start is recorded, the time at which the first job was found is used instead",
     first_job_without_a_start},
    {"all parts of the latency are measured on the same useful wakes", parts_of_useful_wakes},
    {"no sample is lost if a poster is delayed by hundreds of decisions", delayed_poster},
    {"a useful wake without its post is counted", wakes_without_their_post},
};
SUITE_MAIN("model: latency", tests)
