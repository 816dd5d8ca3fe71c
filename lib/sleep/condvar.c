/*
 * SPDX-License-Identifier: MIT
 *
 * condvar.c - policy `condvar`: what most home-made pools do. One mutex, one condition variable;
 * whoever finds all queues empty under the mutex waits; every publish takes the mutex and signals
 * when somebody waits; a latch may be awaited by any of the sleepers, so setting one wakes all.
 * The baseline to compare the others with.
 *
 * pthread_cond_signal does not say whom it wakes, so such a wake names target -1, and the worker
 * that awakes takes its id from the list of wakes that are under way.
 */
#include "../deadlock.h"
#include "../pool.h"
#include "../queues.h"
#include "../trace.h"
#include "../worker.h"
#include "wake.h"

#include <errno.h>
#include <stdlib.h>

/** sleep.data of such a pool. */
struct condvar {
	doze_mutex lock;
	doze_cond cond;
	/* By lock. worker.sleep.is_blocked: that worker waits. */
	uint32_t sleepers; /* workers that wait */
	uint32_t pending;  /* of those, signalled and not yet awake; <= sleepers */
	uint64_t *wake_id; /* ring of their ids, num_workers long */
	uint32_t first;
};

static struct condvar *condvar_of(struct doze_pool *pool)
{
	return pool->sleep.data;
}

static int condvar_init(struct doze_pool *pool)
{
	struct condvar *c = calloc(1, sizeof *c);
	uint64_t *ids = calloc(pool->num_workers, sizeof *ids);
	if (c == NULL || ids == NULL) {
		free(c);
		free(ids);
		return ENOMEM;
	}
	c->wake_id = ids;
	doze_mutex_init(&c->lock);
	doze_cond_init(&c->cond);
	pool->sleep.data = c;
	return 0;
}

static void condvar_fini(struct doze_pool *pool)
{
	struct condvar *c = condvar_of(pool);
	doze_cond_destroy(&c->cond);
	doze_mutex_destroy(&c->lock);
	free(c->wake_id);
	free(c);
}

static void condvar_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	idle->rounds = 0;
	/* Relaxed: the word is only for the record here; decisions are made under the lock. */
	uint64_t old = da_add(&worker->pool->sleep.word, DOZE_ONE_INACTIVE, RLX);
	doze_worker_transition(worker, DOZE_STATE_idle, DOZE_REASON_no_work, old,
			       old + DOZE_ONE_INACTIVE);
}

static void condvar_work_found(struct doze_worker *worker, struct doze_idle *idle,
			       enum doze_reason reason)
{
	(void)idle;
	uint64_t old = da_sub(&worker->pool->sleep.word, DOZE_ONE_INACTIVE, RLX); /* as above */
	doze_worker_transition(worker, DOZE_STATE_active, reason, old, old - DOZE_ONE_INACTIVE);
}

/** Holding the lock: a wake that is under way, the oldest first; 0 when there is none. */
static uint64_t condvar_take_wake(struct doze_pool *pool)
{
	struct condvar *c = condvar_of(pool);
	if (c->pending == 0)
		return 0;
	uint64_t id = c->wake_id[c->first];
	c->first = (c->first + 1) % pool->num_workers;
	c->pending--;
	return id;
}

/** Holding the lock: announces one wake. */
static void condvar_add_wake(struct doze_pool *pool, int32_t by, struct doze_decision *decision)
{
	struct condvar *c = condvar_of(pool);
	uint64_t word = doze_pool_word(pool);
	struct doze_trace_wake_info info = {
	    .target = -1, /* the condition variable chooses */
	    .wake_id = da_add(&pool->sleep.wake_ids, 1, RLX) + 1, /* only a number */
	    .decision_id = doze_decision_id(pool, decision),
	    .cause = decision->cause,
	    .scope = decision->scope,
	    .old_word = word,
	    .new_word = word,
	};
	c->wake_id[(c->first + c->pending) % pool->num_workers] = info.wake_id;
	c->pending++;
	doze_deadlock_wake(pool, 1);
	doze_trace_wake(pool->id, by, &info);
}

/** Holding the lock: is there anything that this worker could run? */
static enum doze_abort condvar_look(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;

	if (doze_injector_has_jobs(&worker->broadcast))
		return DOZE_ABORT_broadcast;
	if (doze_queue_has_injected(pool, worker->index))
		return DOZE_ABORT_injector;
	for (uint32_t i = 0; i < pool->num_workers; i++)
		if (!doze_queue_empty(&pool->workers[i]))
			return DOZE_ABORT_recheck;
	return DOZE_ABORT_none;
}

/** Holding the lock: one wait. Returns the id of the wake that ended it, 0 for none. */
static uint64_t condvar_wait(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	struct condvar *c = condvar_of(pool);

	uint64_t old = da_add(&pool->sleep.word, DOZE_ONE_SLEEPING, RLX); /* for the record */
	doze_worker_transition(worker, DOZE_STATE_sleeping, DOZE_REASON_rounds, old,
			       old + DOZE_ONE_SLEEPING);
	c->sleepers++;
	doze_deadlock_sleep(worker);
	doze_deadlock_release(worker);
	doze_cond_wait(&c->cond, &c->lock);
	c->sleepers--;
	uint64_t wake_id = condvar_take_wake(pool);
	if (wake_id == 0)
		doze_deadlock_wake(pool, 1); /* nobody did it for us */
	old = da_sub(&pool->sleep.word, DOZE_ONE_SLEEPING, RLX);
	doze_trace_woken(pool->id, worker->index, wake_id);
	doze_worker_transition(worker, DOZE_STATE_idle,
			       wake_id ? DOZE_REASON_woken : DOZE_REASON_self_wake, old,
			       old - DOZE_ONE_SLEEPING);
	return wake_id;
}

static void condvar_sleep(struct doze_worker *worker, struct doze_core_latch *latch)
{
	struct doze_pool *pool = worker->pool;
	struct condvar *c = condvar_of(pool);
	enum doze_abort by = DOZE_ABORT_latch;
	bool waited = false;

	/* The latch goes by SLEEPY to SLEEPING under the lock that its setter will take. */
	doze_mutex_lock(&c->lock);
	if (doze_core_latch_get_sleepy(latch) && doze_core_latch_fall_asleep(latch)) {
		by = condvar_look(worker);
		if (by == DOZE_ABORT_none) {
			(void)condvar_wait(worker);
			waited = true;
		}
		doze_core_latch_wake_up(latch);
	}
	doze_mutex_unlock(&c->lock);
	if (waited) {
		doze_deadlock_acquire(worker);
	} else {
		uint64_t word = doze_pool_word(pool);
		doze_trace_sleep_abort(pool->id, worker->index, by, word, word);
	}
}

static void condvar_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
				  struct doze_core_latch *latch)
{
	if (idle->rounds < worker->pool->sleep.rounds_until_sleeping) {
		idle->rounds++;
		doze_thread_yield();
	} else {
		condvar_sleep(worker, latch);
		idle->rounds = 0;
	}
}

static void condvar_new_jobs(struct doze_pool *pool, int32_t by, uint32_t n, bool was_empty,
			     enum doze_queue queue)
{
	struct condvar *c = condvar_of(pool);
	struct doze_decision decision = {
	    0, queue == DOZE_QUEUE_local ? DOZE_CAUSE_push : DOZE_CAUSE_inject, DOZE_SCOPE_one};

	/* Under the lock a sleeper either has not looked yet, and will see the job, or waits. */
	doze_mutex_lock(&c->lock);
	uint32_t asleep = c->sleepers - c->pending;
	uint32_t wakes = n < asleep ? n : asleep;
	uint64_t word = doze_pool_word(pool);
	struct doze_trace_post_info info = {
	    .queue = queue,
	    .jobs = n,
	    .was_empty = was_empty,
	    .old_word = word,
	    .new_word = word,
	    .idle = -1, /* it does not look */
	    .sleeping = (int32_t)asleep,
	    .wakes = wakes,
	    .decision_id = wakes != 0 ? doze_decision_id(pool, &decision) : 0,
	};
	doze_post_report(pool, by, &info);
	for (uint32_t i = 0; i < wakes; i++) {
		condvar_add_wake(pool, by, &decision);
		doze_cond_signal(&c->cond);
	}
	doze_mutex_unlock(&c->lock);
}

static void condvar_wake_all(struct doze_pool *pool, int32_t by, enum doze_cause cause)
{
	struct condvar *c = condvar_of(pool);
	struct doze_decision decision = {0, cause, DOZE_SCOPE_all};

	doze_mutex_lock(&c->lock);
	while (c->pending < c->sleepers)
		condvar_add_wake(pool, by, &decision);
	doze_cond_broadcast(&c->cond);
	doze_mutex_unlock(&c->lock);
}

static void condvar_latch_set(struct doze_pool *pool, int32_t by, int32_t owner,
			      enum doze_latch_state from, enum doze_cause cause)
{
	(void)owner;
	/* The owner is one of the sleepers, and the condition variable cannot be told which. */
	if (from == DOZE_LATCH_sleeping)
		condvar_wake_all(pool, by, cause);
}

static void condvar_broadcast(struct doze_pool *pool, int32_t by)
{
	condvar_wake_all(pool, by, DOZE_CAUSE_broadcast);
}

const struct doze_sleep_policy doze_policy_condvar = {
    .name = "condvar",
    .summary = "one mutex and one condition variable, as most home-made pools: a baseline",
    .word_kind = DOZE_WORD_counters,
    .rounds_until_sleepy = 32,
    .rounds_until_sleeping = 33,
    .init = condvar_init,
    .fini = condvar_fini,
    .start_looking = condvar_start_looking,
    .no_work_found = condvar_no_work_found,
    .work_found = condvar_work_found,
    .new_jobs = condvar_new_jobs,
    .latch_set = condvar_latch_set,
    .broadcast = condvar_broadcast,
};
