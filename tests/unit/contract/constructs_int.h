/*
 * SPDX-License-Identifier: MIT
 *
 * constructs_int.h - shared by the files that define the constructs.
 */
#ifndef DOZE_TESTS_CONSTRUCTS_INT_H
#define DOZE_TESTS_CONSTRUCTS_INT_H

#include "lib/atomic.h"
#include "lib/doze.h"

enum { JOBS = 64 };

void constructs_pause(long us);
/** Job function: adds one to the atomic int that arg points to. */
void constructs_add_one(void *arg);
/** Broadcast turn: adds one to the atomic int that arg points to. */
void constructs_take_turn(unsigned worker, unsigned workers, void *arg);
/** Waits up to 10 s for *n to become `wanted`. Returns null, or `otherwise` if *n never reached
 * that value. */
const char *constructs_wait(DOZE_ATOMIC(int) * n, int wanted, const char *otherwise);

const char *construct_spawn_outside(doze_pool *pool);
const char *construct_spawn_inside(doze_pool *pool);
const char *construct_spawn_spaced(doze_pool *pool);
const char *construct_spawn_many(doze_pool *pool);
const char *construct_scopes_of_many(doze_pool *pool);
const char *construct_submit_many(doze_pool *pool);
const char *construct_chains(doze_pool *pool);
const char *construct_future_graph(doze_pool *pool);
const char *construct_timed_get(doze_pool *pool);

#endif
