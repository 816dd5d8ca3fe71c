/*
 * SPDX-License-Identifier: MIT
 *
 * core_latch.h - a one-time event that one worker, its owner, can sleep on.
 *
 *   operation     probe   get_sleepy  fall_asleep  wake_up   set
 *   owner          yes      yes         yes         yes      yes
 *   any other      yes      no          no          no       exactly one setter, once
 *
 * States (RFC 5, appendix A): the owner moves the latch from UNSET to SLEEPY, then to SLEEPING, and
 * back to UNSET when it wakes. A setter moves it from any state to SET, permanently. The owner
 * moves it from UNSET to SUSPENDED when its wait gives the worker to another thread (suspend/); the
 * setter then resumes that wait.
 *
 * THE HAZARD: as soon as a latch is SET, its owner may return and free the latch, the job and the
 * pool. So a set function reads all fields that it needs before the swap and does not touch the
 * latch after it. The swap is marked "last access".
 *
 * The sleep policy chooses the memory order: doze_core_latch_probe takes the order of its load
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
	/* Constant. True if a thread that is not a worker of the same pool may set the latch; the
	 * setter must then keep the pool alive during the set. */
	bool cross;
	/* Owner only, for deadlock detection. True if a worker of another pool will set the
	 * latch. */
	bool elsewhere;
	bool unused;               /* so that one store can initialise the word (doze_inline.h) */
	struct doze_worker *owner; /* not owned; constant; the only worker that may wait */
	uint64_t id;               /* id for the trace; constant */
	/* The thread that waits. Written by the owner before it moves the latch to SUSPENDED. */
	struct doze_holder *suspended;
};

/** Called before any other thread can reach the latch. `owner` is the worker that will wait. */
void doze_core_latch_init(struct doze_core_latch *latch, enum doze_latch_kind kind,
			  struct doze_worker *owner);

/** An inline form of doze_core_latch_init. `id` is unique among the pool's latches; a latch that
 * belongs to a job may have the job's id. */
static inline void doze_core_latch_set_up(struct doze_core_latch *latch, enum doze_latch_kind kind,
					  struct doze_worker *owner, uint64_t id)
{
	da_init(&latch->state, DOZE_LATCH_unset);
	latch->kind = (uint8_t)kind;
	latch->cross = false;
	latch->elsewhere = false;
	latch->owner = owner;
	latch->id = id;
}

/** Any thread. Returns whether the latch is set. If so, and mo is acquire or stronger, everything
 * that the setter did before the set is visible. */
#define doze_core_latch_probe(latch, mo)                                                           \
	(da_load(&(latch)->state, mo) == DOZE_LATCH_set && (da_edge_in(latch), true))

/** Owner only. Moves the latch from UNSET to SLEEPY; returns false if the latch is already set. */
bool doze_core_latch_get_sleepy(struct doze_core_latch *latch);
/** Owner only, holding its own sleep lock. Moves the latch from SLEEPY to SLEEPING; returns false
 * if the latch has been set since. */
bool doze_core_latch_fall_asleep(struct doze_core_latch *latch);
/** Owner only, holding its own sleep lock. Moves the latch from UNSET to SLEEPING, in a protocol
 * without SLEEPY. */
bool doze_core_latch_fall_asleep_at_once(struct doze_core_latch *latch);
/** Owner only. Moves the latch from UNSET to SUSPENDED; returns false if the latch is already
 * set. */
bool doze_core_latch_suspend(struct doze_core_latch *latch, struct doze_holder *holder);
/** Owner only. Moves the latch from SLEEPY or SLEEPING back to UNSET, unless it is set. */
void doze_core_latch_wake_up(struct doze_core_latch *latch);
/** Any thread. Sets the latch and returns its previous state. If that was SLEEPING, the caller must
 * wake the owner. If it was SUSPENDED, the latch stays valid until the caller has resumed the
 * suspended wait. Does not touch the latch after the swap. `by` is the acting worker or -1. */
enum doze_latch_state doze_core_latch_set(struct doze_core_latch *latch, int32_t by);

#endif
