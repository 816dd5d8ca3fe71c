/*
 * SPDX-License-Identifier: MIT
 *
 * injector.h - a first-in-first-out queue for many producers and many consumers: the pool's
 * injector, each worker's broadcast queue, and the job FIFOs of spawn_fifo.
 *
 *   who may call      push        pop, has_jobs, empty_hint
 *   any thread         yes         yes (consumers take turns under `lock`)
 *
 * Producers never lock. The list is intrusive (D. Vyukov's multi-producer queue): a push swaps
 * itself in as `last`, then links the one before to itself. That link, one plain release store, is
 * the publication: sleep/README.md's proof calls it PushJob. It is deliberately not a lock or a
 * read-modify-write, whose side effects on some machines would stand in for the push fence and hide
 * its absence.
 *
 * Between swap and link the queue's tail end is invisible. A consumer does not wait for it: it
 * reports "nothing", and the producer that is about to link will post (fence, counters, wakes)
 * afterwards, for itself and for whatever was hidden behind it.
 */
#ifndef DOZE_INJECTOR_H
#define DOZE_INJECTOR_H

#include "atomic.h"
#include "job.h"
#include "park.h"

struct doze_injector {
	/* Producers' line. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(struct doze_job *) last;
	/* Consumers' line; `first` is protected by `lock`. */
	DOZE_CACHE_ALIGNED doze_mutex lock;
	struct doze_job *first;
	struct doze_job stub; /* keeps the list non-empty; never handed out */
};

void doze_injector_init(struct doze_injector *q);
/** After the last access. Jobs that are left are not touched. */
void doze_injector_fini(struct doze_injector *q);
/** Any thread. */
void doze_injector_push(struct doze_injector *q, struct doze_job *job);
/** Any thread. The oldest job, or null when none is there or its successor is just being linked. */
struct doze_job *doze_injector_pop(struct doze_injector *q);
/** Any thread; exact in this direction: a job whose push returned before a seq_cst fence that comes
 * before this call's preceding fence is seen. For the last look before sleep. */
bool doze_injector_has_jobs(struct doze_injector *q);

/** Any thread; without the lock; a hint: legal to be out of date, either way, but right
 * when nobody pushes or pops. */
static inline bool doze_injector_empty_hint(const struct doze_injector *q)
{
	return da_load(&q->last, RLX) == &q->stub;
}

#endif
