/*
 * SPDX-License-Identifier: MIT
 *
 * go.c - descriptor of `go`, from lib/sleep/go.md.
 */
#include "common.h"

/* Wakes one worker if no worker is spinning. */
static uint32_t wakes(const struct doze_wake_facts *f)
{
	return f->idle == 0;
}

const struct doze_policy_descriptor doze_policy_go_descriptor = {
    .name = "go",
    ROUNDS_OF_RAYON,
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPING(REASON(woken) | REASON(recheck))},
    .word = DOZE_WORD_RULE_COUNTS,
    .count_out = DOZE_COUNT_OUT_WAKER,
    .wakes = wakes,
    .sees = DOZE_SEES_WORD,
    .found_wakes = 1,
    .found_by_last = true,
    .aim = DOZE_AIM_ONCE,
    .latch = DOZE_LATCH_WAKES_OWNER,
    .picks = PICKS_FIRST,
    .causes = CAUSES_ALWAYS | CAUSE(work_found),
    .sentences =
	SENTENCES{
	    WAKER_COUNTED_OUT,
	    {ON_STATE(idle, recheck), "Before it stops spinning, a worker checks all queues once "
				      "more, and this check found a job."},
	    {ON_STATE(active, latch_set),
	     "The latch that the worker waited for is set, so the worker continues. If it was the "
	     "last spinning worker, it wakes one more, because posts may have relied on it."},
	    {ON_ENTERING(active), "The worker found work. If it was the last spinning worker, it "
				  "wakes one more, which searches in its place."},
	    {ON(post), "A post wakes one worker, and only if none is spinning: a spinning worker "
		       "will find the work, and the last one to find work wakes one more."},
	    END_OF_SENTENCES,
	},
    .singles =
	ADVICE{
	    {DOZE_CAUSE_work_found,
	     "under go the last searching worker to find work wakes another, so that one is always "
	     "searching; if jobs are posted one at a time, the woken worker finds none. Publish "
	     "several at once, or try rfc, which wakes only for posted jobs"},
	    END_OF_ADVICE,
	},
};
