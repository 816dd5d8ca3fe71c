/*
 * SPDX-License-Identifier: MIT
 *
 * condvar.c - policy `condvar`, the design of most hand-written pools: one mutex and one condition
 * variable. A worker that finds all queues empty under the mutex waits; every publisher takes the
 * mutex, and signals if a worker waits. Any sleeper may be waiting for a latch, so setting a latch
 * wakes all sleepers. This is the baseline for comparing the other policies.
 *
 * pthread_cond_signal does not report which thread it wakes, so such a wake has target -1, and the
 * worker that wakes up takes the id of the oldest pending wake.
 */
#include "../deadlock.h"
#include "report.h"
#include "steps.h"

#include <errno.h>
#include <stdlib.h>

/** What sleep.data of a pool with policy `condvar` points to. */
struct condvar {
	doze_mutex lock;
	doze_cond cond;
	/* Protected by lock. worker.sleep.is_blocked is true while that worker waits. */
	uint32_t sleepers; /* number of workers that wait */
	uint32_t pending;  /* number of sleepers that were signalled but are not awake yet */
	uint64_t *wake_id; /* ring of wake ids, num_workers long */
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
	/* Relaxed, like all steps here: the word serves only the trace; decisions are made under
	 * the lock. */
	doze_step_look(worker, idle, RLX);
}

static void condvar_work_found(struct doze_worker *worker, struct doze_idle *idle,
			       enum doze_reason reason)
{
	(void)idle;
	(void)doze_step_found(worker, reason, RLX);
}

/** Called with the lock held. Returns the id of the oldest pending wake, or 0 if there is none. */
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

/** Called with the lock held. Records a wake before its signal is sent. */
static void condvar_add_wake(struct doze_pool *pool, int32_t by, struct doze_decision *decision)
{
	struct condvar *c = condvar_of(pool);
	uint64_t word = doze_pool_word(pool);

	doze_deadlock_wake(pool, 1);
	c->wake_id[(c->first + c->pending) % pool->num_workers] =
	    doze_wake_report(pool, by, -1, decision, word, word);
	c->pending++;
}

/** Called with the lock held. Waits once, without a loop: the worker's search is the loop. */
static void condvar_wait(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	struct condvar *c = condvar_of(pool);

	doze_step_lie_down(worker, RLX);
	c->sleepers++;
	bool released = doze_deadlock_sleep(worker, &c->lock);
	/* A signal that was sent while a handler ran may have reached no sleeper. */
	if (!released || c->pending == 0)
		doze_cond_wait(&c->cond, &c->lock);
	c->sleepers--;
	uint64_t wake_id = condvar_take_wake(pool);
	if (wake_id == 0)
		/* spurious wake: no waker has counted this worker as active */
		doze_deadlock_wake(pool, 1);
	doze_step_awake(worker, wake_id, RLX);
}

static void condvar_sleep(struct doze_worker *worker, struct doze_core_latch *latch)
{
	struct condvar *c = condvar_of(worker->pool);
	enum doze_abort by = DOZE_ABORT_latch;

	/* The latch passes through SLEEPY to SLEEPING under the lock that its setter will take. */
	doze_mutex_lock(&c->lock);
	if (doze_core_latch_get_sleepy(latch) && doze_core_latch_fall_asleep(latch)) {
		by = doze_look_everywhere(worker);
		if (by == DOZE_ABORT_none)
			condvar_wait(worker);
		doze_core_latch_wake_up(latch);
	}
	doze_mutex_unlock(&c->lock);
	if (by == DOZE_ABORT_none)
		doze_deadlock_acquire(worker);
	else
		doze_step_averted(worker, by);
}

static void condvar_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
				  struct doze_core_latch *latch)
{
	if (!doze_step_yield(worker, idle))
		condvar_sleep(worker, latch);
}

static void condvar_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	struct condvar *c = condvar_of(pool);

	/* While the poster holds the lock, a worker either waits, or has yet to check the queues
	 * and will see the job. */
	doze_mutex_lock(&c->lock);
	uint32_t asleep = c->sleepers - c->pending;
	struct doze_trace_post_info post =
	    doze_post_seen(jobs, doze_pool_word(pool), -1, (int32_t)asleep);
	post.wakes = jobs->n < asleep ? jobs->n : asleep;
	struct doze_decision decision = doze_post_decided(pool, by, &post, DOZE_SCOPE_one);
	for (uint32_t i = 0; i < post.wakes; i++) {
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
	/* Wakes all sleepers: the owner is one of them, and a condition variable cannot wake a
	 * chosen worker. */
	if (from == DOZE_LATCH_sleeping)
		condvar_wake_all(pool, by, cause);
}

static void condvar_broadcast(struct doze_pool *pool, int32_t by)
{
	condvar_wake_all(pool, by, DOZE_CAUSE_broadcast);
}

static void condvar_resume(struct doze_pool *pool, int32_t by, int32_t owner)
{
	(void)owner;
	condvar_wake_all(pool, by, DOZE_CAUSE_latch);
}

const struct doze_sleep_policy doze_policy_condvar = {
    .name = "condvar",
    .summary = "one mutex and one condition variable, as in most hand-written pools: a baseline",
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
    .resume = condvar_resume,
};
