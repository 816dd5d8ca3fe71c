/*
 * SPDX-License-Identifier: MIT
 *
 * model_path_test.c - viz/model: the critical path of a phase.
 */
#include "story.h"
#include "suite.h"

static int64_t sum_of(const struct doze_path *p)
{
	int64_t sum = p->wait + p->search + p->others;

	for (uint32_t i = 0; i < p->named; i++)
		sum += p->work[i].ns;
	return sum;
}

static int64_t work_of(const struct doze_path *p, int32_t worker)
{
	for (uint32_t i = 0; i < p->named; i++)
		if (p->work[i].worker == worker)
			return p->work[i].ns;
	return 0;
}

/* w0 works 10..30, then waits for w1, which works until 70 and sets the latch; w0 goes on at 72 and
 * is done at 90. */
static void finds_the_critical_path(void)
{
	struct story *d = story_run(0, "0 x pool jec 2\n"
				       "10 w0 none>active start\n10 w1 none>active start\n"
				       "10 x mark phase\n"
				       "30 w0 active>idle no_work\n"
				       "70 w1 latch unset>set w0 id5\n"
				       "72 w0 idle>active latch_set\n"
				       "75 w1 active>idle no_work\n"
				       "90 w0 active>idle no_work\n");
	struct doze_path p;

	CU_ASSERT_TRUE_FATAL(doze_model_path(d->model, 0, 1000000000 + 100000, &p));
	CU_ASSERT_EQUAL(p.last, 0);
	CU_ASSERT_EQUAL(work_of(&p, 1), 60000);
	CU_ASSERT_EQUAL(work_of(&p, 0), 18000);
	CU_ASSERT_EQUAL(p.wait, 2000);
	CU_ASSERT_EQUAL(p.search, 0);
	CU_ASSERT_EQUAL(p.after, 10000);
	CU_ASSERT_EQUAL(sum_of(&p), p.to - p.from);
	story_more(d, "100 x mark next\n");
	CU_ASSERT_FALSE(doze_model_path(d->model, 0, 1000000000 + 100000, &p));
}

/* w0 wakes w1 for a job; what w1 did before does not matter. */
static void follows_the_waker(void)
{
	struct story *d = story_run(0, "0 x pool jec 2\n"
				       "10 w0 none>active start\n10 w1 none>active start\n"
				       "10 x mark phase\n11 w1 active>idle no_work\n"
				       "12 w1 idle>sleepy rounds\n13 w1 sleepy>sleeping rounds\n"
				       "40 w0 wake w1 id1 d1 push\n41 w1 woken 1\n"
				       "42 w1 sleeping>idle woken\n45 w1 idle>active found_stolen\n"
				       "80 w1 active>idle no_work\n");
	struct doze_path p;

	CU_ASSERT_TRUE_FATAL(doze_model_path(d->model, 0, 1000000000 + 80000, &p));
	CU_ASSERT_EQUAL(p.last, 1);
	CU_ASSERT_EQUAL(work_of(&p, 0), 30000);
	CU_ASSERT_EQUAL(p.wait, 5000);
	CU_ASSERT_EQUAL(work_of(&p, 1), 35000);
	CU_ASSERT_EQUAL(sum_of(&p), p.to - p.from);
}

/* All start at 10 us. Worker 0 works 10 us and wakes the next one to last, and so on `links` times;
 * the others sleep. Worker 0 of so many is last. */
static void chain_of(uint32_t workers, uint32_t links, struct doze_path *p)
{
	char line[512];
	struct story *d;
	uint32_t w = 0, us = 10;

	snprintf(line, sizeof line, "0 x pool rfc %u\n", workers);
	d = story_run(0, line);
	for (uint32_t i = 0; i < workers; i++) {
		snprintf(line, sizeof line, "%u w%u none>active start\n", us, i);
		story_more(d, line);
	}
	story_more(d, "10 x mark phase\n");
	for (uint32_t i = 1; i < workers; i++) {
		snprintf(line, sizeof line,
			 "10 w%u active>idle no_work\n10 w%u idle>sleeping rounds\n", i, i);
		story_more(d, line);
	}
	for (uint32_t i = 1; i <= links; i++) {
		us += 10;
		snprintf(line, sizeof line,
			 "%u w%u wake w%u id%u d%u push\n%u w%u active>idle no_work\n"
			 "%u w%u woken %u\n%u w%u sleeping>idle woken\n"
			 "%u w%u idle>active found_stolen\n",
			 us, w, workers - i, i, i, us, w, us, workers - i, i, us, workers - i, us,
			 workers - i);
		story_more(d, line);
		w = workers - i;
	}
	snprintf(line, sizeof line, "%u w%u active>idle no_work\n", us + 10, w);
	story_more(d, line);
	CU_ASSERT_TRUE_FATAL(doze_model_path(d->model, 0, 1000000000, p));
	CU_ASSERT_EQUAL(p->last, (int32_t)w);
	CU_ASSERT_EQUAL(p->to - p->from, (links + 1) * 10000);
	CU_ASSERT_EQUAL(sum_of(p), p->to - p->from);
}

/* More than are named, on a short path: all exact. On a long one the named are 64. */
static void knows_large_pools(void)
{
	struct doze_path p;

	chain_of(65, 2, &p);
	CU_ASSERT_EQUAL(work_of(&p, 0), 10000);
	CU_ASSERT_EQUAL(work_of(&p, 64), 10000);
	CU_ASSERT_EQUAL(work_of(&p, 63), 10000);
	CU_ASSERT_EQUAL(p.others, 0);
	chain_of(4096, 3, &p);
	CU_ASSERT_EQUAL(work_of(&p, 4095), 10000);
	CU_ASSERT_EQUAL(work_of(&p, 4093), 10000);
	CU_ASSERT_EQUAL(p.others, 0);
	chain_of(200, 150, &p);
	CU_ASSERT_EQUAL(p.named, DOZE_PATH_NAMED);
	CU_ASSERT_EQUAL(p.others, (151 - DOZE_PATH_NAMED) * 10000);
	CU_ASSERT_EQUAL(work_of(&p, 50), 10000); /* the last one is among them */
}

/* The accounts of all pools are bounded; a pool without is told. */
static void bounds_the_accounts(void)
{
	struct story *d = story_run(0, "0 x pool rfc 4096\n");
	struct doze_event e;
	struct doze_path p;

	for (uint32_t pool = 2; pool <= 4; pool++) {
		story_parse("1 x pool rfc 4096", &e);
		e.pool = pool;
		doze_model_feed(d->model, &e);
	}
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->paths_missing, 1);
	CU_ASSERT_FALSE(doze_model_path(d->model, 3, 1000000000, &p));
	story_more(d, "2 x pool stop\n"); /* it gives way to the next one that begins */
	story_parse("3 x pool rfc 100", &e);
	e.pool = 5;
	doze_model_feed(d->model, &e);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->paths_missing, 1);
	story_parse("4 x pool rfc 4096", &e);
	e.pool = 6;
	doze_model_feed(d->model, &e);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->paths_missing, 2);
}

static const struct suite_test tests[] = {
    {"Is it found who was waited for?", finds_the_critical_path},
    {"Does the path go back to who woke?", follows_the_waker},
    {"Have pools of any size a path?", knows_large_pools},
    {"Is the memory for paths bounded?", bounds_the_accounts},
};
SUITE_MAIN("model: critical path", tests)
