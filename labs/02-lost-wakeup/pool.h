/*
 * SPDX-License-Identifier: MIT
 *
 * pool.h - lab 2: a pool of one kind of job, as small as possible.
 */
#ifndef DOZE_LAB_POOL_H
#define DOZE_LAB_POOL_H

#include "lib/atomic.h"
#include "lib/park.h"

#include <stdbool.h>

struct tiny_pool {
	void (*job)(struct tiny_pool *); /* what each job does; may itself post */
	DOZE_ATOMIC(int) jobs;           /* posted and not yet taken */
	DOZE_ATOMIC(bool) closed;
	doze_mutex lock;
	doze_cond work;
};

/** Before any other thread uses the pool. */
void tiny_init(struct tiny_pool *pool, void (*job)(struct tiny_pool *));
/** Any thread: posts one job. */
void tiny_post(struct tiny_pool *pool);
/** Any thread, once, after the last post: workers return when no job is left. */
void tiny_close(struct tiny_pool *pool);
/** A worker: runs jobs, and sleeps while there are none, until the pool is closed. */
void tiny_work(struct tiny_pool *pool);

#endif
