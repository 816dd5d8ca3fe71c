/*
 * SPDX-License-Identifier: MIT
 *
 * wake.h - sleeping and waking with a lock and a condition variable per worker, where the *waker*
 * subtracts the sleeper from the count of sleepers (jec, go).
 *
 * Key invariant: worker.sleep.is_blocked is true exactly while the worker is counted in *sleeping*
 * and waits. The waker that clears it under worker.sleep.lock also decrements *sleeping* under that
 * lock and notifies. So exactly one waker ends each sleep.
 */
#ifndef DOZE_WAKE_H
#define DOZE_WAKE_H

#include "report.h"
#include "sleep.h"

/** Owner, holding its own sleep lock and counted in *sleeping*. Calls the pool's release handler,
 * then waits until a waker has subtracted the owner from that count. Returns the id of that wake.
 * The caller then releases the lock and calls doze_deadlock_acquire, which calls the acquire
 * handler. */
uint64_t doze_wake_await(struct doze_worker *worker);

/** Any thread, holding no sleep lock. If worker `target` sleeps, wakes it: clears is_blocked,
 * decrements *sleeping*, emits `wake` and notifies, all under the target's lock. Returns whether it
 * woke the worker. */
bool doze_wake_specific(struct doze_pool *pool, int32_t by, int32_t target,
			struct doze_decision *decision);
/** Any thread. The latch_set, resume and broadcast hooks of the policies that use this file. */
void doze_wake_latch_owner(struct doze_pool *pool, int32_t by, int32_t owner,
			   enum doze_latch_state from, enum doze_cause cause);
void doze_wake_for_resume(struct doze_pool *pool, int32_t by, int32_t owner);
void doze_wake_all_for_broadcast(struct doze_pool *pool, int32_t by);

#endif
