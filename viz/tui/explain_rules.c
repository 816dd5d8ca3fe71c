/*
 * SPDX-License-Identifier: MIT
 *
 * rules.c - why a step happens, in one sentence: the rule of the policy that fired.
 *
 * Written from the policies' descriptions (lib/sleep/README.md and the seeds), not from their code:
 * a reader of the trace should be told what was meant to happen. Policies whose rule differs have a
 * line of their own, before the common one; the first line that fits is told.
 */
#include <string.h>

#include "describe.h"

struct rule {
	const char *policy; /* null: any */
	enum doze_event_kind kind;
	int a, b; /* worker_state: to, reason; jec, sleep_abort: cause in a; -1: any */
	const char *text;
};

#define STATE(to, reason) DOZE_EV_worker_state, DOZE_STATE_##to, DOZE_REASON_##reason
#define STATE_ANY(to)     DOZE_EV_worker_state, DOZE_STATE_##to, ANY
enum { ANY = -1 };

static const struct rule rules[] = {
    {NULL, STATE(active, start), "The thread has begun; it starts out active."},
    {NULL, STATE(idle, no_work),
     "A worker that finds no work starts to look for some: it counts itself inactive and its "
     "rounds from 0."},
    {"jec", STATE(sleepy, rounds),
     "After 32 fruitless rounds a worker gets sleepy: it makes the JEC even, if it is odd, and "
     "remembers it; whoever posts work afterwards makes it odd again."},
    {"jec", STATE(sleeping, rounds),
     "A sleepy worker that finds nothing in its last round, and the JEC still as it remembers it, "
     "adds itself to the sleepers in one atomic step. A changed JEC would have sent it back."},
    {NULL, STATE(sleepy, rounds), "After enough fruitless rounds an idle worker gets sleepy."},
    {NULL, STATE(sleeping, rounds), "A sleepy worker that finds nothing falls asleep."},
    {NULL, STATE(idle, jec_changed),
     "The JEC is not the one that this worker remembered: work was posted since it got sleepy, so "
     "it must look again and may not sleep."},
    {"go", STATE(idle, recheck),
     "Who stops to spin looks at all queues once more, and this look found something."},
    {"tickle", STATE(sleepy, rounds),
     "Only one worker at a time may be sleepy: it takes the slot; a tickle takes it away again."},
    {NULL, STATE(idle, tickled), "Somebody tickled: the sleepy slot was taken from this worker."},
    {"rfc", STATE(idle, woken),
     "Woken up: the sleeper takes itself off the count of sleepers and looks for work."},
    {NULL, STATE(idle, woken),
     "Woken up: the waker has taken this worker off the sleepers' count already, under its lock; "
     "it looks for work from round 0."},
    {NULL, STATE(idle, self_wake), "It came back from its wait although nobody woke it."},
    {NULL, STATE(idle, found_injected),
     "The last look at the injector, after it had counted itself asleep and before it waits, found "
     "a job: the sleep is averted."},
    {NULL, STATE(idle, found_broadcast),
     "The last look at its broadcast queue before it waits found a job: the sleep is averted."},
    {NULL, STATE(idle, latch_set),
     "The latch that it waits for was set before it slept: the sleep is averted."},
    {NULL, STATE(active, latch_set), "The latch that it waited for is set: it goes on."},
    {"jec", STATE_ANY(active),
     "It found work and counts itself out of the inactive. If others sleep it wakes up to two of "
     "them: where there was one job there may be more."},
    {"chain", STATE_ANY(active),
     "It found work and counts itself out of the inactive. If jobs are left in a queue and others "
     "sleep, it wakes one of them."},
    {NULL, STATE_ANY(active), "It found work."},
    {NULL, STATE_ANY(stopped), "The pool ends."},
    {NULL, STATE_ANY(blocked), "The job said that it waits for something outside the pool."},
    {NULL, DOZE_EV_jec, DOZE_JEC_CAUSE_sleepy, ANY,
     "Getting sleepy makes an odd JEC even, so that the next post has to toggle it."},
    {NULL, DOZE_EV_jec, DOZE_JEC_CAUSE_post, ANY,
     "A post makes an even JEC odd, so that sleepy workers notice it."},
    {"jec", DOZE_EV_post, ANY, ANY,
     "A post toggles an even JEC. With sleepers: if the queue had jobs already, wake min(jobs, "
     "sleepers); if it was empty, only as many as the idle cannot serve, min(jobs - idle, "
     "sleepers)."},
    {"rfc", DOZE_EV_post, ANY, ANY,
     "A post wakes one sleeper when too few are idle to take it; idle workers will find it by "
     "themselves."},
    {"local", DOZE_EV_post, ANY, ANY,
     "A post from inside judges by its own deque: if that had jobs before, nobody took them, so "
     "one more is woken; several jobs at once fill it themselves. From outside the count of the "
     "idle decides."},
    {"block", DOZE_EV_post, ANY, ANY,
     "A post wakes up to the next power of two of active workers, so that a burst ramps up in few "
     "steps."},
    {"spare", DOZE_EV_post, ANY, ANY, "A post wakes as many as it takes to keep two idle."},
    {"chain", DOZE_EV_post, ANY, ANY,
     "A post wakes one sleeper when too few are idle to take it; whoever takes a job and leaves "
     "others wakes the next."},
    {"go", DOZE_EV_post, ANY, ANY,
     "A post wakes one, and only if nobody spins: a spinner will find the work, and the last one "
     "that "
     "does wakes one more."},
    {"tickle", DOZE_EV_post, ANY, ANY,
     "Every post tickles: it takes the sleepy slot away and wakes everybody who sleeps."},
    {"condvar", DOZE_EV_post, ANY, ANY,
     "A post signals the one condition variable that all wait on."},
    {"spin", DOZE_EV_post, ANY, ANY, "Nobody ever sleeps, so a post has nobody to wake."},
    {NULL, DOZE_EV_post, ANY, ANY, "A post wakes as many as the policy asks for."},
    {NULL, DOZE_EV_wake, ANY, ANY,
     "The waker writes its wake's number into the sleeper's slot and notifies, both under the lock "
     "that the sleeper waits with."},
    {NULL, DOZE_EV_woken, ANY, ANY,
     "The sleeper reads who woke it before it lets go of the lock that it waited with."},
    {NULL, DOZE_EV_sleep_abort, ANY, ANY,
     "A near miss: between getting sleepy and waiting, something came that must not be slept "
     "over."},
    {NULL, DOZE_EV_latch, ANY, ANY,
     "Whoever sets a latch that is SLEEPING must wake its owner; one that is only SLEEPY will be "
     "seen by its owner before it sleeps."},
};

static int first_of(const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_worker_state:
		return (int)e->u.state.to;
	case DOZE_EV_jec:
		return (int)e->u.jec.cause;
	default:
		return ANY;
	}
}

static bool fits(const struct rule *r, const char *policy, const struct doze_event *e)
{
	if (r->kind != e->kind || (r->policy && strcmp(r->policy, policy) != 0))
		return false;
	if (r->a != ANY && r->a != first_of(e))
		return false;
	return r->b == ANY || r->b == (int)e->u.state.reason; /* b is set for worker_state only */
}

const char *tui_rule_of(const struct doze_pool_view *p, const struct doze_event *e)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (fits(&rules[i], p && p->policy ? p->policy : "?", e))
			return rules[i].text;
	return "";
}
