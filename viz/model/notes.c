/*
 * SPDX-License-Identifier: MIT
 *
 * notes.c - see notes.h.
 */
#include "notes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "observer.h"

static bool make_room(struct doze_notes *n, uint32_t index)
{
	uint32_t want = n->capacity ? n->capacity : 8;
	void **more;

	if (index < n->capacity)
		return true;
	while (want <= index)
		want *= 2;
	more = realloc(n->at, want * sizeof *more);
	if (!more)
		return false;
	memset(more + n->capacity, 0, (want - n->capacity) * sizeof *more);
	n->at = more;
	n->capacity = want;
	return true;
}

void *doze_notes_create(struct doze_notes *n, uint32_t index, size_t size, struct doze_model *m)
{
	void *notes = make_room(n, index) ? calloc(1, size) : NULL;

	if (!notes) {
		doze_model_evicted(m);
		return NULL;
	}
	return n->at[index] = notes;
}

void doze_notes_free(struct doze_notes *n)
{
	for (uint32_t i = 0; i < n->capacity; i++)
		free(n->at[i]);
	free(n->at);
	*n = (struct doze_notes){0};
}
