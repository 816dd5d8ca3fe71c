/*
 * SPDX-License-Identifier: MIT
 *
 * operations.h - calls the queue operations of policy forkjoin for three workers that do not run,
 * and checks what each returns.
 */
#ifndef DOZE_EXPLORE_OPERATIONS_H
#define DOZE_EXPLORE_OPERATIONS_H

#include "common.h"

#include "lib/queues.h"

#include <inttypes.h>

static struct doze_pool pool;
static struct doze_worker workers[3];
static struct doze_job jobs[8];
static const struct doze_queue_ops *ops;

#define W0 (&workers[0])
#define W1 (&workers[1])
#define W2 (&workers[2])

/* Names the deques' memory for reports. */
static inline void name_slots(void)
{
	static const char *const names[] = {"slot[] of worker 0's deque",
					    "slot[] of worker 1's deque",
					    "slot[] of worker 2's deque"};
	struct forkjoin *fj = forkjoin_of(&pool);
	name_fields(&fj->global, 3);
	for (unsigned i = 0; i < 3; i++) {
		struct fj_deque *d = &fj->deque[i];
		name_fields(d, i);
		ex_name_range(d->slot, d->capacity * sizeof(*d->slot), names[i]);
	}
}

/* Sets up three workers with empty queues and without threads. */
static inline void begin(void)
{
	pool.id = 1;
	pool.num_workers = 3;
	pool.workers = workers;
	pool.sleep.policy = doze_policy_find("forkjoin");
	ops = pool.sleep.policy->queues;
	for (int i = 0; i < 3; i++) {
		workers[i].pool = &pool;
		workers[i].index = i;
		workers[i].queues = ops;
	}
	EX_CHECK(ops->init(&pool) == 0);
	EX_CHECK(pool.sleep.policy->init(&pool) == 0);
	name_slots();
}
static inline void end(void)
{
	pool.sleep.policy->fini(&pool);
	ops->fini(&pool);
}
static inline bool push(struct doze_worker *worker, int job)
{
	return ops->push(worker, &jobs[job]);
}
static inline void push_says(struct doze_worker *worker, int job, bool was_empty)
{
	EX_REQUIRE(push(worker, job) == was_empty, "fj_push of job %d to %s queue returns %s", job,
		   was_empty ? "an empty" : "a non-empty", was_empty ? "false" : "true");
}
/* Checks that an operation returned the right job. Jobs are numbered from 0. */
static inline void is_job(const char *operation, const struct doze_job *got, int wanted)
{
	EX_REQUIRE(got != NULL, "%s returns no job instead of job %d", operation, wanted);
	EX_REQUIRE(got >= jobs && got < jobs + sizeof(jobs) / sizeof(jobs[0]),
		   "%s returns a pointer that is no job instead of job %d", operation, wanted);
	EX_REQUIRE(got == &jobs[wanted], "%s returns job %d instead of job %d", operation,
		   (int)(got - jobs), wanted);
}
static inline void pops(struct doze_worker *worker, int job)
{
	is_job("fj_pop", ops->pop(worker), job);
}
static inline void steals_job(struct doze_worker *thief, struct doze_worker *victim, int job)
{
	struct doze_job *found = NULL;
	EX_REQUIRE(ops->steal(thief, victim, &found) == DOZE_STEAL_success,
		   "worker %d steals nothing from worker %d, whose queue has job %d", thief->index,
		   victim->index, job);
	is_job("fj_steal", found, job);
}
static inline void has_none(struct doze_worker *worker, struct doze_worker *other)
{
	struct doze_job *found = NULL;
	EX_REQUIRE(ops->empty(worker), "fj_empty returns false for the empty queue of worker %d",
		   worker->index);
	EX_REQUIRE(ops->pop(worker) == NULL, "fj_pop returns a job from an empty queue");
	EX_REQUIRE(ops->steal(other, worker, &found) == DOZE_STEAL_empty,
		   "fj_steal takes a job from an empty queue");
}

/* Calls the operation as the library does, with the pool's lock held. */
static inline uint64_t left(struct doze_worker *worker, bool *injected)
{
	struct forkjoin *fj = forkjoin_of(&pool);
	doze_mutex_lock(&fj->pool_lock);
	uint64_t jobs_left = ops->left(worker, injected);
	doze_mutex_unlock(&fj->pool_lock);
	return jobs_left;
}
static inline void has_left(struct doze_worker *worker, uint64_t jobs_left, bool in_shared)
{
	bool injected = !in_shared;
	uint64_t got = left(worker, &injected);
	EX_REQUIRE(got == jobs_left,
		   "fj_left, called by worker %d, returns %" PRIu64
		   " jobs; all workers' own queues "
		   "together have %" PRIu64 " (the shared queue does not count)",
		   worker->index, got, jobs_left);
	EX_REQUIRE(injected == in_shared,
		   "fj_left sets *injected to %s, but the shared queue has %s",
		   injected ? "true" : "false", in_shared ? "jobs" : "none");
}

static inline struct doze_batch three(void)
{
	struct doze_batch batch = {0};
	for (int i = 0; i < 3; i++)
		doze_batch_add(&batch, &jobs[i]);
	return batch;
}

static inline void removes(int job, bool there, const char *where)
{
	EX_REQUIRE(ops->remove(W0, &jobs[job]) == there, "fj_remove of job %d, %s, returns %s", job,
		   where, there ? "false" : "true");
}

/* Checks that the last operation took one lock once, and reported it as taken by `by`. */
static inline void took_one(const char *operation, int by, int of)
{
	uint64_t most, all = ex_locks_counted(&most);
	struct ex_lock_reports reports = ex_locks_reported();
	EX_REQUIRE(all == 1, "%s takes %" PRIu64 " locks; it needs the lock of one deque, once",
		   operation, all);
	EX_REQUIRE(reports.number == 1, "%s reports %" PRIu64 " locks as taken instead of one",
		   operation, reports.number);
	EX_REQUIRE(reports.kind == DOZE_LOCK_deque, "%s reports %s instead of the lock of a deque",
		   operation,
		   reports.kind == DOZE_LOCK_pool ? "the pool's lock" : "a lock of another kind");
	char caller[20] = "any thread (-1)";
	if (by >= 0)
		snprintf(caller, sizeof(caller), "worker %d", by);
	EX_REQUIRE(reports.by == by && reports.owner == of,
		   "%s on the deque of worker %d, called by %s: the event says that worker %d took "
		   "the lock of the deque of worker %d",
		   operation, of, caller, reports.by, reports.owner);
	ex_count_locks();
}

/* Checks that fj_left takes the lock of each deque once. The library does not report these locks; a
 * report must be right. */
static inline void left_takes_each(void)
{
	struct forkjoin *fj = forkjoin_of(&pool);
	bool injected;
	uint64_t most, all;
	doze_mutex_lock(&fj->pool_lock);
	ex_count_locks();
	(void)ops->left(W1, &injected);
	all = ex_locks_counted(&most);
	unsigned held = ex_locks_held();
	doze_mutex_unlock(&fj->pool_lock);
	EX_REQUIRE(all == 3 && most == 1,
		   "fj_left takes %" PRIu64 " locks, one of them %" PRIu64
		   " times; it needs the lock of each of the 3 deques, once",
		   all, most);
	struct ex_lock_reports reports = ex_locks_reported();
	EX_REQUIRE(held == 1, "fj_left holds the locks of %u deques at once", held);
	EX_REQUIRE(reports.number == 0 ||
		       (reports.number == 3 && reports.by == 1 && reports.kind == DOZE_LOCK_deque),
		   "fj_left, called by worker 1, reports %" PRIu64
		   " locks, the last as taken by worker %d; if it reports, then the locks of the 3 "
		   "deques, as taken by worker 1",
		   reports.number, reports.by);
	ex_count_locks();
}

#endif
