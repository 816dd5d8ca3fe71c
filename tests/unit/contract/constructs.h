/*
 * SPDX-License-Identifier: MIT
 *
 * constructs.h - every construct of doze.h as one small piece of work with a known result, for the
 * contract suite (each policy, each number of workers) and for the soak (tests/soak).
 */
#ifndef DOZE_TESTS_CONSTRUCTS_H
#define DOZE_TESTS_CONSTRUCTS_H

#include "lib/doze.h"

struct construct {
	const char *name;
	/** Uses the construct on the pool from outside and, where it matters, from inside. Returns
	 * null, or a description of what went wrong. Leaves no job queued. */
	const char *(*run)(doze_pool *pool);
};

/** The last entry has a null name. */
extern const struct construct constructs[];

/** Use all constructs on new pools: on one whose worker 0 is the calling thread, and on one with
 * threads of a spawn handler. Return null, or a description of what went wrong. */
const char *contract_current_thread(const char *policy, unsigned workers);
const char *contract_spawn_handler(const char *policy, unsigned workers);

/** Waits until no worker is active: all sleep, or search if the policy never sleeps. */
void constructs_settle(doze_pool *pool);

#endif
