/*
 * SPDX-License-Identifier: MIT
 *
 * policies_test.c - each policy chooses wakes by its own rule. Records the scenes of scenes.c under
 * every policy and compares the decisions in the trace with those that the policy's descriptor
 * demands, which is written from lib/sleep/README.md, and with each other.
 */
#include "tests/fixtures/lttng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/suite.h"
#include "viz/trace/policies.h"
#include "viz/trace/reader.h"

/* How a policy decides: each member is the number of workers that a post chose to wake, or a number
 * of `wake` events. */
struct decisions {
	unsigned asleep;     /* by a post into a sleeping pool */
	unsigned work_found; /* wakes by the worker that found this job */
	/* By a push to the worker's own empty deque; 1 worker active, 7 asleep. */
	unsigned empty;
	unsigned two; /* by a post from outside; 2 workers active, 6 asleep */
	/* By the second of two posts in quick succession. The only sleeping worker was notified of
	 * the first post, but has not run yet: 1 if it still counts as asleep. */
	unsigned last;
	unsigned latch; /* when a latch is set while its owner and 7 others sleep */
	unsigned many;  /* by one post of two jobs into a sleeping pool */
	/* 1 if two workers run the two jobs at the same time, 0 if one worker runs both. */
	unsigned shared;
};

enum { WORKERS = 8 };

/* Returns the wakes of a post of this many jobs while `asleep` workers sleep and no other worker is
 * idle. The queue was empty; it is the poster's own deque if `local`. */
static unsigned wakes(const struct doze_policy_descriptor *d, unsigned jobs, unsigned asleep,
		      bool local)
{
	const struct doze_wake_facts facts = {.jobs = jobs,
					      .sleeping = asleep,
					      .workers = WORKERS,
					      .was_empty = true,
					      .local = local};

	return doze_policy_post_wakes(d, &facts);
}

/* Returns the decisions that the policy's descriptor demands in the scenes. */
static struct decisions expected(const struct doze_policy_descriptor *d)
{
	bool sleeps = doze_policy_has_state(d, DOZE_STATE_sleeping);
	bool all = d->latch == DOZE_LATCH_WAKES_ALL || d->latch == DOZE_LATCH_WAKES_ANY;

	return (struct decisions){
	    .asleep = wakes(d, 1, WORKERS, false),
	    .work_found = d->found_if_more ? 0 : d->found_wakes, /* no other job is queued */
	    .empty = wakes(d, 1, WORKERS - 1, true),
	    .two = wakes(d, 1, WORKERS - 2, false),
	    .last = d->aim == DOZE_AIM_AGAIN || d->aim == DOZE_AIM_HINT,
	    .latch = !sleeps ? 0
		     : all   ? WORKERS
			     : 1,
	    .many = wakes(d, 2, WORKERS, false),
	    /* the second job needs another worker: awake, woken by the post, or by the first */
	    .shared = !sleeps || wakes(d, 2, WORKERS, false) > 1 || d->found_wakes != 0,
	};
}

static struct decisions seen[DOZE_POLICY_COUNT];

struct reading {
	struct decisions *d;
	char scene[16];
	unsigned posts; /* number of posts in this scene so far */
	bool moved;     /* whether a worker has changed its state since the last post */
	/* In scene "last", the numbers of second posts that woke no worker and that woke one. */
	unsigned last[2];
	uint32_t pool; /* the pool under test, which is the first pool of the trace */
};

static void read_post(struct reading *r, const struct doze_event *e)
{
	unsigned wakes = e->u.post.wakes;
	bool first = r->posts++ == 0;

	if (strcmp(r->scene, "asleep") == 0)
		r->d->asleep = wakes;
	else if (strcmp(r->scene, "push") == 0)
		r->d->empty = wakes;
	else if (strcmp(r->scene, "two") == 0)
		r->d->two = wakes;
	else if (strcmp(r->scene, "many") == 0)
		r->d->many = wakes;
	else if (strcmp(r->scene, "last") == 0 && !first && !r->moved)
		r->last[wakes > 0]++;
	r->moved = false;
}

static void read_event(void *ctx, const struct doze_event *e)
{
	struct reading *r = ctx;

	if (e->kind == DOZE_EV_pool_start && r->pool == 0)
		r->pool = e->pool;
	if (e->kind == DOZE_EV_mark) {
		snprintf(r->scene, sizeof r->scene, "%s", e->u.mark.text);
		r->posts = 0;
		r->d->shared |= strcmp(r->scene, "shared") == 0;
	}
	if (e->pool != r->pool)
		return;
	r->moved |= e->kind == DOZE_EV_worker_state || e->kind == DOZE_EV_woken;
	if (e->kind == DOZE_EV_post)
		read_post(r, e);
	if (e->kind != DOZE_EV_wake)
		return;
	r->d->work_found +=
	    e->u.wake.cause == DOZE_CAUSE_work_found && strcmp(r->scene, "asleep") == 0;
	r->d->latch += e->u.wake.cause == DOZE_CAUSE_latch && strcmp(r->scene, "latch") == 0;
}

static void lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	(void)ctx;
	(void)from;
	(void)to;
	(void)count;
	suite_unstable("events were lost");
	CU_FAIL("events were lost");
}

/* Records the scenes, the scene "last" `times` times. Returns whether its case occurred. */
static bool record(size_t i, int times)
{
	const struct doze_reader_sink sink = {.event = read_event, .discarded = lost};
	struct reading reading = {.d = &seen[i]};
	char dir[512], err[256];

	seen[i] = (struct decisions){0};
	fixture_sh("rm -rf %s", doze_policy_at(i)->name);
	CU_ASSERT_TRUE_FATAL(fixture_record(doze_policy_at(i)->name, "DEBUG_FUNCTION"));
	CU_ASSERT_EQUAL(fixture_sh("DOZE_TRACE_WAIT_MS=5000 DOZE_POLICY=%s ./scenes %d",
				   doze_policy_at(i)->name, times),
			0);
	CU_ASSERT_TRUE(fixture_record_end());
	snprintf(dir, sizeof dir, "%s/%s", fixture_dir(), doze_policy_at(i)->name);
	struct doze_reader *reader = doze_reader_open_dir(dir, err, sizeof err);
	if (reader == NULL) {
		printf("%s\n", err);
		CU_FAIL_FATAL("the recording cannot be read");
	}
	CU_ASSERT_EQUAL(doze_reader_run(reader, &sink, &reading), DOZE_READER_END);
	seen[i].last = reading.last[1] > reading.last[0];
	doze_reader_free(reader);
	return reading.last[0] + reading.last[1] > 0;
}

/* Only chance decides whether the sleeper wakes between two posts. */
static void record_enough(size_t i)
{
	bool occurred = false;

	for (int times = 60; !occurred && times < 500; times *= 2)
		occurred = record(i, times);
	if (!occurred)
		suite_unstable("%s: the sleeper always woke before the second post",
			       doze_policy_at(i)->name);
	CU_ASSERT_TRUE(occurred);
}

static void decisions_are_the_rules(void)
{
	suite_allow_seconds(120); /* for eleven recordings */
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
	puts("\n      policy    asleep found empty   two  last latch  many shared");
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct decisions *d = &seen[i];
		const struct decisions is = expected(doze_policy_at(i));
		record_enough(i);
		printf("      %-9s %6u %5u %5u %5u %5u %5u %5u %6u\n", doze_policy_at(i)->name,
		       d->asleep, d->work_found, d->empty, d->two, d->last, d->latch, d->many,
		       d->shared);
		CU_ASSERT_EQUAL(memcmp(d, &is, sizeof *d), 0);
	}
	fixture_close();
}

static void no_two_decide_alike(void)
{
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		for (size_t j = 0; j < i; j++)
			if (memcmp(&seen[i], &seen[j], sizeof seen[i]) == 0) {
				printf("%s makes the same decisions as %s\n",
				       doze_policy_at(i)->name, doze_policy_at(j)->name);
				CU_FAIL("two policies make the same decisions");
			}
	CU_ASSERT_NOT_EQUAL(seen[0].asleep, 0);
}

static const struct suite_test tests[] = {
    {"each policy chooses wakes by its own rule", decisions_are_the_rules},
    {"any two policies differ in at least one decision", no_two_decide_alike},
};
SUITE_MAIN("policies", tests)
