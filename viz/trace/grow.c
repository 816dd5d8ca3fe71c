/*
 * SPDX-License-Identifier: MIT
 *
 * grow.c - see grow.h.
 */
#include "grow.h"

#include <stdlib.h>
#include <string.h>

void *doze_grow_more(void *array, size_t *capacity, size_t index, size_t element)
{
	size_t want = *capacity ? *capacity : 8;
	char *more;

	while (want <= index)
		want *= 2;
	more = realloc(array, want * element);
	if (!more)
		return NULL;
	memset(more + *capacity * element, 0, (want - *capacity) * element);
	*capacity = want;
	return more;
}
