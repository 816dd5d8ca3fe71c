/*
 * SPDX-License-Identifier: MIT
 *
 * core_latch.h - a one-time event that one worker, its owner, can sleep on.
 *
 *   operation     probe   get_sleepy  fall_asleep  wake_up   set
 *   owner          yes      yes         yes         yes      yes
 *   any other      yes      no          no          no       once, all setters together
 *
 * States (RFC 5, appendix A): UNSET -> SLEEPY -> SLEEPING by the owner, back to UNSET by the owner
 * when it wakes, to SET by the setter, permanently. UNSET -> SUSPENDED by the owner when its wait
 * gives the worker to another thread (suspend/); the setter then resumes that wait.
 *
 * THE HAZARD: the moment a latch is SET its owner may return and free the latch, the job, the pool.
 * A set function reads every field first and touches nothing in the latch after the swap. The line
 * is marked "last touch".
 *
 * Memory orders belong to the sleep policy: doze_core_latch_probe takes the order of the load
 * (acquire for policies whose wake goes through a per-latch state, seq_cst for `tickle`).
 */
#ifndef DOZE_CORE_LATCH_H
#define DOZE_CORE_LATCH_H

#include "atomic.h"
#include "trace_enums.h"

struct doze_holder;
struct doze_worker;

struct doze_core_latch {
	DOZE_ATOMIC(uint32_t) state; /* enum doze_latch_state */
	uint8_t kind;                /* enum doze_latch_kind; constant */
	/* Constant. True if another pool or an outside thread may set the latch; the setter must
	 * then keep the pool alive during the set. */
	bool cross;
	/* Owner only, for deadlock detection: another pool will set the latch. */
	bool elsewhere;
	struct doze_worker *owner; /* not owned, constant: the only worker that may wait */
	uint64_t id;               /* for the trace; constant */
	/* Written by the owner before it moves to SUSPENDED: the thread that waits. */
	struct doze_holder *suspended;
};

/** Called before publication. `owner` is the worker that will wait. */
void doze_core_latch_init(struct doze_core_latch *latch, enum doze_latch_kind kind,
			  struct doze_worker *owner);

/** Any thread. Returns whether the latch is set. With acquire or stronger, everything that the
 * setter did before is visible. */
#define doze_core_latch_probe(latch, mo)                                                           \
	(da_load(&(latch)->state, mo) == DOZE_LATCH_set && (da_edge_in(latch), true))

/** Owner only. UNSET -> SLEEPY; returns false if it is already set. */
bool doze_core_latch_get_sleepy(struct doze_core_latch *latch);
/** Owner only, holding its own sleep lock. SLEEPY -> SLEEPING; returns false if it was set
 * meanwhile. */
bool doze_core_latch_fall_asleep(struct doze_core_latch *latch);
/** Owner only, holding its own sleep lock. UNSET -> SLEEPING, for a protocol without SLEEPY. */
bool doze_core_latch_fall_asleep_at_once(struct doze_core_latch *latch);
/** Owner only. UNSET -> SUSPENDED; returns false if it is already set. */
bool doze_core_latch_suspend(struct doze_core_latch *latch, struct doze_holder *holder);
/** Owner only. SLEEPY or SLEEPING -> UNSET, unless it was set. */
void doze_core_latch_wake_up(struct doze_core_latch *latch);
/** Any thread. -> SET; returns the state before. SLEEPING means that the caller must wake the
 * owner; SUSPENDED, that the latch stays valid until the caller has resumed its wait. Does not
 * touch the latch after the swap. `by` is the acting worker or -1. */
enum doze_latch_state doze_core_latch_set(struct doze_core_latch *latch, int32_t by);

#endif
