/*
 * SPDX-License-Identifier: MIT
 *
 * sleep.c - how the workers of preset `forkjoin` sleep: on one condition variable, under the pool's
 * lock. A worker that finds no work checks the global deque once more under that lock and waits. It
 * does NOT check the other workers' deques again, and a worker that submits a job signals without
 * the lock. So a signal that is sent between a worker's last check of such a deque and its wait is
 * lost. The job is not lost: its submitter runs it when it waits for the result. README.md
 * describes the consequences, and forced_test forces this schedule.
 */
#include "forkjoin.h"

#include "../deadlock.h"
#include "../sleep/report.h"
#include "../sleep/steps.h"

/* queues.c owns the data; its init has already been called. */
static int fj_init(struct doze_pool *pool)
{
	struct forkjoin *fj = forkjoin_of(pool);
	doze_mutex_init(&fj->pool_lock);
	doze_cond_init(&fj->work_avail);
	/* A guest counts as arrived from the start, because it may look for work only much
	 * later. */
	fj->arrived = pool->settings.user.use_current_thread ? 1 : 0;
	return 0;
}

static void fj_fini(struct doze_pool *pool)
{
	struct forkjoin *fj = forkjoin_of(pool);
	doze_cond_destroy(&fj->work_avail);
	doze_mutex_destroy(&fj->pool_lock);
}

/** Waits at the start-up barrier, so that no worker steals before all have arrived. A worker that
 * has already begun a job does not wait: the job may be a broadcast's turn, which may itself wait
 * for a worker that is held here. For the same reason a worker leaves the barrier to run a
 * broadcast's turn. */
static void fj_wait_for_all(struct doze_worker *worker)
{
	struct forkjoin *fj = forkjoin_of(worker->pool);
	bool *arrived = &fj->deque[worker->index].owner_arrived;

	if (worker->guest)
		return;
	doze_mutex_lock(&fj->pool_lock);
	if (!*arrived && ++fj->arrived == worker->pool->num_workers) {
		fj->barrier_open = true;
		doze_cond_broadcast(&fj->work_avail);
	}
	*arrived = true;
	while (!fj->barrier_open && da_load(&worker->jobs_run, RLX) == 0 &&
	       !doze_injector_has_jobs(&worker->broadcast))
		doze_cond_wait(&fj->work_avail, &fj->pool_lock);
	doze_mutex_unlock(&fj->pool_lock);
}

static void fj_start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	/* This wait is needed only if the start handler waits in the pool: the worker then looks
	 * for work before the hook `starts` has made it wait at the barrier. */
	fj_wait_for_all(worker);
	/* Relaxed, like all steps here: the word serves only the trace; decisions are made under
	 * locks. */
	doze_step_look(worker, idle, RLX);
}

static void fj_work_found(struct doze_worker *worker, struct doze_idle *idle,
			  enum doze_reason reason)
{
	(void)idle;
	(void)doze_step_found(worker, reason, RLX);
}

/** Any thread, with or without the lock. Records a wake for the next worker that wakes up. */
static void fj_announce(struct doze_pool *pool, int32_t by, struct doze_decision *decision)
{
	struct forkjoin *fj = forkjoin_of(pool);
	uint64_t word = doze_pool_word(pool);
	/* Report the wake before a worker can take it, so that `woken` does not precede it in the
	 * trace. */
	uint64_t wake_id = doze_wake_report(pool, by, -1, decision, word, word);
	uint64_t at = da_add(&fj->wakes_given, 1, RLX);
	/* Release: pairs with the acquire in fj_take_wake. Only the trace uses the id. */
	da_store(&fj->wake_ring[at % FJ_WAKE_RING], wake_id, REL);
}

/** Called with the pool's lock held. Returns the id of the oldest pending wake, or 0. Signals that
 * reached no sleeper leave ids behind; a worker that goes to sleep as the only sleeper skips
 * them. */
static uint64_t fj_take_wake(struct forkjoin *fj)
{
	uint64_t given = da_load(&fj->wakes_given, RLX);

	if (given - fj->wakes_taken > FJ_WAKE_RING)
		fj->wakes_taken = given - FJ_WAKE_RING; /* older ids have been overwritten */
	if (fj->wakes_taken == given)
		return 0;
	return da_swap(&fj->wake_ring[fj->wakes_taken++ % FJ_WAKE_RING], 0, AR);
}

/** Called with the pool's lock held. */
static void fj_wait(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	struct forkjoin *fj = forkjoin_of(pool);

	doze_step_lie_down(worker, RLX);
	if (da_add(&fj->sleepers, 1, RLX) == 0)
		/* The signals of all earlier wakes have reached no sleeper. */
		fj->wakes_taken = da_load(&fj->wakes_given, RLX);
	bool released = doze_deadlock_sleep(worker, &fj->pool_lock);
	/* A signal that was sent while a handler ran may have reached no sleeper. */
	if (!released || fj->owed == 0)
		doze_cond_wait(&fj->work_avail, &fj->pool_lock);
	da_sub(&fj->sleepers, 1, RLX);
	if (fj->owed > 0)
		fj->owed--; /* the waker has already counted this worker as active */
	else
		doze_deadlock_wake(pool, 1);
	doze_step_awake(worker, fj_take_wake(fj), RLX);
}

/** Called with the pool's lock held. Returns the reason why the worker must not sleep, or
 * DOZE_ABORT_none. */
static enum doze_abort fj_look(struct doze_worker *worker)
{
	if (doze_has_ready(worker))
		return DOZE_ABORT_latch;
	if (doze_injector_has_jobs(&worker->broadcast))
		return DOZE_ABORT_broadcast;
	if (forkjoin_of(worker->pool)->global.count != 0)
		return DOZE_ABORT_injector;
	return DOZE_ABORT_none;
}

static void fj_sleep(struct doze_worker *worker, struct doze_core_latch *latch)
{
	struct doze_pool *pool = worker->pool;
	struct forkjoin *fj = forkjoin_of(pool);
	enum doze_abort by = DOZE_ABORT_latch;

	doze_fj_lock(pool, worker->index, &fj->pool_lock, DOZE_LOCK_pool, -1);
	if (doze_core_latch_get_sleepy(latch) && doze_core_latch_fall_asleep(latch)) {
		by = fj_look(worker);
		if (by == DOZE_ABORT_none)
			fj_wait(worker);
		doze_core_latch_wake_up(latch);
	}
	doze_mutex_unlock(&fj->pool_lock);
	if (by == DOZE_ABORT_none)
		doze_deadlock_acquire(worker);
	else
		doze_step_averted(worker, by);
}

static void fj_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
			     struct doze_core_latch *latch)
{
	if (++idle->rounds < worker->pool->sleep.rounds_until_sleeping) {
		doze_thread_yield();
	} else {
		fj_sleep(worker, latch);
		idle->rounds = 0;
	}
}

/** Called with the pool's lock held. Counts up to n sleepers for which no wake is pending as
 * active, before they are woken, because otherwise pending wakes could look like a deadlock. */
static void fj_owe(struct doze_pool *pool, uint32_t n)
{
	struct forkjoin *fj = forkjoin_of(pool);
	uint32_t asleep = da_load(&fj->sleepers, RLX) - fj->owed; /* written under this lock */

	if (n > asleep)
		n = asleep;
	fj->owed += n;
	doze_deadlock_wake(pool, n);
}

/** Signals n times. If there is a deadlock or release handler, takes the lock, because detection
 * must know which workers run. Otherwise takes no lock, like the classic fork-join pool that this
 * preset reproduces, and a signal may be lost. */
static void fj_signal(struct doze_pool *pool, uint32_t n)
{
	struct forkjoin *fj = forkjoin_of(pool);

	if (doze_unlikely(pool->deadlock != NULL)) {
		doze_mutex_lock(&fj->pool_lock);
		fj_owe(pool, n);
	}
	for (uint32_t i = 0; i < n; i++)
		doze_cond_signal(&fj->work_avail);
	if (doze_unlikely(pool->deadlock != NULL))
		doze_mutex_unlock(&fj->pool_lock);
}

/** Called after a submission. A thread that is not a worker pushes under the pool's lock, so a
 * worker that is asleep now was already waiting when the job was pushed. A worker takes that lock
 * neither for a push nor for its signal. */
static void fj_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	struct forkjoin *fj = forkjoin_of(pool);
	/* Relaxed: a hint for the trace only. The signal is sent in any case. */
	uint32_t sleepers = da_load(&fj->sleepers, RLX);
	struct doze_trace_post_info post =
	    doze_post_seen(jobs, doze_pool_word(pool), -1, (int32_t)sleepers);
	post.wakes = jobs->n < sleepers ? jobs->n : sleepers;
	struct doze_decision decision = doze_post_decided(pool, by, &post, DOZE_SCOPE_one);
	for (uint32_t i = 0; i < post.wakes; i++)
		fj_announce(pool, by, &decision);
	fj_signal(pool, jobs->n);
}

static void fj_wake_all(struct doze_pool *pool, int32_t by, enum doze_cause cause)
{
	struct forkjoin *fj = forkjoin_of(pool);
	struct doze_decision decision = {0, cause, DOZE_SCOPE_all};

	doze_mutex_lock(&fj->pool_lock);
	/* the pool may end before all workers have arrived */
	fj->barrier_open |= cause == DOZE_CAUSE_terminate;
	uint32_t sleepers = da_load(&fj->sleepers, RLX);
	for (uint32_t i = 0; i < sleepers; i++)
		fj_announce(pool, by, &decision);
	fj_owe(pool, sleepers);
	doze_cond_broadcast(&fj->work_avail);
	doze_mutex_unlock(&fj->pool_lock);
}

static void fj_latch_set(struct doze_pool *pool, int32_t by, int32_t owner,
			 enum doze_latch_state from, enum doze_cause cause)
{
	(void)owner;
	/* fj_wake_all takes the lock, so the owner either waits or has seen the latch. It wakes all
	 * workers, because a condition variable cannot wake a chosen one. */
	if (from == DOZE_LATCH_sleeping || cause == DOZE_CAUSE_terminate)
		fj_wake_all(pool, by, cause);
}

static void fj_broadcast(struct doze_pool *pool, int32_t by)
{
	fj_wake_all(pool, by, DOZE_CAUSE_broadcast);
}

static void fj_resume(struct doze_pool *pool, int32_t by, int32_t owner)
{
	(void)owner;
	fj_wake_all(pool, by, DOZE_CAUSE_latch);
}

const struct doze_sleep_policy doze_policy_forkjoin = {
    .name = "forkjoin",
    .summary = "classic fork-join pool: global deque and lock, a lock per worker deque",
    .word_kind = DOZE_WORD_counters,
    .rounds_until_sleepy = 1,
    .rounds_until_sleeping = 2,
    .queues = &doze_forkjoin_queues,
    .init = fj_init,
    .fini = fj_fini,
    .starts = fj_wait_for_all,
    .start_looking = fj_start_looking,
    .no_work_found = fj_no_work_found,
    .work_found = fj_work_found,
    .new_jobs = fj_new_jobs,
    .latch_set = fj_latch_set,
    .broadcast = fj_broadcast,
    .resume = fj_resume,
};
