/*
 * SPDX-License-Identifier: MIT
 *
 * unknown.c - what holds for every policy: the descriptor of one that this version does not know,
 * and the texts of those that have none of their own.
 */
#include "common.h"

static const char too_small[] =
    "the jobs are over before the woken workers come: publish larger jobs, or more at once";
static const char owner[] = "wake only the owner of the latch, not everybody";

#define SLEEPY_AVERTED (REASON(jec_changed) | REASON(tickled) | REASON(latch_set))
#define SLEEP_ENDED                                                                                \
	(REASON(woken) | REASON(self_wake) | REASON(found_injected) | REASON(found_broadcast) |    \
	 REASON(recheck) | REASON(latch_set))

static const struct doze_sentence sentences[] = {
    {ON_STATE(active, start), "The thread has begun; it starts out active."},
    {ON_STATE(idle, no_work),
     "A worker that finds no work starts to look for some: it counts itself inactive and its "
     "rounds from 0."},
    {ON_STATE(sleepy, rounds), "After {rounds} an idle worker gets sleepy."},
    {ON_STATE(sleeping, rounds), "After {rounds} a worker falls asleep."},
    {ON_STATE(idle, jec_changed),
     "The JEC is not the one that this worker remembered: work was posted since it got sleepy, so "
     "it must look again and may not sleep."},
    {ON_STATE(idle, tickled), "Somebody tickled: the sleepy slot was taken from this worker."},
    {ON_STATE(idle, woken), "Woken: it looks for work from round 0."},
    {ON_STATE(idle, self_wake), "It came back from its wait although nobody woke it."},
    {ON_STATE(idle, found_injected),
     "The last look at the injector, after it had counted itself asleep and before it waits, found "
     "a job: the sleep is averted."},
    {ON_STATE(idle, found_broadcast),
     "The last look at its broadcast queue before it waits found a job: the sleep is averted."},
    {ON_STATE(idle, recheck), "A last look at the queues found something: the sleep is averted."},
    {ON_STATE(idle, latch_set),
     "The latch that it waits for was set before it slept: the sleep is averted."},
    {ON_STATE(active, latch_set), "The latch that it waited for is set: it goes on."},
    {ON_STATE(suspended, must_not_help),
     "A wait may not run the job that was found, which may wait for it. It keeps its thread, and "
     "another thread goes on as this worker."},
    {ON_STATE(suspended, gives_back),
     "A suspended wait can go on: the worker goes back to that thread."},
    {ON_STATE(active, takes_over), "Another thread goes on as this worker."},
    {ON_STATE(active, mark_unblocked), "What it waited for outside the pool has come."},
    {ON_ENTERING(active), "It found work."},
    {ON_ENTERING(stopped), "The pool ends."},
    {ON_ENTERING(blocked), "The job said that it waits for something outside the pool."},
    {ON_JEC(sleepy),
     "Getting sleepy makes an odd JEC even, so that the next post has to toggle it."},
    {ON_JEC(post), "A post makes an even JEC odd, so that sleepy workers notice it."},
    {ON_JEC(tickle), "A tickle clears the word: nobody is sleepy any more, and if somebody slept, "
		     "everybody is woken."},
    {ON(post), "A post wakes as many as the policy asks for."},
    {ON(wake),
     "The waker writes its wake's number into the sleeper's slot and notifies, both under the lock "
     "that the sleeper waits with."},
    {ON(woken), "The sleeper reads who woke it before it lets go of the lock that it waited with."},
    {ON(sleep_abort),
     "A near miss: between getting sleepy and waiting, something came that must not be slept "
     "over."},
    {ON(latch),
     "Whoever sets a latch that is SLEEPING must wake its owner; one that is only SLEEPY will be "
     "seen by its owner before it sleeps."},
    END_OF_SENTENCES,
};

/* The rules that hold for all: the union of what every policy allows. */
const struct doze_policy_descriptor doze_policy_unknown = {
    .name = "?",
    .legal = {LEGAL_ALWAYS, LEGAL_SLEEPY(SLEEPY_AVERTED, SLEEP_ENDED),
	      [DOZE_STATE_idle][DOZE_STATE_sleeping] = REASON(rounds)},
    .word = DOZE_WORD_RULE_NONE,
    .count_out = DOZE_COUNT_OUT_NOBODY,
    .sees = DOZE_SEES_FREE,
    .aim = DOZE_AIM_FREE,
    .latch = DOZE_LATCH_WAKES_FREE,
    .sentences = sentences,
    .herds =
	ADVICE{
	    {DOZE_CAUSE_push, too_small},
	    {DOZE_CAUSE_inject, too_small},
	    {DOZE_CAUSE_latch, owner},
	    {DOZE_CAUSE_job_done, owner},
	    {DOZE_CAUSE_work_found, "wake at most one or two when a searcher finds work"},
	    {DOZE_CAUSE_broadcast,
	     "a broadcast needs everybody: make it rarer, or give it more to do"},
	    {DOZE_CAUSE_COUNT, "wake no more workers than there are jobs"},
	    END_OF_ADVICE,
	},
    .singles =
	ADVICE{
	    {DOZE_CAUSE_push,
	     "the pushing worker, or one that was awake, ran the job before the woken one came: "
	     "push larger jobs, or more at once"},
	    {DOZE_CAUSE_inject,
	     "a worker that was awake took the job before the woken one came: publish larger "
	     "jobs, or more at once"},
	    {DOZE_CAUSE_work_found,
	     "searchers that find work wake others, for which there is none: publish more jobs "
	     "at once"},
	    END_OF_ADVICE,
	},
    .redundant = "their worker was awake, or an earlier wake had reached it",
};
