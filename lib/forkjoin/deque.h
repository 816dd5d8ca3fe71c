/*
 * SPDX-License-Identifier: MIT
 *
 * deque.h - a growable ring of job pointers, without any lock: queues.c decides which lock protects
 * it. The caller of each function holds that lock, except for init and fini.
 */
#ifndef DOZE_FJ_DEQUE_H
#define DOZE_FJ_DEQUE_H

#include "forkjoin.h"

/** Creates an empty deque and its own lock. Returns 0 or ENOMEM. */
int doze_fj_deque_init(struct fj_deque *d);
void doze_fj_deque_fini(struct fj_deque *d);
/** Makes room for n more jobs. Returns 0 or ENOMEM. */
int doze_fj_make_room(struct fj_deque *d, size_t n);
/** Adds at the newest end; returns whether the deque was empty. Aborts without memory, because a
 * job that cannot be queued is lost. */
bool doze_fj_add_newest(struct fj_deque *d, struct doze_job *job);
/** Adds a batch, oldest first, for which there is room; returns whether the deque was empty. */
bool doze_fj_add_many(struct fj_deque *d, const struct doze_batch *batch);
/** Take one job from an end; null if there is none. */
struct doze_job *doze_fj_take_newest(struct fj_deque *d);
struct doze_job *doze_fj_take_oldest(struct fj_deque *d);
/** Takes this very job out, wherever it is. Returns false if it is not in the deque. */
bool doze_fj_take_this(struct fj_deque *d, const struct doze_job *job);

#endif
