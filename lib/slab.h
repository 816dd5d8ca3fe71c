/*
 * SPDX-License-Identifier: MIT
 *
 * slab.h - memory for the jobs that a worker queues: spawns, scope jobs, futures.
 *
 * A worker cuts blocks off its current slab, one behind the other, and never cuts a slab twice
 * before all its blocks are free. So allocating is an addition, and freeing on the same worker is
 * one too; another thread, which may have stolen the job, counts with one atomic step. The memory
 * of a slab is used again, or given back, when its last block is freed: a block that lives long
 * keeps its whole slab (DOZE_SLAB_BYTES).
 *
 *   who may call          alloc  free  fini
 *   owner of the worker    yes    yes   no
 *   any other thread        no    yes   no
 *   last user of the pool   no    yes   yes
 */
#ifndef DOZE_SLAB_H
#define DOZE_SLAB_H

#include <stddef.h>

#include "atomic.h"

struct doze_slab;
struct doze_worker;

#define DOZE_SLAB_BYTES 16384

/** Part of a worker; owner only. */
struct doze_slabs {
	struct doze_slab *current; /* owned; or null */
	/* Owned; a list from first to last: blocks of these are in use, or were. */
	struct doze_slab *full, *last;
	struct doze_slab *spare; /* owned; a list: no block is in use */
	size_t spares, fulls;    /* lengths of the lists */
};

/** Owner of the worker; for null, any thread. Returns a block of at most 1 KiB, aligned for any
 * type, or null without memory. Stores in *from what the free needs: null if the block did not come
 * from a slab. */
void *doze_slab_alloc(struct doze_worker *worker, size_t size, struct doze_slab **from);
/** Any thread. `self` is the calling worker, of any pool, or null. */
void doze_slab_free(void *block, struct doze_slab *from, struct doze_worker *self);
/** Called when no thread acts as the worker any more: blocks that are still in use free their slab
 * themselves. */
void doze_slabs_fini(struct doze_worker *worker);

#endif
