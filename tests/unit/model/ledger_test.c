/*
 * SPDX-License-Identifier: MIT
 *
 * ledger_test.c - viz/model: wakes and their verdicts.
 */
#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

/* Two workers; w0 works, w1 sleeps from 40 us on. */
#define ASLEEP(policy)                                                                             \
	"0 x pool " policy " 2\n"                                                                  \
	"1 w0 none>active start\n"                                                                 \
	"1 w1 none>active start\n"                                                                 \
	"20 w1 active>idle no_work 0.0.0>0.1.0\n"                                                  \
	"30 w1 idle>sleepy rounds 0.1.0>0.1.0\n"                                                   \
	"40 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
#define WOKEN                                                                                      \
	"50 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.1\n"                                        \
	"52 w0 wake w1 id1 d1 push 1.1.1>0.1.1\n"                                                  \
	"55 w1 woken 1\n"                                                                          \
	"56 w1 sleeping>idle woken 0.1.1>0.1.1\n"

static uint64_t verdicts(const struct script_result *d, enum doze_verdict v)
{
	return doze_model_totals(d->model)->verdicts[v];
}

/* Expects exactly one wake, with this verdict, and no finding. */
static void only(struct script_result *d, enum doze_verdict v)
{
	CU_ASSERT_EQUAL(d->verdicts, 1);
	CU_ASSERT_EQUAL(d->verdict[0].verdict, v);
	CU_ASSERT_EQUAL(verdicts(d, v), 1);
	CU_ASSERT_EQUAL(d->findings, 0);
}

static void useful(void)
{
	struct script_result *d = script_run(
	    0, ASLEEP("jec") WOKEN "60 w1 idle>active found_stolen 0.1.1>0.0.1\n70 end\n");
	const struct doze_wake *k = &d->verdict[0];

	only(d, DOZE_VERDICT_useful);
	CU_ASSERT_EQUAL(k->notified - k->published, 2000);
	CU_ASSERT_EQUAL(k->awake - k->notified, 3000);
	CU_ASSERT_EQUAL(k->first_job - k->awake, 5000);
	CU_ASSERT_EQUAL(k->waker, 0);
	CU_ASSERT_EQUAL(k->target.index, 1);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 0)->wakes_sent, 1);
	CU_ASSERT_EQUAL(doze_hist_percentile(&doze_model_measures(d->model)->notify_awake, 0.5),
			3000);
	CU_ASSERT_EQUAL(doze_model_futile_ratio(d->model), 0);
}

/* The finder wakes another worker before it runs the job that it found; a third one sleeps. */
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

/* At level states the start may not be recorded, and a later one must not stand in for it. */
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

/* At level states, posts that changed no counter are not in the trace; the jobs run reveal them. */
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

static void useful_in_spite_of_a_near_miss(void)
{
	only(script_run(0,
			ASLEEP("jec") WOKEN "60 w1 idle>sleepy rounds 0.1.2>0.1.2\n"
					    "61 w1 abort jec\n"
					    "62 w1 sleepy>idle jec_changed\n"
					    "63 w1 idle>active found_local 0.1.3>0.0.3\n70 end\n"),
	     DOZE_VERDICT_useful);
}

static void futile(void)
{
	struct script_result *d =
	    script_run(0, ASLEEP("jec") WOKEN "60 w1 idle>sleepy rounds 0.1.1>0.1.1\n"
					      "65 w1 sleepy>sleeping rounds 0.1.1>1.1.1\n"
					      "70 end\n");

	only(d, DOZE_VERDICT_futile);
	CU_ASSERT_EQUAL(d->verdict[0].ended - d->verdict[0].awake, 10000);
	CU_ASSERT_EQUAL(doze_model_futile_ratio(d->model), 1);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 0)->futile_sent, 1);
}

/* Two wakes of one sleep, then a futile one: only the latency of the useful wake is split. */
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
	CU_ASSERT_EQUAL(s->publish_notify.n, 1); /* the third has no post */
	CU_ASSERT_EQUAL(s->useful_awake.n, 1);
	CU_ASSERT_EQUAL(s->awake_found.n, 1);
	CU_ASSERT_EQUAL(s->publish_job.n, 1);
	CU_ASSERT_EQUAL(s->notify_awake.n, 2);
	CU_ASSERT_EQUAL(s->publish_notify.sum + s->useful_awake.sum + s->awake_found.sum +
			    s->found_job.sum,
			s->publish_job.sum);
}

static void outside_futile(struct script_result *d, int32_t vtid, unsigned id, unsigned us)
{
	struct doze_event e;
	char line[160];

	snprintf(line, sizeof line, "%u x wake w1 id%u d%u inject 1.1.1>0.1.1", us, id, id);
	CU_ASSERT_TRUE_FATAL(script_parse(line, &e));
	e.vtid = vtid;
	doze_model_feed(d->model, &e);
	snprintf(line, sizeof line,
		 "%u w1 woken %u\n%u w1 sleeping>idle woken\n"
		 "%u w1 idle>sleepy rounds\n%u w1 sleepy>sleeping rounds 0.1.1>1.1.1\n",
		 us + 1, id, us + 1, us + 2, us + 3);
	script_continue(d, line);
}

static void wakers_from_outside(void)
{
	struct script_result *d = script_run(0, ASLEEP("jec"));
	const struct doze_outside_view *o;

	outside_futile(d, 7, 1, 60);
	outside_futile(d, 8, 2, 70);
	outside_futile(d, 7, 3, 80);
	o = doze_model_outside(d->model, 0, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(o);
	CU_ASSERT_EQUAL(o->vtid, 7);
	CU_ASSERT_EQUAL(o->wakes_sent, 2);
	CU_ASSERT_EQUAL(o->futile_sent, 2);
	o = doze_model_outside(d->model, 0, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(o);
	CU_ASSERT_EQUAL(o->vtid, 8);
	CU_ASSERT_EQUAL(o->futile_sent, 1);
	CU_ASSERT_PTR_NULL(doze_model_outside(d->model, 0, 2));
	CU_ASSERT_PTR_NULL(doze_model_outside(d->model, 1, 0));
	for (int32_t i = 0; i < 70; i++)
		outside_futile(d, 100 + i, 10 + (unsigned)i, 100 + 10 * (unsigned)i);
	o = doze_model_outside(d->model, 0, 64); /* 8 more than the table holds */
	CU_ASSERT_PTR_NOT_NULL_FATAL(o);
	CU_ASSERT_EQUAL(o->vtid, -1);
	CU_ASSERT_EQUAL(o->futile_sent, 8);
	CU_ASSERT_PTR_NULL(doze_model_outside(d->model, 0, 65));
}

static void latch(void)
{
	only(script_run(0, ASLEEP("jec") "50 w0 latch sleeping>set w1 id4\n"
					 "52 w0 wake w1 id1 d1 latch 1.1.1>0.1.1\n"
					 "55 w1 woken 1\n"
					 "56 w1 sleeping>idle woken\n60 end\n"),
	     DOZE_VERDICT_latch);
	only(script_run(0, ASLEEP("jec") WOKEN "60 w1 idle>active latch_set 0.1.1>0.0.1\n70 end\n"),
	     DOZE_VERDICT_latch);
}

/* `tickle` wakes all for a latch: only its owner is a latch wake. */
static void latch_for_all(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool tickle 3\n1 w0 none>active start\n1 w1 none>active start\n"
			  "1 w2 none>active start\n"
			  "2 w1 active>idle no_work\n3 w1 idle>sleepy rounds\n"
			  "4 w1 sleepy>sleeping rounds\n"
			  "5 w2 active>idle no_work\n6 w2 idle>sleepy rounds\n"
			  "7 w2 sleepy>sleeping rounds\n"
			  "10 w0 wake w1 id1 d1 latch all\n"
			  "10 w0 wake w2 id2 d1 latch all\n"
			  "11 w1 woken 1\n12 w1 sleeping>idle woken\n"
			  "13 w2 woken 2\n14 w2 sleeping>idle woken\n"
			  "15 w1 idle>active latch_set\n"
			  "16 w2 idle>sleepy rounds\n17 w2 sleepy>sleeping rounds\n20 end\n");

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_latch), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_futile), 1);
	CU_ASSERT_EQUAL(d->findings, 0);
}

static void terminate(void)
{
	only(script_run(0, ASLEEP("jec") "50 x wake w1 id1 d1 terminate 1.1.1>0.1.1\n"
					 "55 w1 woken 1\n"
					 "56 w1 sleeping>idle woken\n"
					 "57 w1 idle>active latch_set 0.1.1>0.0.1\n60 end\n"),
	     DOZE_VERDICT_terminate);
}

static void terminate_without_its_cause(void)
{
	/* another wake, but the worker then finds that its terminate latch is set */
	only(script_run(0, ASLEEP("jec") WOKEN "57 x latch sleepy>set w1 id4 terminate\n"
					       "60 w1 idle>active latch_set 0.1.1>0.0.1\n"
					       "61 w1 active>stopped terminate\n70 end\n"),
	     DOZE_VERDICT_terminate);
	/* its latch is set to end the pool */
	only(script_run(0, ASLEEP("jec") "50 x latch sleeping>set w1 id4 terminate\n"
					 "52 x wake w1 id1 d1 latch 1.1.1>0.1.1\n55 w1 woken 1\n"
					 "56 w1 sleeping>idle woken\n"
					 "57 w1 idle>active latch_set 0.1.1>0.0.1\n"
					 "58 w1 active>stopped terminate\n60 end\n"),
	     DOZE_VERDICT_terminate);
	/* a join that could continue, at the end of the last job */
	only(script_run(0, ASLEEP("jec") "50 w0 latch sleeping>set w1 id4\n"
					 "52 w0 wake w1 id1 d1 latch 1.1.1>0.1.1\n55 w1 woken 1\n"
					 "56 w1 sleeping>idle woken\n"
					 "57 w1 idle>active latch_set 0.1.1>0.0.1\n"
					 "58 w1 active>stopped terminate\n60 end\n"),
	     DOZE_VERDICT_latch);
}

/* The poster loses its CPU between its decision and its wake, while others decide. */
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

/* A sample without its post is counted. */
static void wakes_without_their_post(void)
{
	struct script_result *d = script_run(
	    0, ASLEEP("jec") "52 w0 wake w1 id1 d1 push 1.1.1>0.1.1\n55 w1 woken 1\n"
			     "56 w1 sleeping>idle woken\n60 w1 idle>active found_stolen\n70 end\n");

	CU_ASSERT_EQUAL(doze_model_measures(d->model)->publish_job.n, 0);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->unmeasured, 1);
}

static void redundant_when_awake(void)
{
	only(script_run(0, "0 x pool jec 2\n1 w0 none>active start\n1 w1 none>active start\n"
			   "50 w0 wake w1 id1 d1 push\n60 end\n"),
	     DOZE_VERDICT_redundant);
}

static void redundant_when_owned(void)
{
	struct script_result *d =
	    script_run(0, ASLEEP("rfc") "52 w0 wake w1 id1 d1 push\n"
					"53 x wake w1 id2 d2 inject\n"
					"55 w1 woken 1\n"
					"56 w1 sleeping>idle woken 1.1.0>0.1.0\n"
					"60 w1 idle>active found_stolen\n70 end\n");

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_redundant), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_useful), 1);
	CU_ASSERT_EQUAL(d->verdict[0].wake_id, 2);
	CU_ASSERT_EQUAL(script_findings(d, "wake-pair"), 0);
}

static void self(void)
{
	struct script_result *d =
	    script_run(0, ASLEEP("tickle") "55 w1 woken 0\n"
					   "56 w1 sleeping>idle self_wake\n"
					   "60 w1 idle>active found_stolen\n70 end\n");

	only(d, DOZE_VERDICT_self);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->wakes, 0);
}

static void unresolved_at_the_end(void)
{
	only(script_run(0, ASLEEP("jec") WOKEN "70 end\n"), DOZE_VERDICT_unresolved);
	only(script_run(0, ASLEEP("jec") "52 w0 wake w1 id1 d1 push\n70 end\n"),
	     DOZE_VERDICT_unresolved);
}

static void unresolved_after_a_loss(void)
{
	only(script_run(0,
			ASLEEP("jec") WOKEN "58 lost 57 1\n"
					    "60 w1 idle>active found_stolen 0.1.1>0.0.1\n70 end\n"),
	     DOZE_VERDICT_unresolved);
}

static void certain_again_after_a_loss(void)
{
	struct script_result *d =
	    script_run(0, ASLEEP("jec") "45 lost 43 0\n" WOKEN "60 w1 idle>active found_stolen\n"
					"61 w1 active>idle no_work\n"
					"62 w1 idle>sleepy rounds\n"
					"63 w1 sleepy>sleeping rounds\n"
					"64 w0 wake w1 id2 d2 push\n"
					"65 w1 woken 2\n66 w1 sleeping>idle woken\n"
					"67 w1 idle>active found_stolen\n"
					"70 end\n");

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_unresolved), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_useful), 1);
}

static void early(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 2\n1 w0 none>active start\n1 w1 none>active start\n"
			  "20 w1 active>idle no_work 0.0.0>0.1.0\n"
			  "30 w1 idle>sleepy rounds 0.1.0>0.1.0\n"
			  "39 w0 wake w1 id1 d1 push 1.1.1>0.1.1\n"
			  "40 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
			  "41 w1 woken 1\n42 w1 sleeping>idle woken\n"
			  "60 w1 idle>active found_stolen\n70 end\n");

	only(d, DOZE_VERDICT_useful);
}

static void pairs(void)
{
	struct script_result *d = script_run(0, ASLEEP("jec") "55 w1 woken 9\n");

	CU_ASSERT_EQUAL(script_findings(d, "wake-pair"), 1);
	d = script_run(0, ASLEEP("jec") "52 w0 wake w1 id1 d1 push\n56 w1 sleeping>idle woken\n"
					"60 w1 idle>active found_stolen\n");
	CU_ASSERT_EQUAL(script_findings(d, "wake-pair"), 1);
}

/* The worker's own two events may stand in either order in the stream. */
static void either_order(void)
{
	only(script_run(0, ASLEEP("jec") "52 w0 wake w1 id1 d1 push\n56 w1 sleeping>idle woken\n"
					 "56 w1 woken 1\n60 w1 idle>active found_stolen\n70 end\n"),
	     DOZE_VERDICT_useful);
}

/* A condition variable does not report which thread it wakes. */
static void without_a_target(void)
{
	struct script_result *d = script_run(
	    0, ASLEEP("condvar") "52 w0 wake x id1 d1 push\n55 w1 woken 1\n"
				 "56 w1 sleeping>idle woken\n"
				 "60 w1 idle>active found_stolen\n61 w0 wake x id2 d2 push\n"
				 "70 end\n");

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_useful), 1);
	CU_ASSERT_EQUAL(d->verdict[0].target.index, 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_unresolved), 1);
	CU_ASSERT_EQUAL(script_findings(d, "wake-pair"), 0);
}

/* A signal that reached no sleeper: certain once the pool has stopped, or once more signals
 * followed than a condition variable can remember. Neither case means that the table was too small.
 */
static void signals_that_met_nobody(void)
{
	struct script_result *d =
	    script_run(0, ASLEEP("forkjoin") "51 w0 wake x id1 d1 push\n52 w0 wake x id2 d2 push\n"
					     "55 w1 woken 2\n56 w1 sleeping>idle woken\n"
					     "60 w1 idle>active found_stolen\n"
					     "80 x pool stop\n90 end\n");
	char line[64];

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_useful), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_redundant), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_unresolved), 0);
	d = script_run(0, ASLEEP("forkjoin"));
	for (int i = 1; i <= 1030; i++) {
		snprintf(line, sizeof line, "%d w0 wake x id%d d%d push\n", 100 + i, i, i);
		script_continue(d, line);
	}
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_redundant), 6);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->evicted, 0);
	d = script_run(0, ASLEEP("forkjoin") "51 w0 wake x id1 d1 push\n53 lost 52 1\n"
					     "80 x pool stop\n90 end\n");
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_unresolved), 1);
}

static const struct suite_test tests[] = {
    {"amplification uses the number of jobs run when it exceeds the jobs posted",
     counts_the_jobs_that_were_run},
    {"a wake whose target ran a job is useful", useful},
    {"a wake stays useful when a sleep was averted in between", useful_in_spite_of_a_near_miss},
    {"the first job is its recorded start; the finder's wakes are a part of their own",
     first_job_is_the_recorded_start},
    {"without a recorded start, the first job is when it was found", first_job_without_a_start},
    {"a wake whose target slept again is futile", futile},
    {"all parts of the latency cover the same useful wakes", parts_of_useful_wakes},
    {"each outside waker has its own row", wakers_from_outside},
    {"a wake of the latch's owner is a latch wake", latch},
    {"when all are woken, only the owner's wake is a latch wake", latch_for_all},
    {"a wake to terminate has its own verdict", terminate},
    {"a wake that ended in termination is a wake to terminate", terminate_without_its_cause},
    {"a poster delayed by hundreds of decisions loses no sample", delayed_poster},
    {"a useful wake without its post is counted", wakes_without_their_post},
    {"a wake of an awake worker is redundant", redundant_when_awake},
    {"the second wake of one sleep is redundant", redundant_when_owned},
    {"a self-wake is credited to no waker", self},
    {"a wake still open at the end is unresolved", unresolved_at_the_end},
    {"lost events make a verdict unresolved", unresolved_after_a_loss},
    {"verdicts are certain again some time after a loss", certain_again_after_a_loss},
    {"a wake's timestamp may precede the sleep's", early},
    {"finds a woken event without a wake, and the reverse", pairs},
    {"a wake without a target is matched with the worker that woke", without_a_target},
    {"a signal that reached no sleeper is redundant", signals_that_met_nobody},
    {"a woken event and its transition may come in either order", either_order},
};
SUITE_MAIN("model: ledger", tests)
