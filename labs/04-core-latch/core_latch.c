/*
 * SPDX-License-Identifier: MIT
 *
 * core_latch.c - lab 4: the latch that a worker can sleep on. You write this file.
 *
 * lib/core_latch.h describes each function, its callers, and the hazard. The atomic operations are
 * those of lib/atomic.h: da_load(p, order); da_store(p, v, order); da_swap(p, v, order), which
 * returns the old value; and da_cas(p, &expected, desired, SC, RLX), which returns whether it
 * stored the desired value. The orders are RLX, ACQ, REL, AR and SC.
 */
#include "lib/core_latch.h"

#include "lib/pool.h"

/* Already complete. Gives each latch an id of its own, for the trace. */
void doze_core_latch_init(struct doze_core_latch *latch, enum doze_latch_kind kind,
			  struct doze_worker *owner)
{
	doze_core_latch_set_up(latch, kind, owner, ++owner->latch_ids);
}

/* Already complete. Reports a step of the owner. Call it once for each step, after the step was
 * made, because the trace must never be ahead of the latch. */
static void report(const struct doze_core_latch *latch, enum doze_latch_state from,
		   enum doze_latch_state to)
{
	const struct doze_worker *owner = latch->owner;
	doze_trace_latch(owner->pool->id, owner->index, latch->id,
			 (enum doze_latch_kind)latch->kind, owner->index, from, to);
}

/* Owner only. Takes the step from -> to, reports it, and returns true. If the latch is no longer in
 * state `from`, changes nothing and returns false. */
static bool owner_step(struct doze_core_latch *latch, enum doze_latch_state from,
		       enum doze_latch_state to)
{
	/* TODO */
	(void)report;
	return false;
}

/* UNSET -> SLEEPY. Like each step below, it returns whether it made the step; in any other state,
 * also if the latch is SLEEPY already, it changes and reports nothing. */
bool doze_core_latch_get_sleepy(struct doze_core_latch *latch)
{
	/* TODO */
	(void)owner_step;
	return false;
}

/* SLEEPY -> SLEEPING. */
bool doze_core_latch_fall_asleep(struct doze_core_latch *latch)
{
	/* TODO */
	return false;
}

/* UNSET -> SLEEPING in one step, reported once, for sleep protocols that do not use SLEEPY. */
bool doze_core_latch_fall_asleep_at_once(struct doze_core_latch *latch)
{
	/* TODO */
	return false;
}

/* UNSET -> SUSPENDED. A setter that finds the latch SUSPENDED reads latch->suspended. */
bool doze_core_latch_suspend(struct doze_core_latch *latch, struct doze_holder *holder)
{
	latch->suspended = holder;
	/* TODO */
	return false;
}

/* SLEEPY or SLEEPING -> UNSET. A latch in any other state, for example SET, stays as it is. */
void doze_core_latch_wake_up(struct doze_core_latch *latch)
{
	/* TODO */
}

/* Any state -> SET, in one atomic operation and without a lock. Returns the state that it replaced:
 * the caller notifies the owner if and only if that was SLEEPING. */
enum doze_latch_state doze_core_latch_set(struct doze_core_latch *latch, int32_t by)
{
	/* TODO. Report the set once, after it was made, with doze_trace_latch(pool id, by, latch
	 * id, kind, owner's index, from, to). That call needs fields of the latch and of its owner,
	 * but as soon as the latch is SET, both may be gone, whatever the owner was doing. */
	return DOZE_LATCH_unset;
}
