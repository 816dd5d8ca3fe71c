/*
 * SPDX-License-Identifier: MIT
 *
 * forkjoin.c - descriptor of `forkjoin`, from lib/forkjoin/README.md.
 */
#include "common.h"

const struct doze_policy_descriptor doze_policy_forkjoin_descriptor = {
    .name = "forkjoin",
    .rounds_until_sleepy = 1,
    .rounds_until_sleeping = 2,
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPING(REASON(woken) | REASON(self_wake))},
    .word = DOZE_WORD_RULE_COUNTS,
    .count_out = DOZE_COUNT_OUT_SLEEPER,
    .wakes = wakes_one_per_job,
    .sees = DOZE_SEES_HINT,
    .aim = DOZE_AIM_HINT,
    .picks = PICKS_CONDVAR,
    .latch = DOZE_LATCH_WAKES_ALL,
    .causes = CAUSES_ALWAYS,
    .sentences =
	SENTENCES{
	    SLEEPER_COUNTS_OUT,
	    {ON(post), "A post signals the condition variable that all workers wait on. It holds "
		       "the pool's lock for the global deque, but not for the poster's own deque, "
		       "where a signal just before a worker starts to wait is missed."},
	    {ON(wake), ONE_CONDVAR_WAKE},
	    END_OF_SENTENCES,
	},
    .herds = ONE_CONDVAR_HERDS,
    .redundant =
	"forkjoin signals its condition variable for each job, whether or not a worker waits",
};
