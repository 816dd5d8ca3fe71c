/*
 * SPDX-License-Identifier: MIT
 *
 * pool.c - a solution of lab 2.
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

void tiny_post(struct tiny_pool *pool)
{
	doze_mutex_lock(&pool->lock);
	da_add(&pool->jobs, 1, SC);
	doze_cond_signal(&pool->work);
	doze_mutex_unlock(&pool->lock);
}

void tiny_close(struct tiny_pool *pool)
{
	doze_mutex_lock(&pool->lock);
	da_store(&pool->closed, true, SC);
	doze_cond_broadcast(&pool->work);
	doze_mutex_unlock(&pool->lock);
}

/* Waits for a job. Returns false if the pool is closed and no job is left. */
static bool next(struct tiny_pool *pool)
{
	doze_mutex_lock(&pool->lock);
	while (da_load(&pool->jobs, SC) == 0 && !da_load(&pool->closed, SC))
		doze_cond_wait(&pool->work, &pool->lock);
	bool job = da_load(&pool->jobs, SC) > 0;
	if (job)
		da_sub(&pool->jobs, 1, SC);
	doze_mutex_unlock(&pool->lock);
	return job;
}

void tiny_work(struct tiny_pool *pool)
{
	while (next(pool))
		pool->job(pool);
}
