/*
 * SPDX-License-Identifier: MIT
 *
 * shared_future.h - a future that several threads get; some of the threads begin before the task is
 * submitted.
 */
#ifndef DOZE_EXPLORE_SHARED_FUTURE_H
#define DOZE_EXPLORE_SHARED_FUTURE_H

#include "cells.h"

static DOZE_ATOMIC(doze_future *) shared; /* the future; set after the task has been submitted */
static DOZE_ATOMIC(int) runs;             /* number of runs of the task, which returns &runs */

static inline doze_future *await_future(void)
{
	doze_future *f;
	while ((f = da_load(&shared, ACQ)) == NULL)
		doze_thread_yield();
	return f;
}

static inline void submit_shared(doze_pool *pool, doze_task_fn task)
{
	doze_future *f;
	EX_CHECK(doze_submit(&f, pool, task, &runs) == 0);
	da_store(&shared, f, REL);
}

/** Frees the pool and the future. */
static inline void free_shared(doze_pool *pool)
{
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&runs) == 1);
	doze_future_free(da_load(&shared, ACQ));
}

/** Runs `get` on a worker of another pool, to get a future of the first pool. `helper` is a job of
 * the first pool that also gets the future, or null. */
static inline void get_in_other_pool(doze_task_fn task, doze_fn helper, doze_fn get)
{
	doze_pool *pool = small_pool(1), *other = small_pool(1);
	if (helper != NULL)
		EX_CHECK(doze_spawn(pool, helper, NULL) == 0);
	submit_shared(pool, task);
	ex_expect("the getter in the other pool");
	doze_install(other, get, NULL);
	doze_pool_free(other);
	free_shared(pool);
}

#endif
