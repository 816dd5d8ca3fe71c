/*
 * SPDX-License-Identifier: MIT
 *
 * reports.c - checks that a worker reports each change of its state as it happened, under policy
 * `jec`: the words before and after, the order of the reports, and the wake that ended a sleep.
 *
 * The library never reads what it reports, so no other check detects a wrong report. Only a
 * scenario that calls ex_check_reports is checked.
 */
#include "rules.h"

#include "../../lib/sleep/counters.h"

#include <string.h>

#define WORKERS 3

/* Part of every state: the worker has reported a wake, but not yet that it is idle. */
static bool woken[2][WORKERS];

void ex_check_reports(void)
{
	E->reports_checked = true;
}

static bool checked(uint32_t pool, int32_t worker)
{
	return pool <= 2 && worker >= 0 && worker < WORKERS;
}

void ex_reports_woken(uint32_t pool, int32_t worker)
{
	if (checked(pool, worker))
		woken[pool - 1][worker] = true;
}

void ex_reports_state(uint32_t pool, int32_t worker, const struct doze_trace_state_info *i)
{
	if (!checked(pool, worker))
		return;
	if (i->to == DOZE_STATE_sleeping && i->new_word != i->old_word + DOZE_ONE_SLEEPING)
		ex_breach("worker %d reports that it sleeps, but its words do not show the step "
			  "that counts it as sleeping: %#lx before and %#lx after",
			  worker, (unsigned long)i->old_word, (unsigned long)i->new_word);
	if (i->to != DOZE_STATE_idle)
		return;
	if (i->reason == DOZE_REASON_woken && !woken[pool - 1][worker])
		ex_breach("worker %d reports that it was woken, but not by which wake", worker);
	woken[pool - 1][worker] = false;
}

/* Checks the word that the worker reports against the one that its step found, unless it has made
 * another step since. */
static void check_found(int32_t worker, uint64_t old_word)
{
	if (E->done.kind == EX_OP_RMW && strstr(E->done.what, "word") && E->done.result != old_word)
		ex_breach("worker %d reports the word %#lx before its step, but the step found "
			  "%#lx",
			  worker, (unsigned long)old_word, (unsigned long)E->done.result);
}

void ex_reports_abort(uint32_t pool, int32_t worker, enum doze_abort by, enum doze_state state,
		      uint64_t old_word, uint64_t new_word)
{
	if (!checked(pool, worker) || by == DOZE_ABORT_latch)
		return;
	if (by == DOZE_ABORT_jec) {
		if (state != DOZE_STATE_sleepy)
			ex_breach("worker %d tries to sleep, but has not become sleepy since it "
				  "was idle",
				  worker);
		if (old_word != new_word)
			ex_breach("a post kept worker %d from lying down, but the worker reports a "
				  "change of the word",
				  worker);
		return;
	}
	if (state != DOZE_STATE_sleeping)
		ex_breach("the last look averts the sleep of worker %d, which has not reported "
			  "that it was asleep",
			  worker);
	if (new_word != old_word - DOZE_ONE_SLEEPING)
		ex_breach("worker %d reports an averted sleep, but its words do not show the step "
			  "that subtracts it from the sleepers: %#lx before and %#lx after",
			  worker, (unsigned long)old_word, (unsigned long)new_word);
	check_found(worker, old_word);
}
