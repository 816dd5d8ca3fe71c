/*
 * SPDX-License-Identifier: MIT
 *
 * rfc.h - the steps of policy `rfc` that its variants share. `local`, `block` and `spare` are the
 * "avenues for future exploration" of RFC 5: they sleep and wake like `rfc` and differ only in how
 * many workers a post wakes. Each has its own new_jobs, which calls doze_rfc_look, decides, and
 * calls doze_rfc_wake. `chain` differs in what a worker does when it stops searching.
 *
 * Key invariants (intentionally different from wake.h's):
 *   - only its owner writes worker.sleep.is_blocked, under worker.sleep.lock;
 *   - the sleeper itself, not the waker, decrements *sleeping* when it runs again. So between the
 *     notification and the end of the wait the flag and the count still show a sleeper, and several
 *     wakes may target the same sleep. The first wake ends it (worker.sleep.wake_id); the others
 *     are redundant.
 */
#ifndef DOZE_RFC_H
#define DOZE_RFC_H

#include "sleep.h"

struct doze_decision;

void doze_rfc_start_looking(struct doze_worker *worker, struct doze_idle *idle);
void doze_rfc_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
			    struct doze_core_latch *latch);
void doze_rfc_work_found(struct doze_worker *worker, struct doze_idle *idle,
			 enum doze_reason reason);
void doze_rfc_latch_set(struct doze_pool *pool, int32_t by, int32_t owner,
			enum doze_latch_state from, enum doze_cause cause);
void doze_rfc_broadcast(struct doze_pool *pool, int32_t by);
void doze_rfc_resume(struct doze_pool *pool, int32_t by, int32_t owner);

/** Any thread, after a push. Returns the word on which to base the decision. Executes a fence first
 * if the job was pushed to the injector. */
uint64_t doze_rfc_look(struct doze_pool *pool, enum doze_queue queue);
/** Any thread. Reports the decision and wakes up to `wakes` workers whose flag is set, starting at
 * index 0. */
void doze_rfc_wake(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs,
		   uint64_t word, uint32_t wakes);

/** Any thread. Notifies up to n workers whose flag is set, starting at index 0. */
void doze_rfc_wake_any(struct doze_pool *pool, int32_t by, uint32_t n,
		       struct doze_decision *decision);
void doze_rfc_new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs);

/** Hooks for the tables of the variants: DOZE_RFC_STEPS has all but new_jobs and work_found,
 * DOZE_RFC_HOOKS all but new_jobs. */
#define DOZE_RFC_STEPS                                                                             \
	.word_kind = DOZE_WORD_counters, .quiet_mask = DOZE_MASK_BITS(DOZE_BITS_SLEEPING),         \
	.rounds_until_sleepy = 32, .rounds_until_sleeping = 33,                                    \
	.start_looking = doze_rfc_start_looking, .no_work_found = doze_rfc_no_work_found,          \
	.latch_set = doze_rfc_latch_set, .broadcast = doze_rfc_broadcast,                          \
	.resume = doze_rfc_resume
#define DOZE_RFC_HOOKS DOZE_RFC_STEPS, .work_found = doze_rfc_work_found

#endif
