/*
 * SPDX-License-Identifier: MIT
 *
 * deque.h - a growable ring of job pointers. queues.c decides which lock protects a ring; callers
 * of all functions but init and fini hold that lock.
 */
#ifndef DOZE_FJ_DEQUE_H
#define DOZE_FJ_DEQUE_H

#include "forkjoin.h"

/** Creates an empty deque and its own lock. Returns 0 or ENOMEM. */
int doze_fj_deque_init(struct fj_deque *d);
void doze_fj_deque_fini(struct fj_deque *d);
/** Makes room for n more jobs. Returns 0 or ENOMEM. */
int doze_fj_make_room(struct fj_deque *d, size_t n);
/** Adds a job at the newest end. Returns whether the deque was empty. Aborts when out of memory,
 * because a job that cannot be queued would be lost. */
bool doze_fj_add_newest(struct fj_deque *d, struct doze_job *job);
/** Adds a batch, oldest job first; the caller has made room for it. Returns whether the deque was
 * empty. */
bool doze_fj_add_many(struct fj_deque *d, const struct doze_batch *batch);
/** Each takes a job from one end, or returns null if the deque is empty. */
struct doze_job *doze_fj_take_newest(struct fj_deque *d);
struct doze_job *doze_fj_take_oldest(struct fj_deque *d);
/** Removes the given job, wherever it is in the deque. Returns false if it is not in the deque. */
bool doze_fj_take_this(struct fj_deque *d, const struct doze_job *job);

#endif
