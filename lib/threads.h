/*
 * SPDX-License-Identifier: MIT
 *
 * threads.h - where a pool's threads come from: made by the library, made by the user's spawn
 * handler, or the thread that creates the pool (use_current_thread), as worker 0: the guest.
 */
#ifndef DOZE_THREADS_H
#define DOZE_THREADS_H

#include <stdint.h>

struct doze_pool;

/** The creator: starts every worker. 0 or an errno value; *started is how many there are then, for
 * doze_threads_end. */
int doze_threads_start(struct doze_pool *pool, uint32_t *started);
/** The creator, or whoever frees the pool, after the workers were told to leave: waits until the
 * first `started` of them have left. The guest calls it itself, and works until it may leave. */
void doze_threads_end(struct doze_pool *pool, uint32_t started);

#endif
