/*
 * SPDX-License-Identifier: MIT
 *
 * pairs.c - see pairs.h.
 */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

static bool grow(struct tui_pairs *p, size_t side)
{
	struct tui_pair *pair = calloc((side + 1) * side, sizeof *pair);

	if (!pair)
		return false;
	for (size_t waker = 0; p->pair && waker <= p->side; waker++)
		memcpy(pair + waker * side, p->pair + waker * p->side, p->side * sizeof *pair);
	free(p->pair);
	p->pair = pair;
	p->side = side;
	return true;
}

void tui_pairs_count(struct tui_pairs *p, int32_t waker, uint32_t target, size_t rows, bool futile)
{
	struct tui_pair *at;

	if (target >= rows || (waker >= 0 && (size_t)waker >= rows))
		return;
	if (p->side < rows && !grow(p, rows))
		return;
	at = &p->pair[((size_t)waker + 1) * p->side + target];
	at->wakes++;
	at->futile += futile;
}

const struct tui_pair *tui_pair_at(const struct tui_pairs *p, int32_t waker, uint32_t target)
{
	static const struct tui_pair none;
	size_t row = (size_t)waker + 1; /* row 0 counts the wakes by outside threads (waker -1) */

	return row <= p->side && target < p->side ? &p->pair[row * p->side + target] : &none;
}

void tui_pairs_free(struct tui_pairs *p)
{
	free(p->pair);
	*p = (struct tui_pairs){.side = 0};
}
