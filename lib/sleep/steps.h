/*
 * SPDX-License-Identifier: MIT
 *
 * steps.h - the steps that a worker takes in the same way under several policies, each with the
 * event that reports it. They are building blocks, not a protocol: each policy decides when to take
 * a step, under which lock, and before or after which fence, and its file documents this.
 *
 *   doze_step_look       active -> idle           inactive + 1
 *   doze_step_lie_down   idle -> sleeping         sleeping + 1
 *   doze_step_take_back  sleeping -> idle         sleeping - 1   the sleep is averted
 *   doze_step_awake      sleeping -> idle         sleeping - 1   if the sleeper subtracts itself
 *   doze_step_found      idle, sleepy -> active   inactive - 1
 *   doze_step_averted    unchanged                none           the sleep is averted
 *
 * `order` is the memory order of the step on the word: seq_cst where posts decide by the word, so
 * that the steps, the posts' loads and the fences have one total order; relaxed where only the
 * trace uses the word. (On x86 both compile to the same instruction.) Only the owner takes these
 * steps.
 */
#ifndef DOZE_STEPS_H
#define DOZE_STEPS_H

#include "../pool.h"
#include "../queues.h"
#include "../trace.h"
#include "../worker.h"
#include "sleep.h"

static inline void doze_step_look(struct doze_worker *worker, struct doze_idle *idle,
				  da_order order)
{
	idle->rounds = 0;
	idle->jec = DOZE_JEC_DUMMY;
	uint64_t old = da_add(&worker->pool->sleep.word, DOZE_ONE_INACTIVE, order);
	doze_worker_transition(worker, DOZE_STATE_idle, DOZE_REASON_no_work, old,
			       old + DOZE_ONE_INACTIVE);
}

/** Removes this worker from the count of inactive workers, and reports the step. Returns the word
 * before the step. */
static inline uint64_t doze_step_found(struct doze_worker *worker, enum doze_reason reason,
				       da_order order)
{
	uint64_t old = da_sub(&worker->pool->sleep.word, DOZE_ONE_INACTIVE, order);
	doze_worker_transition(worker, DOZE_STATE_active, reason, old, old - DOZE_ONE_INACTIVE);
	return old;
}

/** Counts a fruitless round and yields. When all rounds are used up, resets the count and returns
 * false; the worker must then try to sleep. */
static inline bool doze_step_yield(struct doze_worker *worker, struct doze_idle *idle)
{
	if (idle->rounds >= worker->pool->sleep.rounds_until_sleeping) {
		idle->rounds = 0;
		return false;
	}
	idle->rounds++;
	doze_thread_yield();
	return true;
}

/** Reports a sleep that was averted before any step on the word. */
static inline void doze_step_averted(struct doze_worker *worker, enum doze_abort by)
{
	uint64_t word = doze_pool_word(worker->pool);
	doze_trace_sleep_abort(worker->pool->id, worker->index, by, word, word);
}

static inline void doze_step_lie_down(struct doze_worker *worker, da_order order)
{
	uint64_t old = da_add(&worker->pool->sleep.word, DOZE_ONE_SLEEPING, order);
	doze_worker_transition(worker, DOZE_STATE_sleeping, DOZE_REASON_rounds, old,
			       old + DOZE_ONE_SLEEPING);
}

static inline void doze_step_take_back(struct doze_worker *worker, enum doze_abort by,
				       enum doze_reason reason, da_order order)
{
	uint64_t old = da_sub(&worker->pool->sleep.word, DOZE_ONE_SLEEPING, order);
	uint64_t now = old - DOZE_ONE_SLEEPING;
	doze_trace_sleep_abort(worker->pool->id, worker->index, by, old, now);
	doze_worker_transition(worker, DOZE_STATE_idle, reason, now, now);
}

/** Reports that the worker runs again. wake_id is the wake that ended the wait, or 0. */
static inline void doze_step_awake(struct doze_worker *worker, uint64_t wake_id, da_order order)
{
	uint64_t old = da_sub(&worker->pool->sleep.word, DOZE_ONE_SLEEPING, order);
	doze_trace_woken(worker->pool->id, worker->index, wake_id);
	doze_worker_transition(worker, DOZE_STATE_idle,
			       wake_id ? DOZE_REASON_woken : DOZE_REASON_self_wake, old,
			       old - DOZE_ONE_SLEEPING);
}

/** Checks for work that no other worker can be relied on to serve: a suspended wait that is ready,
 * the worker's own broadcast queue, and the injector. The caller's fence or lock determines which
 * work the check is certain to see. */
static inline enum doze_abort doze_look_injected(struct doze_worker *worker)
{
	if (doze_has_ready(worker))
		return DOZE_ABORT_latch;
	if (doze_injector_has_jobs(&worker->broadcast))
		return DOZE_ABORT_broadcast;
	if (doze_queue_has_injected(worker->pool, worker->index))
		return DOZE_ABORT_injector;
	return DOZE_ABORT_none;
}

/** Checks for the same work as doze_look_injected, and for jobs in any worker's deque. */
static inline enum doze_abort doze_look_everywhere(struct doze_worker *worker)
{
	struct doze_pool *pool = worker->pool;
	enum doze_abort by = doze_look_injected(worker);

	for (uint32_t i = 0; by == DOZE_ABORT_none && i < pool->num_workers; i++)
		if (!doze_queue_empty(&pool->workers[i]))
			by = DOZE_ABORT_recheck;
	return by;
}

/** Returns the reason that the trace shows when doze_look_injected has prevented a sleep. */
static inline enum doze_reason doze_reason_of_look(enum doze_abort by)
{
	switch (by) {
	case DOZE_ABORT_latch:
		return DOZE_REASON_latch_set;
	case DOZE_ABORT_broadcast:
		return DOZE_REASON_found_broadcast;
	default:
		return DOZE_REASON_found_injected;
	}
}

#endif
