/*
 * SPDX-License-Identifier: MIT
 *
 * queues.h - the queues of a pool. The policy chooses between the default queues (a Chase-Lev deque
 * per worker and a shared injector), which are inlined here, and another implementation (preset
 * `forkjoin`: locked lists). With the default queues the choice costs one load and one predicted
 * branch.
 */
#ifndef DOZE_QUEUES_H
#define DOZE_QUEUES_H

#include "pool.h"
#include "worker.h"

/** Another implementation of the queues. All functions are required unless noted otherwise, and
 * have the same callers as in deque.h and injector.h. */
struct doze_queue_ops {
	/* init is called after the workers' structs exist, before any worker runs; it returns 0 or
	 * an errno value. fini is called at the pool's end. */
	int (*init)(struct doze_pool *pool);
	void (*fini)(struct doze_pool *pool);
	/* Owner: adds a job at the owner's end; returns whether the queue was empty. */
	bool (*push)(struct doze_worker *worker, struct doze_job *job);
	/* Owner: reserve makes room for n more jobs; it returns 0 or ENOMEM. push_many then adds a
	 * batch, oldest job first. */
	int (*reserve)(struct doze_worker *worker, uint32_t n);
	bool (*push_many)(struct doze_worker *worker, const struct doze_batch *batch);
	/* Owner: takes the newest job, or returns null. */
	struct doze_job *(*pop)(struct doze_worker *worker);
	/* Another worker of the pool: takes the oldest job. */
	enum doze_steal (*steal)(struct doze_worker *thief, struct doze_worker *victim,
				 struct doze_job **out);
	/* Owner: removes the given job from any position; returns false if it is no longer there.
	 * Null if the queue cannot do that; claimed futures then stay in it as tombstones. */
	bool (*remove)(struct doze_worker *worker, struct doze_job *job);
	/* Any thread: returns whether the worker's queue is empty. */
	bool (*empty)(struct doze_worker *worker);
	/* Any thread: adds a job to the shared queue. Returns whether the queue was empty
	 * before. */
	bool (*inject)(struct doze_pool *pool, int32_t by, struct doze_job *job);
	/* Any thread: adds a batch to the shared queue, and sets *was_empty. Returns 0, or ENOMEM
	 * with nothing queued. */
	int (*inject_many)(struct doze_pool *pool, int32_t by, const struct doze_batch *batch,
			   bool *was_empty);
	/* Worker: takes the oldest job of the shared queue, or returns null. */
	struct doze_job *(*uninject)(struct doze_worker *worker);
	/* Any thread: returns whether the shared queue has a job. */
	bool (*has_injected)(struct doze_pool *pool, int32_t by);
	/* Owner: called when the sleep policy reports that the worker falls asleep, with the locks
	 * held that the policy holds at that point. Returns the number of jobs in all workers'
	 * queues, and sets *injected to whether the shared queue has a job. */
	uint64_t (*left)(struct doze_worker *worker, bool *injected);
};

/** Owner only. Pushes a job to the owner's queue. Returns true if another implementation says that
 * the queue was empty; doze_queue_was_empty asks the default queues, which would have to read the
 * thieves' cache line in each push. */
static inline bool doze_queue_push(struct doze_worker *worker, struct doze_job *job)
{
	const struct doze_queue_ops *ops = worker->queues;
	if (doze_unlikely(ops != NULL))
		return ops->push(worker, job);
	doze_deque_push(&worker->deque, job);
	return false;
}
/** Owner only, after a push of one job to the default queues. Returns whether it is the only job
 * there. Always false for other queues. */
static inline bool doze_queue_was_empty(struct doze_worker *worker)
{
	return worker->queues == NULL && doze_deque_length(&worker->deque) <= 1;
}
static inline int doze_queue_reserve(struct doze_worker *worker, uint32_t n)
{
	const struct doze_queue_ops *ops = worker->queues;
	if (doze_unlikely(ops != NULL))
		return ops->reserve(worker, n);
	return doze_deque_reserve(&worker->deque, n);
}
static inline bool doze_queue_push_many(struct doze_worker *worker, const struct doze_batch *batch)
{
	const struct doze_queue_ops *ops = worker->queues;
	if (doze_unlikely(ops != NULL))
		return ops->push_many(worker, batch);
	bool was_empty = doze_deque_empty(&worker->deque);
	doze_deque_push_many(&worker->deque, batch);
	return was_empty;
}
static inline struct doze_job *doze_queue_pop(struct doze_worker *worker)
{
	const struct doze_queue_ops *ops = worker->queues;
	if (doze_unlikely(ops != NULL))
		return ops->pop(worker);
	return doze_deque_pop(&worker->deque);
}
static inline enum doze_steal doze_queue_steal(struct doze_worker *thief,
					       struct doze_worker *victim, struct doze_job **out)
{
	const struct doze_queue_ops *ops = thief->queues;
	if (doze_unlikely(ops != NULL))
		return ops->steal(thief, victim, out);
	return doze_deque_steal(&victim->deque, out);
}
static inline bool doze_queue_empty(struct doze_worker *worker)
{
	const struct doze_queue_ops *ops = worker->queues;
	if (doze_unlikely(ops != NULL))
		return ops->empty(worker);
	return doze_deque_empty(&worker->deque);
}

/** Any thread. Queues a job in the pool's shared queue. Returns whether the shared queue was empty
 * before. */
static inline bool doze_queue_inject(struct doze_pool *pool, int32_t by, struct doze_job *job)
{
	const struct doze_queue_ops *ops = pool->sleep.policy->queues;
	if (doze_unlikely(ops != NULL))
		return ops->inject(pool, by, job);
	bool was_empty = doze_injector_empty_hint(&pool->injector);
	doze_injector_push(&pool->injector, job);
	return was_empty;
}
static inline int doze_queue_inject_many(struct doze_pool *pool, int32_t by,
					 const struct doze_batch *batch, bool *was_empty)
{
	const struct doze_queue_ops *ops = pool->sleep.policy->queues;
	if (doze_unlikely(ops != NULL))
		return ops->inject_many(pool, by, batch, was_empty);
	*was_empty = doze_injector_empty_hint(&pool->injector);
	doze_injector_push_many(&pool->injector, batch);
	return 0;
}
static inline struct doze_job *doze_queue_uninject(struct doze_worker *worker)
{
	const struct doze_queue_ops *ops = worker->queues;
	if (doze_unlikely(ops != NULL))
		return ops->uninject(worker);
	if (doze_injector_empty_hint(&worker->pool->injector))
		return NULL;
	return doze_injector_pop(&worker->pool->injector);
}
/** Returns whether the shared queue has a job. Used for the last check before sleep: it sees every
 * job whose push was followed by a fence that precedes the caller's fence. */
static inline bool doze_queue_has_injected(struct doze_pool *pool, int32_t by)
{
	const struct doze_queue_ops *ops = pool->sleep.policy->queues;
	if (doze_unlikely(ops != NULL))
		return ops->has_injected(pool, by);
	return doze_injector_has_jobs(&pool->injector);
}

#endif
