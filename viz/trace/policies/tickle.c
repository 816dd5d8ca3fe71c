/*
 * SPDX-License-Identifier: MIT
 *
 * tickle.c - descriptor of `tickle`, from lib/sleep/tickle.md.
 */
#include "common.h"

/* "Each event wakes every sleeper." The poster sees only one bit, and wakes all workers or none. */
static uint32_t wakes(const struct doze_wake_facts *f)
{
	if (!f->sleeping)
		return 0;
	return f->workers > f->sleeping ? f->workers : f->sleeping;
}

static const char wakes_all[] = "tickle wakes all sleepers whenever a job is posted or has "
				"finished and whenever a latch is set: use a policy that wakes "
				"only as many as there are jobs (jec, rfc)";

const struct doze_policy_descriptor doze_policy_tickle_descriptor = {
    .name = "tickle",
    .rounds_until_sleepy = 32,
    .rounds_until_sleeping = 64,
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPY(REASON(tickled), REASON(woken) | REASON(self_wake))},
    .word = DOZE_WORD_RULE_TICKLE,
    .count_out = DOZE_COUNT_OUT_NOBODY,
    .wakes = wakes,
    .sees = DOZE_SEES_BIT,
    .aim = DOZE_AIM_ONCE,
    .picks = PICKS_ALL,
    .latch = DOZE_LATCH_WAKES_ANY,
    .causes = CAUSES_ALWAYS | CAUSE(job_done) | CAUSE(work_found),
    .sentences =
	SENTENCES{
	    {ON_STATE(sleepy, rounds), "After {rounds} a worker tries to get sleepy. Only one "
				       "worker at a time can be sleepy, "
				       "the one in the word's slot; a tickle clears the slot."},
	    {ON_STATE(idle, woken),
	     "Woken: a tickle cleared the word, which holds no counts, and woke every sleeper. The "
	     "worker searches for work from round 0."},
	    {ON(post), "Every post tickles: it clears the sleepy slot and wakes all sleepers."},
	    END_OF_SENTENCES,
	},
    .herds = ADVICE{{DOZE_CAUSE_COUNT, wakes_all}, END_OF_ADVICE},
    .singles = ADVICE{{DOZE_CAUSE_COUNT, wakes_all}, END_OF_ADVICE},
};
