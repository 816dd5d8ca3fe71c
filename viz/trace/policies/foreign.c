/*
 * SPDX-License-Identifier: MIT
 *
 * foreign.c - the descriptor of a crew: threads of a program without libdoze, of which only the
 * waits and the calls that wake are seen. It is not in DOZE_POLICIES, because no pool can run under
 * it.
 */
#include "common.h"

/* Whatever ends a wait is followed by active, except for the wake of a condition variable: its
 * thread still holds the mutex. */
#define LEFT_WAIT (REASON(woken) | REASON(timed_out) | REASON(recheck) | REASON(self_wake))

/* clang-format off */
const struct doze_policy_descriptor doze_policy_foreign_descriptor = {
    .name = "foreign",
    .foreign = true,
    .legal = {
	[DOZE_STATE_none][DOZE_STATE_active] = REASON(start),
	[DOZE_STATE_active][DOZE_STATE_sleeping] = REASON(waits),
	[DOZE_STATE_sleeping][DOZE_STATE_idle] = REASON(woken),
	[DOZE_STATE_sleeping][DOZE_STATE_active] = LEFT_WAIT,
	[DOZE_STATE_idle][DOZE_STATE_active] = REASON(went_on),
	[DOZE_STATE_idle][DOZE_STATE_sleeping] = REASON(waits),
	[DOZE_STATE_active][DOZE_STATE_stopped] = REASON(terminate),
	[DOZE_STATE_idle][DOZE_STATE_stopped] = REASON(terminate),
	[DOZE_STATE_sleeping][DOZE_STATE_stopped] = REASON(terminate),
    },
    .word = DOZE_WORD_RULE_NONE,
    .count_out = DOZE_COUNT_OUT_NOBODY,
    .sees = DOZE_SEES_FREE,
    .aim = DOZE_AIM_FREE,
    .latch = DOZE_LATCH_WAKES_FREE,
    .causes = CAUSE(call),
    .sentences =
	SENTENCES{
	    {ON_STATE(active, start), "The thread has started."},
	    {ON_STATE(active, went_on),
	     "The woken thread released its mutex and went on. What it did then is not seen."},
	    {ON_STATE(active, woken),
	     "Woken from a semaphore or a futex. Whether the thread found what it waited for is "
	     "not known."},
	    {ON_STATE(active, timed_out),
	     "The wait ended without a wake: it timed out, was cancelled, or was left by a jump."},
	    {ON_STATE(active, recheck), "The wait returned at once, without sleeping."},
	    {ON_STATE(active, self_wake), "The wait ended, but by no call that doze saw."},
	    {ON_STATE(sleeping, waits), "The thread calls a function that waits. If it was woken "
					"just before and has held its mutex since, that wake was "
					"in vain."},
	    {ON_STATE(idle, woken),
	     "Woken from a condition variable, with its mutex held. If the thread waits again "
	     "before it releases the mutex, the wake was in vain."},
	    {ON_ENTERING(stopped), "The thread has ended."},
	    {ON(post), "The program called a function that wakes, and threads of this crew "
		       "were waiting."},
	    {ON(wake), "The call wakes one of the threads that wait. Which one is not known until "
		       "that thread returns from its wait."},
	    {ON(woken), "The thread returned from its wait because of this wake."},
	    {ON(wait), "The thread is about to wait."},
	    END_OF_SENTENCES,
	},
    .redundant = "the thread that the call was to wake had already left its wait",
    .picks = "The operating system chooses among the threads that wait.",
};
/* clang-format on */
