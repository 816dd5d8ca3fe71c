/*
 * SPDX-License-Identifier: MIT
 *
 * states_test.c - viz/model: keys, intervals, losses, late attach, truncation.
 */
#include <stdio.h>
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

#define US 1000

/* One worker passes through all four states and back. */
#define ONE_ROUND                                                                                  \
	"0 x pool jec 1\n"                                                                         \
	"10 w0 none>active start\n"                                                                \
	"20 w0 active>idle no_work 0.0.0>0.1.0\n"                                                  \
	"30 w0 idle>sleepy rounds 0.1.0>0.1.0\n"                                                   \
	"40 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"                                               \
	"90 x wake w0 id1 d1 push 1.1.0>0.1.0\n"                                                   \
	"91 w0 woken 1\n"                                                                          \
	"92 w0 sleeping>idle woken 0.1.0>0.1.0\n"                                                  \
	"95 w0 idle>active found_injected 0.1.0>0.0.0\n"
#define GOOD_END                                                                                   \
	"100 w0 active>stopped terminate\n"                                                        \
	"101 w0 stop\n"                                                                            \
	"102 x pool stop\n"                                                                        \
	"103 end\n"

static void gives_each_span(void)
{
	struct script_result *d = script_run(0, ONE_ROUND GOOD_END);
	static const enum doze_state want[] = {
	    DOZE_STATE_none,     DOZE_STATE_active, DOZE_STATE_idle,  DOZE_STATE_sleepy,
	    DOZE_STATE_sleeping, DOZE_STATE_idle,   DOZE_STATE_active};
	const struct doze_worker_view *w = doze_model_worker(d->model, 0);

	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_EQUAL_FATAL(d->intervals, sizeof want / sizeof want[0]);
	for (size_t i = 0; i < d->intervals; i++) {
		CU_ASSERT_EQUAL(d->interval[i].state, want[i]);
		CU_ASSERT_FALSE(d->interval[i].unknown);
		if (i)
			CU_ASSERT_EQUAL(d->interval[i].from, d->interval[i - 1].to);
	}
	CU_ASSERT_EQUAL(w->total[DOZE_STATE_active], 15 * US);
	CU_ASSERT_EQUAL(w->total[DOZE_STATE_idle], 13 * US);
	CU_ASSERT_EQUAL(w->total[DOZE_STATE_sleepy], 10 * US);
	CU_ASSERT_EQUAL(w->total[DOZE_STATE_sleeping], 52 * US);
	CU_ASSERT_EQUAL(w->state, DOZE_STATE_stopped);
	CU_ASSERT_FALSE(doze_model_totals(d->model)->truncated);
}

static void keeps_workers_apart(void)
{
	struct doze_event e;
	struct script_result *d = script_run(0, ONE_ROUND);

	CU_ASSERT_TRUE(script_parse("50 w0 none>active start", &e));
	e.pool = 2;
	doze_model_feed(d->model, &e);
	e.pool = 1;
	e.vpid = 2;
	doze_model_feed(d->model, &e);
	e.vpid = 1;
	e.host = 1;
	doze_model_feed(d->model, &e);
	CU_ASSERT_EQUAL(doze_model_pools(d->model), 4);
	CU_ASSERT_EQUAL_FATAL(doze_model_workers(d->model), 4);
	for (uint32_t i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(doze_model_worker(d->model, i)->key.row, i);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 2)->key.vpid, 2);
	CU_ASSERT_EQUAL(d->findings, 0);
}

static void finds_contradictions(void)
{
	struct script_result *d = script_run(0, "0 x pool jec 1\n1 w0 none>active start\n"
						"2 w0 idle>sleepy rounds\n");

	CU_ASSERT_EQUAL(script_findings(d, "transition"), 1);
	CU_ASSERT_EQUAL(d->finding[0].who.index, 0);
	CU_ASSERT_EQUAL(d->finding[0].ts, 1000000000 + 2 * US);
}

static void finds_illegal_transitions(void)
{
	static const char *const bad[] = {
	    "2 w0 active>sleeping rounds\n",
	    "2 w0 active>sleepy rounds\n",
	    "2 w0 active>idle rounds\n",
	    "2 w0 active>idle no_work\n3 w0 idle>sleeping rounds\n",
	    ("2 w0 active>idle no_work\n3 w0 idle>sleepy rounds\n"
	     "4 w0 sleepy>sleeping rounds\n5 w0 sleeping>active woken\n"),
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct script_result *d = script_run(0, "0 x pool jec 1\n1 w0 none>active start\n");
		script_continue(d, bad[i]);
		CU_ASSERT_EQUAL(script_findings(d, "transition"), 1);
	}
}

/* A worker reports two jobs in its last event, but only one job has an event. */
static void misses_a_job(void)
{
	for (uint64_t run = 1; run <= 2; run++) {
		struct script_result *d = script_run(0, "");
		struct doze_event e;

		doze_model_free(d->model);
		d->model = doze_model_new(0, 0);
		script_feed_line(d->model, "0 x pool jec 1");
		script_feed_line(d->model, "1 w0 none>active start");
		script_feed_line(d->model, "2 w0 job inline");
		CU_ASSERT_TRUE(script_parse("3 w0 active>stopped terminate", &e));
		e.u.state.jobs_run = run;
		doze_model_feed(d->model, &e);
		script_feed_line(d->model, "4 x pool stop");
		doze_model_finish(d->model, e.ts + 1000);
		CU_ASSERT_EQUAL(doze_model_totals(d->model)->missing, run - 1);
	}
}

/* Feeds the wakes numbered from..to except `hole`, and then the wake `late`. Returns the number of
 * missing wakes that the model finds. */
static uint64_t missed(uint64_t from, uint64_t to, uint64_t hole, uint64_t late)
{
	struct doze_model *m = doze_model_new(0, 0);
	struct doze_event e;
	uint64_t n;

	script_feed_line(m, "0 x pool jec 1");
	script_feed_line(m, "1 w0 none>active start");
	CU_ASSERT_TRUE(script_parse("2 x wake w0 id1 d1 push", &e));
	for (e.u.wake.wake_id = from; e.u.wake.wake_id <= to; e.u.wake.wake_id++)
		if (e.u.wake.wake_id != hole && e.u.wake.wake_id != late)
			doze_model_feed(m, &e);
	e.u.wake.wake_id = late;
	if (late)
		doze_model_feed(m, &e);
	script_feed_line(m, "9 w0 active>stopped terminate");
	script_feed_line(m, "10 x pool stop");
	doze_model_finish(m, e.ts + 100000);
	n = doze_model_totals(m)->missing;
	doze_model_free(m);
	return n;
}

static void misses_numbers(void)
{
	CU_ASSERT_EQUAL(missed(1, 20000, 0, 0), 0);
	CU_ASSERT_EQUAL(missed(1, 20000, 19999, 0), 1);
	CU_ASSERT_EQUAL(missed(1, 20000, 3, 0), 1); /* the hole is far outside the window */
	CU_ASSERT_EQUAL(missed(1, 20000, 0, 19990), 0);
	/* The wake arrives after it has been counted as missing. */
	CU_ASSERT_EQUAL(missed(1, 20000, 0, 3), 0);
	CU_ASSERT_EQUAL(missed(2, 5, 0, 0), 1);
	/* The library never uses this wake number. */
	CU_ASSERT_EQUAL(missed(UINT64_MAX - 3, UINT64_MAX - 1, 0, 0), 0);
	CU_ASSERT_EQUAL(missed(INT64_MAX - 9, INT64_MAX, 0, 0), 1);
}

static void finds_states_of_other_policies(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool spin 1\n1 w0 none>active start\n"
			  "2 w0 active>idle no_work\n3 w0 idle>sleepy rounds\n");

	CU_ASSERT_EQUAL(script_findings(d, "transition"), 1);
}

/* A hung pool: all workers sleep until the trace is cut off, and each snapshot confirms that. */
static void holds_until_the_last_snapshot(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 1\n10 w0 none>active start\n20 w0 active>idle no_work\n"
			  "30 w0 idle>sleepy rounds\n40 w0 sleepy>sleeping rounds\n"
			  "500040 w0 snapshot sleeping jec 1\n1000040 w0 snapshot sleeping jec 1\n"
			  "1000090 end\n");
	const struct doze_interval *iv = &d->interval[d->intervals - 2];

	CU_ASSERT_EQUAL(iv[0].state, DOZE_STATE_sleeping);
	CU_ASSERT_FALSE(iv[0].unknown);
	CU_ASSERT_EQUAL(iv[0].to - iv[0].from, 1000000 * US);
	CU_ASSERT_TRUE(iv[1].unknown);
	CU_ASSERT_EQUAL(iv[1].to - iv[1].from, 50 * US);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 0)->total[DOZE_STATE_sleeping], 1000000 * US);
	/* a snapshot that shows another state confirms nothing */
	d = script_run(0, "0 x pool jec 1\n10 w0 none>active start\n"
			  "500000 w0 snapshot idle jec 1\n600000 end\n");
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 0)->total[DOZE_STATE_active], 0);
}

static void notices_wrong_clocks(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 1\n10 w0 none>active start\n9 w0 active>idle no_work\n");
	struct doze_event e;

	CU_ASSERT_EQUAL(doze_model_totals(d->model)->backwards, 1);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->leaps, 0);
	CU_ASSERT_TRUE(script_parse("11 x mark late", &e));
	e.ts += INT64_C(1000000000000000000);
	doze_model_feed(d->model, &e);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->leaps, 1);
}

static void attaches_late(void)
{
	struct script_result *d = script_run(0, "1000 w0 snapshot sleeping jec 2 2.2.4>2.2.4\n"
						"1001 w1 snapshot sleeping jec 2 2.2.4>2.2.4\n"
						"1500 x wake w1 id9 d9 push 2.2.4>1.2.4\n"
						"1501 w1 woken 9\n"
						"1502 w1 sleeping>idle woken 1.2.4>1.2.4\n"
						"1503 w1 idle>active found_injected 1.2.4>1.1.4\n"
						"1600 end\n");
	const struct doze_pool_view *p = doze_model_pool(d->model, 0);

	CU_ASSERT_STRING_EQUAL(p->policy, "jec");
	CU_ASSERT_EQUAL(p->workers, 2);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 0)->state, DOZE_STATE_sleeping);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 1)->total[DOZE_STATE_sleeping], 501 * US);
	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_FALSE(doze_model_totals(d->model)->truncated);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->verdicts[DOZE_VERDICT_useful], 1);
}

static void recognises_truncation(void)
{
	struct script_result *d = script_run(0, ONE_ROUND "200 end\n");

	CU_ASSERT_TRUE(doze_model_totals(d->model)->truncated);
	CU_ASSERT_TRUE(d->interval[d->intervals - 1].unknown);
	CU_ASSERT_FALSE(d->interval[d->intervals - 2].unknown);
}

static void makes_lost_spans_unknown(void)
{
	struct script_result *d = script_run(0, "0 x pool jec 1\n"
						"10 w0 none>active start\n"
						"20 w0 active>idle no_work 0.0.0>0.1.0\n"
						"35 lost 30 2\n"
						"40 w0 sleepy>sleeping rounds 0.1.2>1.1.2\n"
						"50 end\n");

	/* The event from idle to sleepy was lost, which is not a finding. */
	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->discarded, 2);
	CU_ASSERT_FALSE(d->interval[1].unknown);
	CU_ASSERT_TRUE(d->interval[2].unknown);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 0)->total[DOZE_STATE_idle], 0);
	d = script_run(0, "0 x pool jec 1\n10 w0 none>active start\n35 lost 30 2\n"
			  "40 w0 active>idle no_work\n41 w0 idle>sleepy rounds\n");
	/* Unknown, although the states at both ends match. */
	CU_ASSERT_TRUE(d->interval[1].unknown);
	CU_ASSERT_FALSE(d->interval[2].unknown);
}

static void survives_nonsense(void)
{
	struct script_result *d = script_run(0, ONE_ROUND);
	struct doze_event e = {.pool = 1, .vpid = 1, .worker = 0};

	for (unsigned k = 0; k < DOZE_EV_COUNT + 3; k++) {
		e.kind = (enum doze_event_kind)k;
		for (int b = 0; b < 256; b += 51) {
			memset(&e.u, b, sizeof e.u);
			/* The reader guarantees valid strings. */
			if (k == DOZE_EV_pool_start || k == DOZE_EV_snapshot || k == DOZE_EV_mark)
				memset(&e.u, 0, sizeof e.u);
			if (k == DOZE_EV_wait_totals) /* and valid truth values */
				e.u.wait_totals.paused = b & 1;
			e.worker = b % 4 - 1;
			e.ts += 1000;
			doze_model_feed(d->model, &e);
		}
	}
	doze_model_finish(d->model, e.ts);
	CU_ASSERT_TRUE(d->findings > 0);
}

/* Each worker's time fits into 64 bits, but the sum of three does not. */
static void bounds_sums_of_times(void)
{
	struct script_result *d = script_run(0, "0 x pool jec 3\n"
						"1 w0 none>active start\n"
						"1 w1 none>active start\n"
						"1 w2 none>active start\n");
	int64_t much = DOZE_TS_MAX / US * US;

	CU_ASSERT_EQUAL(doze_model_time_until(d->model, DOZE_STATE_active, much), INT64_MAX);
	script_continue(d, "4611686018427387 w0 active>idle no_work\n"
			   "4611686018427387 w1 active>idle no_work\n"
			   "4611686018427387 w2 active>idle no_work\n");
	CU_ASSERT_EQUAL(doze_model_time_in(d->model, DOZE_STATE_active), INT64_MAX);
}

static char marked[64];

static void keep_text(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	(void)ctx, (void)ts, (void)pool, (void)worker;
	snprintf(marked, sizeof marked, "%s", text);
}

static void disarms_text(void)
{
	static const struct doze_model_listener listener = {.on_mark = keep_text};
	struct doze_model *m = doze_model_new(&listener, 0);
	struct doze_event e = {.kind = DOZE_EV_mark, .worker = -1, .u.mark.text = "a\033[2Jb\n"};

	doze_model_feed(m, &e);
	CU_ASSERT_STRING_EQUAL(marked, "a?[2Jb?");
	e = (struct doze_event){.kind = DOZE_EV_pool_start,
				.worker = -1,
				.u.pool_start = {.policy = "\033c", .workers = 1}};
	doze_model_feed(m, &e);
	CU_ASSERT_STRING_EQUAL(doze_model_pool(m, 0)->policy, "?c");
	doze_model_free(m);
}

static void bounds_the_table_of_workers(void)
{
	for (int seen = 0; seen < 2; seen++) { /* with and without a known number of workers */
		struct script_result *d = script_run(0, seen ? ONE_ROUND : "");
		struct doze_event e;

		script_parse("150 w0 none>active start", &e);
		e.worker = INT32_MAX;
		doze_model_feed(d->model, &e);
		CU_ASSERT_EQUAL(doze_model_workers(d->model), (size_t)seen);
		CU_ASSERT_EQUAL(doze_model_totals(d->model)->evicted, !seen);
	}
}

static const struct suite_test tests[] = {
    {"each state becomes one interval, without gaps", gives_each_span},
    {"pools, processes and hosts are distinguished", keeps_workers_apart},
    {"an event that contradicts the worker's state is reported", finds_contradictions},
    {"a job that is counted but has no event is reported as missing", misses_a_job},
    {"skipped wake numbers count as missing unless they arrive late", misses_numbers},
    {"an illegal transition is reported", finds_illegal_transitions},
    {"a state that the policy does not have is reported", finds_states_of_other_policies},
    {"a viewer that attaches late learns the workers' states from snapshots", attaches_late},
    {"a truncated trace is recognized", recognises_truncation},
    {"an open span lasts until the last snapshot that confirms it", holds_until_the_last_snapshot},
    {"timestamps that jump or go backwards are counted", notices_wrong_clocks},
    {"lost events make spans unknown but are not reported as a finding", makes_lost_spans_unknown},
    {"invalid events do not crash the model", survives_nonsense},
    {"sums of times stay bounded even when every clock is wrong", bounds_sums_of_times},
    {"text from a trace cannot control the terminal", disarms_text},
    {"the model bounds the number of workers", bounds_the_table_of_workers},
};
SUITE_MAIN("model: states", tests)
