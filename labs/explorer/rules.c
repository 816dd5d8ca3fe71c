/*
 * SPDX-License-Identifier: MIT
 *
 * rules.c - checks what the library reports: how many workers a post wakes, and whether a worker
 * reports each change of its state as it happened. record.c, which has the hooks, calls these
 * checks.
 *
 * Wakes. No other check detects too many wakes or, for a job in the poster's own deque, too few,
 * because the library's contract permits both. The rules are those by which `doze check` judges
 * traces (viz/trace/policies.h). They were derived from the policies' descriptions, not from the
 * code in lib/. In every memory mode, a post is judged by the counts in its event, even if they are
 * out of date. tickle reads the word once for the event and once to act, so only its decision is
 * checked, not the wakes.
 *
 * Reports, under policy `jec`: the words before and after, the order of the reports, the reason,
 * and the wake that ended a sleep; and that a step of a latch is reported after it was made. The
 * library never reads what it reports, so no other check detects a wrong report. Only a scenario
 * that calls ex_check_reports is checked.
 */
#include "world.h"

#include <string.h>

#include "../../lib/sleep/counters.h"
#include "../../viz/trace/policies.h"

/* ---- wakes ---- */

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

/* ---- reports ---- */

#define WORKERS 3

/* Whether each worker has reported a wake, but not yet that it is idle. Part of every state. */
static bool woken[2][WORKERS];
/* What averted each worker's sleep, until the worker reports that it is idle. Part of every
 * state. */
static enum doze_abort averted[2][WORKERS];

/* The word before each thread's step that made the JEC even, until the thread reports this step;
 * otherwise 0. Part of every state. */
static uint64_t made_even[EX_MAX_THREADS];

void ex_check_reports(void)
{
	E->reports_checked = true;
}

static bool checked(uint32_t pool, int32_t worker)
{
	return pool <= 2 && worker >= 0 && worker < WORKERS;
}

void ex_reports_woken(uint32_t pool, int32_t worker)
{
	if (checked(pool, worker))
		woken[pool - 1][worker] = true;
}

void ex_reports_step(const struct ex_op *op)
{
	if (op->kind == EX_OP_CAS && op->ok && op->at.what && strstr(op->at.what, "word") &&
	    doze_counters_jec_active(op->result) && !doze_counters_jec_active(op->value))
		made_even[E->cur] = op->result;
}

void ex_reports_jec(int32_t worker, uint64_t old_word, uint64_t new_word)
{
	if (made_even[E->cur] == 0)
		ex_breach("worker %d reports that it made the JEC even, but it has made no such "
			  "step",
			  worker);
	else if (old_word != made_even[E->cur] || new_word != doze_counters_jec_next(old_word))
		ex_breach(
		    "worker %d reports the words %#lx and %#lx for its step from %#lx to %#lx",
		    worker, (unsigned long)old_word, (unsigned long)new_word,
		    (unsigned long)made_even[E->cur],
		    (unsigned long)doze_counters_jec_next(made_even[E->cur]));
	made_even[E->cur] = 0;
}

#define NAME(n) #n,
static const char *const reasons[] = {DOZE_REASONS(NAME)};
static const char *const aborts[] = {DOZE_ABORTS(NAME)};
static const char *const states[] = {DOZE_STATES(NAME)};

/* Returns the reason (steps.h) that a worker must report when it becomes idle again after an
 * averted sleep. */
static enum doze_reason reason_of(enum doze_abort by)
{
	switch (by) {
	case DOZE_ABORT_jec:
		return DOZE_REASON_jec_changed;
	case DOZE_ABORT_latch:
		return DOZE_REASON_latch_set;
	case DOZE_ABORT_broadcast:
		return DOZE_REASON_found_broadcast;
	default:
		return DOZE_REASON_found_injected;
	}
}

static void check_sleepy(int32_t worker, const struct doze_trace_state_info *i)
{
	if (doze_counters_sleeping(i->new_word) >= doze_counters_inactive(i->new_word))
		ex_breach("worker %d reports that it is sleepy, but its word counts all inactive "
			  "workers as sleeping: %#lx",
			  worker, (unsigned long)i->new_word);
}

static void check_sleeping(int32_t worker, const struct doze_trace_state_info *i)
{
	if (i->new_word != i->old_word + DOZE_ONE_SLEEPING)
		ex_breach("worker %d reports that it sleeps, but its words do not show the step "
			  "that counts it as sleeping: %#lx before and %#lx after",
			  worker, (unsigned long)i->old_word, (unsigned long)i->new_word);
	if (i->reason != DOZE_REASON_rounds)
		ex_breach("worker %d reports that it sleeps for the reason %s: the reason is "
			  "rounds",
			  worker, reasons[i->reason]);
}

void ex_reports_state(uint32_t pool, int32_t worker, const struct doze_trace_state_info *i)
{
	if (!checked(pool, worker))
		return;
	if (i->from == i->to)
		ex_breach("worker %d reports twice that it is %s", worker, states[i->to]);
	if (i->to == DOZE_STATE_sleepy)
		check_sleepy(worker, i);
	if (i->to == DOZE_STATE_sleeping)
		check_sleeping(worker, i);
	if (i->to != DOZE_STATE_idle)
		return;
	if (i->reason == DOZE_REASON_woken && !woken[pool - 1][worker])
		ex_breach("worker %d reports that it was woken, but not by which wake", worker);
	if (i->reason != DOZE_REASON_woken && woken[pool - 1][worker])
		ex_breach("worker %d was woken, but reports the reason %s", worker,
			  reasons[i->reason]);
	enum doze_abort by = averted[pool - 1][worker];
	if (by != DOZE_ABORT_none && i->reason != reason_of(by))
		ex_breach("worker %d reports the reason %s, but its sleep was averted by %s: the "
			  "reason is %s",
			  worker, reasons[i->reason], aborts[by], reasons[reason_of(by)]);
	woken[pool - 1][worker] = false;
	averted[pool - 1][worker] = DOZE_ABORT_none;
}

/* Checks that the worker reports the value that its step read from the policy's word, unless the
 * worker has made another step since. */
static void check_found(int32_t worker, uint64_t old_word)
{
	if (E->done.kind == EX_OP_RMW && strstr(E->done.what, "word") && E->done.result != old_word)
		ex_breach("worker %d reports the word %#lx before its step, but the step found "
			  "%#lx",
			  worker, (unsigned long)old_word, (unsigned long)E->done.result);
}

void ex_reports_abort(uint32_t pool, int32_t worker, enum doze_abort by, enum doze_state state,
		      uint64_t old_word, uint64_t new_word)
{
	if (!checked(pool, worker))
		return;
	averted[pool - 1][worker] = by;
	if (by == DOZE_ABORT_latch)
		return;
	if (by == DOZE_ABORT_jec) {
		if (state != DOZE_STATE_sleepy)
			ex_breach("worker %d tries to sleep, but has not become sleepy since it "
				  "was idle",
				  worker);
		if (old_word != new_word)
			ex_breach("a post kept worker %d from sleeping, but the worker reports a "
				  "change of the word",
				  worker);
		return;
	}
	if (state != DOZE_STATE_sleeping)
		ex_breach("the last look averts the sleep of worker %d, which has not reported "
			  "that it was asleep",
			  worker);
	if (new_word != old_word - DOZE_ONE_SLEEPING)
		ex_breach("worker %d reports an averted sleep, but its words do not show the step "
			  "that subtracts it from the sleepers: %#lx before and %#lx after",
			  worker, (unsigned long)old_word, (unsigned long)new_word);
	check_found(worker, old_word);
}

/* If the last step read `from` and did not change it, it is not the reported step: the thread has
 * reported the change too early. If the last step was on another variable, there is nothing to
 * check. */
void ex_reports_latch(enum doze_latch_state from, enum doze_latch_state to)
{
	static const char *const names[] = {"UNSET", "SLEEPY", "SLEEPING", "SET", "SUSPENDED"};
	const char *who = to == DOZE_LATCH_set ? "the setter" : "the owner";
	bool reads = E->done.kind == EX_OP_LOAD || E->done.kind == EX_OP_RMW;
	uint64_t found = E->done.result;

	if (!E->done.what || !strstr(E->done.what, "state"))
		return;
	if (reads && !E->done.changes && found == from)
		ex_breach("%s reports the step from %s to %s before it makes the step: for a "
			  "moment the trace is wrong",
			  who, names[from], names[to]);
	if ((E->done.kind == EX_OP_RMW || E->done.kind == EX_OP_CAS) && found != from)
		ex_breach("%s reports a step from %s, but the step found %s", who, names[from],
			  found <= DOZE_LATCH_suspended ? names[found] : "an unknown state");
}
