/*
 * SPDX-License-Identifier: MIT
 *
 * deque.h - a growable ring of job pointers without a lock of its own: queues.c decides which lock
 * protects it. The caller of each function holds that lock, except for init and fini.
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
/** Adds a batch, oldest job first, for which the caller has made room. Returns whether the deque
 * was empty. */
bool doze_fj_add_many(struct fj_deque *d, const struct doze_batch *batch);
/** Each takes one job from its end, or returns null if there is none. */
struct doze_job *doze_fj_take_newest(struct fj_deque *d);
struct doze_job *doze_fj_take_oldest(struct fj_deque *d);
/** Takes the given job out, wherever it is. Returns false if it is not in the deque. */
bool doze_fj_take_this(struct fj_deque *d, const struct doze_job *job);

#endif
