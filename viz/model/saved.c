/*
 * SPDX-License-Identifier: MIT
 *
 * saved.c - see saved.h.
 */
#include "saved.h"

#include <stdlib.h>
#include <string.h>

#include "../trace/grow.h"

bool doze_saved_fail(struct doze_saved *s)
{
	s->failed = true;
	return false;
}

static bool save(struct doze_saved *s, const void *what, size_t size)
{
	void *data = doze_grow(s->data, &s->room, s->size + size, 1);

	if (!data)
		return doze_saved_fail(s);
	s->data = data;
	memcpy(s->data + s->size, what, size);
	s->size += size;
	return true;
}

bool doze_saved_bytes(struct doze_saved *s, void *what, size_t size)
{
	if (s->failed || !size)
		return !s->failed;
	if (!s->loads)
		return save(s, what, size);
	if (size > s->size - s->at)
		return doze_saved_fail(s);
	memcpy(what, s->data + s->at, size);
	s->at += size;
	return true;
}

bool doze_saved_array_(struct doze_saved *s, void **array, size_t *count, size_t item)
{
	size_t n = *count;
	void *all = NULL;

	if (!doze_saved_bytes(s, &n, sizeof n))
		return false;
	if (!s->loads)
		return doze_saved_bytes(s, *array, n * item);
	/* The bytes that are left limit the size, so damage cannot make this a large allocation. */
	if (n > (s->size - s->at) / item || (n && !(all = malloc(n * item))))
		return doze_saved_fail(s);
	(void)doze_saved_bytes(s, all, n * item);
	*array = all;
	*count = n;
	return true;
}

void doze_saved_free(struct doze_saved *s)
{
	free(s->data);
	*s = (struct doze_saved){0};
}
