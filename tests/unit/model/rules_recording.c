/*
 * SPDX-License-Identifier: MIT
 *
 * rules_recording.c - part of rules_test: rules on jobs, on impossible values, and on whole
 * recordings.
 */
#include "rules.h"

#include <stdio.h>

/* A recording of level `jobs`: w0 posts two jobs, and each worker runs one. */
#define JOBS                                                                                       \
	START("rfc")                                                                               \
	"10 w0 post local 2 empty wakes 0 d0 0.0.0>0.0.0\n"                                        \
	"11 w0 job local id8\n20 w0 ended id8\n"                                                   \
	"21 w1 active>idle no_work 0.0.0>0.1.0\n"
#define STOLEN                                                                                     \
	"22 w1 steal w0\n"                                                                         \
	"23 w1 idle>active found_stolen 0.1.0>0.0.0\n24 w1 job stolen id9\n30 w1 ended id9\n"

/* A recording of level `all`, in which an outside thread posts a job. */
#define INJECTED "9 w0 job inline id5\n10 x post injector 1 empty wakes 0 d0 0.0.0>0.0.0\n"

void rules_jobs(void)
{
	rules_healthy(JOBS STOLEN STOP);
	rules_break("job-once", JOBS "22 w1 idle>active found_stolen 0.1.0>0.0.0\n"
				     "24 w1 job stolen id8\n30 w1 ended id8\n" STOP);
	rules_break("job-once", START("rfc") "10 w0 job inline id8\n11 w0 job inline id8\n");
	rules_break("job-lost", JOBS "22 w1 idle>active latch_set 0.1.0>0.0.0\n" STOP);
	rules_break("job-lost", START("libuv") INJECTED STOP);
	rules_healthy(START("libuv") INJECTED "12 x taken injected id8\n" STOP);
	rules_break("job-end", JOBS STOLEN "31 w1 ended id9\n" STOP);
	rules_break("job-end", START("rfc") "10 w0 ended id5\n11 w0 job inline id5\n");
	rules_break("job-asleep",
		    JOBS "22 w1 idle>sleeping rounds 0.1.0>1.1.0\n24 w1 job inline id7\n");
	rules_break("job-asleep",
		    JOBS "22 w1 idle>sleeping rounds 0.1.0>1.1.0\n24 w1 taken stolen id7\n");
	rules_break("self-steal", JOBS "22 w1 steal w1\n" STOLEN STOP);
	/* the job's start is missing: the trace begins later, or events were lost */
	rules_healthy("10 w0 ended id5\n");
	rules_healthy(START("rfc") "10 w0 job inline id4\n12 lost 11 1\n13 w0 ended id5\n");
}

void rules_ranges(void)
{
	rules_break("index", START("rfc") "10 w2 active>idle no_work 0.0.0>0.1.0\n");
	rules_break("index", START("rfc") "10 w0 wake w7 id1 d1 push 0.0.0>0.0.0\n");
	rules_break("state", START("rfc") "10 w0 active>? no_work 0.0.0>0.1.0\n"
					  "12 w0 idle>active found_local 0.1.0>0.0.0\n" STOP);
	rules_break("state", START("rfc") "10 w0 ?>idle no_work 0.0.0>0.1.0\n");
	rules_break("totals", START("rfc") "10 w0 active>idle no_work 0.0.0>0.1.0 ran 5\n"
					   "12 w0 idle>active found_local 0.1.0>0.0.0 ran 4\n");
	rules_break("width", "0 x pool jec 2 jec40\n");
	rules_break("width", "0 x pool jec 70000\n");
	rules_break("after-stop", START("rfc") STOP "95 w1 jec post 0.0.0>0.0.0\n96 x mark fine\n");
	rules_healthy(START("rfc") STOP "95 x mark fine\n");
	/* a new pool reuses the pool number */
	rules_healthy(START("rfc") STOP "100 x pool rfc 2\n101 w0 none>active start\n");
}

/* For a policy that this version does not know, the rules common to all policies still apply. */
void rules_unknown_policies(void)
{
	rules_healthy(START(
	    "mine") "20 w1 active>idle no_work 0.0.0>0.1.0\n"
		    "40 w1 idle>sleeping rounds 0.1.0>1.1.0\n900000 x mark late\n900000 end\n");
#define MINE_ASLEEP                                                                                \
	START("mine")                                                                              \
	"20 w1 active>idle no_work 0.0.0>0.1.0\n38 w1 latch unset>sleepy w1 id7\n"                 \
	"39 w1 latch sleepy>sleeping w1 id7\n40 w1 idle>sleeping rounds 0.1.0>1.1.0\n"             \
	"50 w0 latch sleeping>set w1 id7\n"
#define MINE_WOKEN                                                                                 \
	"53 w1 woken 1\n54 w1 sleeping>idle woken 1.1.0>0.1.0\n900000 x mark late\n900000 end\n"
	rules_break("latch-wake", MINE_ASLEEP "900000 x mark late\n900000 end\n");
	rules_healthy(MINE_ASLEEP "52 w0 wake w1 id1 d1 latch 1.1.0>1.1.0\n" MINE_WOKEN);
	rules_healthy(MINE_ASLEEP "52 w0 wake x id1 d1 latch all 1.1.0>1.1.0\n" MINE_WOKEN);
}

/* A change of the word that the policy forbids also violates the rules on bounds, chain and
 * counters, but is only one finding. */
void rules_one_finding_per_cause(void)
{
	struct script_result *d = script_run_checked(
	    START("rfc") "20 w1 active>idle no_work 0.0.0>0.9.0\n300000 x mark late\n300000 end\n");

	CU_ASSERT_EQUAL(d->findings, 1);
	CU_ASSERT_STRING_EQUAL(d->finding[0].rule, "step");
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->findings, 1);
	CU_ASSERT_EQUAL(doze_model_totals(d->model)->consequences, d->consequences);
	CU_ASSERT_EQUAL_FATAL(d->consequences, 2);
	CU_ASSERT_STRING_EQUAL(d->consequence[0].rule, "bounds");
	CU_ASSERT_STRING_EQUAL(d->consequence[1].rule, "counters");
	CU_ASSERT_EQUAL(d->consequence[0].cause, d->finding[0].number);
	CU_ASSERT_EQUAL(d->consequence[1].cause, d->finding[0].number);
	/* two causes give two findings */
	d = script_run_checked(START("rfc") "20 w1 active>idle no_work 0.0.0>0.0.0\n"
					    "30 w0 active>idle no_work 0.0.0>0.0.0\n");
	CU_ASSERT_EQUAL(d->findings, 2);
}

/* A wrong `from` is a finding only in a recording that is known to be complete. */
void rules_complete_recordings(void)
{
	static const char text[] =
	    START("rfc") "20 w1 sleepy>idle jec_changed 0.0.0>0.0.0\n30 w0 woken 3\n" STOP;

	for (int complete = 0; complete < 2; complete++) {
		struct script_result *d = script_run_checked("");

		if (complete)
			doze_model_complete(d->model);
		script_continue(d, text);
		doze_model_finish(d->model, 1000200000);
		CU_ASSERT_EQUAL(doze_model_totals(d->model)->missing > 0, !complete);
		CU_ASSERT_TRUE(script_findings(d, "transition") > 0);
	}
}

void rules_missing_wake_number(void)
{
	struct script_result *d = script_run_checked("");

	doze_model_complete(d->model);
	script_continue(d, RFC_ASLEEP "50 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.0\n"
				      "52 w0 wake w1 id3 d1 push 1.1.0>1.1.0\n" RFC_FOUND_3 STOP);
	doze_model_finish(d->model, 1000200000);
	CU_ASSERT_EQUAL(script_findings(d, "wake-number"), 1);
	CU_ASSERT_EQUAL(d->findings, 1);
	rules_note_broken("wake-number");
}

/* Returns the findings in a complete recording of a pool that started before it, which has the
 * wakes from first to last, but not the wake `absent`. */
static size_t findings_of_late_recording(unsigned first, unsigned last, unsigned absent)
{
	struct script_result *d = script_run_checked("");
	char line[80];

	doze_model_complete(d->model);
	script_continue(d, "10 w0 snapshot active rfc 2 0.0.0>0.0.0\n");
	for (unsigned id = first; id <= last; id++) {
		(void)snprintf(line, sizeof line, "%u w0 wake w1 id%u d1 push 1.1.0>1.1.0\n",
			       100 + id - first, id);
		if (id != absent)
			script_continue(d, line);
	}
	doze_model_finish(d->model, 1000200000);
	return script_findings(d, "wake-number");
}

/* The pool has numbered wakes before, perhaps more than the model remembers (4096). */
void rules_late_wake_numbers(void)
{
	static const unsigned first[] = {1, 2, 4096, 4097, 5145, 100000};

	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		CU_ASSERT_EQUAL(findings_of_late_recording(first[i], first[i] + 99, 0), 0);
		CU_ASSERT_EQUAL(findings_of_late_recording(first[i], first[i] + 99, first[i] + 10),
				1);
	}
}
