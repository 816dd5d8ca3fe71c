/*
 * SPDX-License-Identifier: MIT
 *
 * pool.h - lab 2: a minimal pool, with only one kind of job.
 */
#ifndef DOZE_LAB_POOL_H
#define DOZE_LAB_POOL_H

#include "lib/atomic.h"
#include "lib/park.h"

#include <stdbool.h>

struct tiny_pool {
	void (*job)(struct tiny_pool *); /* the body of each job; it may post jobs */
	DOZE_ATOMIC(int) jobs;           /* number of posted jobs that have not been taken yet */
	DOZE_ATOMIC(bool) closed;
	doze_mutex lock;
	doze_cond work;
};

/** Initializes the pool. Must return before any other thread uses the pool. */
void tiny_init(struct tiny_pool *pool, void (*job)(struct tiny_pool *));
/** Posts one job. Any thread may call this. */
void tiny_post(struct tiny_pool *pool);
/** Closes the pool: its workers return when no job remains. Called once, by any thread, after the
 * last post. */
void tiny_close(struct tiny_pool *pool);
/** Runs jobs as a worker, and sleeps while there are none, until the pool is closed. */
void tiny_work(struct tiny_pool *pool);

#endif
