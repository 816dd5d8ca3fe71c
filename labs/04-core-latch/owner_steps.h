/*
 * SPDX-License-Identifier: MIT
 *
 * owner_steps.h - the steps of a latch's owner as a table.
 */
#ifndef DOZE_LAB_OWNER_STEPS_H
#define DOZE_LAB_OWNER_STEPS_H

#include "labs/explorer/explore.h"
#include "lib/pool.h"

static uint32_t state(struct doze_core_latch *latch)
{
	return da_add(&latch->state, 0, RLX);
}

static int a_holder;
static struct doze_holder *const holder = (struct doze_holder *)&a_holder; /* never dereferenced */
static bool suspends(struct doze_core_latch *latch)
{
	bool did = doze_core_latch_suspend(latch, holder);
	EX_REQUIRE(!did || latch->suspended == holder,
		   "doze_core_latch_suspend returns true, but latch->suspended is not the holder");
	return did;
}
static bool wakes_up(struct doze_core_latch *latch)
{
	doze_core_latch_wake_up(latch);
	return state(latch) == DOZE_LATCH_unset;
}

/* The owner's steps. `from` is a bit mask of the states in which a step succeeds. */
#define IN(state) (1u << DOZE_LATCH_##state)
static const struct step {
	const char *name;
	bool (*take)(struct doze_core_latch *latch);
	unsigned from;
	enum doze_latch_state to;
} steps[] = {
    {"doze_core_latch_get_sleepy", doze_core_latch_get_sleepy, IN(unset), DOZE_LATCH_sleepy},
    {"doze_core_latch_fall_asleep", doze_core_latch_fall_asleep, IN(sleepy), DOZE_LATCH_sleeping},
    {"doze_core_latch_fall_asleep_at_once", doze_core_latch_fall_asleep_at_once, IN(unset),
     DOZE_LATCH_sleeping},
    {"doze_core_latch_suspend", suspends, IN(unset), DOZE_LATCH_suspended},
    {"doze_core_latch_wake_up", wakes_up, IN(sleepy) | IN(sleeping), DOZE_LATCH_unset},
};

#endif
