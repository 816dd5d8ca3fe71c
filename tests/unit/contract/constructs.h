/*
 * SPDX-License-Identifier: MIT
 *
 * constructs.h - every construct of doze.h as a small piece of work with a known result, for the
 * contract suite (each policy, each number of workers) and for the soak tests (tests/soak).
 */
#ifndef DOZE_TESTS_CONSTRUCTS_H
#define DOZE_TESTS_CONSTRUCTS_H

#include "lib/doze.h"

struct construct {
	const char *name;
	/** Uses the construct from outside the pool, and also from inside if it works differently
	 * inside. Returns null, or a description of what went wrong. Leaves no job queued. */
	const char *(*run)(doze_pool *pool);
};

/** The last entry has a null name. */
extern const struct construct constructs[];

/** Use all constructs on two new pools: contract_current_thread on one whose worker 0 is the
 * calling thread, contract_spawn_handler on one whose threads a spawn handler creates. Return null,
 * or a description of what went wrong. */
const char *contract_current_thread(const char *policy, unsigned workers);
const char *contract_spawn_handler(const char *policy, unsigned workers);

/** Waits until every worker sleeps, or searches if the policy never sleeps. */
void constructs_settle(doze_pool *pool);

#endif
