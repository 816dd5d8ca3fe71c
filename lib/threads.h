/*
 * SPDX-License-Identifier: MIT
 *
 * threads.h - starts and ends a pool's threads. The library creates them, or the user's spawn
 * handler does. With use_current_thread the thread that creates the pool is worker 0, the guest.
 */
#ifndef DOZE_THREADS_H
#define DOZE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct doze_pool;

/** Called by the pool's creator. Starts every worker. Returns 0 or an errno value; *started is the
 * number of started workers, for doze_threads_end. No worker begins before all threads exist, so
 * that no user handler waits for a worker that could not be created. */
int doze_threads_start(struct doze_pool *pool, uint32_t *started);
/** Called by a worker's thread. Waits until all threads exist. Returns false if one could not be
 * created; the caller must then exit. */
bool doze_threads_may_begin(struct doze_pool *pool);
/** Called by the thread that frees the pool, after it has given up its share of terminate_count.
 * Waits until the first `started` workers have exited. A guest that calls this works until its own
 * terminate latch is set. */
void doze_threads_end(struct doze_pool *pool, uint32_t started);

#endif
