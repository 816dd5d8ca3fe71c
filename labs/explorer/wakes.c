/*
 * SPDX-License-Identifier: MIT
 *
 * wakes.c - checks that a post wakes as many workers as its policy specifies.
 *
 * No other check detects too many wakes or, for a job in the poster's own deque, too few, because
 * the library's contract permits both. The rules are those by which `doze check` judges traces
 * (viz/event/policies.h). They were derived from the policies' descriptions, not from the code in
 * lib/.
 *
 * In every memory mode, a post is judged by the counts in its event, even if they are out of date.
 * tickle reads the word once for the event and once to act, so only its decision is checked, not
 * the wakes.
 */
#include "rules.h"

#include "../../lib/sleep/counters.h"
#include "../../viz/event/policies.h"

/* The following variables are part of every state. */
static uint32_t workers[2];
static uint32_t asleep[2]; /* workers asleep and not yet woken; for policies with exact counts */
/* Number of further wakes that each thread's current decision permits. */
static uint32_t may_wake[EX_MAX_THREADS];

void ex_wakes_pool(uint32_t pool, uint32_t n)
{
	if (pool <= 2)
		workers[pool - 1] = n;
}

void ex_wakes_state(uint32_t pool, enum doze_state from, enum doze_state to,
		    enum doze_reason reason, uint64_t old_word)
{
	const struct doze_policy_descriptor *r = doze_policy_descriptor(ex_policy());
	may_wake[E->cur] = 0;
	if (to == DOZE_STATE_active && (from == DOZE_STATE_idle || from == DOZE_STATE_sleepy)) {
		struct doze_wake_facts f = {.sleeping = doze_counters_sleeping(old_word)};
		f.idle = doze_counters_inactive(old_word) - f.sleeping;
		may_wake[E->cur] = doze_policy_found_wakes(r, &f);
	}
	if (r->sees != DOZE_SEES_EXACT || pool > 2)
		return;
	asleep[pool - 1] += to == DOZE_STATE_sleeping;
	/* Subtract a worker that woke spuriously, because no waker has subtracted it. */
	asleep[pool - 1] -= from == DOZE_STATE_sleeping && reason == DOZE_REASON_self_wake;
}

static bool counts_wakes(const struct doze_policy_descriptor *r)
{
	return r->wakes && r->sees != DOZE_SEES_BIT;
}

static struct doze_wake_facts facts_of(const struct doze_policy_descriptor *r, uint32_t pool,
				       const struct doze_trace_post_info *i)
{
	struct doze_wake_facts f = {.jobs = i->jobs,
				    .sleeping = i->sleeping > 0 ? (uint32_t)i->sleeping : 0,
				    .workers = workers[pool - 1],
				    .was_empty = i->was_empty,
				    .local = i->queue == DOZE_QUEUE_local};
	if (r->sees == DOZE_SEES_BIT)
		f.sleeping = i->new_word & 1;
	if (r->sees == DOZE_SEES_EXACT && f.sleeping != asleep[pool - 1])
		ex_breach("a post counts %u asleep and not signalled, but there are %u", f.sleeping,
			  asleep[pool - 1]);
	if (r->sees != DOZE_SEES_WORD)
		return f;
	f.sleeping = doze_counters_sleeping(i->new_word);
	f.idle = doze_counters_inactive(i->new_word) - f.sleeping;
	if (i->sleeping != (int32_t)f.sleeping || i->idle != (int32_t)f.idle)
		ex_breach("a post counts %d idle and %d sleeping workers, but its word contains %u "
			  "and %u",
			  i->idle, i->sleeping, f.idle, f.sleeping);
	return f;
}

void ex_wakes_post(uint32_t pool, const struct doze_trace_post_info *i)
{
	const struct doze_policy_descriptor *r = doze_policy_descriptor(ex_policy());
	may_wake[E->cur] = 0;
	if (pool > 2 || !r->wakes || i->queue == DOZE_QUEUE_broadcast)
		return;
	struct doze_wake_facts f = facts_of(r, pool, i);
	uint32_t want = doze_policy_post_wakes(r, &f);
	if (i->wakes != want)
		ex_breach("a post wakes %u, but %s requires %u: %u idle, %u asleep, queue %s",
			  i->wakes, r->name, want, f.idle, f.sleeping,
			  f.was_empty ? "was empty" : "had jobs");
	if (counts_wakes(r))
		may_wake[E->cur] = want;
}

void ex_wakes_wake(uint32_t pool, enum doze_cause cause)
{
	const struct doze_policy_descriptor *r = doze_policy_descriptor(ex_policy());
	if (r->sees == DOZE_SEES_EXACT && pool <= 2)
		asleep[pool - 1]--;
	bool chosen = cause == DOZE_CAUSE_push || cause == DOZE_CAUSE_inject ||
		      cause == DOZE_CAUSE_work_found;
	if (!chosen || !counts_wakes(r))
		return;
	if (may_wake[E->cur]-- == 0)
		ex_breach("a thread wakes one worker more than its decision chose");
}

void ex_wakes_end(void)
{
	may_wake[E->cur] = 0;
}
