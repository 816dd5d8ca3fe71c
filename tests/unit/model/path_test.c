/*
 * SPDX-License-Identifier: MIT
 *
 * path_test.c - viz/model: the critical path of a phase.
 */
#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"
#include "viz/model/path.h"

static int64_t sum_of(const struct doze_path *p)
{
	int64_t sum = p->others;

	for (int k = 0; k < DOZE_PATH_PARTS; k++)
		sum += p->part[k];
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

/* Returns the work of the scripts' outside thread, 99, on the path. */
static int64_t outside_of(const struct doze_path *p)
{
	for (uint32_t i = 0; i < p->named; i++)
		if (p->work[i].worker == -1 && p->work[i].vtid == 99)
			return p->work[i].ns;
	return 0;
}

static struct doze_path path_at(const struct script_result *d, int64_t us)
{
	struct doze_path p;

	CU_ASSERT_TRUE_FATAL(doze_path_of(d->model, 0, 1000000000 + us * 1000, &p));
	CU_ASSERT_EQUAL(sum_of(&p), p.to - p.from);
	return p;
}

/* w0 works from 10 to 30 us, then waits for w1, which works until 70 us and sets the latch; w0 runs
 * again from 72 to 90 us. */
static void finds_the_critical_path(void)
{
	struct script_result *d = script_run(0, "0 x pool jec 2\n"
						"10 w0 none>active start\n10 w1 none>active start\n"
						"10 x mark phase\n"
						"30 w0 active>idle no_work\n"
						"70 w1 latch unset>set w0 id5\n"
						"72 w0 idle>active latch_set\n"
						"75 w1 active>idle no_work\n"
						"90 w0 active>idle no_work\n");
	struct doze_path p;

	CU_ASSERT_TRUE_FATAL(doze_path_of(d->model, 0, 1000000000 + 100000, &p));
	CU_ASSERT_EQUAL(p.last, 0);
	CU_ASSERT_EQUAL(work_of(&p, 1), 60000);
	CU_ASSERT_EQUAL(work_of(&p, 0), 18000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_waiting], 2000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_searching], 0);
	CU_ASSERT_EQUAL(p.after, 10000);
	CU_ASSERT_EQUAL(sum_of(&p), p.to - p.from);
	script_continue(d, "100 x mark next\n");
	CU_ASSERT_FALSE(doze_path_of(d->model, 0, 1000000000 + 100000, &p));
}

/* w0 wakes w1 for a job; the path does not include earlier work of w1. */
static void follows_the_waker(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool jec 2\n"
			  "10 w0 none>active start\n10 w1 none>active start\n"
			  "10 x mark phase\n11 w1 active>idle no_work\n"
			  "12 w1 idle>sleepy rounds\n13 w1 sleepy>sleeping rounds\n"
			  "40 w0 wake w1 id1 d1 push\n41 w1 woken 1\n"
			  "42 w1 sleeping>idle woken\n45 w1 idle>active found_stolen\n"
			  "50 w0 active>idle no_work\n"
			  "80 w1 active>idle no_work\n");
	struct doze_path p;

	CU_ASSERT_TRUE_FATAL(doze_path_of(d->model, 0, 1000000000 + 80000, &p));
	CU_ASSERT_EQUAL(p.last, 1);
	CU_ASSERT_EQUAL(work_of(&p, 0), 30000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_waiting], 5000);
	CU_ASSERT_EQUAL(work_of(&p, 1), 35000);
	CU_ASSERT_EQUAL(sum_of(&p), p.to - p.from);
}

#define TWO_IDLE                                                                                   \
	"0 x pool jec 2\n1 w0 none>active start\n1 w1 none>active start\n"                         \
	"2 w0 active>idle no_work\n2 w1 active>idle no_work\n10 x mark phase\n"

/* A serial program posts a job, waits for its end, and posts the next one. Searching workers find
 * each job without a wake. The last job still runs at the end of the phase. */
static void follows_jobs_to_their_posters(void)
{
	struct script_result *d = script_run(0, TWO_IDLE "15 x post injector 1 empty wakes 0 d0\n"
							 "17 w0 idle>active found_injected\n"
							 "17 w0 job injected id1\n40 w0 ended id1\n"
							 "44 x post injector 1 empty wakes 0 d0\n"
							 "46 w0 active>idle no_work\n"
							 "50 w1 idle>active found_injected\n"
							 "50 w1 job injected id2\n");
	struct doze_path p = path_at(d, 90);

	CU_ASSERT_EQUAL(p.last, 1);
	CU_ASSERT_EQUAL(p.to, 1000090000);
	/* Before the first job, and between the two jobs. */
	CU_ASSERT_EQUAL(outside_of(&p), 5000 + 4000);
	CU_ASSERT_EQUAL(work_of(&p, 0), 23000);
	CU_ASSERT_EQUAL(work_of(&p, 1), 40000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_waiting], 2000 + 6000);
	CU_ASSERT_EQUAL(p.named, 3);
}

/* The poster does not wait: its second job arrives while the first one runs, so no thread waited
 * for w0. */
static void knows_threads_that_did_not_wait(void)
{
	struct script_result *d =
	    script_run(0, TWO_IDLE "15 x post injector 1 empty wakes 0 d0\n"
				   "16 w0 idle>active found_injected\n"
				   "16 w0 job injected id1\n"
				   "60 x post injector 1 empty wakes 0 d0\n"
				   "61 w1 idle>active found_injected\n"
				   "61 w1 job injected id2\n"
				   "65 w0 ended id1\n66 w0 active>idle no_work\n"
				   "70 w1 ended id2\n71 w1 active>idle no_work\n");
	struct doze_path p = path_at(d, 80);

	CU_ASSERT_EQUAL(outside_of(&p), 50000);
	CU_ASSERT_EQUAL(work_of(&p, 0), 0);
	CU_ASSERT_EQUAL(work_of(&p, 1),
			9000); /* at the end of the job, not at the worker's later transition */
	CU_ASSERT_EQUAL(p.after, 10000);
}

/* The path leads from a thief to its victim's post, unless the thief was still busy at that time.
 */
static void follows_stolen_jobs(void)
{
	struct script_result *d =
	    script_run(0, TWO_IDLE "10 w0 idle>active found_injected\n"
				   "10 w0 job injected id1\n"
				   "30 w0 post local 1 empty wakes 0 d0\n"
				   "34 w1 steal w0\n34 w1 idle>active found_stolen\n"
				   "34 w1 job stolen id2\n"
				   "40 w0 post local 1 empty wakes 0 d0\n"
				   "41 w0 ended id1\n41 w0 active>idle no_work\n"
				   "50 w1 ended id2\n50 w1 active>idle no_work\n");
	struct doze_path p = path_at(d, 60);

	CU_ASSERT_EQUAL(work_of(&p, 0), 20000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_waiting], 4000);
	CU_ASSERT_EQUAL(work_of(&p, 1), 16000);
	script_continue(d, "53 w1 steal w0\n53 w1 idle>active found_stolen\n53 w1 job stolen id3\n"
			   "60 w1 ended id3\n60 w1 active>idle no_work\n");
	p = path_at(d, 60);
	CU_ASSERT_EQUAL(work_of(&p, 1), 16000 + 7000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_searching], 3000);
}

/* A thief may take the job before the event of its victim's post. */
static void follows_late_posts(void)
{
	struct script_result *d =
	    script_run(0, TWO_IDLE "10 x post injector 1 empty wakes 0 d0\n"
				   "12 w0 idle>active found_injected\n"
				   "12 w0 job injected id1\n20 w0 ended id1\n"
				   "20 w0 active>idle no_work\n"
				   "70 w1 idle>active found_injected\n"
				   "70 w1 job injected id2\n"
				   "71 x post injector 1 empty wakes 0 d0\n"
				   "80 w1 ended id2\n80 w1 active>idle no_work\n"
				   "90 x post injector 1 empty wakes 0 d0\n"
				   "90 w0 idle>active found_injected\n"
				   "90 w0 job injected id3\n95 w0 ended id3\n");
	struct doze_path p = path_at(d, 100);

	CU_ASSERT_EQUAL(work_of(&p, 0), 8000 + 5000);
	CU_ASSERT_EQUAL(outside_of(&p), 50000 + 10000);
	CU_ASSERT_EQUAL(work_of(&p, 1), 10000);
}

/* Sleep, search and waiting are distinguished. A wake without a known waker also ends a sleep. */
static void distinguishes_sleep_from_search(void)
{
	struct script_result *d =
	    script_run(0, TWO_IDLE "20 w0 idle>sleepy rounds\n"
				   "25 w0 sleepy>sleeping rounds\n"
				   "60 w0 woken 0\n60 w0 sleeping>idle self_wake\n"
				   "63 w0 idle>active found_local\n"
				   "70 w0 active>idle no_work\n");
	struct doze_path p = path_at(d, 70);

	CU_ASSERT_EQUAL(p.part[DOZE_PATH_searching], 15000 + 3000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_asleep], 35000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_waiting], 0);
	CU_ASSERT_EQUAL(work_of(&p, 0), 7000);
}

/* A condition variable chooses its target, which is known only once a worker wakes. */
static void follows_wakes_without_a_target(void)
{
	struct script_result *d =
	    script_run(0, "0 x pool condvar 2\n1 w0 none>active start\n"
			  "1 w1 none>active start\n2 w0 active>idle no_work\n"
			  "3 w0 idle>sleeping rounds\n10 x mark phase\n"
			  "40 w1 wake x id1 d1 push\n42 w0 woken 1\n"
			  "42 w0 sleeping>idle woken\n"
			  "43 w0 idle>active found_stolen\n"
			  "45 w1 active>idle no_work\n50 w0 active>idle no_work\n");
	struct doze_path p = path_at(d, 50);

	CU_ASSERT_EQUAL(p.last, 0);
	CU_ASSERT_EQUAL(work_of(&p, 1), 30000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_waiting], 3000);
	CU_ASSERT_EQUAL(work_of(&p, 0), 7000);
}

/* Without jobs in the trace, a thread that posts while no worker works is assumed to have been
 * waiting. */
static void follows_posts_at_level_states(void)
{
	struct script_result *d = script_run(0, TWO_IDLE "15 x post injector 1 empty wakes 0 d0\n"
							 "17 w0 idle>active found_injected\n"
							 "40 w0 active>idle no_work\n"
							 "45 w1 idle>active found_injected\n"
							 "60 w1 active>idle no_work\n");
	struct doze_path p = path_at(d, 60); /* the second post has no event */

	CU_ASSERT_EQUAL(work_of(&p, 0), 23000);
	CU_ASSERT_EQUAL(work_of(&p, 1), 15000);
	CU_ASSERT_EQUAL(outside_of(&p), 10000);
	CU_ASSERT_EQUAL(p.part[DOZE_PATH_waiting], 2000);
}

/* Computes the path of a pool whose workers all start at 10 us. Each worker of a chain of `links`
 * works for 10 us and wakes the next one; the other workers sleep. */
static void chain_of(uint32_t workers, uint32_t links, struct doze_path *p)
{
	char line[512];
	struct script_result *d;
	uint32_t w = 0, us = 10;

	snprintf(line, sizeof line, "0 x pool rfc %u\n", workers);
	d = script_run(0, line);
	for (uint32_t i = 0; i < workers; i++) {
		snprintf(line, sizeof line, "%u w%u none>active start\n", us, i);
		script_continue(d, line);
	}
	script_continue(d, "10 x mark phase\n");
	for (uint32_t i = 1; i < workers; i++) {
		snprintf(line, sizeof line,
			 "10 w%u active>idle no_work\n10 w%u idle>sleeping rounds\n", i, i);
		script_continue(d, line);
	}
	for (uint32_t i = 1; i <= links; i++) {
		us += 10;
		snprintf(line, sizeof line,
			 "%u w%u wake w%u id%u d%u push\n%u w%u active>idle no_work\n"
			 "%u w%u woken %u\n%u w%u sleeping>idle woken\n"
			 "%u w%u idle>active found_stolen\n",
			 us, w, workers - i, i, i, us, w, us, workers - i, i, us, workers - i, us,
			 workers - i);
		script_continue(d, line);
		w = workers - i;
	}
	snprintf(line, sizeof line, "%u w%u active>idle no_work\n", us + 10, w);
	script_continue(d, line);
	CU_ASSERT_TRUE_FATAL(doze_path_of(d->model, 0, 1000000000, p));
	CU_ASSERT_EQUAL(p->last, (int32_t)w);
	CU_ASSERT_EQUAL(p->to - p->from, (links + 1) * 10000);
	CU_ASSERT_EQUAL(sum_of(p), p->to - p->from);
}

/* A short path in a pool larger than the table names all its workers. A long path names 64 of
 * them. */
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
	CU_ASSERT_EQUAL(work_of(&p, 50), 10000); /* the last worker of the chain is named, too */
}

/* The memory for all pools is bounded, and a pool for which no memory was left is reported. */
static void bounds_the_accounts(void)
{
	struct script_result *d = script_run(0, "0 x pool rfc 4096\n");
	struct doze_event e;
	struct doze_path p;

	for (uint32_t pool = 2; pool <= 4; pool++) {
		script_parse("1 x pool rfc 4096", &e);
		e.pool = pool;
		doze_model_feed(d->model, &e);
	}
	CU_ASSERT_EQUAL(doze_paths_missing(d->model), 1);
	CU_ASSERT_FALSE(doze_path_of(d->model, 3, 1000000000, &p));
	/* The next pool that starts reuses the memory of the stopped pool. */
	script_continue(d, "2 x pool stop\n");
	script_parse("3 x pool rfc 100", &e);
	e.pool = 5;
	doze_model_feed(d->model, &e);
	CU_ASSERT_EQUAL(doze_paths_missing(d->model), 1);
	script_parse("4 x pool rfc 4096", &e);
	e.pool = 6;
	doze_model_feed(d->model, &e);
	CU_ASSERT_EQUAL(doze_paths_missing(d->model), 2);
}

static const struct suite_test tests[] = {
    {"the critical path names the worker that the others waited for", finds_the_critical_path},
    {"the critical path leads back to the waker", follows_the_waker},
    {"the critical path leads from a found job to its poster, even outside the pool",
     follows_jobs_to_their_posters},
    {"the critical path excludes work that no thread waited for", knows_threads_that_did_not_wait},
    {"the critical path leads from a stolen job to the worker that posted it", follows_stolen_jobs},
    {"the critical path leads to a job's poster even if the job is taken before the post's event",
     follows_late_posts},
    {"the critical path distinguishes sleep from search", distinguishes_sleep_from_search},
    {"the critical path follows wakes without a named target", follows_wakes_without_a_target},
    {"a trace without jobs has a critical path", follows_posts_at_level_states},
    {"a pool of any size has a critical path", knows_large_pools},
    {"the memory for critical paths is bounded", bounds_the_accounts},
};
SUITE_MAIN("model: critical path", tests)
