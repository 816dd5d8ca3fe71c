/*
 * SPDX-License-Identifier: MIT
 *
 * jec.c - descriptor of `jec`, from lib/sleep/README.md.
 */
#include "common.h"

const struct doze_policy_descriptor doze_policy_jec_descriptor = {
    .name = "jec",
    ROUNDS_OF_RAYON,
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPY(REASON(jec_changed) | REASON(latch_set),
					 REASON(woken) | REASON(found_injected) |
					     REASON(found_broadcast) | REASON(latch_set))},
    .word = DOZE_WORD_RULE_JEC,
    .count_out = DOZE_COUNT_OUT_WAKER,
    .wakes = wakes_beyond_idle,
    .sees = DOZE_SEES_WORD,
    .found_wakes = 2,
    .aim = DOZE_AIM_ONCE,
    .latch = DOZE_LATCH_WAKES_OWNER,
    .picks = PICKS_FIRST,
    .causes = CAUSES_ALWAYS | CAUSE(work_found),
    .sentences =
	SENTENCES{
	    {ON_STATE(sleepy, rounds),
	     "After {rounds} a worker gets sleepy: it makes the JEC even, if it is odd, and "
	     "remembers its value. The next post makes the JEC odd again."},
	    {ON_STATE(sleeping, rounds),
	     "This sleepy worker found nothing in its last round, and the JEC had not changed, so "
	     "it added itself to the sleepers in one atomic step. A changed JEC would have sent "
	     "it back to search."},
	    WAKER_COUNTED_OUT,
	    {ON_STATE(active, latch_set),
	     "The latch that the worker waited for is set, so the worker no longer counts as "
	     "inactive. If others sleep, it wakes at most two of them, as if it had found work."},
	    {ON_ENTERING(active),
	     "The worker found work and no longer counts as inactive. If others sleep, it wakes at "
	     "most two of them, because there may be more work."},
	    {ON(post), "A post makes an even JEC odd. If there are sleepers, it wakes min(jobs, "
		       "sleepers) when the queue already had jobs, but only min(jobs - idle, "
		       "sleepers) when it was empty: idle workers will take the rest."},
	    END_OF_SENTENCES,
	},
    .singles =
	ADVICE{
	    {DOZE_CAUSE_work_found,
	     "under jec a worker that finds work wakes one or two others, in case there is more; "
	     "if jobs are posted one at a time, the woken workers find none. Publish several at "
	     "once, or try rfc, which wakes only for posted jobs"},
	    END_OF_ADVICE,
	},
};
