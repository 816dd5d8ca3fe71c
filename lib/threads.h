/*
 * SPDX-License-Identifier: MIT
 *
 * threads.h - where a pool's threads come from: made by the library, made by the user's spawn
 * handler, or the thread that creates the pool (use_current_thread), as worker 0: the guest.
 */
#ifndef DOZE_THREADS_H
#define DOZE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct doze_pool;

/** The creator: starts every worker. 0 or an errno value; *started is how many there are then, for
 * doze_threads_end. No worker begins before all threads are there, so that no handler of the user's
 * waits for one that will never be. */
int doze_threads_start(struct doze_pool *pool, uint32_t *started);
/** A worker's thread: waits until all are there. False: one could not be created; it is to leave.
 */
bool doze_threads_may_begin(struct doze_pool *pool);
/** The creator, or whoever frees the pool, after the workers were told to leave: waits until the
 * first `started` of them have left. The guest calls it itself, and works until it may leave. */
void doze_threads_end(struct doze_pool *pool, uint32_t started);

#endif
