/*
 * SPDX-License-Identifier: MIT
 *
 * Lab 4 replaces this file (labs/04-core-latch): keep other code out of it.
 *
 * core_latch.c - see core_latch.h for states, callers and the hazard.
 */
#include "core_latch.h"

#include "pool.h"

void doze_core_latch_init(struct doze_core_latch *latch, enum doze_latch_kind kind,
			  struct doze_worker *owner)
{
	doze_core_latch_set_up(latch, kind, owner, ++owner->latch_ids);
}

/* Owner only. Tries one state change and traces it if it succeeded. */
static bool owner_step(struct doze_core_latch *latch, enum doze_latch_state from,
		       enum doze_latch_state to)
{
	uint32_t expected = from;
	/* seq_cst: the latch's steps, the counters' steps and the fences have one total order, on
	 * which the proof in sleep/README.md relies. Relaxed on failure: the next probe reads SET
	 * with acquire. */
	if (!da_cas(&latch->state, &expected, to, SC, RLX))
		return false;
	const struct doze_worker *owner = latch->owner;
	doze_trace_latch(owner->pool->id, owner->index, latch->id,
			 (enum doze_latch_kind)latch->kind, owner->index, from, to);
	return true;
}

bool doze_core_latch_get_sleepy(struct doze_core_latch *latch)
{
	return owner_step(latch, DOZE_LATCH_unset, DOZE_LATCH_sleepy);
}

bool doze_core_latch_fall_asleep(struct doze_core_latch *latch)
{
	return owner_step(latch, DOZE_LATCH_sleepy, DOZE_LATCH_sleeping);
}

bool doze_core_latch_fall_asleep_at_once(struct doze_core_latch *latch)
{
	return owner_step(latch, DOZE_LATCH_unset, DOZE_LATCH_sleeping);
}

bool doze_core_latch_suspend(struct doze_core_latch *latch, struct doze_holder *holder)
{
	latch->suspended = holder;
	return owner_step(latch, DOZE_LATCH_unset, DOZE_LATCH_suspended);
}

void doze_core_latch_wake_up(struct doze_core_latch *latch)
{
	/* Relaxed: only the owner moves the latch out of SLEEPY or SLEEPING, except for a set,
	 * which makes the CAS fail. */
	uint32_t now = da_load(&latch->state, RLX);
	if (now == DOZE_LATCH_sleepy || now == DOZE_LATCH_sleeping)
		(void)owner_step(latch, now, DOZE_LATCH_unset);
}

enum doze_latch_state doze_core_latch_set(struct doze_core_latch *latch, int32_t by)
{
	uint64_t id = latch->id;
	enum doze_latch_kind kind = (enum doze_latch_kind)latch->kind;
	int32_t owner = latch->owner->index;
	uint32_t pool = latch->owner->pool->id;

	/* seq_cst: release orders the job's effects before the set, acquire orders the owner's
	 * store of `suspended` before the caller's read of it, and the set has a place in one total
	 * order with the owner's CASes and the counters (rayon #1297). LAST ACCESS to *latch. */
	da_edge_out(latch);
	uint32_t from = da_swap(&latch->state, DOZE_LATCH_set, SC);

	doze_trace_latch(pool, by, id, kind, owner, from, DOZE_LATCH_set);
	return from;
}
