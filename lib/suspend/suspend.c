/*
 * SPDX-License-Identifier: MIT
 *
 * suspend.c - suspends and resumes waits. spare_threads.c has the threads that take over.
 */
#include "suspend.h"

#include "../future.h"
#include "../pool.h"
#include "../queues.h"
#include "wait_graph.h"

void doze_suspend_init(struct doze_pool *pool)
{
	doze_mutex_init(&pool->suspend.lock);
	pool->suspend.max = pool->settings.max_suspended;
}

void doze_suspend_fini(struct doze_pool *pool)
{
	doze_mutex_destroy(&pool->suspend.lock);
}

bool doze_stack_is_deep(const struct doze_worker *worker)
{
	/* Stacks grow downwards on all supported architectures. */
	return (uintptr_t)__builtin_frame_address(0) < worker->hold.by->stack_floor;
}

bool doze_may_run(const struct doze_worker *worker, const struct doze_job *job)
{
	const struct doze_future *root = worker->root;

	if (doze_stack_is_deep(worker))
		return false;
	/* A job of the same task cannot wait for that task, and if this worker's wait has no root,
	 * no future waits for it. */
	if (root == NULL || job->root == root)
		return true;
	/* If the task has already been claimed, there is nothing to run. */
	return doze_future_is_tombstone(job);
}

bool doze_has_ready(struct doze_worker *worker)
{
	/* seq_cst: one total order with the fences of the policies whose last check reads this
	 * count. The waits themselves are read under the lock. */
	return da_load(&worker->hold.ready, SC) != 0;
}

/* Adds the wait to the list. Returns false if the limit is reached. */
static bool enter(struct doze_suspended *s)
{
	struct doze_suspend *all = &s->worker->pool->suspend;

	doze_mutex_lock(&all->lock);
	uint32_t count = da_load(&all->count, RLX);
	bool fits = count < all->max;
	if (fits) {
		da_store(&all->count, count + 1, RLX); /* relaxed: the lock provides the ordering */
		s->next = all->waits;
		s->link = &all->waits;
		if (s->next != NULL)
			s->next->link = &s->next;
		all->waits = s;
	}
	doze_mutex_unlock(&all->lock);
	return fits;
}

static void leave(struct doze_suspended *s)
{
	struct doze_suspend *all = &s->worker->pool->suspend;

	doze_mutex_lock(&all->lock);
	/* Relaxed: the lock provides the ordering. */
	da_store(&all->count, da_load(&all->count, RLX) - 1, RLX);
	*s->link = s->next;
	if (s->next != NULL)
		s->next->link = s->link;
	doze_mutex_unlock(&all->lock);
}

static struct doze_suspended wait_of(struct doze_worker *worker, struct doze_future *target,
				     enum doze_latch_kind kind)
{
	return (struct doze_suspended){.worker = worker,
				       .holder = worker->hold.by,
				       .root = worker->root,
				       .target = target,
				       .kind = kind};
}

/* Hands the worker over to another thread. The caller must not touch the owner's data until go_on
 * has returned. */
static void step_down(struct doze_suspended *s, struct doze_job *job, enum doze_source source)
{
	struct doze_worker *worker = s->worker;

	worker->hold.suspended++;
	worker->hold.elsewhere += s->elsewhere;
	if (job == NULL && doze_has_ready(worker))
		doze_give_to_ready(worker);
	else
		doze_give_to_any(s, job, source);
}

/* Waits until the caller holds the worker again. */
static void go_on(struct doze_suspended *s)
{
	struct doze_worker *worker = doze_holder_await(s->holder);

	worker->root = s->root;
	worker->hold.suspended--;
	worker->hold.elsewhere -= s->elsewhere;
	leave(s);
}

/* Called when the wait is already over, so no other thread need take over, but the job must not run
 * here. Puts the job back into the worker's queue. Returns false for a broadcast's turn, which must
 * not go into a queue that other workers take jobs from. */
static bool put_back(struct doze_worker *worker, struct doze_job *job, enum doze_source source)
{
	if (source == DOZE_SOURCE_broadcast)
		return false;
	if (job != NULL)
		(void)doze_queue_push(
		    worker, job); /* no post: the policy was called when the job was first queued */
	return true;
}

void doze_suspend_wait(struct doze_worker *worker, struct doze_core_latch *latch,
		       struct doze_future *target, struct doze_job *job, enum doze_source source)
{
	struct doze_suspended s = wait_of(worker, target, (enum doze_latch_kind)latch->kind);

	doze_worker_settle(worker); /* the other thread may continue with the user's code */
	s.elsewhere = latch->elsewhere;
	if (!enter(&s))
		doze_too_many_waits(&s);
	if (!doze_core_latch_suspend(latch, s.holder)) {
		if (put_back(worker, job, source)) {
			leave(&s);
			return;
		}
		doze_suspended_ready(s.holder, worker, worker->index);
	}
	step_down(&s, job, source);
	go_on(&s);
}

bool doze_suspend_begin(struct doze_suspended *s, struct doze_worker *worker,
			struct doze_future *target)
{
	*s = wait_of(worker, target, DOZE_LATCH_KIND_future);
	s->elsewhere = true;
	/* After termination no other thread may take over, because a holder that sees the terminate
	 * latch set gives the worker to its home thread: this one. Relaxed: the thread of an exit
	 * handler has itself seen the latch set. */
	if (doze_core_latch_probe(&worker->terminate, RLX) || !enter(s))
		return false;
	step_down(s, NULL, DOZE_SOURCE_none);
	return true;
}

void doze_suspend_end(struct doze_suspended *s)
{
	doze_suspended_ready(s->holder, s->worker, -1);
	go_on(s);
}

void doze_suspended_ready(struct doze_holder *holder, struct doze_worker *worker, int32_t by)
{
	struct doze_pool *pool = worker->pool;
	const struct doze_sleep_policy *policy = pool->sleep.policy;
	struct doze_hold *hold = &worker->hold;

	doze_mutex_lock(&pool->suspend.lock);
	holder->next = NULL;
	if (hold->first_ready == NULL)
		hold->first_ready = holder;
	else
		hold->last_ready->next = holder;
	hold->last_ready = holder;
	/* seq_cst: orders this step before the check for sleepers, in one total order with the
	 * policies' fences. */
	da_add(&hold->ready, 1, SC);
	doze_mutex_unlock(&pool->suspend.lock);
	/* Only this worker can serve the wait, just as only it can serve its broadcast queue. If
	 * the caller holds the worker, the worker is awake. */
	if (by == worker->index)
		return;
	if (policy->resume != NULL)
		policy->resume(pool, by, worker->index);
	else
		policy->broadcast(pool, by);
}
