/*
 * SPDX-License-Identifier: MIT
 *
 * deque.c - the rare operations of the deque: creating, growing, freeing. See deque.h.
 */
#include "deque.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"

static struct doze_deque_buffer *buffer_new(int64_t capacity)
{
	struct doze_deque_buffer *b = calloc(1, sizeof *b + (size_t)capacity * sizeof b->slot[0]);
	if (b != NULL)
		b->capacity = capacity;
	return b;
}

int doze_deque_init(struct doze_deque *d, size_t capacity)
{
	struct doze_deque_buffer *b =
	    buffer_new((int64_t)(capacity != 0 ? capacity : DOZE_DEQUE_CAPACITY_DEFAULT));
	if (b == NULL)
		return ENOMEM;
	da_init(&d->top, 0);
	da_init(&d->bottom, 0);
	da_init(&d->buffer, b);
	return 0;
}

void doze_deque_fini(struct doze_deque *d)
{
	/* Relaxed: the freeing thread has joined all other users. */
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	while (b != NULL) {
		struct doze_deque_buffer *older = b->older;
		free(b);
		b = older;
	}
}

/* Owner only: returns a larger buffer with the entries from top to bottom; null without memory. */
static struct doze_deque_buffer *replace(struct doze_deque *d, int64_t top, int64_t bottom,
					 int64_t capacity)
{
	struct doze_deque_buffer *old = da_load(&d->buffer, RLX); /* only the owner replaces it */
	struct doze_deque_buffer *b = buffer_new(capacity);
	if (b == NULL)
		return NULL;
	for (int64_t i = top; i < bottom; i++)
		da_store(&b->slot[i & (b->capacity - 1)],
			 da_load(&old->slot[i & (old->capacity - 1)], RLX), RLX);
	b->older = old;
	/* Release: orders the copied slots before the buffer that a thief finds them in. A thief
	 * that still reads the old buffer reads the same entries, because its slots in [top,
	 * bottom) do not change. */
	da_store(&d->buffer, b, REL);
	return b;
}

int doze_deque_reserve(struct doze_deque *d, uint32_t n)
{
	int64_t bottom = da_load(&d->bottom, RLX);
	/* Acquire: as in push; the slots that thieves have left are free for the next pushes. */
	int64_t top = da_load(&d->top, ACQ);
	int64_t wanted = bottom - top + n;
	int64_t capacity = da_load(&d->buffer, RLX)->capacity;

	if (wanted <= capacity)
		return 0;
	while (capacity < wanted)
		capacity *= 2;
	return replace(d, top, bottom, capacity) != NULL ? 0 : ENOMEM;
}

struct doze_deque_buffer *doze_deque_grow(struct doze_deque *d, int64_t top, int64_t bottom)
{
	int64_t capacity = 2 * da_load(&d->buffer, RLX)->capacity;
	struct doze_deque_buffer *b = replace(d, top, bottom, capacity);
	if (b == NULL) {
		fprintf(stderr,
			"doze: deque: no memory for %lld entries; limit the recursion or the "
			"number of spawned jobs\n",
			(long long)capacity);
		abort();
	}
	return b;
}
