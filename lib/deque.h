/*
 * SPDX-License-Identifier: MIT
 *
 * deque.h - a worker's own queue: the work-stealing deque of Chase and Lev (SPAA 2005), with the
 * memory orders of Lê, Pop, Cohen and Zappa Nardelli, "Correct and Efficient Work-Stealing for
 * Weak Memory Models" (PPoPP 2013), and a private part as in Lace (van Dijk and van de Pol, MuCoCoS
 * 2014), so that the owner's pop needs no fence while no thief is active.
 *
 *   who may call           push  pop  empty  length  steal  grow
 *   owner thread            yes  yes   yes    yes     no    (push does)
 *   any other worker         no   no   yes    yes    yes     no
 *
 * Vocabulary: `bottom` is the owner's end (push and pop, newest first), `top` the thieves' end
 * (oldest first). Both are plain indices; slot i is buffer[i mod capacity]. Entries are pointers,
 * so the same job header may be in the deque several times, as the tokens of a FIFO are. Entries
 * below `split` are public, the others private:
 *
 *        top            split            bottom
 *   ------+---- public ---+---- private ----+------
 *         thieves and owner     owner, without a fence
 *
 * A thief that finds only private entries requests some (`asked`). The owner answers in its next
 * push or pop by making half of them public. If the owner runs a long job instead, the thief opens
 * the whole deque itself: a heavy fence (atomic.h) ensures that every later pop of the owner sees
 * the request, and that the thief sees every earlier pop. So no job has to wait until its owner
 * returns to the deque. A batch is public at once, which saves its first thieves that step.
 *
 *   asked mod 4:  0 closed --thief--> 1 asked --thief, after a heavy fence--> 2 open
 *                 1, 2 or 3 --owner--> the next multiple of 4, closed
 *
 * Key invariants
 *   I1  top never decreases, and each increment (a CAS) gives exactly one taker its slot.
 *   I2  only the owner writes bottom and split, so it reads them relaxed.
 *   I3  owner and thief compete only for public entries. The CAS on top decides who gets the last
 *       one. The pair of seq_cst fences (pop_public: bottom before top, steal: top before bottom)
 *       guarantees that at least one of them sees the other's step and acts on it.
 *   I4  a replaced buffer is kept until the deque is freed, because a slow thief may still read it.
 *       Capacities double, so the kept buffers together are smaller than the current one.
 *   I5  a thief that read an old split, or saw the deque open, takes no entry that has become
 *       private. The owner lowers split and closes the deque before a seq_cst fence; after the
 *       fence it reads top and keeps split above that value. A thief that takes entry i has read
 *       top = i, fenced, and then read split and asked. If i is below the new split, entry i is
 *       public. Otherwise i is above the top that the owner read, so the thief's fence follows the
 *       owner's, and the thief has read the new values.
 *   I6  when asked is 2, the owner has fenced since asked was set to 1. A private pop stores
 *       bottom, executes a light fence and loads asked; so either the thief has seen that store, or
 *       the pop sees asked = 1.
 *   I7  split <= bottom + 1, also for a thief that reads an old split, in the sense of I5: of the
 *       entries that it allows to take, all but the last one have been pushed. So a thief reads
 *       bottom, which each push writes, only for the last one and for private entries.
 *
 * This code differs from the paper: there, push has a release fence and relaxed stores of bottom;
 * here every store of bottom is a release store. ThreadSanitizer, which does not model fences, can
 * check release stores, and they keep the edge "push of job -> thief that reads any later bottom"
 * under the C++20 rule that a plain later store no longer continues a release sequence.
 *
 * Without heavy fences (an old kernel, a sandbox) every entry is public: split is its maximum.
 */
#ifndef DOZE_DEQUE_H
#define DOZE_DEQUE_H

#include <stddef.h>

#include "atomic.h"
#include "job.h"

struct doze_deque_buffer {
	struct doze_deque_buffer *older; /* owned; the buffer that this one replaced (I4) */
	int64_t capacity;                /* a power of two */
	DOZE_ATOMIC(struct doze_job *) slot[];
};

struct doze_deque {
	/* The thieves' cache line, written by every thread that takes the oldest entry. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(int64_t) top;
	/* The state of the request, mod 4; see the top of this file. It and split are written only
	 * by a request and its answer, so owner and thieves read them without waiting for each
	 * other: steals write the line above, and pushes the one below. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) asked;
	DOZE_ATOMIC(int64_t) split; /* written by the owner only */
	/* The owner's cache line: only the owner writes it. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(int64_t) bottom;
	DOZE_ATOMIC(struct doze_deque_buffer *) buffer; /* owned; replaced when the deque grows */
	/* Owner only. Pushes need no memory while bottom is below `room`, which was computed from
	 * the most recently read top. */
	int64_t room;
	bool all_public;
};

/** The split of a deque whose entries are all public. */
#define DOZE_DEQUE_PUBLIC INT64_MAX
/** asked & DOZE_DEQUE_ASKED is not 0 from a thief's request until the owner's answer. */
#define DOZE_DEQUE_ASKED UINT64_C(3)
#define DOZE_DEQUE_OPEN  UINT64_C(2)

/** Called before any other thread can reach the deque. Capacity is a power of two; 0 means the
 * default. Returns 0 or ENOMEM. */
int doze_deque_init(struct doze_deque *d, size_t capacity);
/** Called after the last access by any thread. Does not touch the remaining entries. */
void doze_deque_fini(struct doze_deque *d);
/** Owner only. Makes room, so that the next n pushes need no memory. Returns 0, or ENOMEM with the
 * deque unchanged. */
int doze_deque_reserve(struct doze_deque *d, uint32_t n);
/** Owner only, called by a push that has no room: reads top again, or doubles the capacity. Aborts
 * if out of memory; a caller that can handle a failure calls doze_deque_reserve first. */
void doze_deque_make_room(struct doze_deque *d);
/** Owner only; there must be a request, and the deque must not be empty. Makes half of the entries
 * public and closes the deque. */
void doze_deque_answer(struct doze_deque *d);
/** Owner only. Pops with a fence, which is needed if the newest entry is or may be public. */
struct doze_job *doze_deque_pop_public(struct doze_deque *d);
/** Owner only, called by pop. Answers the request and takes the newest entry, or returns null if
 * thieves have taken all entries. */
struct doze_job *doze_deque_pop_asked(struct doze_deque *d);
/** Any thread but the owner. Steals from a deque whose entries are all private. */
enum doze_steal doze_deque_steal_private(struct doze_deque *d, struct doze_job **out);

/** Any thread. Returns a hint that may be out of date on return. For the owner, 0 is exact until
 * its next push. */
static inline int64_t doze_deque_length(const struct doze_deque *d)
{
	/* Relaxed: a hint needs no ordering. */
	int64_t bottom = da_load(&d->bottom, RLX);
	int64_t length = bottom - da_load(&d->top, RLX);
	return length > 0 ? length : 0;
}
static inline bool doze_deque_empty(const struct doze_deque *d)
{
	return doze_deque_length(d) == 0;
}

/** Owner only. Returns whether the next push needs neither memory nor a new read of top. */
static inline bool doze_deque_has_room(const struct doze_deque *d)
{
	return da_load(&d->bottom, RLX) < d->room; /* relaxed: only the owner writes bottom (I2) */
}

/** Owner only; there must be room. Adds an entry at the bottom. */
static inline void doze_deque_push_in_room(struct doze_deque *d, struct doze_job *job)
{
	int64_t bottom = da_load(&d->bottom, RLX); /* relaxed: only the owner writes bottom (I2) */
	/* relaxed: only the owner replaces the buffer */
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX);

	da_store(&b->slot[bottom & (b->capacity - 1)], job, RLX);
	/* Release: orders the job's fields and the slot before the new bottom, which makes them
	 * visible to a thief. */
	da_store(&d->bottom, bottom + 1, REL);
	/* Relaxed: a request that is seen late is answered late. */
	if (doze_unlikely((da_load(&d->asked, RLX) & DOZE_DEQUE_ASKED) != 0))
		doze_deque_answer(d);
}

/** Owner only. Makes all entries public. */
static inline void doze_deque_publish(struct doze_deque *d)
{
	/* Release: as in doze_deque_answer. */
	if (!d->all_public)
		da_store(&d->split, da_load(&d->bottom, RLX), REL);
}

/** Owner only. Adds an entry at the bottom. Aborts if out of memory. */
static inline void doze_deque_push(struct doze_deque *d, struct doze_job *job)
{
	if (doze_unlikely(!doze_deque_has_room(d)))
		doze_deque_make_room(d);
	doze_deque_push_in_room(d, job);
}

/** Owner only, right after reserving room. Adds a batch at the bottom, its first job nearest to the
 * thieves. One store of bottom makes the whole batch visible; the result is the same as after
 * pushing the jobs one by one, except that no thief sees the values of bottom in between. */
static inline void doze_deque_push_many(struct doze_deque *d, const struct doze_batch *batch)
{
	int64_t bottom = da_load(&d->bottom, RLX); /* relaxed: only the owner writes bottom (I2) */
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	struct doze_job *job = batch->first;

	for (uint32_t i = 0; i < batch->count; i++) {
		da_store(&b->slot[(bottom + i) & (b->capacity - 1)], job, RLX);
		job = da_load(&job->next, RLX); /* no other thread can reach the job yet */
	}
	/* Release: orders all jobs' fields and slots before the new bottom, which makes them
	 * visible. */
	da_store(&d->bottom, bottom + batch->count, REL);
	/* Make all entries public: the owner may now run a long job, and opening the deque costs a
	 * thief more than running a short one. Each pop of a public entry makes half of them
	 * private again. */
	doze_deque_publish(d);
	/* Relaxed: as in doze_deque_push_in_room. */
	if (doze_unlikely((da_load(&d->asked, RLX) & DOZE_DEQUE_ASKED) != 0))
		doze_deque_answer(d);
}

/** Owner only. Returns the newest entry, or null. A thief may take and free the entry at any time,
 * so the caller may compare the result but must not dereference it. */
static inline const struct doze_job *doze_deque_newest(const struct doze_deque *d)
{
	int64_t bottom = da_load(&d->bottom, RLX); /* relaxed: only the owner writes bottom (I2) */
	const struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	return doze_deque_empty(d) ? NULL
				   : da_load(&b->slot[(bottom - 1) & (b->capacity - 1)], RLX);
}
/** Owner only. Returns whether the next push has to grow the deque. */
static inline bool doze_deque_full(const struct doze_deque *d)
{
	if (doze_likely(doze_deque_has_room(d)))
		return false;
	const struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	return doze_deque_length(d) >= b->capacity;
}

/** Owner only. Returns whether the newest entry is private: pop then needs no fence. */
static inline bool doze_deque_has_private(const struct doze_deque *d)
{
	/* relaxed: only the owner writes bottom and split (I2) */
	return da_load(&d->bottom, RLX) > da_load(&d->split, RLX);
}

/** Owner only; the newest entry must be private. Takes that entry, or returns null if it has become
 * public and a thief has taken it. */
static inline struct doze_job *doze_deque_pop_private(struct doze_deque *d)
{
	/* relaxed: only the owner writes bottom (I2) */
	int64_t bottom = da_load(&d->bottom, RLX) - 1;

	da_store(&d->bottom, bottom, REL); /* release: see "differs from the paper" above */
	/* Orders the store of bottom before the load of asked; its partner is the heavy fence in
	 * steal_private (I6). */
	da_fence_light();
	if (doze_unlikely((da_load(&d->asked, RLX) & DOZE_DEQUE_ASKED) != 0))
		return doze_deque_pop_asked(d);
	/* relaxed: only the owner replaces the buffer */
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	return da_load(&b->slot[bottom & (b->capacity - 1)], RLX);
}

/** Owner only. Takes the newest entry, or returns null. */
static inline struct doze_job *doze_deque_pop(struct doze_deque *d)
{
	return doze_likely(doze_deque_has_private(d)) ? doze_deque_pop_private(d)
						      : doze_deque_pop_public(d);
}

/** Any thread but the owner. Takes the oldest entry if it is public. Returns success with the entry
 * in *out, empty, or retry if another thread took that entry and there may be more. If all entries
 * are private, returns empty and sets *only_private. */
static inline enum doze_steal doze_deque_steal_public(struct doze_deque *d, struct doze_job **out,
						      bool *only_private)
{
	/* Acquire: orders this load of top before the later loads, so that bottom is not older than
	 * top. */
	int64_t top = da_load(&d->top, ACQ);
	/* Orders the load of top before the loads of asked, split and bottom; the partner of the
	 * fences in pop_public (I3) and answer (I5). */
	da_fence(SC);
	/* Acquire: orders the heavy fence of the thief that opened the deque before the load of
	 * bottom (I6). */
	uint64_t asked = da_load(&d->asked, ACQ);
	/* Acquire: pairs with the owner's release, so that bottom, the slots and the jobs' fields
	 * are not older than split. */
	int64_t split = da_load(&d->split, ACQ);
	bool certain = top + 1 < split && split != DOZE_DEQUE_PUBLIC; /* I7 */
	/* Acquire: pairs with push's release, so that the job's fields are visible if the entry
	 * is. */
	if (!certain && top >= da_load(&d->bottom, ACQ))
		return DOZE_STEAL_empty;
	if (top >= split && (asked & DOZE_DEQUE_ASKED) != DOZE_DEQUE_OPEN) {
		*only_private = true;
		return DOZE_STEAL_empty;
	}
	/* Acquire: pairs with the release in replace (deque.c); orders the copied slots before the
	 * reads below. */
	struct doze_deque_buffer *b = da_load(&d->buffer, ACQ);
	/* If the owner has reused the slot, top has moved and the CAS fails. */
	struct doze_job *job = da_load(&b->slot[top & (b->capacity - 1)], RLX);
	/* seq_cst: this step decides who gets the entry (I1, I3). */
	if (!da_cas(&d->top, &top, top + 1, SC, RLX))
		return DOZE_STEAL_retry;
	*out = job;
	return DOZE_STEAL_success;
}

/** Any thread but the owner. Takes the oldest entry, public or private. Returns success with the
 * entry in *out, empty, or retry if another thread took that entry and there may be more. */
static inline enum doze_steal doze_deque_steal(struct doze_deque *d, struct doze_job **out)
{
	bool only_private = false;

	if (doze_deque_empty(d)) /* most deques are empty, so save the fence */
		return DOZE_STEAL_empty;
	enum doze_steal result = doze_deque_steal_public(d, out, &only_private);
	return doze_unlikely(only_private) ? doze_deque_steal_private(d, out) : result;
}

#endif
