/*
 * SPDX-License-Identifier: MIT
 *
 * deadlock_counts.h - counts the active and blocked workers and decides whether the pool is
 * deadlocked.
 *
 * Each worker is counted as active, as blocked (in user code, between doze_mark_blocked and
 * doze_mark_unblocked), or not at all (asleep). A pool is deadlocked when no worker is active, at
 * least one is blocked, and no sleeper waits for another pool: a pool whose workers all sleep
 * merely has no work.
 *
 * The caller of each function holds the lock of struct doze_deadlock (deadlock.h).
 */
#ifndef DOZE_DEADLOCK_COUNTS_H
#define DOZE_DEADLOCK_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct doze_deadlock;

/** Returns whether the pool is deadlocked. */
bool doze_counts_deadlock(const struct doze_deadlock *d);
/** Records an event that may end or cause a deadlock. Fruitless searches that began earlier no
 * longer count. */
void doze_counts_event(struct doze_deadlock *d);
/** Counts an active worker as blocked. This is an event. */
void doze_counts_block(struct doze_deadlock *d);
/** Counts a blocked worker as active again. This is an event. */
void doze_counts_unblock(struct doze_deadlock *d);
/** Counts an active worker as asleep; `elsewhere` is true if another pool will wake it. */
void doze_counts_sleep(struct doze_deadlock *d, bool elsewhere);
/** Called when another pool has woken a sleeper. Decrements only *elsewhere*; doze_counts_wake,
 * called before the wake, has already counted the worker as active. */
void doze_counts_back(struct doze_deadlock *d);
/** Counts n sleepers as active. Called before they are woken. */
void doze_counts_wake(struct doze_deadlock *d, uint32_t n);
/** Counts all workers that are not blocked as active. Called before all sleepers of a pool with
 * this number of workers are woken. Does not change *elsewhere*; each woken worker decrements it
 * (doze_counts_back). */
void doze_counts_wake_all(struct doze_deadlock *d, uint32_t workers);
/** Called for each deadlock that is found. Returns whether the caller must call the handler: false
 * if another thread is already in the handler; that thread then calls it again
 * (doze_counts_called). */
bool doze_counts_claim(struct doze_deadlock *d);
/** Called by the thread whose handler call has returned. Returns whether it must call the handler
 * again, because another deadlock was found during that call and the pool is still deadlocked. */
bool doze_counts_called(struct doze_deadlock *d);

#endif
