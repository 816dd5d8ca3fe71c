/*
 * SPDX-License-Identifier: MIT
 *
 * baselines.c - descriptors of `condvar` and `spin`, from lib/sleep/baselines.md.
 */
#include "common.h"

static uint32_t wakes_nobody(const struct doze_wake_facts *f)
{
	(void)f;
	return 0;
}

const struct doze_policy_descriptor doze_policy_condvar_descriptor = {
    .name = "condvar",
    ROUNDS_OF_RAYON,
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPING(REASON(woken) | REASON(self_wake))},
    .word = DOZE_WORD_RULE_COUNTS,
    .count_out = DOZE_COUNT_OUT_SLEEPER,
    .wakes = wakes_one_per_job,
    .sees = DOZE_SEES_EXACT,
    .aim = DOZE_AIM_SIGNAL,
    .picks = PICKS_CONDVAR,
    .latch = DOZE_LATCH_WAKES_ALL,
    .causes = CAUSES_ALWAYS,
    .sentences =
	SENTENCES{
	    SLEEPER_COUNTS_OUT,
	    {ON(post), "A post signals the condition variable that all workers wait on, once per "
		       "job, as long as there are waiters without a pending signal."},
	    {ON(wake), ONE_CONDVAR_WAKE},
	    END_OF_SENTENCES,
	},
    .herds = ONE_CONDVAR_HERDS,
};

const struct doze_policy_descriptor doze_policy_spin_descriptor = {
    .name = "spin",
    ROUNDS_OF_RAYON,
    .legal = {LEGAL_ALWAYS},
    .word = DOZE_WORD_RULE_NONE,
    .count_out = DOZE_COUNT_OUT_NOBODY,
    .wakes = wakes_nobody,
    .sees = DOZE_SEES_HINT,
    .aim = DOZE_AIM_NEVER,
    .latch = DOZE_LATCH_WAKES_FREE,
    .sentences =
	SENTENCES{{ON(post), "No worker ever sleeps, so a post wakes none."}, END_OF_SENTENCES},
};
