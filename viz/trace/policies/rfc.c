/*
 * SPDX-License-Identifier: MIT
 *
 * rfc.c - descriptors of `rfc`, `local`, `block`, `spare` and `chain`, from lib/sleep/rfc.md: one
 * protocol with different wake rules.
 */
#include "common.h"

/* RFC 5: "If there are not enough idle threads, pick one sleeping thread." */
static uint32_t wakes_rfc(const struct doze_wake_facts *f)
{
	return f->idle < f->jobs;
}

/* RFC 5, "Looking at the local queue": an empty deque suggests that idle threads take its jobs. If
 * a post has several jobs, the deque already contains the first when the second is pushed. */
static uint32_t wakes_local(const struct doze_wake_facts *f)
{
	return f->local ? !f->was_empty || f->jobs > 1 : wakes_rfc(f);
}

/* RFC 5, "Waking blocks": raises the number of threads awake to a power of two. For example, with 5
 * threads awake, wakes 3 more. */
static uint32_t wakes_block(const struct doze_wake_facts *f)
{
	uint32_t awake = f->workers > f->sleeping ? f->workers - f->sleeping : 0, power = 1;

	while (power <= awake)
		power *= 2;
	return f->idle < f->jobs ? power - awake : 0;
}

/* RFC 5, "Hazards": keeps two threads idle. */
static uint32_t wakes_spare(const struct doze_wake_facts *f)
{
	return f->idle < f->jobs + 2 ? f->jobs + 2 - f->idle : 0;
}

#define PROTOCOL                                                                                   \
	.legal = {LEGAL_ALWAYS,                                                                    \
		  LEGAL_SLEEPING(REASON(woken) | REASON(self_wake) | REASON(found_injected) |      \
				 REASON(found_broadcast) | REASON(latch_set))},                    \
	.word = DOZE_WORD_RULE_COUNTS, .count_out = DOZE_COUNT_OUT_SLEEPER,                        \
	.sees = DOZE_SEES_WORD, .aim = DOZE_AIM_AGAIN, .latch = DOZE_LATCH_WAKES_OWNER,            \
	ROUNDS_OF_RAYON,                                                                           \
	.picks =                                                                                   \
	    "A waker checks the workers in order, starting with number 0, and notifies the first " \
	    "one whose flag is set, even if another wake of that worker is in progress."

#define EXPLAINED(post_rule)                                                                       \
	.sentences = SENTENCES                                                                     \
	{                                                                                          \
		SLEEPER_COUNTS_OUT, {ON(post), post_rule}, END_OF_SENTENCES                        \
	}

#define ONE_SLEEP_MANY_WAKES(name)                                                                 \
	.redundant =                                                                               \
	    "under " name " only the sleeper clears its flag, so until it runs, further wakes "    \
	    "may target it again while others stay asleep; under jec "                             \
	    "and go the waker clears the flag"

const struct doze_policy_descriptor doze_policy_rfc_descriptor = {
    .name = "rfc",
    PROTOCOL,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_rfc,
    EXPLAINED("A post wakes one sleeper when there are fewer idle workers than jobs; otherwise the "
	      "idle workers will find the jobs."),
    ONE_SLEEP_MANY_WAKES("rfc"),
};

const struct doze_policy_descriptor doze_policy_local_descriptor = {
    .name = "local",
    PROTOCOL,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_local,
    EXPLAINED(
	"When a worker posts, it checks its own deque: if the deque already had jobs, no idle "
	"worker has taken them, so the post wakes one more worker. The same holds for "
	"several jobs at once. A post from outside compares the number of idle workers with "
	"its jobs."),
    ONE_SLEEP_MANY_WAKES("local"),
};

static const char block_singles[] =
    "block rounds the number of awake workers up to a power of two, "
    "often more than there are jobs; rfc wakes one per job";
static const char block_herds[] =
    "block rounds the number of awake workers up to a power of two, which is too "
    "many for such small jobs; jec and rfc wake one per job";

const struct doze_policy_descriptor doze_policy_block_descriptor = {
    .name = "block",
    PROTOCOL,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_block,
    EXPLAINED(
	"If there are fewer idle workers than jobs, a post raises the number of workers awake "
	"to the next power of two, so that a burst ramps up in few steps."),
    .herds = ADVICE{{DOZE_CAUSE_COUNT, block_herds}, END_OF_ADVICE},
    .singles = ADVICE{{DOZE_CAUSE_COUNT, block_singles}, END_OF_ADVICE},
    ONE_SLEEP_MANY_WAKES("block"),
};

static const char spare_price[] =
    "spare wakes two more workers than there are jobs, and those two stay idle: that is the price "
    "of this policy. rfc wakes one per job";

const struct doze_policy_descriptor doze_policy_spare_descriptor = {
    .name = "spare",
    PROTOCOL,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_spare,
    EXPLAINED("A post wakes enough workers to keep two idle."),
    .singles =
	ADVICE{{DOZE_CAUSE_push, spare_price}, {DOZE_CAUSE_inject, spare_price}, END_OF_ADVICE},
    ONE_SLEEP_MANY_WAKES("spare"),
};

const struct doze_policy_descriptor doze_policy_chain_descriptor = {
    .name = "chain",
    PROTOCOL,
    .causes = CAUSES_ALWAYS | CAUSE(work_found),
    .wakes = wakes_rfc,
    .found_wakes = 1,
    .found_if_more =
	true, /* used only for predictions: a trace does not show whether more jobs are queued */
    .sentences =
	SENTENCES{
	    SLEEPER_COUNTS_OUT,
	    {ON_ENTERING(active), "The worker stops searching and no longer counts as inactive. If "
				  "a queue still has jobs and others sleep, it wakes one of them."},
	    {ON(post),
	     "A post wakes one sleeper when there are fewer idle workers than jobs. A worker that "
	     "takes a job and leaves more in the queue wakes the next worker."},
	    END_OF_SENTENCES,
	},
    ONE_SLEEP_MANY_WAKES("chain"),
};
