/*
 * SPDX-License-Identifier: MIT
 *
 * end.c - ends a pool, with or without a deadline, and discards jobs if requested.
 *
 * The pool ends when `terminate_count` reaches 0. The pool's owner holds one share of the count.
 * doze_pool_free_timed gives that share up and waits. When the deadline passes, it takes the share
 * back with a compare-and-swap that never increments a count of 0. So either the pool ends, or it
 * is unchanged.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "deadlock.h"
#include "os.h"
#include "pool.h"
#include "trace_load.h"

/* The word pool.discards: bit 0 is set while jobs are discarded; the other bits count the discarded
 * jobs. */
enum { DISCARDS = 1, DISCARDED = 2 };

void doze_pool_terminate_hold_many(struct doze_pool *pool, size_t n)
{
	/* Relaxed: the caller holds a share of its own, so the count cannot reach 0 here. */
	da_add(&pool->terminate_count, n, RLX);
}

void doze_pool_terminate_unhold(struct doze_pool *pool, size_t n)
{
	/* Relaxed: no work was done under these shares, and the caller's own share keeps the count
	 * above 0. */
	da_sub(&pool->terminate_count, n, RLX);
}

static void notify_owner(struct doze_pool *pool)
{
	/* Relaxed: the owner wrote the flag before it gave up its share, and the decrement to 0
	 * acquired that write. */
	if (!da_load(&pool->end_awaited, RLX))
		return;
	doze_mutex_lock(&pool->life_lock);
	pool->ended = true;
	doze_cond_signal(&pool->life_cond);
	doze_mutex_unlock(&pool->life_lock);
}

/* Gives up n shares of the pool's terminate_count. The last one ends the pool. */
static void drop_many(struct doze_pool *pool, struct doze_worker *worker, size_t n)
{
	const struct doze_sleep_policy *policy = pool->sleep.policy;
	int32_t by = doze_acting_index(worker, pool);

	/* Acquire-release: orders the effects of all jobs before the workers exit. */
	da_edge_out(&pool->terminate_count);
	if (da_sub(&pool->terminate_count, n, AR) != n)
		return;
	da_edge_in(&pool->terminate_count);
	for (uint32_t i = 0; i < pool->num_workers; i++) {
		enum doze_latch_state from = doze_core_latch_set(&pool->workers[i].terminate, by);
		policy->latch_set(pool, by, (int32_t)i, from, DOZE_CAUSE_terminate);
	}
	if (policy->terminate != NULL)
		policy->terminate(pool, by);
	notify_owner(pool);
}

void doze_pool_terminate_drop(struct doze_pool *pool, struct doze_worker *worker)
{
	if (doze_acting_index(worker, pool) >= 0 && worker->shares < 2 * DOZE_SHARES)
		worker->shares++;
	else
		drop_many(pool, worker, 1);
}

void doze_pool_terminate_give_back(struct doze_worker *worker)
{
	size_t n = worker->shares;

	worker->shares = 0;
	if (n != 0)
		drop_many(worker->pool, worker, n);
}

bool doze_pool_discards(struct doze_pool *pool)
{
	/* Relaxed: near the start or the end of doze_pool_free_timed, a job may be either run or
	 * discarded. Check and count are one atomic step, so that each discarded job is counted by
	 * the call that discarded it. */
	size_t word = da_load(&pool->discards, RLX);

	while (doze_unlikely((word & DISCARDS) != 0))
		if (da_cas(&pool->discards, &word, word + DISCARDED, RLX, RLX))
			return true;
	return false;
}

/* Waits until the first `started` workers have exited, and frees the pool, whose terminate_count is
 * 0. */
static void finish(struct doze_pool *pool, uint32_t started)
{
	doze_threads_end(pool, started);
	doze_spares_end(pool);
	/* Acquire: the accesses of all threads between doze_pool_enter and doze_pool_leave happen
	 * before the pool is freed. These threads do not block, so a yield loop is enough. */
	while (da_load(&pool->callers, ACQ) != 0)
		doze_thread_yield();
	da_edge_in(&pool->callers);
	doze_pools_remove(pool);
	doze_trace_pool_stop(pool->id);
	doze_pool_unref(pool);
	doze_trace_settle();
}

void doze_pool_end(struct doze_pool *pool, uint32_t started)
{
	/* a worker may free its own pool only if it is the guest (use_current_thread) */
	if (doze_acting_index(doze_self, pool) >= 0)
		doze_pool_terminate_give_back(doze_self);
	drop_many(pool, doze_self, 1);
	finish(pool, started);
}

/* Owner only. Gives up the owner's share and waits for all others. Returns false if the deadline
 * passed first; the owner then holds its share again. */
static bool end_by(struct doze_pool *pool, uint64_t deadline)
{
	/* relaxed: the decrement in drop_many publishes the flag */
	da_store(&pool->end_awaited, true, RLX);
	drop_many(pool, doze_self, 1);
	doze_mutex_lock(&pool->life_lock);
	while (!pool->ended && doze_cond_wait_until(&pool->life_cond, &pool->life_lock, deadline))
		continue;
	bool ended = pool->ended;
	doze_mutex_unlock(&pool->life_lock);
	if (ended)
		return true;

	size_t shares = da_load(&pool->terminate_count, RLX);
	/* Relaxed: this publishes nothing; a later decrement to 0 provides the ordering. */
	while (shares != 0)
		if (da_cas(&pool->terminate_count, &shares, shares + 1, RLX, RLX))
			return false;
	/* The pool ended just after the deadline: wait for notify_owner to set `ended`. */
	doze_mutex_lock(&pool->life_lock);
	while (!pool->ended)
		doze_cond_wait(&pool->life_cond, &pool->life_lock);
	doze_mutex_unlock(&pool->life_lock);
	return true;
}

/* Aborts unless this thread may free the pool. A worker of the pool would wait for itself. A pool
 * with a guest (use_current_thread) can be freed only by the guest, which has to work until the
 * end. */
static void check_who_frees(const struct doze_pool *pool, const char *function)
{
	int32_t by = doze_acting_index(doze_self, pool);
	bool guest = pool->workers[0].guest;

	doze_handler_must_not_wait(pool, function);
	if (guest ? by == 0 : by < 0)
		return;
	if (by < 0)
		fprintf(stderr,
			"doze: %s: called by a thread other than worker 0 (use_current_thread); "
			"only the thread that created the pool may free it\n",
			function);
	else
		fprintf(stderr,
			"doze: %s: called by worker %d of that pool, which would wait for itself; "
			"free the pool from another thread\n",
			function, by);
	abort();
}

void doze_pool_free(doze_pool *pool)
{
	if (pool == NULL)
		return;
	doze_pool_must_not_be_inherited(pool->id);
	check_who_frees(pool, "doze_pool_free");
	doze_pool_end(pool, pool->num_workers);
}

int doze_pool_free_timed(doze_pool *pool, uint64_t timeout_ns, unsigned flags, size_t *discarded)
{
	if (discarded != NULL)
		*discarded = 0;
	if ((flags & ~(unsigned)DOZE_FREE_DISCARD) != 0)
		return doze_error_set(
		    EINVAL, "doze_pool_free_timed: flags are %#x: must be 0 or DOZE_FREE_DISCARD",
		    flags);
	if (pool == NULL)
		return 0;
	doze_pool_must_not_be_inherited(pool->id);
	if (pool->workers[0].guest)
		return doze_error_set(EINVAL,
				      "doze_pool_free_timed: the calling thread is a worker "
				      "(use_current_thread) and must work until all jobs are done");
	check_who_frees(pool, "doze_pool_free_timed");
	uint64_t now = (uint64_t)doze_os_now_ns();
	da_store(&pool->discards, (flags & DOZE_FREE_DISCARD) != 0 ? DISCARDS : 0,
		 RLX); /* relaxed: doze_pool_discards explains why */
	bool ended = end_by(pool, timeout_ns < UINT64_MAX - now ? now + timeout_ns : UINT64_MAX);
	size_t word = da_swap(&pool->discards, 0, RLX);
	if (discarded != NULL)
		*discarded = word / DISCARDED;
	if (ended) {
		finish(pool, pool->num_workers);
		return 0;
	}
	return doze_error_set(ETIMEDOUT, "doze_pool_free_timed: the pool still has work");
}
