/*
 * SPDX-License-Identifier: MIT
 *
 * wake.c - see wake.h.
 */
#include "wake.h"

#include "../deadlock.h"
#include "../pool.h"

uint64_t doze_wake_await(struct doze_worker *worker)
{
	struct doze_worker_sleep *sleep = &worker->sleep;

	sleep->is_blocked = true;
	sleep->wake_id = 0;
	/* A waker may clear is_blocked during this call, so the loop checks it first. */
	(void)doze_deadlock_sleep(worker, &sleep->lock);
	while (sleep->is_blocked)
		doze_cond_wait(&sleep->cond, &sleep->lock);
	return sleep->wake_id;
}

/* Called with the target's sleep lock held, while the target is blocked. */
static void wake_locked(struct doze_pool *pool, int32_t by, struct doze_worker *target,
			struct doze_decision *decision)
{
	struct doze_worker_sleep *sleep = &target->sleep;

	sleep->is_blocked = false;
	doze_deadlock_wake(pool, 1); /* must precede the notification; see deadlock.h */
	/* seq_cst: one total order with the sleepers' increments and the posters' loads. The waker
	 * decrements, not the sleeper, so that no other poster counts on waking the same
	 * sleeper. */
	uint64_t old = da_sub(&pool->sleep.word, DOZE_ONE_SLEEPING, SC);
	sleep->wake_id =
	    doze_wake_report(pool, by, target->index, decision, old, old - DOZE_ONE_SLEEPING);
	doze_cond_signal(&sleep->cond);
}

bool doze_wake_specific(struct doze_pool *pool, int32_t by, int32_t target,
			struct doze_decision *decision)
{
	struct doze_worker *worker = &pool->workers[target];

	doze_mutex_lock(&worker->sleep.lock);
	bool sleeps = worker->sleep.is_blocked;
	if (sleeps)
		wake_locked(pool, by, worker, decision);
	doze_mutex_unlock(&worker->sleep.lock);
	return sleeps;
}

void doze_wake_latch_owner(struct doze_pool *pool, int32_t by, int32_t owner,
			   enum doze_latch_state from, enum doze_cause cause)
{
	/* If the latch was UNSET, the owner is awake. If it was SLEEPY, the owner is about to
	 * sleep, and its CAS to SLEEPING, made under its lock, will fail. Only if it was SLEEPING
	 * can the owner be asleep. */
	if (from != DOZE_LATCH_sleeping)
		return;
	struct doze_decision decision = {0, cause, DOZE_SCOPE_one};
	(void)doze_wake_specific(pool, by, owner, &decision);
}

void doze_wake_for_resume(struct doze_pool *pool, int32_t by, int32_t owner)
{
	/* As for a broadcast: the sleeper makes its last check under the lock that this function
	 * takes. */
	struct doze_decision decision = {0, DOZE_CAUSE_latch, DOZE_SCOPE_one};
	(void)doze_wake_specific(pool, by, owner, &decision);
}

void doze_wake_all_for_broadcast(struct doze_pool *pool, int32_t by)
{
	/* No fence and no JEC: a sleeper makes its last check of the broadcast queue under the lock
	 * that each of these wakes takes. */
	struct doze_decision decision = {0, DOZE_CAUSE_broadcast, DOZE_SCOPE_all};
	for (uint32_t i = 0; i < pool->num_workers; i++)
		(void)doze_wake_specific(pool, by, (int32_t)i, &decision);
}
