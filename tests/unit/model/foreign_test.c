/*
 * SPDX-License-Identifier: MIT
 *
 * foreign_test.c - viz/model: crews of programs without libdoze, and the verdicts that can be given
 * on their wakes.
 */
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

#include "viz/trace/policies.h"
/* A crew of two threads that wait on condition variable 5 by 40 us. */
#define WAITING                                                                                    \
	"0 x pool foreign 0\n"                                                                     \
	"0 x crew 77\n"                                                                            \
	"1 w0 begin\n2 w0 none>active start\n"                                                     \
	"3 w1 begin\n4 w1 none>active start\n"                                                     \
	"20 w0 wait cond a5 c6\n21 w0 active>sleeping waits\n"                                     \
	"30 w1 wait cond a5 c6\n31 w1 active>sleeping waits\n"
#define BROADCAST                                                                                  \
	"50 x post none 0 full wakes 2 d1 by9\n"                                                   \
	"51 x wake x id1 d1 call all\n52 x wake x id2 d1 call all\n"
#define AGAIN                                                                                      \
	"60 w0 woken 1\n61 w0 sleeping>idle woken\n62 w0 wait cond a5 c6\n63 w0 idle>sleeping "    \
	"waits\n"
#define ONWARD "70 w1 woken 2\n71 w1 sleeping>idle woken\n72 w1 idle>active went_on\n"

static uint64_t verdicts(const struct script_result *d, enum doze_verdict v)
{
	return doze_model_totals(d->model)->verdicts[v];
}

static void descriptor(void)
{
	const struct doze_policy_descriptor *d = doze_policy_descriptor("foreign");

	CU_ASSERT_STRING_EQUAL(d->name, "foreign");
	CU_ASSERT_TRUE(d->foreign);
	for (size_t i = 0; doze_policy_at(i); i++)
		CU_ASSERT_FALSE(doze_policy_at(i)->foreign);
	CU_ASSERT_FALSE(doze_policy_has_state(d, DOZE_STATE_sleepy));
	CU_ASSERT_PTR_NULL(
	    doze_policy_transition(d, DOZE_STATE_idle, DOZE_STATE_sleeping, DOZE_REASON_waits));
	CU_ASSERT_PTR_NOT_NULL(
	    doze_policy_transition(d, DOZE_STATE_active, DOZE_STATE_idle, DOZE_REASON_no_work));
}

static void crew_grows(void)
{
	struct script_result *d = script_run_checked(WAITING);
	const struct doze_pool_view *p = doze_model_pool(d->model, 0);

	CU_ASSERT_TRUE(doze_pool_is_crew(p));
	CU_ASSERT_TRUE(doze_model_is_foreign(d->model));
	CU_ASSERT_EQUAL(p->workers, 2);
	CU_ASSERT_EQUAL(p->crew_start, 77);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 1)->wait.kind, DOZE_WAIT_cond);
	CU_ASSERT_EQUAL(doze_model_worker(d->model, 1)->wait.address, 5);
	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_FALSE(doze_model_is_foreign(script_run(0, "0 x pool jec 2\n")->model));
}

static void futile_then_useful(void)
{
	struct script_result *d = script_run_checked(WAITING BROADCAST AGAIN ONWARD);

	CU_ASSERT_EQUAL_FATAL(d->verdicts, 2);
	CU_ASSERT_EQUAL(d->verdict[0].verdict, DOZE_VERDICT_futile);
	CU_ASSERT_EQUAL(d->verdict[0].caller, 9);
	CU_ASSERT_EQUAL(d->verdict[1].verdict, DOZE_VERDICT_useful);
	CU_ASSERT_TRUE(doze_model_pool(d->model, 0)->waited_again);
	CU_ASSERT_EQUAL(d->findings, 0);
}

/* The first wake comes before any thread has waited again, so nothing shows a loop yet. */
static void nothing_claimed_without_a_loop(void)
{
	struct script_result *d = script_run_checked(
	    WAITING BROADCAST
	    "60 w1 woken 2\n61 w1 sleeping>idle woken\n62 w1 idle>active went_on\n"
	    "65 w0 woken 1\n66 w0 sleeping>idle woken\n67 w0 wait cond a5 c8\n"
	    "68 w0 idle>sleeping waits\n");

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_went_on), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_futile), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_useful), 0);
	/* It waited again at another place, which is no loop either. */
	script_continue(d, "80 x post none 0 full wakes 1 d2 by9\n81 x wake x id3 d2 call\n"
			   "82 w0 woken 3\n83 w0 sleeping>idle woken\n84 w0 idle>active went_on\n");
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_went_on), 2);
	CU_ASSERT_EQUAL(d->findings, 0);
}

static void semaphores_claim_nothing(void)
{
	struct script_result *d =
	    script_run_checked("0 x pool foreign 0\n1 w0 begin\n2 w0 none>active start\n"
			       "3 w0 wait sem a5 c6\n4 w0 active>sleeping waits\n"
			       "5 x post none 0 full wakes 1 d1 by9\n6 x wake x id1 d1 call\n"
			       "7 w0 woken 1\n8 w0 sleeping>active woken\n"
			       "9 w0 wait sem a5 c6\n10 w0 active>sleeping waits\n"
			       "11 w0 sleeping>active timed_out\n12 w0 wait futex a5 c6\n"
			       "13 w0 active>sleeping waits\n14 w0 sleeping>active self_wake\n"
			       "15 w0 active>stopped terminate\n");

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_went_on), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_self), 1);
	CU_ASSERT_EQUAL(d->verdicts, 2);
	CU_ASSERT_FALSE(doze_model_pool(d->model, 0)->waited_again);
	CU_ASSERT_EQUAL(d->findings, 0);
}

static void indices_are_reused(void)
{
	struct script_result *d = script_run_checked(
	    WAITING "60 w0 sleeping>active timed_out\n61 w0 totals 1 0 0 1\n"
		    "62 w0 active>stopped terminate\n63 w0 stop\n"
		    "70 w0 begin\n71 w0 none>active start\n"
		    "72 w0 wait cond a5 c6\n73 w0 active>sleeping waits\n"
		    "80 w0 totals 1 0 0 0\n81 w1 totals 3 2 1 1\n90 x pool stop\n"
		    "91 w1 sleeping>active timed_out\n95 end\n");
	struct doze_wait_counts n = doze_model_wait_counts(d->model);

	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->missing, 0);
	CU_ASSERT_EQUAL(n.waits, 5);
	CU_ASSERT_EQUAL(n.woken, 2);
	CU_ASSERT_EQUAL(n.again, 1);
	CU_ASSERT_EQUAL(n.timed_out, 2);
	/* The thread that had the index first, and its successor, have known states throughout. */
	for (size_t i = 0; i + 2 < d->intervals; i++)
		CU_ASSERT_FALSE(d->interval[i].unknown && d->interval[i].who.index == 0);
}

static void exits_while_threads_run(void)
{
	struct script_result *d = script_run_checked(WAITING "80 x pool stop\n90 end\n");
	int64_t known = 0;

	for (size_t i = 0; i < d->intervals; i++)
		if (d->interval[i].state == DOZE_STATE_sleeping && !d->interval[i].unknown)
			known += d->interval[i].to - d->interval[i].from;
	CU_ASSERT_EQUAL(known, (80 - 21 + 80 - 31) * 1000);
	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_FALSE(doze_model_totals(d->model)->truncated);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->missing, 0);
}

/* The second wake was for a thread whose wait timed out, so nobody took it. While w0 sleeps, it
 * may still take the other. */
static void nobody(void)
{
	struct script_result *d = script_run_checked(
	    WAITING BROADCAST
	    "60 w0 woken 1\n61 w0 sleeping>idle woken\n62 w0 idle>active went_on\n"
	    "63 w1 sleeping>active timed_out\n90 end\n");

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_nobody), 1);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_unresolved), 0);
	CU_ASSERT_EQUAL(d->findings, 0);
	d = script_run_checked(WAITING BROADCAST "90 x pool stop\n91 end\n");
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_nobody), 0);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_unresolved), 2);
}

static void taken_by_another_waiter(void)
{
	struct script_result *d = script_run_checked(
	    WAITING "50 x post none 0 full wakes 1 d1 by9\n51 x wake x id1 d1 call\n"
		    "60 w0 sleeping>active timed_out\n"
		    "61 w1 woken 1\n62 w1 sleeping>idle woken\n63 w1 idle>active went_on\n");

	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_went_on), 1);
	CU_ASSERT_EQUAL(d->verdict[0].target.index, 1);
	CU_ASSERT_EQUAL(d->findings, 0);
}

static void sites(void)
{
	struct script_result *d = script_run_checked(
	    WAITING "40 x site cond c9 10 4\n" BROADCAST AGAIN ONWARD "80 x site cond c9 12 5\n"
		    "81 x site cond c8 7 7\n");
	const struct doze_wake_site *s = doze_model_wake_site(d->model, 0);

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_EQUAL(s->caller, 9);
	CU_ASSERT_EQUAL(s->calls, 12);
	CU_ASSERT_EQUAL(s->nobody, 5);
	CU_ASSERT_EQUAL(s->wakes, 2);
	CU_ASSERT_EQUAL(s->futile, 1);
	CU_ASSERT_PTR_EQUAL(doze_model_site_pool(d->model, s), doze_model_pool(d->model, 0));
	CU_ASSERT_PTR_NOT_NULL(doze_model_wake_site(d->model, 1));
	CU_ASSERT_PTR_NULL(doze_model_wake_site(d->model, 2));
	CU_ASSERT_EQUAL(doze_model_pools(d->model), 1); /* pool 0 is no crew */
}

/* A wrapper has one place, and a part of it for each of its callers. */
static void sites_of_a_wrapper(void)
{
	struct script_result *d = script_run_checked(
	    WAITING "50 x post none 0 full wakes 1 d1 by9 of3\n"
		    "51 x wake x id1 d1 call\n" AGAIN "65 x post none 0 full wakes 1 d2 by9 of4\n"
		    "66 x wake x id2 d2 call\n" ONWARD "80 x site cond c9 5 3\n");
	const struct doze_wake_site *s[3];

	for (size_t i = 0; i < 3; i++) {
		s[i] = doze_model_wake_site(d->model, i);
		CU_ASSERT_PTR_NOT_NULL_FATAL(s[i]);
		CU_ASSERT_EQUAL(s[i]->caller, 9);
	}
	CU_ASSERT_EQUAL(s[0]->wakes, 2);
	CU_ASSERT_EQUAL(s[0]->futile, 1);
	CU_ASSERT_EQUAL(s[0]->calls, 5);
	CU_ASSERT_EQUAL(s[1]->caller2, 3);
	CU_ASSERT_EQUAL(s[1]->futile, 1);
	CU_ASSERT_EQUAL(s[1]->calls, 0);
	CU_ASSERT_EQUAL(s[2]->caller2, 4);
	CU_ASSERT_EQUAL(s[2]->futile, 0);
	CU_ASSERT_PTR_NULL(doze_model_wake_site(d->model, 3));
}

static void herd(void)
{
	struct script_result *d = script_run(0, WAITING BROADCAST AGAIN ONWARD "9000 end\n");
	const struct doze_herd_measures *h = &doze_model_measures(d->model)->herd;

	CU_ASSERT_EQUAL(h->decisions, 1);
	CU_ASSERT_EQUAL(h->woken, 2);
	CU_ASSERT_EQUAL(h->most, 2);
	CU_ASSERT_EQUAL(doze_model_measures(d->model)->awake.n, 1);
}

static void violations(void)
{
	struct script_result *d = script_run_checked(WAITING "60 w0 sleeping>idle timed_out\n");

	CU_ASSERT_EQUAL(script_findings(d, "transition"), 1);
	d = script_run_checked(WAITING "60 x wake x id1 d1 push\n");
	CU_ASSERT_EQUAL(script_findings(d, "wake-cause"), 1);
	d = script_run_checked(WAITING "60 w0 woken 4\n");
	CU_ASSERT_EQUAL(script_findings(d, "wake-pair"), 1);
}

/* Lost events may include the start of a thread that reuses an index. */
static void lost_events(void)
{
	struct script_result *d = script_run_checked(
	    WAITING "50 w0 sleeping>active timed_out\n51 w0 active>stopped terminate\n52 w0 stop\n"
		    "70 lost 60 5\n80 w0 active>sleeping waits\n"
		    "81 w1 sleeping>idle woken\n82 w1 idle>sleeping waits\n90 end\n");

	CU_ASSERT_EQUAL(d->findings, 0);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_futile), 0);
	CU_ASSERT_EQUAL(verdicts(d, DOZE_VERDICT_useful), 0);
}

static const struct suite_test tests[] = {
    {"the descriptor is found by name, but is not among the policies", descriptor},
    {"a crew grows with its threads", crew_grows},
    {"a wake is futile if its thread waits again, and then others are useful", futile_then_useful},
    {"without a loop nothing is claimed", nothing_claimed_without_a_loop},
    {"wakes from semaphores and futexes claim nothing", semaphores_claim_nothing},
    {"a thread may have the index of one that has ended", indices_are_reused},
    {"a program may exit while its threads run", exits_while_threads_run},
    {"a wake whose thread has left its wait woke nobody", nobody},
    {"another waiter may take a wake", taken_by_another_waiter},
    {"places that wake have the program's counts and their wakes", sites},
    {"the wakes of a wrapper are also counted by its callers", sites_of_a_wrapper},
    {"a broadcast's herd is measured", herd},
    {"rules that hold for crews are checked", violations},
    {"lost events lead to no verdict and no finding", lost_events},
};
SUITE_MAIN("model: foreign", tests)
