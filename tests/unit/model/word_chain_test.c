/*
 * SPDX-License-Identifier: MIT
 *
 * word_chain_test.c - viz/model: the counters word, histograms.
 */
#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

#define TWO   "0 x pool jec 2\n1 w0 none>active start\n1 w1 none>active start\n"
#define LATER "20000 x mark later\n"

static void agrees(void)
{
	struct script_result *d =
	    script_run(0, TWO "10 w0 active>idle no_work 0.0.0>0.1.0\n"
			      "11 w1 active>idle no_work 0.1.0>0.2.0\n" LATER);

	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->steps, 2);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->reordered, 0);
}

/* w0 changed the word first, but was preempted before it could emit the event. */
static void reorders(void)
{
	struct script_result *d =
	    script_run(0, TWO "11 w1 active>idle no_work 0.1.0>0.2.0\n"
			      "12 w1 jec sleepy 0.2.1>0.2.2\n"
			      "13 x post injector 1 empty wakes 0 d0 0.2.0>0.2.1\n"
			      "14 w0 active>idle no_work 0.0.0>0.1.0\n"
			      "15 w1 idle>sleepy rounds 0.2.2>0.2.2\n"
			      "16 w1 sleepy>sleeping rounds 0.2.2>1.2.2\n" LATER);

	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_TRUE(doze_model_measures(d->model)->reordered > 0);
}

/* The same value occurs again, so matching old and new values alone cannot order the changes. */
static void decides_twins(void)
{
	struct script_result *d =
	    script_run(0, TWO "10 w0 active>idle no_work 0.0.0>0.1.0\n"
			      "12 w1 active>idle no_work 0.0.0>0.1.0\n"
			      "13 w0 idle>active found_local 0.1.0>0.0.0\n" LATER
			      "20001 w0 active>idle no_work 0.1.0>0.2.0\n"
			      "40000 x mark later\n");

	CU_ASSERT_EQUAL(d->findings, 0);
}

/* A thread may wait for a CPU for any length of time, so only the end of the trace proves that an
 * event is missing. */
static void finds_missing_step(void)
{
	struct script_result *d =
	    script_run(0, TWO "20 w1 active>idle no_work 0.1.0>0.2.0\n" LATER);

	CU_ASSERT_EQUAL(d->findings, 0); /* w0 may have been preempted */
	script_continue(d, "300000 x mark very-late\n");
	CU_ASSERT_EQUAL(d->findings, 0);
	script_continue(d, "300000 end\n");
	CU_ASSERT_EQUAL(script_findings(d, "chain"), 1);
	d = script_run(0, TWO "20 w1 active>idle no_work 0.1.0>0.2.0\n50 x pool stop\n");
	CU_ASSERT_EQUAL(script_findings(d, "chain"), 1);
	d = script_run(0, TWO "20 w0 active>idle no_work 0.0.0>0.1.0\n"
			      "21 w0 idle>sleepy rounds 0.1.0>0.1.0\n"
			      "22 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"
			      "30 w1 active>idle no_work 1.1.2>1.2.2\n"
			      "31 w1 idle>sleepy rounds 1.2.2>1.2.2\n"
			      "32 w1 sleepy>sleeping rounds 1.2.2>2.2.2\n" LATER "300000 end\n");
	CU_ASSERT_EQUAL(script_findings(d, "chain"), 1);
}

/* On a busy machine, a thread was preempted for more than 200 ms between its change of the word and
 * the event. */
static void waits_for_preempted_thread(void)
{
	struct script_result *d =
	    script_run(0, TWO "20 w1 active>idle no_work 0.1.0>0.2.0\n300000 x mark late\n"
			      "300010 w0 active>idle no_work 0.0.0>0.1.0\n600000 end\n");

	CU_ASSERT_EQUAL(d->findings, 0);
	/* An outside thread decrements the count of sleepers for w0, and w1 falls asleep before
	 * that thread reports the change. */
	d = script_run(0, TWO "10 w0 active>idle no_work 0.0.0>0.1.0\n"
			      "12 w0 idle>sleepy rounds 0.1.0>0.1.0\n"
			      "13 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"
			      "20 w1 active>idle no_work 0.1.0>0.2.0\n"
			      "21 w1 idle>sleepy rounds 0.2.0>0.2.0\n"
			      "22 w1 sleepy>sleeping rounds 0.2.0>1.2.0\n" LATER
			      "300016 x wake w0 id1 d1 latch 1.1.0>0.1.0\n300017 w0 woken 1\n"
			      "300018 w0 sleeping>idle woken\n600000 end\n");
	CU_ASSERT_EQUAL(d->findings, 0);
}

/* A worker may also be preempted between its woken event and its next state. */
static void waits_for_leaving_worker(void)
{
	struct script_result *d = script_run(
	    0, TWO "10 w0 active>idle no_work 0.0.0>0.1.0\n"
		   "12 w0 idle>sleepy rounds 0.1.0>0.1.0\n"
		   "13 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"
		   "16 x wake w0 id1 d1 latch 1.1.0>0.1.0\n"
		   "17 w0 woken 1\n" LATER "20001 w0 sleeping>idle woken\n40000 x mark later\n");

	CU_ASSERT_EQUAL(d->findings, 0);
}

static void finds_wrong_counts(void)
{
	struct script_result *d =
	    script_run(0, TWO "10 w0 active>idle no_work 0.0.0>0.2.0\n" LATER);

	CU_ASSERT_EQUAL(script_findings(d, "counters"), 1);
}

/* Both the waker and the sleeper decrement `sleeping`. */
static void finds_double_decrement(void)
{
	struct script_result *d =
	    script_run(0, TWO "10 w0 active>idle no_work 0.0.0>0.1.0\n"
			      "11 w1 active>idle no_work 0.1.0>0.2.0\n"
			      "12 w0 idle>sleepy rounds 0.2.0>0.2.0\n"
			      "13 w0 sleepy>sleeping rounds 0.2.0>1.2.0\n"
			      "14 w1 idle>sleepy rounds 1.2.0>1.2.0\n"
			      "15 w1 sleepy>sleeping rounds 1.2.0>2.2.0\n"
			      "16 x wake w0 id1 d1 push 2.2.0>1.2.0\n"
			      "17 w0 woken 1\n"
			      "18 w0 sleeping>idle woken 1.2.0>0.2.0\n" LATER);

	CU_ASSERT_EQUAL(script_findings(d, "counters"), 1);
}

static void waits_for_open_wakes(void)
{
	struct script_result *d = script_run(0, TWO "10 w0 active>idle no_work 0.0.0>0.1.0\n"
						    "12 w0 idle>sleepy rounds 0.1.0>0.1.0\n"
						    "13 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"
						    "16 x wake w0 id1 d1 push 1.1.0>0.1.0\n" LATER);

	CU_ASSERT_EQUAL(d->findings, 0);
}

static void forgives_losses(void)
{
	struct script_result *d =
	    script_run(0, TWO "5 lost 4 1\n"
			      "10 w0 active>idle no_work 0.1.0>0.2.0\n" LATER);

	CU_ASSERT_EQUAL(d->findings, 0);
}

static void reads_fields(void)
{
	struct doze_word_layout narrow = {DOZE_WORD_counters, 8, 8, 2};
	uint64_t word = 3 | 5 << 8 | 2 << 16 | 1 << 20;

	CU_ASSERT_EQUAL(doze_word_sleeping(&narrow, word), 3);
	CU_ASSERT_EQUAL(doze_word_inactive(&narrow, word), 5);
	CU_ASSERT_EQUAL(doze_word_jec(&narrow, word), 2);
}

static void percentiles(void)
{
	static struct doze_hist h, sum, few;

	for (int64_t i = 1; i <= 1000; i++)
		doze_hist_add(&h, i * 1000);
	doze_hist_add(&h, -5);
	CU_ASSERT_EQUAL(h.n, 1001);
	CU_ASSERT_EQUAL(h.min, 0);
	CU_ASSERT_EQUAL(h.max, 1000000);
	CU_ASSERT_DOUBLE_EQUAL((double)doze_hist_percentile(&h, 0.5), 500000, 500000 / 8.0);
	CU_ASSERT_DOUBLE_EQUAL((double)doze_hist_percentile(&h, 0.99), 990000, 990000 / 8.0);
	CU_ASSERT_EQUAL(doze_hist_percentile(&h, 1), 1000000);
	/* Nearest rank: the 99th percentile of 54 values is the 54th. */
	memset(&few, 0, sizeof few);
	for (int i = 1; i <= 54; i++)
		doze_hist_add(&few, i < 54 ? 1000 : 64000);
	CU_ASSERT_DOUBLE_EQUAL((double)doze_hist_percentile(&few, 0.99), 64000, 8000);
	CU_ASSERT_DOUBLE_EQUAL((double)doze_hist_percentile(&few, 0.98), 1000, 125);
	doze_hist_merge(&sum, &h);
	doze_hist_merge(&sum, &h);
	CU_ASSERT_EQUAL(sum.n, 2002);
	CU_ASSERT_EQUAL(doze_hist_row(&sum, 19), 2 * 476); /* row 19 begins at 524,288 */
}

static const struct suite_test tests[] = {
    {"counters and states agree in a quiet period", agrees},
    {"events may arrive in a different order from the changes of the word", reorders},
    {"the order of the events is found even if the word has the same value twice", decides_twins},
    {"a change of the word without an event is reported", finds_missing_step},
    {"the model waits for the event of a preempted thread", waits_for_preempted_thread},
    {"wrong counts in a quiet period are reported", finds_wrong_counts},
    {"a count that is decremented twice is reported", finds_double_decrement},
    {"a period with an open wake is not quiet", waits_for_open_wakes},
    {"a period in which a worker is waking up is not quiet", waits_for_leaving_worker},
    {"a gap that lost events can explain is not reported as a finding", forgives_losses},
    {"the fields of a narrow word are unpacked correctly", reads_fields},
    {"percentiles are accurate to one eighth", percentiles},
};
SUITE_MAIN("model: counters", tests)
