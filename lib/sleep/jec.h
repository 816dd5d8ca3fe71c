/*
 * SPDX-License-Identifier: MIT
 *
 * jec.h - the steps of policy `jec` that its variants share. `local`, `block` and `spare` differ
 * from it only in how many workers a post wakes: they use these hooks and bring a new_jobs of their
 * own, which starts with doze_jec_post and ends with doze_jec_wake.
 */
#ifndef DOZE_JEC_H
#define DOZE_JEC_H

#include "sleep.h"

void doze_jec_start_looking(struct doze_worker *worker, struct doze_idle *idle);
void doze_jec_no_work_found(struct doze_worker *worker, struct doze_idle *idle,
			    struct doze_core_latch *latch);
void doze_jec_work_found(struct doze_worker *worker, struct doze_idle *idle,
			 enum doze_reason reason);

/** The first half of a post: fence (injected jobs), then the JEC made odd. The words before and
 * after; equal when the JEC was odd already. */
struct doze_jec_post {
	uint64_t old_word, new_word;
};
struct doze_jec_post doze_jec_post(struct doze_pool *pool, enum doze_queue queue);
/** The second half: reports the post, then wakes `wakes` workers. */
void doze_jec_wake(struct doze_pool *pool, int32_t by, uint32_t n, bool was_empty,
		   enum doze_queue queue, struct doze_jec_post post, uint32_t wakes);

#endif
