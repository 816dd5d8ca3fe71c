/*
 * SPDX-License-Identifier: MIT
 *
 * warm_up.c - runs random schedules before a search, to find shared objects.
 */
#include "engine.h"

#define WALKS      400
#define WALK_STEPS 3000
/** Maximum number of steps of all walks together. WALK_STEPS counts only choice points, but this
 * limit also counts the steps between them. */
#define ALL_STEPS 20000000

/** Runs random schedules from a fixed seed to find shared objects before the search begins, because
 * each discovery in the middle of a search starts it over. Ignores failures, which the search will
 * find, but ends at an endless loop, which costs time.
 */
void ex_warm_up(const char *root)
{
	volatile unsigned walk = 0;
	volatile uint64_t random = 0x9e3779b97f4a7c15u;
	struct ex_action a[EX_MAX_ACTIONS];

	(void)sigsetjmp(E->fail, 0);
	E->cur = -1;
	E->clock = 0;
	if (E->res->loops) {
		E->res->loops = false;
		return;
	}
	while (walk++ < WALKS && E->clock < ALL_STEPS) {
		ex_state_restore(root);
		unsigned n = ex_enumerate(a, EX_MAX_ACTIONS);
		for (unsigned i = 0; i < WALK_STEPS && n; i++) {
			uint64_t x = random;
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			random = x;
			/* Mostly continue with the same thread, so that walks get far. */
			ex_apply(a[(x >> 32) % 4 ? 0 : (x >> 40) % n]);
			n = ex_enumerate(a, EX_MAX_ACTIONS);
		}
	}
}
