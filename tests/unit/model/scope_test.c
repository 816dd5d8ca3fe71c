/*
 * SPDX-License-Identifier: MIT
 *
 * scope_test.c - viz/model: what the counts of a selected part of the trace include.
 */
#include <stdio.h>
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

/* Two herds: while all four workers sleep, one decision wakes them at 100 us and another at 5000
 * us, for one job each. w0 finds the job, and the others go back to sleep. In between, w0 averts a
 * sleep. At 8000 us, w3 wakes w2. */
#define SLEEPS(t, w)                                                                               \
#t " w" #w " active>idle no_work\n" #t " w" #w " idle>sleepy rounds\n" #t " w" #w          \
	   " sleepy>sleeping rounds\n"
#define WOKEN(t, w, id) #t " w" #w " woken " #id "\n" #t " w" #w " sleeping>idle woken\n"
#define FUTILE(t, w)    #t " w" #w " idle>sleepy rounds\n" #t " w" #w " sleepy>sleeping rounds\n"
#define USEFUL(t, w)    #t " w" #w " idle>active found_injected\n"
static const char herds[] =
    "0 x pool tickle 4\n0 w0 none>active start\n0 w1 none>active start\n0 w2 none>active start\n"
    "0 w3 none>active start\n" SLEEPS(10, 0) SLEEPS(10, 1) SLEEPS(10, 2) SLEEPS(
	10,
	3) "100 x post injector 1 empty wakes 4 d1\n100 x wake w0 id1 d1 inject all\n"
	   "100 x wake w1 id2 d1 inject all\n100 x wake w2 id3 d1 inject all\n"
	   "100 x wake w3 id4 d1 inject all\n" WOKEN(110, 0, 1) WOKEN(110, 1, 2) WOKEN(110, 2, 3)
	       WOKEN(110, 3, 4) USEFUL(120, 0) FUTILE(150, 1) FUTILE(150, 2) FUTILE(
		   150,
		   3) "1000 w0 active>idle no_work\n1000 w0 idle>sleepy rounds\n1010 w0 abort "
		      "injector\n"
		      "1010 w0 sleepy>idle jec_changed\n1020 w0 idle>active "
		      "found_injected\n" SLEEPS(
			  2000,
			  0) "5000 x post injector 1 empty wakes 4 d2\n5000 x wake w0 id5 d2 "
			     "inject all\n"
			     "5000 x wake w1 id6 d2 inject all\n5000 x wake w2 id7 d2 inject all\n"
			     "5000 x wake w3 id8 d2 inject all\n" WOKEN(5010, 0, 5) WOKEN(
				 5010, 1, 6) WOKEN(5010, 2, 7) WOKEN(5010, 3, 8) FUTILE(5050, 0)
				 FUTILE(5050, 1) FUTILE(5050, 2) USEFUL(
				     5050, 3) "8000 w3 wake w2 id9 d3 push\n" WOKEN(8010, 2, 9)
				     FUTILE(8030, 2) "9000 w3 active>stopped terminate\n9000 end\n";

static void select_worker(struct doze_model_options *o, int worker)
{
	char list[12];

	snprintf(list, sizeof list, "%d", worker);
	CU_ASSERT_TRUE_FATAL(doze_worker_set_parse(&o->selection.workers, list));
}

static struct script_result *part(int64_t from, int64_t to, int worker)
{
	struct doze_model_options o = DOZE_MODEL_DEFAULTS;

	o.selection.from = from * 1000;
	o.selection.to = to == INT64_MAX ? to : to * 1000;
	if (worker >= 0)
		select_worker(&o, worker);
	return script_run(&o, herds);
}

static void keeps_to_the_range(void)
{
	const struct doze_totals *t;
	struct script_result *d = part(3000, 7000, -1);

	t = doze_model_totals(d->model);
	CU_ASSERT_EQUAL(t->storms, 1);
	CU_ASSERT_EQUAL_FATAL(d->storms, 1);
	CU_ASSERT_EQUAL(d->storm[0].decision_id, 2);
	CU_ASSERT_EQUAL(t->wakes, 4);
	CU_ASSERT_EQUAL(t->woken, 4);
	CU_ASSERT_EQUAL(t->outside_wakes, 4);
	CU_ASSERT_EQUAL(doze_model_outside(d->model, 0, 0)->wakes_sent, 4);
	CU_ASSERT_EQUAL(t->verdicts[DOZE_VERDICT_futile], 3);
	CU_ASSERT_EQUAL(t->sleep_aborts[DOZE_ABORT_injector], 0);
	CU_ASSERT_EQUAL(t->jobs_published, 1);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->notify_awake.n, 4);
	CU_ASSERT_EQUAL(doze_model_time_in(d->model, DOZE_STATE_active), 1950000);
	CU_ASSERT_EQUAL(doze_model_time_in(d->model, DOZE_STATE_idle), 4 * 40000);
	CU_ASSERT_EQUAL(doze_model_time_in(d->model, DOZE_STATE_sleeping), 4 * 2010000 + 1950000);
	CU_ASSERT_DOUBLE_EQUAL(doze_model_futile_ratio(d->model), 0.75, 1e-9);
}

/* The herd is notified inside the range, so the verdicts on its wakes count although they come
 * after the range. */
static void follows_to_the_verdict(void)
{
	struct script_result *d = part(100, 105, -1);

	CU_ASSERT_EQUAL(doze_model_totals(d->model)->verdicts[DOZE_VERDICT_futile], 3);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->verdicts[DOZE_VERDICT_useful], 1);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->woken, 4);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->storms, 1);
	d = part(106, 4000, -1);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->wakes, 0);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->woken, 0);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->storms, 0);
}

static void add_part(struct doze_totals *sum, int64_t *ns, int64_t from, int64_t to)
{
	struct script_result *d = part(from, to, -1);
	const struct doze_totals *t = doze_model_totals(d->model);

	sum->wakes += t->wakes;
	sum->woken += t->woken;
	sum->storms += t->storms;
	sum->posts += t->posts;
	sum->jobs_published += t->jobs_published;
	sum->sleep_aborts[DOZE_ABORT_injector] += t->sleep_aborts[DOZE_ABORT_injector];
	for (int v = 0; v < DOZE_VERDICT_COUNT; v++)
		sum->verdicts[v] += t->verdicts[v];
	for (int s = 0; s < DOZE_STATE_COUNT; s++)
		ns[s] += doze_model_time_in(d->model, (enum doze_state)s);
}

/* Cuts the trace at times without events, so no event belongs to two parts. */
static void adds_up(void)
{
	static const int64_t cuts[] = {0, 5, 77, 105, 135, 1005, 3000, 5030, 8005, INT64_MAX};
	struct doze_totals sum = {0};
	const struct doze_totals *t;
	int64_t ns[DOZE_STATE_COUNT] = {0};
	struct script_result *d;

	for (size_t i = 0; i + 1 < sizeof cuts / sizeof cuts[0]; i++)
		add_part(&sum, ns, cuts[i], cuts[i + 1]);
	d = part(0, INT64_MAX, -1);
	t = doze_model_totals(d->model);
	CU_ASSERT_EQUAL(t->wakes, 9);
	CU_ASSERT_EQUAL(sum.wakes, t->wakes);
	CU_ASSERT_EQUAL(sum.woken, t->woken);
	CU_ASSERT_EQUAL(sum.storms, t->storms);
	CU_ASSERT_EQUAL(sum.posts, t->posts);
	CU_ASSERT_EQUAL(sum.jobs_published, t->jobs_published);
	CU_ASSERT_EQUAL(sum.sleep_aborts[DOZE_ABORT_injector], 1);
	for (int v = 0; v < DOZE_VERDICT_COUNT; v++)
		CU_ASSERT_EQUAL(sum.verdicts[v], t->verdicts[v]);
	for (int s = 0; s < DOZE_STATE_COUNT; s++)
		CU_ASSERT_EQUAL(ns[s], doze_model_time_in(d->model, (enum doze_state)s));
}

static void keeps_to_a_worker(void)
{
	struct script_result *d = part(0, INT64_MAX, 2);
	const struct doze_totals *t = doze_model_totals(d->model);

	CU_ASSERT_EQUAL(t->wakes, 3);
	CU_ASSERT_EQUAL(t->woken, 3);
	CU_ASSERT_EQUAL(t->outside_wakes, 2);
	CU_ASSERT_EQUAL(doze_model_outside(d->model, 0, 0)->wakes_sent, 2);
	CU_ASSERT_EQUAL(t->verdicts[DOZE_VERDICT_futile], 3);
	CU_ASSERT_EQUAL(t->storms, 2); /* the worker was woken in both storms */
	CU_ASSERT_EQUAL(t->sleep_aborts[DOZE_ABORT_injector], 0);
	CU_ASSERT_EQUAL(doze_model_time_in(d->model, DOZE_STATE_active), 10000);
	d = part(0, INT64_MAX, 0);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->wakes, 2);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->sleep_aborts[DOZE_ABORT_injector], 1);
	/* The worker's row does not depend on the selection. */
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 3)->wakes_sent, 1);
}

/* Selecting a storm selects its trigger and the workers that it woke, and nothing else. */
static void knows_the_trigger(void)
{
	static const char text[] =
	    "0 x pool tickle 6\n0 w0 none>active start\n0 w5 none>active start\n"
	    "0 w1 none>active start\n0 w2 none>active start\n0 w3 none>active start\n"
	    "0 w4 none>active start\n" SLEEPS(10, 1) SLEEPS(10, 2) SLEEPS(10, 3) SLEEPS(
		10, 4) "100 w0 post local 1 empty wakes 4 d1\n100 w0 wake w1 id1 d1 push all\n"
		       "100 w0 wake w2 id2 d1 push all\n100 w0 wake w3 id3 d1 push all\n"
		       "100 w0 wake w4 id4 d1 push all\n" WOKEN(110, 1, 1) WOKEN(110, 2, 2)
			   WOKEN(110, 3, 3) WOKEN(110, 4, 4) FUTILE(150, 1) FUTILE(150, 2)
			       FUTILE(150, 3) FUTILE(150, 4) "9000 end\n";
	struct doze_model_options o = DOZE_MODEL_DEFAULTS;

	for (int who = 0; who < 6; who++) {
		select_worker(&o, who);
		CU_ASSERT_EQUAL(script_run(&o, text)->storms, who < 5);
	}
}

static void counts_findings_elsewhere(void)
{
	static const char text[] =
	    "0 x pool jec 2\n0 w0 none>active start\n0 w1 none>active start\n"
	    "100 w0 sleepy>idle found_local\n"
	    "200 w1 sleepy>idle found_local\n9000 end\n";
	struct doze_model_options o = DOZE_MODEL_DEFAULTS;
	struct script_result *d = script_run(&o, text);
	size_t all = d->findings, at_first = 0;

	for (size_t i = 0; i < all; i++)
		at_first += d->finding[i].ts - 1000000000 <= 150000;
	CU_ASSERT_TRUE(all >= 2 && at_first >= 1 && at_first < all);
	o.selection.to = 150000;
	d = script_run(&o, text);
	CU_ASSERT_EQUAL(d->findings, at_first);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->findings +
			    doze_model_totals(d->model)->ambiguous,
			at_first);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->elsewhere, all - at_first);
	o = (struct doze_model_options)DOZE_MODEL_DEFAULTS;
	select_worker(&o, 1);
	d = script_run(&o, text);
	CU_ASSERT_EQUAL_FATAL(d->findings, 1);
	CU_ASSERT_EQUAL(d->finding[0].who.index, 1);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->elsewhere, all - 1);
}

static const struct suite_test tests[] = {
    {"only events inside the range are counted", keeps_to_the_range},
    {"the verdict on a wake in the range may depend on later events", follows_to_the_verdict},
    {"the counts of all parts add up to the counts of the whole trace", adds_up},
    {"selecting a worker selects its wakes and the storms that woke it", keeps_to_a_worker},
    {"selecting a worker selects the storms that it triggered, but no unrelated storm",
     knows_the_trigger},
    {"findings outside the selection are counted separately", counts_findings_elsewhere},
};
SUITE_MAIN("model: scope", tests)
