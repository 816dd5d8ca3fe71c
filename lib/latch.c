/*
 * SPDX-License-Identifier: MIT
 *
 * latch.c - see latch.h.
 */
#include "latch.h"

#include "deadlock.h"
#include "pool.h"
#include "suspend/suspend.h"

/* Resumes the wait on a latch that was SUSPENDED when it was set. This may access the latch after
 * its set, because the waiting thread cannot return before this function resumes it. */
static void resume_owner(struct doze_core_latch *latch, struct doze_pool *pool, int32_t owner,
			 int32_t by)
{
	doze_suspended_ready(latch->suspended, &pool->workers[owner], by);
}

/* Any thread. Sets the latch of worker `owner` of `pool` and lets the policy wake the worker.
 * `hold` is true if nothing else keeps the pool alive once the latch is set. */
static void set_and_wake(struct doze_core_latch *latch, struct doze_pool *pool, int32_t owner,
			 struct doze_worker *worker, bool hold)
{
	int32_t by = doze_acting_index(worker, pool);
	if (hold)
		doze_pool_ref(pool);
	enum doze_latch_state from = doze_core_latch_set(latch, by); /* last access to the latch */
	if (doze_unlikely(from == DOZE_LATCH_suspended))
		resume_owner(latch, pool, owner, by);
	else
		pool->sleep.policy->latch_set(pool, by, owner, from, DOZE_CAUSE_latch);
	if (hold)
		doze_pool_unref(pool);
}

void doze_spin_latch_init(struct doze_core_latch *latch, struct doze_worker *owner, bool cross)
{
	doze_core_latch_init(latch, DOZE_LATCH_KIND_spin, owner);
	latch->cross = cross;
}

void doze_spin_latch_set(struct doze_core_latch *latch, struct doze_worker *worker)
{
	/* Unless `cross` is true, the caller is a worker of the same pool, so the pool outlives
	 * this call. */
	const struct doze_worker *owner = latch->owner;

	set_and_wake(latch, owner->pool, owner->index, worker, latch->cross);
}

void doze_lock_latch_init(struct doze_lock_latch *latch)
{
	doze_mutex_init(&latch->lock);
	doze_cond_init(&latch->cond);
	latch->set = false;
}

void doze_lock_latch_fini(struct doze_lock_latch *latch)
{
	doze_cond_destroy(&latch->cond);
	doze_mutex_destroy(&latch->lock);
}

void doze_lock_latch_set(struct doze_lock_latch *latch)
{
	doze_mutex_lock(&latch->lock);
	latch->set = true;
	/* signal under the lock, so that the waiter cannot yet have destroyed `cond` */
	doze_cond_signal(&latch->cond);
	/* LAST ACCESS. POSIX lets the waiter destroy the mutex as soon as it can lock it. */
	doze_mutex_unlock(&latch->lock);
}

void doze_lock_latch_wait_and_reset(struct doze_lock_latch *latch)
{
	doze_mutex_lock(&latch->lock);
	while (!latch->set)
		doze_cond_wait(&latch->cond, &latch->lock);
	latch->set = false;
	doze_mutex_unlock(&latch->lock);
}

struct doze_lock_latch *doze_thread_latch(void)
{
	/* Each thread has one latch, which it reuses for each wait. The setter's unlock may still
	 * be in progress when the waiter continues, so a latch in the waiter's frame might be gone
	 * before the unlock ends. */
	static DOZE_THREAD_LOCAL struct doze_lock_latch latch;
	static DOZE_THREAD_LOCAL bool made;
	if (!made) {
		doze_lock_latch_init(&latch);
		made = true;
	}
	return &latch;
}

void doze_count_latch_init(struct doze_count_latch *latch, struct doze_worker *owner,
			   enum doze_latch_kind kind)
{
	da_init(&latch->count, 1);
	latch->pool = owner != NULL ? owner->pool : NULL;
	latch->owner = owner != NULL ? owner->index : -1;
	if (owner != NULL)
		doze_core_latch_init(&latch->u.core, kind, owner);
	else
		doze_lock_latch_init(&latch->u.lock);
}

void doze_count_latch_shared_by(struct doze_count_latch *latch, const struct doze_pool *pool,
				const char *function)
{
	if (latch->pool != NULL)
		latch->u.core.elsewhere = latch->pool != pool;
	else
		doze_handler_must_not_wait(pool, function);
}

void doze_count_latch_fini(struct doze_count_latch *latch)
{
	if (latch->pool == NULL)
		doze_lock_latch_fini(&latch->u.lock);
}

void doze_count_latch_increment(struct doze_count_latch *latch)
{
	doze_count_latch_add(latch, 1);
}

void doze_count_latch_add(struct doze_count_latch *latch, size_t n)
{
	/* Relaxed: the caller's own share keeps the count above 0, and queueing the job, which
	 * passes the share on, provides the ordering. */
	da_add(&latch->count, n, RLX);
}

void doze_count_latch_take_back(struct doze_count_latch *latch, size_t n)
{
	/* Relaxed: no work was done under these shares, and the caller's own share keeps the count
	 * above 0. */
	da_sub(&latch->count, n, RLX);
}

void doze_count_latch_decrement(struct doze_count_latch *latch, struct doze_worker *worker)
{
	doze_count_latch_give_back(latch, 1, worker);
}

void doze_count_latch_give_back(struct doze_count_latch *latch, size_t n,
				struct doze_worker *worker)
{
	/* seq_cst, like the latch set that may follow: release orders the work of these shares
	 * before the decrement, acquire orders the work of all other shares before the set. LAST
	 * ACCESS, unless these are the last shares. */
	da_edge_out(&latch->count);
	if (da_sub(&latch->count, n, SC) != n)
		return;
	da_edge_in(&latch->count);
	/* Those were the last shares. The owner cannot return before the latch is set below, so its
	 * fields are still valid. */
	struct doze_pool *pool = latch->pool;
	if (pool == NULL)
		doze_lock_latch_set(&latch->u.lock);
	else
		set_and_wake(&latch->u.core, pool, latch->owner, worker,
			     doze_acting_index(worker, pool) < 0);
}

void doze_count_latch_pay(struct doze_worker *worker)
{
	struct doze_owed *owed = &worker->owed;
	struct doze_count_latch *latch = owed->latch;
	size_t shares = owed->shares;

	if (shares == 0)
		return;
	owed->latch = NULL;
	owed->shares = 0;
	doze_count_latch_give_back(latch, shares, worker); /* last access to the scope */
}

void doze_count_latch_wait(struct doze_count_latch *latch, struct doze_worker *owner)
{
	doze_count_latch_decrement(latch, owner);
	if (latch->pool == NULL)
		doze_lock_latch_wait_and_reset(&latch->u.lock);
	else
		doze_worker_wait_until(owner, &latch->u.core);
}
