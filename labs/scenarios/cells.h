/*
 * SPDX-License-Identifier: MIT
 *
 * cells.h - notes which cells "construct/who waits/who completes" an execution fills. The table of
 * these cells is in tests/proof/tables.md.
 *
 *   who waits      outside    a thread that is not a worker
 *                  worker     a worker of the pool that the job belongs to
 *                  other      a worker of another pool
 *                  several    an outside thread and a worker, for the same job
 *                  suspended  a worker whose wait is suspended (lib/suspend)
 *   who completes  self       the waiting thread, in its wait
 *                  queue      another worker, which took the job from a queue
 *                  helper     another worker, which runs a task in its own get
 *
 * An execution fills a cell if the job ends while the waiting thread is asleep (for `self`, if the
 * waiting thread runs the job). A scenario's pools are numbered in order of their creation. The
 * explorer records which workers and threads sleep, so the checks add no steps to the program.
 */
#ifndef DOZE_EXPLORE_CELLS_H
#define DOZE_EXPLORE_CELLS_H

#include "common.h"

static inline void fills(const char *cell, bool reached)
{
	if (reached)
		ex_note(cell);
}

/** Returns whether the other worker sleeps. Call it in a job of the first pool, which must have two
 * workers.
 */
static inline bool colleague_sleeps(void)
{
	return ex_worker_sleeps(1, 1 - doze_worker_index());
}

/** Returns whether thread 0, which is outside the pools, is waiting. */
static inline bool outside_waits(void)
{
	return ex_thread_waits(0);
}

/** Returns whether the only worker of the second pool sleeps. */
static inline bool other_sleeps(void)
{
	return ex_worker_sleeps(2, 0);
}

#endif
