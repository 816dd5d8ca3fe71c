/*
 * SPDX-License-Identifier: MIT
 *
 * slab.c - see slab.h.
 *
 * Key invariants
 *   I1  `cut` counts the blocks that were cut off, `freed` those that the owner freed, and the low
 *       half of `gone` those that other threads freed. No block is in use when cut = freed + gone.
 *   I2  while the worker lives, only its owner relies on that equality. doze_slabs_fini adds ORPHAN
 *       - (cut - freed) to `gone` in one atomic step. From then on, the thread whose step makes
 *       `gone` equal to ORPHAN frees the slab. So a free compares the result of its step with a
 *       constant and reads nothing from the slab afterwards.
 */
#include "slab.h"

#include <stdlib.h>

#include "worker.h"

/* AddressSanitizer and the explorer can check a block's lifetime only if malloc allocated it. */
#if defined(DOZE_EXPLORE) || defined(__SANITIZE_ADDRESS__)
#define PLAIN true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLAIN true
#endif
#endif
#ifndef PLAIN
#define PLAIN false
#endif

#define ORPHAN  (UINT64_C(1) << 32)
#define SPARES  16 /* maximum number of empty slabs that a worker keeps */
#define LOOKS   4  /* number of full slabs that a worker checks before it allocates a new one */
#define ALIGN   16
#define PAYLOAD (DOZE_SLAB_BYTES - 256 - 128) /* leaves room for malloc's own data */

struct doze_slab {
	/* The owner, or null after the worker's end. Relaxed: a thread can read its own worker here
	 * only if it is the owner. */
	DOZE_ATOMIC(struct doze_worker *) owner;
	/* Owner only. */
	/* Links of the list of full slabs; a spare slab uses only `next`. */
	struct doze_slab *next, *previous;
	uint32_t used; /* number of bytes cut off so far */
	uint32_t cut, freed;
	/* Written by any thread. */
	DOZE_CACHE_ALIGNED DOZE_ATOMIC(uint64_t) gone;
	_Alignas(ALIGN) char bytes[PAYLOAD];
};

/* Owner only. Returns whether no block is in use. */
static bool is_empty(const struct doze_slab *slab)
{
	/* Acquire: the other threads' last accesses to their blocks happen before the blocks' next
	 * use. */
	return slab->freed + da_load(&slab->gone, ACQ) == slab->cut;
}

static void reset(struct doze_slab *slab)
{
	slab->used = slab->cut = slab->freed = 0;
	da_store(&slab->gone, 0, RLX); /* relaxed: no block is in use, so no other thread can reach
					* the slab */
}

static void put_full(struct doze_slabs *slabs, struct doze_slab *slab)
{
	slab->next = NULL;
	slab->previous = slabs->last;
	if (slab->previous != NULL)
		slab->previous->next = slab;
	else
		slabs->full = slab;
	slabs->last = slab;
	slabs->fulls++;
}

static void take_full(struct doze_slabs *slabs, struct doze_slab *slab)
{
	if (slab->previous != NULL)
		slab->previous->next = slab->next;
	else
		slabs->full = slab->next;
	if (slab->next != NULL)
		slab->next->previous = slab->previous;
	else
		slabs->last = slab->previous;
	slabs->fulls--;
}

/* Keeps an empty slab as a spare, or frees it. */
static void put_spare(struct doze_slabs *slabs, struct doze_slab *slab)
{
	if (slabs->spares >= SPARES) {
		free(slab);
		return;
	}
	slab->next = slabs->spare;
	slabs->spare = slab;
	slabs->spares++;
}

static struct doze_slab *make(struct doze_worker *worker)
{
	struct doze_slab *slab = aligned_alloc(DOZE_CACHE_LINE, sizeof *slab);
	if (slab != NULL)
		da_init(&slab->owner, worker);
	return slab;
}

/* Checks the first few full slabs. A slab whose last block another thread has freed becomes a
 * spare; the others go to the end of the list, so that each call checks different ones. */
static void look_at_full(struct doze_slabs *slabs)
{
	for (int i = 0; i < LOOKS && slabs->full != NULL; i++) {
		struct doze_slab *slab = slabs->full;
		/* The analyser assumes that the first slab may have a predecessor and stays in the
		 * list. */
		take_full(slabs, slab); // NOLINT(clang-analyzer-unix.Malloc)
		if (is_empty(slab))
			put_spare(slabs, slab);
		else
			put_full(slabs, slab);
	}
}

/* Replaces the current slab, which is full. Returns null if out of memory. */
static struct doze_slab *renew(struct doze_worker *worker)
{
	struct doze_slabs *slabs = &worker->slabs;
	struct doze_slab *slab = slabs->current;

	if (slab == NULL || !is_empty(slab)) {
		look_at_full(slabs);
		slab = slabs->spare;
		if (slab != NULL) {
			slabs->spare = slab->next; // NOLINT(clang-analyzer-unix.Malloc): as above
			slabs->spares--;
		} else if ((slab = make(worker)) == NULL) {
			return NULL;
		}
		if (slabs->current != NULL)
			put_full(slabs, slabs->current);
		slabs->current = slab;
	}
	reset(slab);
	return slab;
}

void *doze_slab_alloc(struct doze_worker *worker, size_t size, struct doze_slab **from)
{
	*from = NULL;
	if (PLAIN || worker == NULL)
		return malloc(size);
	struct doze_slab *slab = worker->slabs.current;
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (doze_unlikely(slab == NULL || slab->used + size > PAYLOAD)) {
		slab = renew(worker);
		if (slab == NULL)
			return NULL;
	}
	void *block = slab->bytes + slab->used;
	slab->used += (uint32_t)size;
	slab->cut++;
	*from = slab;
	return block;
}

/* Owner only. Frees a block of its own slab. */
static void free_own(struct doze_slabs *slabs, struct doze_slab *slab)
{
	slab->freed++;
	if (slab == slabs->current || !is_empty(slab))
		return;
	take_full(slabs, slab);
	put_spare(slabs, slab);
}

void doze_slab_free(void *block, struct doze_slab *from, struct doze_worker *self)
{
	if (from == NULL) {
		free(block);
		return;
	}
	if (self != NULL && da_load(&from->owner, RLX) == self) {
		free_own(&self->slabs, from);
		return;
	}
	/* Acquire-release: orders the accesses to all blocks before the free, or the next use. */
	if (da_add(&from->gone, 1, AR) + 1 == ORPHAN)
		free(from);
}

/* Called when the owner ends. Frees the slab, or leaves that to the last thread that still uses a
 * block. */
static void orphan(struct doze_slab *slab)
{
	uint64_t more = ORPHAN - (slab->cut - slab->freed);
	/* Relaxed: the step below releases this store, and a thread that still reads the old value
	 * is not that worker. */
	da_store(&slab->owner, NULL, RLX);
	/* Acquire-release: as in doze_slab_free. Last access to the slab if blocks are in use. */
	if (da_add(&slab->gone, more, AR) + more == ORPHAN)
		free(slab);
}

void doze_slabs_fini(struct doze_worker *worker)
{
	struct doze_slabs *slabs = &worker->slabs;

	if (slabs->current != NULL)
		orphan(slabs->current);
	for (struct doze_slab *slab = slabs->full, *next; slab != NULL; slab = next) {
		next = slab->next;
		orphan(slab);
	}
	for (struct doze_slab *slab = slabs->spare, *next; slab != NULL; slab = next) {
		next = slab->next;
		free(slab);
	}
	*slabs = (struct doze_slabs){.current = NULL};
}
