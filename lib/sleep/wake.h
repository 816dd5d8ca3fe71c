/*
 * SPDX-License-Identifier: MIT
 *
 * wake.h - sleeping and waking with a lock and a condition variable per worker, where the *waker*
 * takes the sleeper out of the count of sleepers (jec, local, block, spare, go, spin's latches).
 *
 * Key invariant: worker.sleep.is_blocked is true exactly while the worker is counted in *sleeping*
 * and waits. Whoever clears it, under worker.sleep.lock, takes the worker out of the count, under
 * the same lock, and notifies. So each sleep ends by exactly one waker.
 */
#ifndef DOZE_WAKE_H
#define DOZE_WAKE_H

#include "sleep.h"

/** One decision to wake; filled by doze_decision_new, passed on to each wake that it causes. */
struct doze_decision {
	uint64_t id; /* 0: not yet taken from the pool's counter */
	enum doze_cause cause;
	enum doze_scope_kind scope;
};

/** Takes the decision's number from the pool if it has none yet; returns it. */
uint64_t doze_decision_id(struct doze_pool *pool, struct doze_decision *decision);

/** Any thread, holding no sleep lock. Wakes worker `target` if it sleeps: under its lock clears
 * is_blocked, decrements *sleeping*, emits `wake`, notifies. True when it did. */
bool doze_wake_specific(struct doze_pool *pool, int32_t by, int32_t target,
			struct doze_decision *decision);
/** Any thread. Wakes up to n sleeping workers, scanning from index 0 (so low indices are favoured).
 * Returns how many. */
uint32_t doze_wake_any(struct doze_pool *pool, int32_t by, uint32_t n,
		       struct doze_decision *decision);
/** Any thread. The latch_set and broadcast hooks of such policies. */
void doze_wake_latch_owner(struct doze_pool *pool, int32_t by, int32_t owner,
			   enum doze_latch_state from, enum doze_cause cause);
void doze_wake_all_for_broadcast(struct doze_pool *pool, int32_t by);

/** Emits `post` if the level of detail wants it: always when it toggled the JEC or saw sleepers. */
struct doze_trace_post_info;
void doze_post_report(struct doze_pool *pool, int32_t by, struct doze_trace_post_info *info);

#endif
