/*
 * SPDX-License-Identifier: MIT
 *
 * storms_test.c - viz/model: decisions, storms, chains, under-wakes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

static char text[65536];

static void add(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void add(const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + n, sizeof text - n, fmt, ap);
	va_end(ap);
}

/* Begins a script with a pool whose workers all sleep. */
static void begin(int workers)
{
	*text = 0;
	add("0 x pool tickle %d\n", workers);
	for (int i = 0; i < workers; i++)
		add("1 w%d none>active start\n2 w%d active>idle no_work\n"
		    "3 w%d idle>sleepy rounds\n4 w%d sleepy>sleeping rounds\n",
		    i, i, i, i);
}

static int ids;

/* Adds a decision at t us that wakes `woken` workers. The first `useful` of them run a job, and the
 * others sleep again. */
static void decide(int t, int d, const char *cause, int jobs, int woken, int useful)
{
	add("%d x post injector %d empty wakes %d d%d\n", t, jobs, woken, d);
	for (int i = 0; i < woken; i++) {
		ids++;
		add("%d x wake w%d id%d d%d %s all\n", t + 1, i, ids, d, cause);
		add("%d w%d woken %d\n%d w%d sleeping>idle woken\n", t + 2, i, ids, t + 2, i);
	}
	for (int i = 0; i < woken; i++) {
		if (i < useful)
			add("%d w%d idle>active found_injected\n%d w%d active>idle no_work\n",
			    t + 5, i, t + 6, i);
		add("%d w%d idle>sleepy rounds\n%d w%d sleepy>sleeping rounds\n", t + 11, i, t + 12,
		    i);
	}
}

static void finds_one(void)
{
	struct script_result *d;

	begin(8);
	decide(100, 1, "inject", 1, 8, 1);
	add("9000 end\n");
	d = script_run(0, text);
	CU_ASSERT_EQUAL_FATAL(d->storms, 1);
	CU_ASSERT_EQUAL(d->storm[0].woken, 8);
	CU_ASSERT_EQUAL(d->storm[0].useful, 1);
	CU_ASSERT_EQUAL(d->storm[0].futile, 7);
	CU_ASSERT_EQUAL(d->storm[0].jobs, 1);
	CU_ASSERT_EQUAL(d->storm[0].decision_id, 1);
	CU_ASSERT_EQUAL(d->storm[0].waker, -1);
	CU_ASSERT_EQUAL(d->storm[0].cause, DOZE_CAUSE_inject);
	CU_ASSERT_EQUAL(d->storm[0].burnt, 7 * 10 * 1000);
	CU_ASSERT_EQUAL(d->storm[0].from, 1000000000 + 101 * 1000);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->storms, 1);
	CU_ASSERT_EQUAL(doze_model_herd_excess(d->model), 7);
}

/* `tickle` reports its post before it knows the decision's number. */
static void joins_nameless_posts(void)
{
	struct script_result *d;
	char *at;

	begin(8);
	decide(100, 1, "inject", 3, 8, 1);
	at = strstr(text, "wakes 8 d1");
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	at[9] = '0';
	add("9000 end\n");
	d = script_run(0, text);
	CU_ASSERT_EQUAL_FATAL(d->storms, 1);
	CU_ASSERT_EQUAL(d->storm[0].jobs, 3);
	CU_ASSERT_EQUAL(d->verdict[0].notified - d->verdict[0].published, 1000);
}

static size_t storms_of(const struct doze_model_options *opt, int workers, int jobs, int woken,
			int useful)
{
	begin(workers);
	decide(100, 1, "inject", jobs, woken, useful);
	add("9000 end\n");
	return script_run(opt, text)->storms;
}

static void wants_enough_woken(void)
{
	CU_ASSERT_EQUAL(storms_of(0, 8, 1, 4, 1), 1);
	CU_ASSERT_EQUAL(storms_of(0, 9, 1, 4, 1), 0); /* at least half of 9 means 5 */
	CU_ASSERT_EQUAL(storms_of(0, 9, 1, 5, 1), 1);
	CU_ASSERT_EQUAL(storms_of(0, 4, 1, 3, 1), 0); /* a storm wakes at least 4 workers */
}

static void wants_more_than_jobs(void)
{
	CU_ASSERT_EQUAL(storms_of(0, 8, 8, 8, 1), 0);
	CU_ASSERT_EQUAL(storms_of(0, 8, 7, 8, 1), 1);
}

static void wants_half_futile(void)
{
	CU_ASSERT_EQUAL(storms_of(0, 8, 1, 8, 4), 1);
	CU_ASSERT_EQUAL(storms_of(0, 8, 1, 8, 5), 0);
}

static void obeys_options(void)
{
	struct doze_model_options o = DOZE_MODEL_DEFAULTS;

	o.storm_min_wakes = 2;
	o.storm_min_share = 0;
	CU_ASSERT_EQUAL(storms_of(&o, 8, 1, 2, 1), 1);
	o.storm_min_futile = 0.9;
	CU_ASSERT_EQUAL(storms_of(&o, 8, 1, 8, 1), 0);
}

static void merges_near_ones(void)
{
	struct script_result *d;

	begin(8);
	decide(100, 1, "inject", 1, 8, 1);
	decide(900, 2, "job_done", 1, 8, 1);
	decide(5000, 3, "inject", 1, 8, 1);
	add("9000 end\n");
	d = script_run(0, text);
	CU_ASSERT_EQUAL_FATAL(d->storms, 2);
	CU_ASSERT_EQUAL(d->storm[0].decisions, 2);
	CU_ASSERT_EQUAL(d->storm[0].woken, 16);
	CU_ASSERT_EQUAL(d->storm[0].decision_id, 1);
	CU_ASSERT_EQUAL(d->storm[1].decision_id, 3);
}

static void reports_live(void)
{
	struct script_result *d;

	begin(8);
	decide(100, 1, "inject", 1, 8, 1);
	d = script_run(0, text);
	CU_ASSERT_EQUAL(d->storms, 0);
	doze_model_clock(d->model, 1000000000 + 4000000);
	CU_ASSERT_EQUAL(d->storms, 1);
}

static void leaves_lost_ones_open(void)
{
	struct script_result *d;

	begin(8);
	add("98 lost 97 1\n");
	decide(100, 1, "inject", 1, 8, 1);
	add("9000 end\n");
	d = script_run(0, text);
	CU_ASSERT_EQUAL(d->storms, 0);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->storm.unresolved, 1);
}

static void bounds_decisions(void)
{
	struct script_result *d;

	begin(2);
	d = script_run(0, text);
	/* Wakes of a worker that sleeps and never reports that it was woken. */
	for (int i = 1; i <= 40000; i++) {
		char line[64];

		snprintf(line, sizeof line, "%d x wake w0 id%d d%d push\n", 10 + i, i, i);
		script_continue(d, line);
	}
	doze_model_finish(d->model, 1000000000 + 60000000);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->wakes, 40000);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->verdicts[DOZE_VERDICT_redundant], 39999);
}

static void follows_chains(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 3\n"
			  "4 w0 snapshot sleeping jec 3 3.3.0>3.3.0\n"
			  "4 w1 snapshot sleeping jec 3 3.3.0>3.3.0\n"
			  "4 w2 snapshot sleeping jec 3 3.3.0>3.3.0\n"
			  "10 x wake w0 id1 d1 inject\n11 w0 woken 1\n"
			  "12 w0 sleeping>idle woken\n13 w0 idle>active found_injected\n"
			  "14 w0 wake w1 id2 d2 work_found\n15 w1 woken 2\n"
			  "16 w1 sleeping>idle woken\n17 w1 idle>active found_stolen\n"
			  "18 w1 wake w2 id3 d3 work_found\n19 w2 woken 3\n"
			  "20 w2 sleeping>idle woken\n21 w2 idle>sleepy rounds\n"
			  "22 w2 sleepy>sleeping rounds\n30 end\n");
	const struct doze_chain_measures *c = &doze_model_measures(d->model)->chain;

	CU_ASSERT_EQUAL(c->roots, 1);
	CU_ASSERT_EQUAL(c->wakes, 2);
	CU_ASSERT_EQUAL(c->futile, 1);
	CU_ASSERT_EQUAL(c->longest, 2);
}

/* w0 publishes a job while w1 sleeps and no worker searches; 30 us later w0 takes the job
 * itself. */
static void finds_underwakes(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 2\n1 w0 none>active start\n"
			  "1 w1 none>active start\n1 w0 job inline\n"
			  "2 w1 active>idle no_work\n3 w1 idle>sleepy rounds\n"
			  "4 w1 sleepy>sleeping rounds\n"
			  "10 w0 post local 1 empty wakes 0 d0 1.1.1>1.1.1\n"
			  "40 w0 job local\n50 end\n");
	const struct doze_underwake_measures *u = &doze_model_measures(d->model)->underwake;

	CU_ASSERT_EQUAL(u->spans, 1);
	CU_ASSERT_EQUAL(u->worst, 30000);
	CU_ASSERT_EQUAL(u->worst_post.poster, 0);
	CU_ASSERT_EQUAL(u->worst_post.ts, 1000000000 + 10000);
	CU_ASSERT_EQUAL(u->by_why[DOZE_UNDERWAKE_rule], 1);
	d = script_run(0, "0 x pool jec 2\n1 w0 none>active start\n1 w1 none>active start\n"
			  "1 w0 job inline\n2 w1 active>idle no_work\n"
			  "10 w0 post local 1 empty wakes 0 d0 0.1.1>0.1.1\n"
			  "40 w0 job local\n50 end\n");
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->underwake.spans, 0);
}

/* w0 posts two jobs while w1 searches, and wakes no worker. w1 takes the older one and posts
 * another job, which w2 steals; w0's second job still waits. Then w2 sleeps. */
static void names_the_decision(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool rfc 3\n1 w0 none>active start\n1 w1 none>active start\n"
			  "1 w2 none>active start\n1 w0 job inline\n"
			  "2 w1 active>idle no_work\n3 w2 active>idle no_work\n"
			  "10 w0 post local 1 empty wakes 0 d0 0.2.0>0.2.0\n"
			  "11 w0 post local 1 full wakes 0 d0 0.2.0>0.2.0\n"
			  "12 w1 steal w0\n12 w1 idle>active found_stolen\n12 w1 job stolen\n"
			  "13 w1 post local 1 empty wakes 0 d0 0.1.0>0.1.0\n"
			  "14 w2 steal w1\n14 w2 idle>active found_stolen\n14 w2 job stolen\n"
			  "15 w2 active>idle no_work\n16 w2 idle>sleeping rounds\n"
			  "60 w0 job local\n70 end\n");
	const struct doze_underwake_measures *u = &doze_model_measures(d->model)->underwake;

	CU_ASSERT_EQUAL(u->spans, 1);
	CU_ASSERT_EQUAL(u->worst, 44000);
	CU_ASSERT_TRUE(u->worst_post.known);
	CU_ASSERT_EQUAL(u->worst_post.ts, 1000000000 + 11000);
	CU_ASSERT_EQUAL(u->worst_post.poster, 0);
	CU_ASSERT_EQUAL(u->worst_post.idle, 2);
	CU_ASSERT_EQUAL(u->by_why[DOZE_UNDERWAKE_idle], 1);
}

/* w1 steals one of w0's three jobs, moves the other two to its own deque and runs one of them, and
 * w2 steals the last. Only the job that w0 posts after that still waits when w2 sleeps. */
static void follows_moved_jobs(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 3\n1 w0 none>active start\n1 w1 none>active start\n"
			  "1 w2 none>active start\n1 w0 job inline\n"
			  "2 w1 active>idle no_work\n3 w2 active>idle no_work\n"
			  "10 w0 post local 3 empty wakes 0 d0 0.2.0>0.2.1\n"
			  "12 w1 steal w0\n12 w1 moves w0\n12 w1 moves w0\n"
			  "12 w1 idle>active found_stolen\n12 w1 job stolen\n13 w1 job local\n"
			  "14 w2 steal w1\n14 w2 idle>active found_stolen\n14 w2 job stolen\n"
			  "15 w0 post local 1 empty wakes 0 d0 0.0.1>0.0.1\n"
			  "16 w2 active>idle no_work\n17 w2 idle>sleepy rounds\n"
			  "18 w2 sleepy>sleeping rounds\n60 w0 job local\n70 end\n");
	const struct doze_underwake_measures *u = &doze_model_measures(d->model)->underwake;

	CU_ASSERT_EQUAL(u->spans, 1);
	CU_ASSERT_TRUE(u->worst_post.known);
	CU_ASSERT_EQUAL(u->worst_post.ts, 1000000000 + 15000);
	CU_ASSERT_EQUAL(u->worst_post.jobs, 1);
}

/* A thief took the job before the event of its post, so the remaining job belongs to another
 * post. */
static void names_none_that_was_taken(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool rfc 2\n1 w0 none>active start\n1 w1 none>active start\n"
			  "1 w0 job inline\n2 w1 active>idle no_work\n"
			  "9 w1 steal w0\n9 w1 idle>active found_stolen\n"
			  "10 w0 post local 1 empty wakes 0 d0 0.1.0>0.1.0\n11 w1 job stolen\n"
			  "12 w1 active>idle no_work\n"
			  "13 x post injector 2 empty wakes 0 d0 0.1.0>0.1.0\n"
			  "14 w1 idle>sleeping rounds\n50 w1 sleeping>idle self_wake\n60 end\n");
	const struct doze_underwake_measures *u = &doze_model_measures(d->model)->underwake;

	CU_ASSERT_EQUAL(u->spans, 1);
	CU_ASSERT_EQUAL(u->worst_post.poster, -1);
	CU_ASSERT_EQUAL(u->worst_post.queue, DOZE_QUEUE_injector);
	CU_ASSERT_EQUAL(u->worst_post.jobs, 2);
}

/* The job is cancelled 20 us after its post, while w1 sleeps. */
static void cancelled_job(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 2\n1 w0 none>active start\n1 w1 none>active start\n"
			  "1 w0 job inline\n2 w1 active>idle no_work\n3 w1 idle>sleepy rounds\n"
			  "4 w1 sleepy>sleeping rounds\n"
			  "10 x post injector 1 empty wakes 0 d0 1.1.1>1.1.1\n"
			  "30 x taken injected\n50 end\n");
	const struct doze_underwake_measures *u = &doze_model_measures(d->model)->underwake;

	CU_ASSERT_EQUAL(u->spans, 1);
	CU_ASSERT_EQUAL(u->worst, 20000);
}

/* A thief can take a job before its poster has emitted the post event. */
static void thief_before_the_post(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 2\n1 w0 none>active start\n"
			  "1 w1 none>active start\n1 w0 job inline\n"
			  "2 w1 active>idle no_work\n"
			  "9 w1 idle>active found_stolen\n"
			  "10 w0 post local 1 empty wakes 0 d0 0.1.1>0.1.1\n"
			  "11 w1 job stolen\n12 w1 active>idle no_work\n"
			  "13 w1 idle>sleepy rounds\n14 w1 sleepy>sleeping rounds\n"
			  "500 end\n");

	CU_ASSERT_EQUAL(doze_model_measures(d->model)->underwake.spans, 0);
}

/* The gaps from post to wake, from woken to idle and from found to start are not under-wakes. */
static void between_the_events(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 2\n1 w0 none>active start\n"
			  "1 w1 none>active start\n1 w0 job inline\n"
			  "2 w1 active>idle no_work\n3 w1 idle>sleepy rounds\n"
			  "4 w1 sleepy>sleeping rounds\n"
			  "10 w0 post local 1 empty wakes 1 d1 1.1.1>1.1.1\n"
			  "12 w0 wake w1 id1 d1 push 1.1.1>0.1.1\n14 w1 woken 1\n"
			  "16 w1 sleeping>idle woken\n18 w1 idle>active found_stolen\n"
			  "20 w1 job stolen\n50 end\n");

	CU_ASSERT_EQUAL(doze_model_measures(d->model)->underwake.spans, 0);
}

static const struct suite_test tests[] = {
    {"a decision that wakes eight workers for one job is a storm", finds_one},
    {"a post without a decision number is matched with its decision", joins_nameless_posts},
    {"a decision is a storm only if it wakes enough workers", wants_enough_woken},
    {"a decision is a storm only if it wakes more workers than it has jobs", wants_more_than_jobs},
    {"a decision is a storm only if at least half of its wakes are futile", wants_half_futile},
    {"options can set all thresholds", obeys_options},
    {"decisions within a millisecond are one storm", merges_near_ones},
    {"a storm is reported even if no further events arrive", reports_live},
    {"a storm that depends on lost events remains unresolved", leaves_lost_ones_open},
    {"the table of decisions is bounded", bounds_decisions},
    {"a chain of wakes with cause work_found is measured", follows_chains},
    {"a job that waits while a worker sleeps is an under-wake", finds_underwakes},
    {"an under-wake names its post", names_the_decision},
    {"jobs that a thief has moved belong to the post of their poster", follows_moved_jobs},
    {"an under-wake does not name a post whose job was taken", names_none_that_was_taken},
    {"an under-wake ends when its job is cancelled", cancelled_job},
    {"a job taken before its post is reported is not an under-wake", thief_before_the_post},
    {"the time between two events of one action is not an under-wake", between_the_events},
};
SUITE_MAIN("model: storms", tests)
