/*
 * SPDX-License-Identifier: MIT
 *
 * slab.h - memory for the jobs that a worker queues: spawns, scope jobs, futures.
 *
 * A worker cuts blocks off its current slab, one after another, and reuses a slab only when all its
 * blocks are free. So allocation costs an addition, and so does a free on the same worker; another
 * thread, which may have stolen the job, frees a block with one atomic step. The memory of a slab
 * is reused or freed when its last block is freed, so a long-lived block keeps its whole slab
 * (DOZE_SLAB_BYTES).
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

/** A worker's slabs; part of struct doze_worker. Owner only. */
struct doze_slabs {
	struct doze_slab *current; /* owned; the slab that new blocks are cut from, or null */
	/* Owned; a list of slabs that were full when they were replaced and have not been reused.
	 * All of their blocks may have been freed since. */
	struct doze_slab *full, *last;
	struct doze_slab *spare; /* owned; a list of slabs without a block in use */
	size_t spares, fulls;    /* lengths of the lists `spare` and `full` */
};

/** Owner of the worker, or any thread if `worker` is null. Returns a block of at most 1 KiB,
 * aligned for any type, or null if out of memory. Stores the block's slab in *from, for
 * doze_slab_free; null if the block did not come from a slab. */
void *doze_slab_alloc(struct doze_worker *worker, size_t size, struct doze_slab **from);
/** Any thread. Frees a block of doze_slab_alloc. `self` is the calling worker, of any pool, or
 * null. */
void doze_slab_free(void *block, struct doze_slab *from, struct doze_worker *self);
/** Called when no thread acts as this worker any longer. Slabs with blocks in use are freed
 * together with their last block. */
void doze_slabs_fini(struct doze_worker *worker);

#endif
