/*
 * SPDX-License-Identifier: MIT
 *
 * common.h - macros that several descriptors share.
 */
#ifndef DOZE_VIZ_POLICIES_COMMON_H
#define DOZE_VIZ_POLICIES_COMMON_H

#include "../policies.h"

#define REASON(n) (1u << DOZE_REASON_##n)
#define CAUSE(n)  (1u << DOZE_CAUSE_##n)

#define REASONS_FOUND                                                                              \
	(REASON(found_local) | REASON(found_stolen) | REASON(found_injected) |                     \
	 REASON(found_broadcast) | REASON(latch_set))

/* Transitions that are legal under every policy. */
#define LEGAL_ALWAYS                                                                               \
	[DOZE_STATE_none][DOZE_STATE_active] = REASON(start),                                      \
	[DOZE_STATE_active][DOZE_STATE_idle] = REASON(no_work),                                    \
	[DOZE_STATE_idle][DOZE_STATE_active] = REASONS_FOUND | REASON(terminate),                  \
	[DOZE_STATE_active][DOZE_STATE_blocked] = REASON(mark_blocked),                            \
	[DOZE_STATE_blocked][DOZE_STATE_active] = REASON(mark_unblocked),                          \
	[DOZE_STATE_active][DOZE_STATE_suspended] = REASON(must_not_help) | REASON(gives_back),    \
	[DOZE_STATE_suspended][DOZE_STATE_active] = REASON(takes_over),                            \
	[DOZE_STATE_active][DOZE_STATE_stopped] = REASON(terminate),                               \
	[DOZE_STATE_idle][DOZE_STATE_stopped] = REASON(terminate)

/* Transitions of policies without a sleepy state: directly from idle to sleeping. */
#define LEGAL_SLEEPING(back)                                                                       \
	[DOZE_STATE_idle][DOZE_STATE_sleeping] = REASON(rounds), [DOZE_STATE_sleeping]             \
								     [DOZE_STATE_idle] = (back)

/* Transitions of policies with a sleepy state. `averted`: the reasons that keep a sleepy worker
 * awake. */
#define LEGAL_SLEEPY(averted, back)                                                                \
	[DOZE_STATE_idle][DOZE_STATE_sleepy] = REASON(rounds),                                     \
	[DOZE_STATE_sleepy][DOZE_STATE_active] = REASONS_FOUND | REASON(terminate),                \
	[DOZE_STATE_sleepy][DOZE_STATE_idle] = (averted),                                          \
	[DOZE_STATE_sleepy][DOZE_STATE_sleeping] = REASON(rounds),                                 \
	[DOZE_STATE_sleeping][DOZE_STATE_idle] = (back)

/* Causes of wakes under every policy that puts workers to sleep. */
#define CAUSES_ALWAYS                                                                              \
	(CAUSE(push) | CAUSE(inject) | CAUSE(latch) | CAUSE(broadcast) | CAUSE(terminate))

/* Rayon's limits for search rounds. */
#define ROUNDS_OF_RAYON .rounds_until_sleepy = 32, .rounds_until_sleeping = 33

#define SENTENCES (const struct doze_sentence[])
#define ADVICE    (const struct doze_advice[])

#define ON_STATE(to, reason) DOZE_EV_worker_state, DOZE_STATE_##to, DOZE_REASON_##reason
#define ON_ENTERING(to)      DOZE_EV_worker_state, DOZE_STATE_##to, DOZE_ANY
#define ON(kind)             DOZE_EV_##kind, DOZE_ANY, DOZE_ANY
#define ON_JEC(cause)        DOZE_EV_jec, DOZE_JEC_CAUSE_##cause, DOZE_ANY
#define END_OF_SENTENCES                                                                           \
	{                                                                                          \
		.text = NULL                                                                       \
	}
#define END_OF_ADVICE                                                                              \
	{                                                                                          \
		.text = NULL                                                                       \
	}

/* The sentences for a woken worker: one for policies whose waker decrements the sleeper count, one
 * for policies whose sleeper does so itself. */
#define WAKER_COUNTED_OUT                                                                          \
	{                                                                                          \
		ON_STATE(idle, woken),                                                             \
		    "Woken: the waker has already decremented the count of sleepers, under this "  \
		    "worker's lock. The worker searches for work from round 0."                    \
	}
#define SLEEPER_COUNTS_OUT                                                                         \
	{                                                                                          \
		ON_STATE(idle, woken), "Woken: the sleeper decrements the count of sleepers "      \
				       "itself and searches for work from round 0."                \
	}

/* How a waker chooses a sleeper. */
#define PICKS_FIRST                                                                                \
	"A waker checks the workers in order, starting with number 0, and notifies the first "     \
	"ones that sleep, so this worker was the first sleeper that had not been notified."
#define PICKS_ALL "A tickle wakes every worker that sleeps."
#define PICKS_CONDVAR                                                                              \
	"All workers wait on one condition variable, which chooses the worker that wakes."

/* One condition variable for all workers: the waker cannot choose which one wakes. */
#define ONE_CONDVAR_WAKE                                                                           \
	"The waker signals the condition variable that all workers wait on. It cannot choose "     \
	"which sleeper wakes."
#define ONE_CONDVAR_HERDS                                                                          \
	ADVICE                                                                                     \
	{                                                                                          \
		{DOZE_CAUSE_latch, "all workers wait on one condition variable, so setting a "     \
				   "latch must wake all of them to reach its owner: give each "    \
				   "worker its own, and wake only the owner (jec, rfc)"},          \
		    {DOZE_CAUSE_COUNT, "all workers wait on one condition variable: wake one per " \
				       "job, or give each worker its own (jec, rfc)"},             \
		    END_OF_ADVICE                                                                  \
	}

/* Wakes one worker per job; doze_policy_post_wakes limits this to the number of sleepers. */
static inline uint32_t wakes_one_per_job(const struct doze_wake_facts *f)
{
	return f->jobs;
}

/* If the queue already had jobs, the idle workers are not keeping up: wakes one worker per job.
 * Otherwise wakes one per job that no idle worker will take. */
static inline uint32_t wakes_beyond_idle(const struct doze_wake_facts *f)
{
	if (!f->was_empty)
		return f->jobs;
	return f->jobs > f->idle ? f->jobs - f->idle : 0;
}

#endif
