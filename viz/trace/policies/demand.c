/*
 * SPDX-License-Identifier: MIT
 *
 * demand.c - descriptor of `demand`, from lib/sleep/demand.md.
 */
#include "common.h"

const struct doze_policy_descriptor doze_policy_demand_descriptor = {
    .name = "demand",
    ROUNDS_OF_RAYON, /* upper bounds: while other workers search, a worker becomes sleepy after
		      * fewer rounds */
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPY(REASON(jec_changed) | REASON(latch_set),
					 REASON(woken) | REASON(found_injected) |
					     REASON(found_broadcast) | REASON(latch_set))},
    .word = DOZE_WORD_RULE_JEC,
    .count_out = DOZE_COUNT_OUT_WAKER,
    .wakes = wakes_beyond_idle,
    .sees = DOZE_SEES_WORD,
    /* A worker wakes at most two others, one per job that it sees in the queues; the trace does not
     * show these jobs. */
    .found_wakes = 2,
    .found_if_more = true,
    .aim = DOZE_AIM_ONCE,
    .picks = "A waker checks the workers in order, starting with the one after itself (an outside "
	     "thread starts with worker 0), and notifies the first ones that sleep.",
    .latch = DOZE_LATCH_WAKES_OWNER,
    .causes = CAUSES_ALWAYS | CAUSE(work_found),
    .sentences =
	SENTENCES{
	    {ON_STATE(sleepy, rounds),
	     "After {rounds}, or fewer when other workers are searching too, a worker gets sleepy: "
	     "it makes the JEC even, if it is odd, and remembers its value. The next post makes "
	     "the JEC odd again."},
	    {ON_STATE(sleeping, rounds),
	     "This sleepy worker found nothing in its last round, and the JEC had not changed, so "
	     "it added itself to the sleepers in one atomic step. A changed JEC would have sent "
	     "it back to search."},
	    WAKER_COUNTED_OUT,
	    {ON_STATE(active, latch_set),
	     "The latch that the worker waited for is set, so the worker no longer counts as "
	     "inactive. If others sleep, it checks the queues and wakes at most two, and only for "
	     "jobs that no searching worker will take."},
	    {ON_ENTERING(active), "The worker found work and no longer counts as inactive. If "
				  "others sleep, it checks the queues and wakes at most two, and "
				  "only for jobs that no searching worker will take."},
	    {ON(post), "A post makes an even JEC odd. If there are sleepers, it wakes min(jobs, "
		       "sleepers) when the queue already had jobs, but only min(jobs - idle, "
		       "sleepers) when it was empty: idle workers will take the rest."},
	    END_OF_SENTENCES,
	},
    .singles =
	ADVICE{
	    {DOZE_CAUSE_work_found,
	     "under demand a worker that finds work wakes others for jobs that it sees in the "
	     "queues; if the owner or another worker takes those jobs first, the woken workers "
	     "find none: make the jobs larger"},
	    END_OF_ADVICE,
	},
};
