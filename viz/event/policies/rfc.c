/*
 * SPDX-License-Identifier: MIT
 *
 * rfc.c - descriptors of `rfc`, `local`, `block`, `spare` and `chain`, from lib/sleep/rfc.md: one
 * protocol, and a wake rule each.
 */
#include "common.h"

/* "If there are not enough idle threads, pick one sleeping thread." */
static uint32_t wakes_rfc(const struct doze_wake_facts *f)
{
	return f->idle < f->jobs;
}

/* "Looking at the local queue": an empty deque indicates idle threads. Of several jobs the second
 * finds the first. */
static uint32_t wakes_local(const struct doze_wake_facts *f)
{
	return f->local ? !f->was_empty || f->jobs > 1 : wakes_rfc(f);
}

/* "Waking blocks": with 5 threads awake, 3 more. */
static uint32_t wakes_block(const struct doze_wake_facts *f)
{
	uint32_t awake = f->workers > f->sleeping ? f->workers - f->sleeping : 0, power = 1;

	while (power <= awake)
		power *= 2;
	return f->idle < f->jobs ? power - awake : 0;
}

/* "Hazards": wake with the goal that there be two idle threads. */
static uint32_t wakes_spare(const struct doze_wake_facts *f)
{
	return f->idle < f->jobs + 2 ? f->jobs + 2 - f->idle : 0;
}

#define PROTOCOL                                                                                   \
	.legal = {LEGAL_ALWAYS,                                                                    \
		  LEGAL_SLEEPING(REASON(woken) | REASON(self_wake) | REASON(found_injected) |      \
				 REASON(found_broadcast) | REASON(latch_set))},                    \
	.word = DOZE_WORD_RULE_COUNTS, .count_out = DOZE_COUNT_OUT_SLEEPER,                        \
	.sees = DOZE_SEES_WORD, .aim = DOZE_AIM_AGAIN, .latch = DOZE_LATCH_WAKES_OWNER

#define EXPLAINED(post_rule)                                                                       \
	.sentences = SENTENCES                                                                     \
	{                                                                                          \
		SLEEPER_COUNTS_OUT, {ON(post), post_rule}, END_OF_SENTENCES                        \
	}

#define ONE_SLEEP_MANY_WAKES(name)                                                                 \
	.redundant = "under " name " only the sleeper clears its flag, so that each wake until "   \
		     "it runs may hit the same one, while others sleep on; under jec and go the "  \
		     "waker clears it"

const struct doze_policy_descriptor doze_policy_rfc_descriptor = {
    .name = "rfc",
    PROTOCOL,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_rfc,
    EXPLAINED("A post wakes one sleeper when too few are idle to take it; idle workers will find "
	      "it by themselves."),
    ONE_SLEEP_MANY_WAKES("rfc"),
};

const struct doze_policy_descriptor doze_policy_local_descriptor = {
    .name = "local",
    PROTOCOL,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_local,
    EXPLAINED(
	"A post from inside judges by its own deque: if that had jobs before, nobody took "
	"them, so one more is woken; several jobs at once fill it themselves. From outside the "
	"count of the idle decides."),
    ONE_SLEEP_MANY_WAKES("local"),
};

static const char block_singles[] =
    "block wakes up to the next power of two: more than there are jobs; rfc wakes one per job";
static const char block_herds[] =
    "block wakes up to the next power of two: too many for jobs as small as these; jec or rfc "
    "wake one per job";

const struct doze_policy_descriptor doze_policy_block_descriptor = {
    .name = "block",
    PROTOCOL,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_block,
    EXPLAINED("If too few are idle for its jobs, a post wakes up to the next power of two of "
	      "workers awake, so that a burst ramps up in few steps."),
    .herds = ADVICE{{DOZE_CAUSE_COUNT, block_herds}, END_OF_ADVICE},
    .singles = ADVICE{{DOZE_CAUSE_COUNT, block_singles}, END_OF_ADVICE},
    ONE_SLEEP_MANY_WAKES("block"),
};

static const char spare_price[] =
    "spare wakes two more than there are jobs, so that they stay idle: its price. rfc wakes one "
    "per job";

const struct doze_policy_descriptor doze_policy_spare_descriptor = {
    .name = "spare",
    PROTOCOL,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_spare,
    EXPLAINED("A post wakes as many as it takes to keep two idle."),
    .singles =
	ADVICE{{DOZE_CAUSE_push, spare_price}, {DOZE_CAUSE_inject, spare_price}, END_OF_ADVICE},
    ONE_SLEEP_MANY_WAKES("spare"),
};

const struct doze_policy_descriptor doze_policy_chain_descriptor = {
    .name = "chain",
    PROTOCOL,
    .causes = CAUSES_ALWAYS | CAUSE(work_found),
    .wakes = wakes_rfc,
    .found_wakes = 1, /* if jobs are left in a queue, which the trace does not say */
    .sentences =
	SENTENCES{
	    SLEEPER_COUNTS_OUT,
	    {ON_ENTERING(active),
	     "It stops searching and counts itself out of the inactive. If jobs are left in a "
	     "queue and others sleep, it wakes one of them."},
	    {ON(post),
	     "A post wakes one sleeper when too few are idle to take it; a worker that takes a "
	     "job and leaves others wakes the next."},
	    END_OF_SENTENCES,
	},
    ONE_SLEEP_MANY_WAKES("chain"),
};
