/*
 * SPDX-License-Identifier: MIT
 *
 * deque.c - see deque.h.
 */
#include "forkjoin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define FJ_FIRST_CAPACITY 64

int doze_fj_deque_init(struct fj_deque *d)
{
	d->slot = calloc(FJ_FIRST_CAPACITY, sizeof(struct doze_job *));
	if (d->slot == NULL)
		return ENOMEM;
	d->capacity = FJ_FIRST_CAPACITY;
	d->first = d->count = 0;
	d->owner_arrived = false;
	doze_mutex_init(&d->lock);
	return 0;
}

void doze_fj_deque_fini(struct fj_deque *d)
{
	doze_mutex_destroy(&d->lock);
	free(d->slot);
}

static struct doze_job **fj_slot(struct fj_deque *d, size_t i)
{
	return &d->slot[(d->first + i) & (d->capacity - 1)];
}

/** Called with the deque's lock held. Makes room for n more jobs. Returns 0 or ENOMEM. */
int doze_fj_make_room(struct fj_deque *d, size_t n)
{
	size_t capacity = d->capacity;
	if (d->count + n <= capacity)
		return 0;
	while (capacity < d->count + n)
		capacity *= 2;
	struct doze_job **bigger = malloc(capacity * sizeof(struct doze_job *));
	if (bigger == NULL)
		return ENOMEM;
	for (size_t i = 0; i < d->count; i++)
		bigger[i] = *fj_slot(d, i);
	free(d->slot);
	d->slot = bigger;
	d->capacity = capacity;
	d->first = 0;
	return 0;
}

/** Called with the deque's lock held. Doubles the capacity. Aborts if out of memory, because a job
 * that cannot be queued would be lost. */
static void fj_grow(struct fj_deque *d)
{
	if (doze_fj_make_room(d, 1) != 0) {
		fprintf(stderr, "doze: out of memory for a deque of %zu jobs: cannot continue\n",
			d->count);
		abort();
	}
}

/** Called with the lock held. */
bool doze_fj_add_newest(struct fj_deque *d, struct doze_job *job)
{
	bool was_empty = d->count == 0;
	if (d->count == d->capacity)
		fj_grow(d);
	d->count++;
	*fj_slot(d, d->count - 1) = job;
	return was_empty;
}

/** Called with the lock held, after making room. */
bool doze_fj_add_many(struct fj_deque *d, const struct doze_batch *batch)
{
	bool was_empty = d->count == 0;
	struct doze_job *job = batch->first;
	for (uint32_t i = 0; i < batch->count; i++) {
		d->count++;
		*fj_slot(d, d->count - 1) = job;
		job = da_load(&job->next, RLX); /* no other thread can reach the job yet */
	}
	return was_empty;
}

/** Called with the lock held. */
struct doze_job *doze_fj_take_newest(struct fj_deque *d)
{
	if (d->count == 0)
		return NULL;
	struct doze_job *job = *fj_slot(d, d->count - 1);
	d->count--;
	return job;
}

/** Called with the lock held. */
struct doze_job *doze_fj_take_oldest(struct fj_deque *d)
{
	if (d->count == 0)
		return NULL;
	struct doze_job *job = *fj_slot(d, 0);
	d->first = (d->first + 1) & (d->capacity - 1);
	d->count--;
	return job;
}

/** Called with the lock held. Searches from the newest end, where the worker's own futures are. */
bool doze_fj_take_this(struct fj_deque *d, const struct doze_job *job)
{
	for (size_t i = d->count; i-- > 0;) {
		if (*fj_slot(d, i) != job)
			continue;
		for (size_t j = i; j + 1 < d->count; j++)
			*fj_slot(d, j) = *fj_slot(d, j + 1);
		d->count--;
		return true;
	}
	return false;
}
