/*
 * SPDX-License-Identifier: MIT
 *
 * fork.h - a program that forks while it has pools.
 *
 * The child has one thread, the one that forked; the parent's workers do not exist there. So in the
 * child the parent's pools are dead: they must not be used, nor freed (their memory stays as it
 * is). A child may make pools of its own, and its default pool is a new one.
 */
#ifndef DOZE_FORK_H
#define DOZE_FORK_H

/** Any thread, before the trace loader starts: has fork() keep the library's static state whole. */
void doze_fork_watch(void);

/* What fork.c calls (pools.c): locks the list around the fork; in the child, forgets the pools. */
void doze_pools_fork_prepare(void);
void doze_pools_fork_parent(void);
void doze_pools_fork_child(void);

#endif
