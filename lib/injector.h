/*
 * SPDX-License-Identifier: MIT
 *
 * injector.h - a first-in-first-out queue for many producers and many consumers: the pool's
 * injector, each worker's broadcast queue, and the job FIFOs of spawn_fifo.
 *
 *   who may call      push        pop, has_jobs, empty_hint
 *   any thread         yes         yes (consumers take turns under `lock`)
 *
 * Producers never lock. The list is intrusive, and has two ends of its own: producers put their
 * jobs on a stack (R. K. Treiber's, 1986), newest first; a consumer whose own end has run out takes
 * the whole stack in one step, turns it round, and hands out from that, oldest first, until it has
 * run out again.
 *
 * A push is one step, a compare-and-swap with release order: before it nothing of the job is in the
 * queue, after it all. So a producer that is stopped, wherever it is, hides nobody's job, neither
 * an earlier nor a later one, and what has_jobs sees, pop gives. (Queues in which a push is two
 * steps, a swap and then a link, or a ticket and then a slot, cannot do that: between the two steps
 * the place is taken and empty, and consumers know neither what comes nor when. Until they were
 * replaced by this one, a stopped producer withheld the jobs before and behind its own, and workers
 * turned round for as long as it was stopped, since they saw that something was there.)
 *
 * That step is the publication: sleep/README.md's proof calls it PushJob. It is a
 * read-modify-write, which on x86 drains the store buffer, so that there the push fence behind it
 * has nothing left to do; elsewhere it has, and the proof speaks of the fence.
 */
#ifndef DOZE_INJECTOR_H
#define DOZE_INJECTOR_H

#include "atomic.h"
#include "job.h"
#include "park.h"

struct doze_injector {
	/* Producers' line: a stack, linked by `next` to older ones. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(struct doze_job *) newest;
	/* Consumers' line. */
	DOZE_CACHE_ALIGNED doze_mutex lock;
	/* Linked by `next` to newer ones, all of them older than those on the stack. Written under
	 * `lock`; empty_hint reads it without. */
	DOZE_ATOMIC(struct doze_job *) oldest;
};

void doze_injector_init(struct doze_injector *q);
/** After the last access. Jobs that are left are not touched. */
void doze_injector_fini(struct doze_injector *q);
/** Any thread. Costs one compare-and-swap, more while others push. */
void doze_injector_push(struct doze_injector *q, struct doze_job *job);
/** Any thread. A batch, its first job the oldest: nobody else's job gets in between, and consumers
 * see all of it or nothing. Costs as push, and a store for each job. */
void doze_injector_push_many(struct doze_injector *q, const struct doze_batch *batch);
/** Any thread. The oldest job, or null when none is there. Costs a lock; the job's share of turning
 * the list round is two loads and two stores. */
struct doze_job *doze_injector_pop(struct doze_injector *q);
/** Any thread; exact in this direction: a job whose push returned before a seq_cst fence that comes
 * before this call's preceding fence is seen. For the last look before sleep. */
bool doze_injector_has_jobs(struct doze_injector *q);

/** Any thread; without the lock; a hint: a push that has just been made may not be seen, a job that
 * has just been taken may. But a job that was seen once, and that nobody has taken, is never
 * denied: not while a consumer moves it, with others, from one end to the other. */
static inline bool doze_injector_empty_hint(const struct doze_injector *q)
{
	/* Acquire: whoever reads the null that a consumer left on the stack reads what it wrote
	 * into `oldest` before. */
	return da_load(&q->newest, ACQ) == NULL && da_load(&q->oldest, RLX) == NULL;
}

#endif
