/*
 * SPDX-License-Identifier: MIT
 *
 * pairs.c - see pairs.h.
 */
#include "pairs.h"

#include <stdlib.h>

/* Returns the entry of the pair, or the free one that it would get. The table has free entries. */
static struct tui_pair *find(const struct tui_pairs *p, int32_t waker, uint32_t target)
{
	uint64_t key = (uint64_t)(uint32_t)waker << 32 | target;
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (p->room - 1);

	while (p->pair[i].wakes && (p->pair[i].waker != waker || p->pair[i].target != target))
		i = (i + 1) & (p->room - 1);
	return &p->pair[i];
}

/* Doubles the table when it is half full. Returns false if out of memory. */
static bool make_room(struct tui_pairs *p)
{
	struct tui_pairs more = {.room = p->room ? p->room * 2 : 64, .count = p->count};

	if (p->count * 2 < p->room)
		return true;
	more.pair = calloc(more.room, sizeof *more.pair);
	if (!more.pair)
		return false;
	for (size_t i = 0; i < p->room; i++)
		if (p->pair[i].wakes)
			*find(&more, p->pair[i].waker, p->pair[i].target) = p->pair[i];
	free(p->pair);
	*p = more;
	return true;
}

void tui_pairs_count(struct tui_pairs *p, int32_t waker, uint32_t target, size_t rows, bool futile)
{
	struct tui_pair *at;

	if (target >= rows || (waker >= 0 && (size_t)waker >= rows) || !make_room(p))
		return;
	at = find(p, waker, target);
	p->count += at->wakes == 0;
	at->waker = waker;
	at->target = target;
	at->wakes++;
	at->futile += futile;
}

const struct tui_pair *tui_pair_at(const struct tui_pairs *p, int32_t waker, uint32_t target)
{
	static const struct tui_pair none;

	return p->room ? find(p, waker, target) : &none;
}

void tui_pairs_free(struct tui_pairs *p)
{
	free(p->pair);
	*p = (struct tui_pairs){0};
}
