/*
 * SPDX-License-Identifier: MIT
 *
 * unknown.c - the rules that apply to all policies: the descriptor for policies that this version
 * does not know, and the default texts.
 */
#include "common.h"

static const char too_small[] =
    "the jobs finish before the woken workers arrive: publish larger jobs, or more at once";
static const char owner[] = "wake only the owner of the latch, not all sleepers";

#define SLEEPY_AVERTED (REASON(jec_changed) | REASON(tickled) | REASON(latch_set))
#define SLEEP_ENDED                                                                                \
	(REASON(woken) | REASON(self_wake) | REASON(found_injected) | REASON(found_broadcast) |    \
	 REASON(recheck) | REASON(latch_set))

static const struct doze_sentence sentences[] = {
    {ON_STATE(active, start), "The thread has started. A worker is active at first."},
    {ON_STATE(idle, no_work), "The worker found no work and starts to search: it counts itself as "
			      "inactive and begins with round 0."},
    {ON_STATE(sleepy, rounds), "After {rounds} an idle worker gets sleepy."},
    {ON_STATE(sleeping, rounds), "After {rounds} a worker falls asleep."},
    {ON_STATE(idle, jec_changed),
     "The JEC has changed since this worker got sleepy: work was posted, so it must search again "
     "instead of sleeping."},
    {ON_STATE(idle, tickled),
     "A tickle has cleared the sleepy slot, so this worker must search again."},
    {ON_STATE(idle, woken), "Woken: the worker searches for work from round 0."},
    {ON_STATE(idle, self_wake),
     "A spurious wake: the worker's wait ended although no thread woke the worker."},
    {ON_STATE(idle, found_injected),
     "The worker counted itself as sleeping and checked the injector once more before waiting. The "
     "injector had a job, so the worker does not sleep."},
    {ON_STATE(idle, found_broadcast), "In its last check before waiting, the worker found a job in "
				      "its broadcast queue, so it does not sleep."},
    {ON_STATE(idle, recheck),
     "In its last check of the queues, the worker found a job, so it does not sleep."},
    {ON_STATE(idle, latch_set),
     "The latch that the worker waits for was set in time, so the worker does not sleep."},
    {ON_STATE(active, latch_set),
     "The latch that the worker waited for is set, so the worker continues."},
    {ON_STATE(suspended, must_not_help),
     "The waiting worker must not run the job that it found, because that job may in turn wait for "
     "the waiting one. The thread goes on waiting, and another thread continues as this worker."},
    {ON_STATE(suspended, gives_back),
     "A suspended wait can continue, so its thread becomes this worker again."},
    {ON_STATE(active, takes_over), "Another thread continues as this worker."},
    {ON_STATE(active, mark_unblocked),
     "The worker's wait for something outside the pool has ended."},
    {ON_ENTERING(active), "The worker found work."},
    {ON_ENTERING(stopped), "The pool is terminating."},
    {ON_ENTERING(blocked), "The job announced that it waits for something outside the pool."},
    {ON_JEC(sleepy), "Getting sleepy makes an odd JEC even, so that the next post must change it."},
    {ON_JEC(post), "A post makes an even JEC odd, so that sleepy workers notice it."},
    {ON_JEC(tickle),
     "A tickle clears the word: no worker is sleepy any more, and all sleepers are woken."},
    {ON(post), "A post wakes as many workers as the policy requires."},
    {ON(wake), "The waker stores the number of the wake in the sleeper's slot and notifies the "
	       "sleeper, both under the sleeper's lock."},
    {ON(woken), "The sleeper reads the number of its wake before releasing its lock."},
    {ON(sleep_abort), "A near miss: something that the worker must not sleep through happened just "
		      "before it would have fallen asleep."},
    {ON(latch), "A thread that sets a SLEEPING latch must wake the owner. If the latch is only "
		"SLEEPY, the owner will see, before it sleeps, that the latch is set."},
    END_OF_SENTENCES,
};

/* The union of what all policies allow. */
const struct doze_policy_descriptor doze_policy_unknown = {
    .name = "?",
    ROUNDS_OF_RAYON,
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPY(SLEEPY_AVERTED, SLEEP_ENDED),
	      [DOZE_STATE_idle][DOZE_STATE_sleeping] = REASON(rounds)},
    .word = DOZE_WORD_RULE_NONE,
    .count_out = DOZE_COUNT_OUT_NOBODY,
    .sees = DOZE_SEES_FREE,
    .aim = DOZE_AIM_FREE,
    .latch = DOZE_LATCH_WAKES_SOMEHOW,
    .sentences = sentences,
    .herds =
	ADVICE{
	    {DOZE_CAUSE_push, too_small},
	    {DOZE_CAUSE_inject, too_small},
	    {DOZE_CAUSE_latch, owner},
	    {DOZE_CAUSE_job_done, owner},
	    {DOZE_CAUSE_work_found, "wake at most one or two when a searching worker finds work"},
	    {DOZE_CAUSE_broadcast,
	     "a broadcast needs all workers: broadcast less often, or give each worker more to do"},
	    {DOZE_CAUSE_COUNT, "wake no more workers than there are jobs"},
	    END_OF_ADVICE,
	},
    .singles =
	ADVICE{
	    {DOZE_CAUSE_push, "the pushing worker, or another that was awake, ran the job before "
			      "the woken one arrived: push larger jobs, or more at once"},
	    {DOZE_CAUSE_inject,
	     "a worker that was awake took the job before the woken one arrived: publish larger "
	     "jobs, or more at once"},
	    {DOZE_CAUSE_work_found,
	     "workers that find work wake others, but there is no work for them: publish more jobs "
	     "at once"},
	    END_OF_ADVICE,
	},
    .redundant = "the target was awake, or an earlier wake had reached it",
    .picks = "A waker chooses a worker that sleeps.",
};
