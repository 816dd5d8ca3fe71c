/*
 * SPDX-License-Identifier: MIT
 *
 * policies_test.c - each policy chooses wakes by its own rule. Records the scenes of scenes.c under
 * every policy and compares the decisions in the trace with the rules in lib/sleep/README.md, which
 * `expected` below repeats, and with each other.
 */
#include "tests/fixtures/lttng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/suite.h"
#include "viz/reader/reader.h"

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

static const struct {
	const char *policy;
	struct decisions is;
} expected[] = {
    {"jec", {1, 2, 1, 1, 0, 1, 2, 1}},      /* min(2, sleepers) when work is found */
    {"rfc", {1, 0, 1, 1, 1, 1, 1, 0}},      /* the notified worker still counts as asleep */
    {"local", {1, 0, 0, 1, 1, 1, 1, 0}},    /* none, because the worker's own deque was empty */
    {"block", {1, 0, 1, 2, 1, 1, 1, 0}},    /* 2 awake: wakes 2; none awake: wakes 1 */
    {"spare", {3, 0, 3, 3, 1, 1, 4, 1}},    /* one for the job, and two to spare */
    {"chain", {1, 0, 1, 1, 1, 1, 1, 1}},    /* as rfc, plus one wake for work left behind */
    {"go", {1, 1, 1, 1, 0, 1, 1, 1}},       /* the last spinner wakes one more */
    {"demand", {1, 0, 1, 1, 0, 1, 2, 1}},   /* as jec, but only if other jobs wait */
    {"tickle", {8, 0, 8, 8, 0, 8, 8, 1}},   /* all, because a post cannot count the sleepers */
    {"forkjoin", {1, 0, 1, 1, 1, 8, 2, 1}}, /* always signals; a latch wakes all workers */
    {"spin", {0, 0, 0, 0, 0, 0, 0, 1}},
    {"condvar",
     {1, 0, 1, 1, 0, 8, 2, 1}}, /* knows which workers are being woken; a latch wakes all workers */
};
#define POLICIES (sizeof expected / sizeof expected[0])

static struct decisions seen[POLICIES];

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
	fixture_sh("rm -rf %s", expected[i].policy);
	CU_ASSERT_TRUE_FATAL(fixture_record(expected[i].policy, "DEBUG_FUNCTION"));
	CU_ASSERT_EQUAL(fixture_sh("DOZE_TRACE_WAIT_MS=5000 DOZE_POLICY=%s ./scenes %d",
				   expected[i].policy, times),
			0);
	CU_ASSERT_TRUE(fixture_record_end());
	snprintf(dir, sizeof dir, "%s/%s", fixture_dir(), expected[i].policy);
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
			       expected[i].policy);
	CU_ASSERT_TRUE(occurred);
}

static void decisions_are_the_rules(void)
{
	suite_allow_seconds(120); /* for eleven recordings */
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
	puts("\n      policy    asleep found empty   two  last latch  many shared");
	for (size_t i = 0; i < POLICIES; i++) {
		const struct decisions *d = &seen[i];
		record_enough(i);
		printf("      %-9s %6u %5u %5u %5u %5u %5u %5u %6u\n", expected[i].policy,
		       d->asleep, d->work_found, d->empty, d->two, d->last, d->latch, d->many,
		       d->shared);
		CU_ASSERT_EQUAL(memcmp(d, &expected[i].is, sizeof *d), 0);
	}
	fixture_close();
}

static void no_two_decide_alike(void)
{
	for (size_t i = 0; i < POLICIES; i++)
		for (size_t j = 0; j < i; j++)
			if (memcmp(&seen[i], &seen[j], sizeof seen[i]) == 0) {
				printf("%s makes the same decisions as %s\n", expected[i].policy,
				       expected[j].policy);
				CU_FAIL("two policies make the same decisions");
			}
	CU_ASSERT_NOT_EQUAL(seen[0].asleep, 0);
}

static const struct suite_test tests[] = {
    {"each policy chooses wakes by its own rule", decisions_are_the_rules},
    {"any two policies differ in at least one decision", no_two_decide_alike},
};
SUITE_MAIN("policies", tests)
