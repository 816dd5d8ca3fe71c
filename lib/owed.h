/*
 * SPDX-License-Identifier: MIT
 *
 * owed.h - what a worker still has to give back for jobs that it has run.
 *
 * The end of each job of a scope lowers the scope's count by one share. If every job did that
 * itself, two workers that run small jobs of one scope would spend most of their time waiting for
 * the count's cache line. So a worker only notes the shares, and gives them back together, at the
 * latest before anybody could notice:
 *
 *   before it runs a job of anything else, before it searches for work, before it hands the worker
 *   to another thread, and when a wait ends
 *
 * In the meantime it only takes and runs jobs of the same scope, which cannot end before they have.
 * The worker that waits for the scope notices when the shares that it owes are the last ones
 * (doze_owed_is_rest), so that it runs none of its older jobs first.
 *
 * In the same way a worker notes how many jobs of one block (doze_spawn_many) it has copied. That
 * only delays the block's free, until the worker uses another block, searches, or a wait ends.
 *
 * Key invariants
 *   I1  a share that is owed keeps the scope alive, so `latch` is valid while `shares` is not 0.
 *   I2  while the user's code runs on the worker, the worker owes nothing, or only shares of the
 *       scope of a job that has not ended.
 */
#ifndef DOZE_OWED_H
#define DOZE_OWED_H

#include "latch.h"

/** The beginning of a block of jobs that is freed by free() when all of its jobs have been
 * copied. */
struct doze_job_block {
	DOZE_ATOMIC(uint32_t) left; /* number of jobs that have not been copied; any thread */
};

/** Part of struct doze_worker. Only the worker's owner uses it and calls these functions. */
struct doze_owed {
	struct doze_count_latch *latch; /* not owned; null if `shares` is 0 */
	size_t shares;
	struct doze_job_block *block; /* null if `copied` is 0 */
	uint32_t copied;
};

/** Called at the end of a job, instead of a decrement of its scope's count. The worker does not owe
 * shares of another scope: doze_job_begin_in has given them back (doze_count_latch_pay). */
static inline void doze_owed_add_share(struct doze_owed *owed, struct doze_count_latch *latch)
{
	owed->latch = latch;
	owed->shares++;
}

/** Returns whether `latch` counts no shares but those that are owed: all other jobs of the scope
 * have ended, and doze_count_latch_pay will set the latch. */
static inline bool doze_owed_is_rest(const struct doze_owed *owed,
				     const struct doze_core_latch *latch)
{
	/* Relaxed: the count cannot rise again, because nobody else has a share, and the step that
	 * gives the shares back provides the ordering. */
	return owed->shares != 0 && &owed->latch->u.core == latch &&
	       da_load(&owed->latch->count, RLX) == owed->shares;
}

/** Called when a job of the block has been copied. The block may be gone on return. */
void doze_owed_add_copy(struct doze_owed *owed, struct doze_job_block *block);
/** Gives back all copies. */
void doze_owed_release_block(struct doze_owed *owed);

#endif
