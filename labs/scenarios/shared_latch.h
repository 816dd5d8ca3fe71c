/*
 * SPDX-License-Identifier: MIT
 *
 * shared_latch.h - a worker waits on a latch and frees it as soon as it is set; an outside thread
 * sets it.
 */
#ifndef DOZE_EXPLORE_SHARED_LATCH_H
#define DOZE_EXPLORE_SHARED_LATCH_H

#include "common.h"
#include "latch_names.h"

extern void *malloc(size_t size);
extern void free(void *p);

static DOZE_ATOMIC(struct doze_core_latch *) shared_latch;
static DOZE_ATOMIC(int) said; /* stored before the latch is set, so the waiter must see the store */

static inline void wait_on_latch(void *arg)
{
	struct doze_core_latch *latch = malloc(sizeof(*latch));
	(void)arg;
	doze_spin_latch_init(latch, doze_self, true);
	name_latch(latch);
	da_store(&shared_latch, latch, REL);
	doze_worker_wait_until(doze_self, latch);
	EX_CHECK(da_load(&said, RLX) == 1);
	free(latch);
}

/** Sets the latch of a job that runs wait_on_latch. */
static inline void set_shared_latch(void)
{
	struct doze_core_latch *latch;
	while (!(latch = da_load(&shared_latch, ACQ)))
		doze_thread_yield();
	ex_expect("the latch to take effect, and the termination");
	da_store(&said, 1, RLX);
	doze_spin_latch_set(latch, NULL);
}

#endif
