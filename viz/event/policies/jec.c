/*
 * SPDX-License-Identifier: MIT
 *
 * jec.c - descriptor of `jec`, from lib/sleep/README.md.
 */
#include "common.h"

/* A queue that had jobs already shows that the idle have not kept up, so one for each job;
 * otherwise one for each job that no idle worker will take. */
static uint32_t wakes(const struct doze_wake_facts *f)
{
	if (!f->was_empty)
		return f->jobs;
	return f->jobs > f->idle ? f->jobs - f->idle : 0;
}

const struct doze_policy_descriptor doze_policy_jec_descriptor = {
    .name = "jec",
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPY(REASON(jec_changed) | REASON(latch_set),
					 REASON(woken) | REASON(found_injected) |
					     REASON(found_broadcast) | REASON(latch_set))},
    .word = DOZE_WORD_RULE_JEC,
    .count_out = DOZE_COUNT_OUT_WAKER,
    .wakes = wakes,
    .sees = DOZE_SEES_WORD,
    .found_wakes = 2,
    .aim = DOZE_AIM_ONCE,
    .latch = DOZE_LATCH_WAKES_OWNER,
    .causes = CAUSES_ALWAYS | CAUSE(work_found),
    .sentences =
	SENTENCES{
	    {ON_STATE(sleepy, rounds),
	     "After {rounds} a worker gets sleepy: it makes the JEC even, if it is odd, and "
	     "remembers it; the next post makes it odd again."},
	    {ON_STATE(sleeping, rounds),
	     "A sleepy worker that finds nothing in its last round, and the JEC still as it "
	     "remembers it, adds itself to the sleepers in one atomic step. A changed JEC would "
	     "have sent it back."},
	    WAKER_COUNTED_OUT,
	    {ON_STATE(active, latch_set),
	     "The latch that it waited for is set: it counts itself out of the inactive and goes "
	     "on. If others sleep it wakes up to two of them, as if it had found work."},
	    {ON_ENTERING(active),
	     "It found work and counts itself out of the inactive. If others sleep it wakes up to "
	     "two of them: where there was one job there may be more."},
	    {ON(post),
	     "A post toggles an even JEC. With sleepers: if the queue had jobs already, wake "
	     "min(jobs, sleepers); if it was empty, only as many as the idle cannot serve, "
	     "min(jobs - idle, sleepers)."},
	    END_OF_SENTENCES,
	},
    .singles =
	ADVICE{
	    {DOZE_CAUSE_work_found,
	     "under jec whoever finds work wakes up to two more, in case there is more of it; "
	     "jobs that come one by one leave them none. Publish several at once, or try rfc, "
	     "which wakes for posted jobs only"},
	    END_OF_ADVICE,
	},
};
