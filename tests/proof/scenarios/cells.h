/*
 * SPDX-License-Identifier: MIT
 *
 * cells.h - which cell of the table construct/who waits/who completes an execution fills. The table
 * is in ../README.md.
 *
 *   who waits      outside    a thread that is no worker
 *                  worker     a worker of the pool whose job it is
 *                  other      a worker of another pool
 *                  several    a thread outside and a worker, both for the same
 *   who completes  self       whoever waits, in its wait
 *                  queue      another worker, which took the job out of a queue
 *                  helper     another worker, which runs a task that it gets itself
 *
 * An execution fills a cell if the job ends while whoever waits for it is asleep (self: while it
 * runs there). The scenario's pools are the first and the second in the order of creation; its
 * workers and threads are asked by the explorer, which costs the program no step.
 */
#ifndef DOZE_EXPLORE_CELLS_H
#define DOZE_EXPLORE_CELLS_H

#include "common.h"

static inline void fills(const char *cell, bool reached)
{
	if (reached)
		ex_note(cell);
}

/** In a job of the first pool, which has two workers: whether the one that does not run it sleeps.
 */
static inline bool colleague_sleeps(void)
{
	return ex_worker_sleeps(1, 1 - doze_worker_index());
}

/** Thread 0 is outside, and waits. */
static inline bool outside_waits(void)
{
	return ex_thread_waits(0);
}

/** The only worker of the second pool. */
static inline bool other_sleeps(void)
{
	return ex_worker_sleeps(2, 0);
}

#endif
