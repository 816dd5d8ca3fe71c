/*
 * SPDX-License-Identifier: MIT
 *
 * forkjoin.c - descriptor of `forkjoin`, from lib/forkjoin/README.md.
 */
#include "common.h"

const struct doze_policy_descriptor doze_policy_forkjoin_descriptor = {
    .name = "forkjoin",
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPING(REASON(woken) | REASON(self_wake))},
    .word = DOZE_WORD_RULE_COUNTS,
    .count_out = DOZE_COUNT_OUT_SLEEPER,
    .wakes = wakes_one_per_job,
    .sees = DOZE_SEES_HINT,
    .aim = DOZE_AIM_HINT,
    .latch = DOZE_LATCH_WAKES_ALL,
    .causes = CAUSES_ALWAYS,
    .sentences =
	SENTENCES{
	    SLEEPER_COUNTS_OUT,
	    {ON(post), "A post signals the condition variable that all wait on: under the pool's "
		       "lock for the global deque, without it for the poster's own, where the "
		       "signal may come just before somebody waits, and reach nobody."},
	    {ON(wake), ONE_CONDVAR_WAKE},
	    END_OF_SENTENCES,
	},
    .herds = ONE_CONDVAR_HERDS,
    .redundant =
	"forkjoin signals its condition variable for each job, whether somebody waits or not",
};
