/*
 * SPDX-License-Identifier: MIT
 *
 * latch.h - one-time events that one thread waits for.
 *
 *   core latch   four states, one owner worker; what a worker can sleep on
 *   spin latch   a core latch and a reference to its owner: join, install from another pool
 *   count latch  set when a counter that starts at 1 reaches 0: scope, broadcast
 *   lock latch   mutex and condition variable, for threads that are not workers
 *
 *   core latch    probe   get_sleepy  fall_asleep  wake_up   set
 *   owner          yes      yes         yes         yes      yes
 *   any other      yes      no          no          no       once, all setters together
 *
 * States (RFC 5, appendix A): UNSET -> SLEEPY -> SLEEPING by the owner, back to UNSET by the owner
 * when it wakes, to SET by the setter, permanently. UNSET -> SUSPENDED by the owner when its wait
 * gives the worker to another thread (suspend/); the setter then resumes that wait.
 *
 * THE HAZARD: the moment a latch is SET its owner may return and free the latch, the job, the pool.
 * A set function reads every field first and touches nothing in the latch after the swap. The line
 * is marked "last touch".
 *
 * Memory orders belong to the sleep policy: doze_core_latch_probe takes the order of the load
 * (acquire for policies whose wake goes through a per-latch state, seq_cst for `tickle`).
 */
#ifndef DOZE_LATCH_H
#define DOZE_LATCH_H

#include "atomic.h"
#include "park.h"
#include "trace_enums.h"

struct doze_holder;
struct doze_pool;
struct doze_worker;

struct doze_core_latch {
	DOZE_ATOMIC(uint32_t) state; /* enum doze_latch_state */
	uint8_t kind;                /* enum doze_latch_kind; constant */
	/* Constant. Set from another pool or by an outside thread: hold the pool across the set. */
	bool cross;
	/* Owner only: another pool will set it; for deadlock detection. */
	bool elsewhere;
	struct doze_worker *owner; /* weak, constant: the one worker that may wait */
	uint64_t id;               /* for the trace; constant */
	/* Written by the owner before SUSPENDED: the thread that waits. */
	struct doze_holder *suspended;
};

/** Called before publication. `owner` is the worker that will wait. */
void doze_core_latch_init(struct doze_core_latch *latch, enum doze_latch_kind kind,
			  struct doze_worker *owner);

/** Any thread. Returns whether the latch is set. With acquire or stronger, everything that the
 * setter did before is visible. */
#define doze_core_latch_probe(latch, mo)                                                           \
	(da_load(&(latch)->state, mo) == DOZE_LATCH_set && (da_edge_in(latch), true))

/** Owner only. UNSET -> SLEEPY; returns false if it is already set. */
bool doze_core_latch_get_sleepy(struct doze_core_latch *latch);
/** Owner only, holding its own sleep lock. SLEEPY -> SLEEPING; returns false if it was set
 * meanwhile. */
bool doze_core_latch_fall_asleep(struct doze_core_latch *latch);
/** Owner only, holding its own sleep lock. UNSET -> SLEEPING, for a protocol without SLEEPY. */
bool doze_core_latch_fall_asleep_at_once(struct doze_core_latch *latch);
/** Owner only. UNSET -> SUSPENDED; returns false if it is already set. */
bool doze_core_latch_suspend(struct doze_core_latch *latch, struct doze_holder *holder);
/** Owner only. SLEEPY or SLEEPING -> UNSET, unless it was set. */
void doze_core_latch_wake_up(struct doze_core_latch *latch);
/** Any thread. -> SET; returns the state before. SLEEPING means that the caller must wake the
 * owner; SUSPENDED, that the latch stays valid until the caller has resumed its wait. Does not
 * touch the latch after the swap. `by` is the acting worker or -1. */
enum doze_latch_state doze_core_latch_set(struct doze_core_latch *latch, int32_t by);

struct doze_spin_latch {
	struct doze_core_latch core;
};

/** Called before publication. `cross`: set from another pool or by an outside thread. */
void doze_spin_latch_init(struct doze_spin_latch *latch, struct doze_worker *owner, bool cross);
/** Any thread: sets it and wakes the owner if it sleeps on it. The latch may be gone on return.
 * `worker` is the calling worker, of any pool, or null. */
void doze_spin_latch_set(struct doze_spin_latch *latch, struct doze_worker *worker);

struct doze_lock_latch {
	doze_mutex lock;
	doze_cond cond;
	bool set; /* protected by `lock` */
};

void doze_lock_latch_init(struct doze_lock_latch *latch);
void doze_lock_latch_fini(struct doze_lock_latch *latch);
/** Any thread. The waiter may reuse the latch as soon as the unlock, the last touch, is done. */
void doze_lock_latch_set(struct doze_lock_latch *latch);
/** Waiter only. Blocks until set, then unsets the latch for its next use. */
void doze_lock_latch_wait_and_reset(struct doze_lock_latch *latch);

struct doze_count_latch {
	DOZE_ATOMIC(size_t) count; /* starts at 1: the creator's own share */
	struct doze_pool *pool;    /* null: the waiter is not a worker, and `lock` is used */
	int32_t owner;
	union {
		struct doze_core_latch core;
		struct doze_lock_latch lock;
	} u;
};

/** Called before publication. `owner` is the worker that will wait, or null for an outside
 * thread. */
void doze_count_latch_init(struct doze_count_latch *latch, struct doze_worker *owner,
			   enum doze_latch_kind kind);
/** Called before publication: the shares are given up in that pool. `function` is the caller's
 * name, for doze_handler_must_not_wait. */
void doze_count_latch_shared_by(struct doze_count_latch *latch, const struct doze_pool *pool,
				const char *function);
void doze_count_latch_fini(struct doze_count_latch *latch);
/** Holder of a share only: adds a share; adds n; takes back n whose work could not be queued. */
void doze_count_latch_increment(struct doze_count_latch *latch);
void doze_count_latch_add(struct doze_count_latch *latch, size_t n);
void doze_count_latch_take_back(struct doze_count_latch *latch, size_t n);
/** Gives up one share. The last one sets the latch, which may then be freed before this returns. */
void doze_count_latch_decrement(struct doze_count_latch *latch, struct doze_worker *worker);
/** Owner only: gives up its share and waits for all others; a worker runs jobs meanwhile. */
void doze_count_latch_wait(struct doze_count_latch *latch, struct doze_worker *owner);

#endif
