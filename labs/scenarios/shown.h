/*
 * SPDX-License-Identifier: MIT
 *
 * shown.h - what a game shows of a pool besides variables: how many jobs each queue has, and the
 * counts of deadlock detection. Reads memory without taking steps.
 */
#ifndef DOZE_EXPLORE_SHOWN_H
#define DOZE_EXPLORE_SHOWN_H

#include "labs/explorer/explore.h"

#include "lib/deadlock.h"
#include "lib/forkjoin/forkjoin.h"
#include "lib/pool.h"

#include <stdio.h>
#include <string.h>

static doze_pool *shown_pool;
static bool shown_counts; /* whether to show the counts of deadlock detection */

#define EX_PEEK(object) ex_peek(&(object), sizeof(object))

static inline const char *jobs_in_words(uint64_t n, char *to, size_t size)
{
	if (n == 0)
		return "empty";
	snprintf(to, size, "%u job%s", (unsigned)n, n == 1 ? "" : "s");
	return to;
}

/** Returns the number of jobs in an intrusive list. */
static inline uint64_t jobs_from(const struct doze_job *job)
{
	uint64_t n = 0;
	for (; job && ex_exists(job) && n < 99; n++)
		job = (const struct doze_job *)(uintptr_t)EX_PEEK(job->next);
	return n;
}

static inline uint64_t jobs_injected(const doze_pool *pool)
{
	const struct doze_injector *q = &pool->injector;
	return jobs_from((const struct doze_job *)(uintptr_t)EX_PEEK(q->newest)) +
	       jobs_from((const struct doze_job *)(uintptr_t)EX_PEEK(q->oldest));
}

static inline uint64_t jobs_of(const doze_pool *pool, unsigned worker)
{
	const struct doze_deque *d = &pool->workers[worker].deque;
	if (pool->workers[worker].queues == &doze_forkjoin_queues)
		return forkjoin_of(shown_pool)->deque[worker].count;
	int64_t n = (int64_t)(EX_PEEK(d->bottom) - EX_PEEK(d->top));
	return n > 0 ? (uint64_t)n : 0;
}

static inline void show_queues(const doze_pool *pool)
{
	bool own = pool->workers[0].queues == &doze_forkjoin_queues;
	char text[200], jobs[20];
	size_t n = (size_t)snprintf(
	    text, sizeof(text), "%s: %s", own ? "shared queue" : "injector",
	    jobs_in_words(own ? forkjoin_of(shown_pool)->global.count : jobs_injected(pool), jobs,
			  sizeof(jobs)));
	for (unsigned i = 0; i < pool->num_workers && n < sizeof(text); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, ",  deque of worker %u: %s", i,
				      jobs_in_words(jobs_of(pool, i), jobs, sizeof(jobs)));
	ex_row("queues", "%s", text);
}

static inline void show_counts(const doze_pool *pool)
{
	const struct doze_deadlock *d = pool->deadlock;
	if (!ex_exists(d))
		return;
	ex_row("workers", "%u active (or idle),  %u blocked,  %u sleeping", d->active, d->blocked,
	       pool->num_workers - d->active - d->blocked);
}

static inline void show_shown(void)
{
	const doze_pool *pool = shown_pool;
	if (!ex_exists(pool) || !ex_exists(pool->workers))
		return;
	if (pool->workers[0].queues != &doze_forkjoin_queues || ex_exists(pool->sleep.data))
		show_queues(pool);
	if (shown_counts)
		show_counts(pool);
}

#define FJ_FIELDS(of)                                                                              \
	{                                                                                          \
		"count of " of, "first of " of, "capacity of " of, "slot of " of                   \
	}

/** Names the fields of a worker's deque, or of the shared queue if `which` is 3, for reports. */
static inline void name_fields(const struct fj_deque *d, unsigned which)
{
	static const char *const names[4][4] = {
	    FJ_FIELDS("worker 0's deque"), FJ_FIELDS("worker 1's deque"),
	    FJ_FIELDS("worker 2's deque"), FJ_FIELDS("the shared queue")};
	ex_name_range(&d->count, sizeof(d->count), names[which][0]);
	ex_name_range(&d->first, sizeof(d->first), names[which][1]);
	ex_name_range(&d->capacity, sizeof(d->capacity), names[which][2]);
	ex_name_range(&d->slot, sizeof(d->slot), names[which][3]);
}

static inline void name_locks(doze_pool *pool)
{
	static const char *const names[] = {"lock of worker 0's deque", "lock of worker 1's deque",
					    "lock of worker 2's deque"};
	if (strcmp(ex_policy(), "forkjoin") != 0)
		return;
	ex_name_object(&forkjoin_of(pool)->pool_lock, "lock of the pool");
	for (unsigned i = 0; i < pool->num_workers && i < 3; i++)
		ex_name_object(&forkjoin_of(pool)->deque[i].lock, names[i]);
	for (unsigned i = 0; i < pool->num_workers && i < 3; i++)
		name_fields(&forkjoin_of(pool)->deque[i], i);
	name_fields(&forkjoin_of(pool)->global, 3);
}

/** Makes games show the queues of this pool and, if wanted, the counts of deadlock detection. */
static inline void show_pool(doze_pool *pool, bool counts)
{
	shown_pool = pool;
	shown_counts = counts;
	name_locks(pool);
	ex_show_in_play(show_shown);
}

#endif
