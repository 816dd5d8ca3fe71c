/*
 * SPDX-License-Identifier: MIT
 *
 * pool.c - lab 2: a naive pool. Part A: make it hang. Part B: repair it.
 */
#include "pool.h"

void tiny_init(struct tiny_pool *pool, void (*job)(struct tiny_pool *))
{
	pool->job = job;
	da_init(&pool->jobs, 0);
	da_init(&pool->closed, false);
	doze_mutex_init(&pool->lock);
	doze_cond_init(&pool->work);
}

/* Takes a job if there is one. */
static bool take(struct tiny_pool *pool)
{
	int n = da_load(&pool->jobs, SC);
	while (n > 0)
		if (da_cas(&pool->jobs, &n, n - 1, SC, SC))
			return true;
	return false;
}

void tiny_post(struct tiny_pool *pool)
{
	da_add(&pool->jobs, 1, SC);
	doze_cond_signal(&pool->work);
}

void tiny_close(struct tiny_pool *pool)
{
	da_store(&pool->closed, true, SC);
	doze_cond_broadcast(&pool->work);
}

void tiny_work(struct tiny_pool *pool)
{
	for (;;) {
		if (take(pool)) {
			pool->job(pool);
			continue;
		}
		if (da_load(&pool->closed, SC))
			return;
		doze_mutex_lock(&pool->lock);
		doze_cond_wait(&pool->work, &pool->lock);
		doze_mutex_unlock(&pool->lock);
	}
}
