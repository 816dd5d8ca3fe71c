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

/* Complete. */
void doze_core_latch_init(struct doze_core_latch *latch, enum doze_latch_kind kind,
			  struct doze_worker *owner)
{
	doze_core_latch_set_up(latch, kind, owner, ++owner->latch_ids);
}

/* Complete. Reports a step of the owner. */
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

bool doze_core_latch_get_sleepy(struct doze_core_latch *latch)
{
	/* TODO */
	(void)owner_step;
	return false;
}

bool doze_core_latch_fall_asleep(struct doze_core_latch *latch)
{
	/* TODO */
	return false;
}

/* For a protocol without SLEEPY. */
bool doze_core_latch_fall_asleep_at_once(struct doze_core_latch *latch)
{
	/* TODO */
	return false;
}

bool doze_core_latch_suspend(struct doze_core_latch *latch, struct doze_holder *holder)
{
	latch->suspended = holder;
	/* TODO */
	return false;
}

void doze_core_latch_wake_up(struct doze_core_latch *latch)
{
	/* TODO */
}

enum doze_latch_state doze_core_latch_set(struct doze_core_latch *latch, int32_t by)
{
	/* TODO. Report the set with doze_trace_latch(pool id, by, latch id, kind, owner's index,
	 * from, to). That call needs fields of the latch, which may be gone after the swap. */
	return DOZE_LATCH_unset;
}
