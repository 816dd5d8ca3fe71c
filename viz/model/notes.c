/*
 * SPDX-License-Identifier: MIT
 *
 * notes.c - see notes.h.
 */
#include "notes.h"

#include <stdlib.h>
#include <string.h>

#include "observer.h"

void *doze_notes_create(struct doze_notes *n, uint32_t index, size_t size, struct doze_model *m)
{
	void **at = doze_grow(n->at, &n->capacity, index, sizeof *at);
	void *notes = at ? calloc(1, size) : NULL;

	n->at = at ? at : n->at;
	if (!notes) {
		doze_model_evicted(m);
		return NULL;
	}
	return n->at[index] = notes;
}

void doze_notes_free(struct doze_notes *n)
{
	for (size_t i = 0; i < n->capacity; i++)
		free(n->at[i]);
	free(n->at);
	*n = (struct doze_notes){0};
}
