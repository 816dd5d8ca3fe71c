/*
 * SPDX-License-Identifier: MIT
 *
 * restart_test.c - viz/model: a new pool that reuses the number of an earlier pool.
 */
#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

#define US 1000

/* The process executes another program, whose first pool has the same number. At that time, w1 was
 * asleep and a wake was in progress. */
#define BEFORE_EXEC                                                                                \
	"0 x pool rfc 2\n1 w0 none>active start\n1 w1 none>active start\n"                         \
	"20 w1 active>idle no_work 0.0.0>0.1.0\n21 w1 idle>sleeping rounds 0.1.0>1.1.0\n"          \
	"30 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.0\n31 w0 wake w1 id1 d1 push 1.1.0>1.1.0\n"
#define AFTER_EXEC                                                                                 \
	"51 w0 none>active start\n51 w1 none>active start\n"                                       \
	"60 w1 active>idle no_work 0.0.0>0.1.0\n61 w1 idle>sleeping rounds 0.1.0>1.1.0\n"          \
	"70 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.0\n71 w0 wake w1 id1 d1 push 1.1.0>1.1.0\n" \
	"72 w1 woken 1\n73 w1 sleeping>idle woken 1.1.0>0.1.0\n"                                   \
	"74 w1 idle>active found_stolen 0.1.0>0.0.0\n"                                             \
	"80 w0 active>stopped terminate\n80 w1 active>stopped terminate\n90 x pool stop\n"

static struct script_result *checked(const char *text)
{
	return script_run_checked(text);
}

static void begins_anew_after_exec(void)
{
	struct script_result *d = checked(BEFORE_EXEC "50 x pool rfc 2\n" AFTER_EXEC);
	const struct doze_totals *t = doze_model_totals(d->model);
	size_t unknown = 0;

	CU_ASSERT_TRUE(t->truncated);
	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_EQUAL(t->verdicts[DOZE_VERDICT_unresolved], 1);
	CU_ASSERT_EQUAL(t->verdicts[DOZE_VERDICT_useful], 1);
	for (size_t i = 0; i < d->intervals; i++)
		unknown += d->interval[i].unknown;
	CU_ASSERT_EQUAL(unknown, 2); /* w0 was active and w1 asleep when the program was replaced */
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 1)->total[DOZE_STATE_sleeping], 12 * US);
}

/* A new process reuses the pid of one whose pool had stopped, so the trace is not reported as
 * truncated. */
static void follows_an_ended_pool(void)
{
	struct script_result *d = checked("0 x pool rfc 2\n" AFTER_EXEC "100 x pool rfc 2\n"
					  "101 w0 none>active start\n101 w1 none>active start\n"
					  "180 w0 active>stopped terminate\n"
					  "180 w1 active>stopped terminate\n190 x pool stop\n");

	CU_ASSERT_FALSE(doze_model_totals(d->model)->truncated);
	CU_ASSERT_EQUAL(d->findings, 0);
}

#define CAME_LATE                                                                                  \
	"10 w0 snapshot active rfc 2 1.1.0>1.1.0\n10 w1 snapshot sleeping rfc 2 1.1.0>1.1.0\n"

static void knows_a_late_start(void)
{
	/* The event is repeated for a viewer that attached late, so the same pool continues. */
	struct script_result *d =
	    checked(CAME_LATE "50 x pool rfc 2\n"
			      "60 w0 active>idle no_work 1.1.0>1.2.0\n"
			      "61 w0 idle>active found_local 1.2.0>1.1.0\n"
			      "900000 x mark late\n"
			      "900062 x wake w1 id9 d9 inject 1.1.0>1.1.0\n900063 w1 woken 9\n"
			      "900064 w1 sleeping>idle woken 1.1.0>0.1.0\n"
			      "900065 w1 idle>active found_injected 0.1.0>0.0.0\n"
			      "900080 w0 active>stopped terminate\n"
			      "900080 w1 active>stopped terminate\n900090 x pool stop\n");

	CU_ASSERT_FALSE(doze_model_totals(d->model)->truncated);
	CU_ASSERT_EQUAL(d->findings, 0);
	/* The event belongs to another program, whose workers start next. */
	d = checked(CAME_LATE "50 x pool rfc 2\n" AFTER_EXEC);
	CU_ASSERT_TRUE(doze_model_totals(d->model)->truncated);
	CU_ASSERT_EQUAL(d->findings, 0);
}

static const struct suite_test tests[] = {
    {"a pool that starts after an exec inherits no state from the previous pool",
     begins_anew_after_exec},
    {"a pool may reuse the number of a stopped pool", follows_an_ended_pool},
    {"a late start event belongs to the known pool unless workers start after it",
     knows_a_late_start},
};
SUITE_MAIN("model: restarts", tests)
