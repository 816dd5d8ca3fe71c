/*
 * SPDX-License-Identifier: MIT
 *
 * injector.h - a first-in-first-out queue for many producers and consumers, used as the pool's
 * injector, as each worker's broadcast queue, and as the job FIFOs of spawn_fifo.
 *
 *   who may call      push        pop, has_jobs, empty_hint
 *   any thread         yes         yes (consumers take turns under `lock`)
 *
 * Producers never lock. The queue consists of two intrusive lists. Producers push their jobs onto a
 * stack (R. K. Treiber, 1986), newest first. Consumers take jobs from a list, oldest first. When
 * that list is empty, a consumer takes the whole stack in one step and reverses it into the list.
 *
 * A push is a single step, a compare-and-swap with release order. So a producer that is stopped at
 * any point never hides a job of its own or of another thread, and pop finds every job that
 * has_jobs sees. Queues in which a push takes two steps (a swap and then a link, or a ticket and
 * then a slot) cannot guarantee that. A producer stopped between the two steps would withhold the
 * jobs behind its own, and until it continued workers would spin, because they see that the queue
 * is not empty.
 *
 * The compare-and-swap publishes the job; the proof in sleep/README.md calls it PushJob. On x86
 * this read-modify-write drains the store buffer, so the push fence that follows has no further
 * effect. Elsewhere the fence is needed, and the proof relies on it.
 */
#ifndef DOZE_INJECTOR_H
#define DOZE_INJECTOR_H

#include "atomic.h"
#include "job.h"
#include "park.h"

struct doze_injector {
	/* The producers' cache line: a stack in which `next` points to the next older job. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(struct doze_job *) newest;
	/* The consumers' cache line. */
	DOZE_CACHE_ALIGNED doze_mutex lock;
	/* A list in which `next` points to the next newer job; all jobs are older than those on the
	 * stack. Written under `lock`; empty_hint reads it without the lock. */
	DOZE_ATOMIC(struct doze_job *) oldest;
};

void doze_injector_init(struct doze_injector *q);
/** Called after the last access. Does not touch the remaining jobs. */
void doze_injector_fini(struct doze_injector *q);
/** Any thread. Costs one compare-and-swap, or more while other threads push. */
void doze_injector_push(struct doze_injector *q, struct doze_job *job);
/** Any thread. Pushes a batch, whose first job is the oldest. No other job comes between its jobs,
 * and consumers see all of it or nothing. Costs one push, and a store per job. */
void doze_injector_push_many(struct doze_injector *q, const struct doze_batch *batch);
/** Any thread. Returns the oldest job, or null if there is none. Costs a lock, and two loads and
 * two stores per job for reversing the stack. */
struct doze_job *doze_injector_pop(struct doze_injector *q);
/** Any thread, after a seq_cst fence, for the last check before sleep. Sees every job whose push
 * was followed by a seq_cst fence that precedes the caller's fence. */
bool doze_injector_has_jobs(struct doze_injector *q);

/** Any thread, without the lock. Returns a hint: it may miss a push that was just made, and may
 * still see a job that was just taken. But once it has seen a job, it sees the job until it is
 * taken, even while a consumer moves it from the stack to the list. */
static inline bool doze_injector_empty_hint(const struct doze_injector *q)
{
	/* Acquire: pairs with the release of the consumer that emptied the stack. A thread that
	 * reads that consumer's null also reads its earlier store to `oldest`. */
	return da_load(&q->newest, ACQ) == NULL && da_load(&q->oldest, RLX) == NULL;
}

#endif
