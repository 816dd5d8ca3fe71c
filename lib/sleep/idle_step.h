/*
 * SPDX-License-Identifier: MIT
 *
 * idle_step.h - the states of a worker that has no work, under the policies `jec` and `demand`.
 *
 *                     rounds               rounds
 *      idle ────────────────────▶ sleepy ─────────▶ sleeping
 *       ▲                            │                  │
 *       └────────────────────────────┴──────────────────┘
 *              a job was posted, the latch was set, or a waker woke it
 *
 * The worker searches all queues, and takes one step here each time that it finds nothing. Most
 * steps only count and yield. Only these steps move it from idle to sleepy and to sleeping;
 * start_looking and work_found (jec.c) begin and end the search.
 */
#ifndef DOZE_IDLE_STEP_H
#define DOZE_IDLE_STEP_H

#include "sleep.h"

/** The worker's step after a search that found nothing (no_work_found of policy jec). In round
 * rounds_until_sleepy it gets sleepy: the JEC becomes even, and the worker remembers it. From round
 * rounds_until_sleeping it sleeps, unless the latch was set, the JEC has changed, or the last check
 * finds an injected job; then it is idle again and continues to search. Returns when the worker
 * must search again. */
void doze_idle_step(struct doze_worker *worker, struct doze_idle *idle,
		    struct doze_core_latch *latch);

#endif
