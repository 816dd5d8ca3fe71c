/*
 * SPDX-License-Identifier: MIT
 *
 * deque.h - a worker's own queue: the work-stealing deque of Chase and Lev (SPAA 2005), with the
 * memory orders of Lê, Pop, Cohen and Zappa Nardelli, "Correct and Efficient Work-Stealing for
 * Weak Memory Models" (PPoPP 2013).
 *
 *   who may call           push  pop  empty  length  steal  grow
 *   owner thread            yes  yes   yes    yes     no    (push does)
 *   any other worker         no   no   yes    yes    yes     no
 *
 * Vocabulary: `bottom` is the owner's end (push and pop, newest first), `top` the thieves' end
 * (oldest first). Both are plain indices; slot i is buffer[i mod capacity]. Entries are pointers,
 * so the same job header may be in the deque several times (the tokens of a FIFO are).
 *
 * Key invariants
 *   I1  top never decreases, and each increment (a CAS) gives exactly one taker its slot.
 *   I2  only the owner writes bottom, so it reads it relaxed.
 *   I3  owner and thief compete only for the last entry; the CAS on top then decides. The pair
 *       of seq_cst fences (pop: bottom before top, steal: top before bottom) guarantees that at
 *       least one of them sees the other's step and acts on it.
 *   I4  a replaced buffer is kept until the deque is freed, because a slow thief may still read it.
 *       Capacities double, so the kept ones together are smaller than the current one.
 *
 * Where it differs from the paper: there, push has a release fence and relaxed stores of bottom.
 * Here every store of bottom is a release store. ThreadSanitizer can check that (it does not model
 * fences), and it keeps the edge "push of job -> thief that reads any later bottom" under the C++20
 * rule that a plain later store no longer continues a release sequence.
 */
#ifndef DOZE_DEQUE_H
#define DOZE_DEQUE_H

#include <stddef.h>

#include "atomic.h"
#include "job.h"

struct doze_deque_buffer {
	struct doze_deque_buffer *older; /* owned; kept for slow thieves (I4) */
	int64_t capacity;                /* a power of two */
	DOZE_ATOMIC(struct doze_job *) slot[];
};

struct doze_deque {
	/* The thieves' cache line: written by the thread that takes from the top. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(int64_t) top;
	/* The owner's cache line: only the owner writes bottom. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(int64_t) bottom;
	DOZE_ATOMIC(struct doze_deque_buffer *) buffer; /* owned; replaced by the owner in grow */
};

/** Called before publication. Capacity is a power of two; 0 = the default. Returns 0 or ENOMEM. */
int doze_deque_init(struct doze_deque *d, size_t capacity);
/** Called after the last access by any thread. Does not touch the entries that are left. */
void doze_deque_fini(struct doze_deque *d);
/** Owner only: makes room, so that the next n pushes need no memory. Returns 0, or ENOMEM with the
 * deque unchanged. */
int doze_deque_reserve(struct doze_deque *d, uint32_t n);
/** Owner only, called by push when the deque is full: doubles the capacity and keeps the entries
 * from top to bottom, as read by the caller. Returns the new buffer. Aborts without memory; a
 * caller that can do without the push calls reserve first. */
struct doze_deque_buffer *doze_deque_grow(struct doze_deque *d, int64_t top, int64_t bottom);

/** Any thread; a hint that may be out of date when it returns (the owner's own answer "empty" is
 * exact until it pushes again). */
static inline int64_t doze_deque_length(const struct doze_deque *d)
{
	/* Relaxed: a hint orders nothing. */
	int64_t bottom = da_load(&d->bottom, RLX);
	int64_t length = bottom - da_load(&d->top, RLX);
	return length > 0 ? length : 0;
}
static inline bool doze_deque_empty(const struct doze_deque *d)
{
	return doze_deque_length(d) == 0;
}

/** Owner only. Adds at the bottom. Returns whether the deque was empty when it read top. */
static inline bool doze_deque_push(struct doze_deque *d, struct doze_job *job)
{
	int64_t bottom = da_load(&d->bottom, RLX); /* I2 */
	/* Acquire: pairs with the thieves' CAS on top. Orders a thief's read of a slot before this
	 * thread's next write to the slot, one lap later. */
	int64_t top = da_load(&d->top, ACQ);
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX); /* only the owner replaces it */

	if (doze_unlikely(bottom - top >= b->capacity))
		b = doze_deque_grow(d, top, bottom);
	da_store(&b->slot[bottom & (b->capacity - 1)], job, RLX);
	/* Release: orders the job's fields and the slot before the bottom that shows them to a
	 * thief. */
	da_store(&d->bottom, bottom + 1, REL);
	return bottom <= top;
}

/** Owner only, right after it reserved room. Adds a batch at the bottom, its first job nearest to
 * the thieves. One store of bottom shows all of it: thieves see what they would see of as many
 * pushes, but for the bottoms in between. */
static inline void doze_deque_push_many(struct doze_deque *d, const struct doze_batch *batch)
{
	int64_t bottom = da_load(&d->bottom, RLX); /* I2 */
	/* Top is not needed: reserve read, with acquire, that no thief uses these slots any
	 * more. */
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	struct doze_job *job = batch->first;

	for (uint32_t i = 0; i < batch->count; i++) {
		da_store(&b->slot[(bottom + i) & (b->capacity - 1)], job, RLX);
		job = da_load(&job->next, RLX); /* no other thread can reach the job yet */
	}
	/* Release: orders all jobs' fields and slots before the bottom that shows them. */
	da_store(&d->bottom, bottom + batch->count, REL);
}

/** Owner only. Returns the newest entry, or null. A thief may take it meanwhile and free it, so the
 * result may only be compared, not followed. */
static inline const struct doze_job *doze_deque_newest(const struct doze_deque *d)
{
	int64_t bottom = da_load(&d->bottom, RLX); /* I2 */
	const struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	return doze_deque_empty(d) ? NULL
				   : da_load(&b->slot[(bottom - 1) & (b->capacity - 1)], RLX);
}
/** Owner only. Returns whether the next push has to grow the deque. */
static inline bool doze_deque_full(const struct doze_deque *d)
{
	const struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	return doze_deque_length(d) >= b->capacity;
}

/** Owner only. Takes the newest entry, or null. */
static inline struct doze_job *doze_deque_pop(struct doze_deque *d)
{
	int64_t bottom = da_load(&d->bottom, RLX) - 1; /* I2 */
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX);

	da_store(&d->bottom, bottom, REL); /* release: see "differs from the paper" */
	/* Orders the store of bottom before the load of top: either this owner sees a thief's top,
	 * or the thief, which fences between its loads, sees this bottom and leaves the entry
	 * (I3). */
	da_fence(SC);
	int64_t top = da_load(&d->top, RLX);
	if (top > bottom) { /* it was empty: put bottom back */
		da_store(&d->bottom, bottom + 1, REL);
		return NULL;
	}
	struct doze_job *job = da_load(&b->slot[bottom & (b->capacity - 1)], RLX);
	if (top == bottom) { /* the last entry: race the thieves for it */
		/* seq_cst: total order with the thieves' CAS and both fences (I3). */
		if (!da_cas(&d->top, &top, top + 1, SC, RLX))
			job = NULL;
		da_store(&d->bottom, bottom + 1, REL);
	}
	return job;
}

/** Any thread but the owner. Takes the oldest entry: success fills *out; empty; retry means that
 * another thread took that entry, and there may be more. */
static inline enum doze_steal doze_deque_steal(struct doze_deque *d, struct doze_job **out)
{
	/* Acquire: orders this load of top before the later loads, so that bottom is not older than
	 * top. */
	int64_t top = da_load(&d->top, ACQ);
	/* Orders the load of top before the load of bottom; the partner of the fence in pop (I3).
	 */
	da_fence(SC);
	/* Acquire: pairs with push's release; the job's fields are visible if the entry is. */
	int64_t bottom = da_load(&d->bottom, ACQ);
	if (top >= bottom)
		return DOZE_STEAL_empty;
	/* Acquire: pairs with grow's release; orders the copied slots before the reads below. */
	struct doze_deque_buffer *b = da_load(&d->buffer, ACQ);
	/* The owner may reuse the slot meanwhile; then top has moved, and the CAS fails. */
	struct doze_job *job = da_load(&b->slot[top & (b->capacity - 1)], RLX);
	/* seq_cst: I1 and I3. */
	if (!da_cas(&d->top, &top, top + 1, SC, RLX))
		return DOZE_STEAL_retry;
	*out = job;
	return DOZE_STEAL_success;
}

#endif
