/*
 * SPDX-License-Identifier: MIT
 *
 * steal.c - how a worker without jobs takes jobs of other workers.
 *
 * A thief takes the victim's oldest job and runs it. Of a fork-join program that is the largest
 * piece of work. But if one worker spawns many small jobs, each steal costs more than the job: the
 * thief would begin and end a search for each, and both workers would wait for the same cache
 * lines. So a thief takes more jobs of such a victim along, at most half of them (as Hendler and
 * Shavit propose, PODC 2002), into its own deque. It takes them one by one, in the steps of any
 * steal: a single step for several jobs would need another protocol between thieves and owner
 * (deque.h, I3 and I5).
 *
 * It takes none along, and stops if it comes to such a job later, if
 *
 *   - the stolen job is the second half of a join: half of the victim's jobs may then be nearly all
 *     of its work;
 *   - the stolen entry is a token (worker.h): the oldest job of its FIFO should start soon.
 *
 * Nor does it if a worker sleeps or is about to, because that worker could miss the moved jobs. The
 * thief checks that before, and calls the policy afterwards if it is no longer so (hook `moved`,
 * sleep.h). A policy without the hook never lets a thief take jobs along.
 */
#include "pool.h"
#include "queues.h"

/** Maximum number of jobs that a thief takes along, so that other thieves find the rest with the
 * victim. */
#define MOST_MOVED 256

/* Returns a random first victim, so that thieves spread out. Uses xorshift64* (Marsaglia;
 * multiplier by Vigna). */
static uint32_t next_victim(struct doze_worker *worker, uint32_t n)
{
	uint64_t x = worker->rng;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	worker->rng = x;
	/* Scales to [0, n) without a division. */
	return (uint32_t)((((x * UINT64_C(0x2545f4914f6cdd1d)) >> 32) * n) >> 32);
}

/* Returns whether a thief may take this job along to run it later. A token has no id. */
static bool may_move(const struct doze_pool *pool, const struct doze_job *job)
{
	return job->run != pool->stolen_alone && job->id != 0;
}

/* Returns whether nobody sleeps or is about to, as doze_fast_is_quiet does, but at every level of
 * detail of a recording. */
static bool nobody_sleeps(struct doze_pool *pool)
{
	uint64_t word = da_load(&pool->sleep.word, SC); /* seq_cst: as in doze_fast_is_quiet */

	return (word & pool->sleep.quiet_mask) == pool->sleep.quiet_value;
}

/* Returns how many of the victim's jobs the thief may take along after the given one. */
static uint32_t number_to_move(struct doze_worker *worker, const struct doze_worker *victim,
			       const struct doze_job *job)
{
	int64_t half = doze_deque_length(&victim->deque) / 2;

	/* Only a worker that searches: policies expect that it reports what it has found. Relaxed:
	 * the worker's own state. */
	if (worker->pool->sleep.policy->moved == NULL || half == 0 ||
	    !may_move(worker->pool, job) || da_load(&worker->state, RLX) == DOZE_STATE_active ||
	    !nobody_sleeps(worker->pool))
		return 0;
	return half < MOST_MOVED ? (uint32_t)half : MOST_MOVED;
}

/* Takes one more job of the victim into the worker's own deque, which has room. Returns whether
 * there may be more to take. */
static bool move_one(struct doze_worker *worker, struct doze_worker *victim)
{
	bool only_private = false;
	struct doze_job *job;

	if (doze_deque_steal_public(&victim->deque, &job, &only_private) != DOZE_STEAL_success)
		return false;
	bool more = may_move(worker->pool, job);
	doze_bump(&worker->jobs_stolen, 1);
	doze_trace_steal(worker->pool->id, worker->index, victim->index, DOZE_STEAL_moved, job->id);
	doze_deque_push_in_room(&worker->deque, job);
	return more;
}

/* Called after the worker has stolen the given job, which it has not run yet. */
static void take_along(struct doze_worker *worker, struct doze_worker *victim,
		       const struct doze_job *job)
{
	uint32_t n = number_to_move(worker, victim, job), moved = 0;

	if (n == 0 || doze_deque_reserve(&worker->deque, n) != 0)
		return; /* out of memory: the jobs stay where they are */
	while (moved < n && move_one(worker, victim))
		moved++;
	if (doze_deque_empty(&worker->deque))
		return;
	/* As after the push of a batch: the worker may now run a long job. */
	doze_deque_publish(&worker->deque);
	if (!nobody_sleeps(worker->pool))
		worker->pool->sleep.policy->moved(worker->pool, worker->index);
}

/* Tries to steal from each other worker once. Sets *retry if another thread took an entry first, in
 * which case there may be more. */
static struct doze_job *steal_round(struct doze_worker *worker, bool *retry)
{
	struct doze_pool *pool = worker->pool;
	uint32_t n = pool->num_workers;
	uint32_t start = next_victim(worker, n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = start + i < n ? start + i : start + i - n;
		struct doze_worker *victim = &pool->workers[at];
		struct doze_job *job = NULL;
		if (victim == worker)
			continue;
		enum doze_steal result = doze_queue_steal(worker, victim, &job);
		if (result == DOZE_STEAL_empty)
			continue;
		doze_trace_steal(pool->id, worker->index, victim->index, result,
				 job != NULL ? job->id : 0);
		if (result == DOZE_STEAL_success) {
			take_along(worker, victim, job);
			return job;
		}
		*retry = true;
	}
	return NULL;
}

struct doze_job *doze_worker_steal(struct doze_worker *worker)
{
	struct doze_job *job;
	bool retry;

	if (worker->pool->num_workers == 1)
		return NULL;
	do {
		retry = false;
		job = steal_round(worker, &retry);
	} while (job == NULL && retry);
	if (job != NULL)
		doze_bump(&worker->jobs_stolen, 1);
	return job;
}
