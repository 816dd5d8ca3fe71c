/*
 * SPDX-License-Identifier: MIT
 *
 * rules.h - what each policy's protocol allows, as a table that the checker reads.
 *
 * Written from the protocol texts (the policies' seeds and README), not from lib: the two must not
 * share a mistake. A policy that is not in the table gets the rules that hold for every pool.
 */
#ifndef DOZE_VIZ_RULES_H
#define DOZE_VIZ_RULES_H

#include "model_int.h"

/* Which post wakes how many. */
enum wake_rule {
	WAKES_ANY, /* not judged */
	WAKES_JEC,
	WAKES_RFC,
	WAKES_LOCAL,
	WAKES_BLOCK,
	WAKES_SPARE,
	WAKES_GO,
	WAKES_NONE,
};

/* Who takes a woken worker out of the count of sleepers. */
enum decrement_by { DECREMENT_UNKNOWN, DECREMENT_WAKER, DECREMENT_SLEEPER };

struct policy_rules {
	const char *name;
	bool sleepy, sleeping; /* states that this policy's workers may be in */
	bool has_jec;
	enum decrement_by decrement;
	enum wake_rule wakes;
	bool latch_wakes_owner; /* only the owner; false: everybody */
};

#endif
