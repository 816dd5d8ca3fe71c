/*
 * SPDX-License-Identifier: MIT
 *
 * fork.h - keeps the library usable in the child when a program with pools forks. The child has
 * only the thread that called fork(), and none of the parent's workers. So the parent's pools are
 * dead in the child: it must neither use nor free them, and their memory is never freed. The child
 * may create its own pools, and gets a new default pool.
 */
#ifndef DOZE_FORK_H
#define DOZE_FORK_H

/** Registers the handlers that keep the library's static state consistent across fork(). Any
 * thread, before the trace loader starts. */
void doze_fork_watch(void);

/* The handlers (pools.c). They hold the lock of the list of pools during the fork, and empty the
 * list in the child. */
void doze_pools_fork_prepare(void);
void doze_pools_fork_parent(void);
void doze_pools_fork_child(void);

#endif
