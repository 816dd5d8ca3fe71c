/*
 * SPDX-License-Identifier: MIT
 *
 * ring.c - see ring.h.
 */
#include "ring.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAP = 64 };

static void drop_oldest(struct tui_ring *r)
{
	r->head = (r->head + 1) % r->cap;
	r->count--;
	r->dropped++;
}

/* Called after the ring has grown. Moves the items that had wrapped around into the new half,
 * behind the other items. */
static void unwrap(struct tui_ring *r, size_t cap)
{
	size_t wrapped = r->head + r->count > r->cap ? r->head + r->count - r->cap : 0;
	size_t fit = wrapped < cap - r->cap ? wrapped : cap - r->cap;

	memcpy(r->data + r->cap * r->item, r->data, fit * r->item);
	memmove(r->data, r->data + fit * r->item, (wrapped - fit) * r->item);
}

/* Doubles the ring's memory. For a large ring, realloc only remaps pages, so that half a million
 * events are not copied again and again. */
static void grow(struct tui_ring *r, size_t max)
{
	size_t cap = r->cap ? r->cap * 2 : FIRST_CAP;
	char *data;

	if (cap > max)
		cap = max;
	data = cap > r->cap ? realloc(r->data, cap * r->item) : NULL;
	if (!data)
		return;
	r->data = data;
	if (r->cap)
		unwrap(r, cap);
	r->cap = cap;
}

void tui_ring_push(struct tui_ring *r, const void *item, size_t max)
{
	if (r->count == r->cap && r->count < max)
		grow(r, max);
	if (r->cap == 0) {
		r->dropped++;
		return;
	}
	while (r->count > 0 && (r->count >= max || r->count == r->cap))
		drop_oldest(r);
	memcpy(r->data + (r->head + r->count) % r->cap * r->item, item, r->item);
	r->count++;
}

void *tui_ring_at(const struct tui_ring *r, size_t i)
{
	if (i >= r->count)
		return NULL;
	return r->data + (r->head + i) % r->cap * r->item;
}

void tui_ring_free(struct tui_ring *r)
{
	free(r->data);
	*r = (struct tui_ring){.item = r->item};
}

size_t tui_ring_after(const struct tui_ring *r, int64_t t)
{
	size_t lo = 0, hi = r->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int64_t at;

		memcpy(&at, tui_ring_at(r, mid), sizeof at);
		if (at > t)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}
