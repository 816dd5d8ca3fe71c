/*
 * SPDX-License-Identifier: MIT
 *
 * ledger_test.c - viz/model: wakes and their verdicts.
 */
#include "one_wake.h"

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
	o = doze_model_outside(d->model, 0, 64); /* 8 more wakes than the table holds */
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

/* `tickle` wakes all workers for a latch, but only the wake of the owner is a latch wake. */
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
	/* after another wake, the worker finds its terminate latch set */
	only(script_run(0, ASLEEP("jec") WOKEN "57 x latch sleepy>set w1 id4 terminate\n"
					       "60 w1 idle>active latch_set 0.1.1>0.0.1\n"
					       "61 w1 active>stopped terminate\n70 end\n"),
	     DOZE_VERDICT_terminate);
	/* the latch is set to terminate the worker */
	only(script_run(0, ASLEEP("jec") "50 x latch sleeping>set w1 id4 terminate\n"
					 "52 x wake w1 id1 d1 latch 1.1.1>0.1.1\n55 w1 woken 1\n"
					 "56 w1 sleeping>idle woken\n"
					 "57 w1 idle>active latch_set 0.1.1>0.0.1\n"
					 "58 w1 active>stopped terminate\n60 end\n"),
	     DOZE_VERDICT_terminate);
	/* the latch of a join is set, and the worker terminates after the join */
	only(script_run(0, ASLEEP("jec") "50 w0 latch sleeping>set w1 id4\n"
					 "52 w0 wake w1 id1 d1 latch 1.1.1>0.1.1\n55 w1 woken 1\n"
					 "56 w1 sleeping>idle woken\n"
					 "57 w1 idle>active latch_set 0.1.1>0.0.1\n"
					 "58 w1 active>stopped terminate\n60 end\n"),
	     DOZE_VERDICT_latch);
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

/* The worker's own two events may appear in either order in the stream. */
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

/* A signal that no worker has answered is known to have reached no sleeper once the pool has
 * stopped, or once DOZE_SIGNAL_SLOTS later signals have been sent. Neither counts as a wake that
 * was evicted for lack of memory. */
static void signals_without_a_sleeper(void)
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
    {"a wake whose target ran a job is useful", useful},
    {"a wake remains useful if a sleep is averted before the job runs",
     useful_in_spite_of_a_near_miss},
    {"a wake whose target slept again is futile", futile},
    {"each outside waker has its own row", wakers_from_outside},
    {"a wake of the latch's owner is a latch wake", latch},
    {"when all workers are woken, only the owner's wake is a latch wake", latch_for_all},
    {"a termination wake has its own verdict", terminate},
    {"a wake whose target terminates is a termination wake", terminate_without_its_cause},
    {"waking an awake worker is redundant", redundant_when_awake},
    {"the second wake of one sleep is redundant", redundant_when_owned},
    {"a self-wake is not credited to any waker", self},
    {"a wake still open at the end is unresolved", unresolved_at_the_end},
    {"lost events make a verdict unresolved", unresolved_after_a_loss},
    {"verdicts are certain again some time after lost events", certain_again_after_a_loss},
    {"a wake may have an earlier timestamp than the sleep that it ends", early},
    {"a woken event without a wake, and a wake without a woken event, are reported", pairs},
    {"a wake without a target is matched with the worker that woke", without_a_target},
    {"a signal that reaches no sleeper is redundant", signals_without_a_sleeper},
    {"a woken event and its transition may come in either order", either_order},
};
SUITE_MAIN("model: ledger", tests)
