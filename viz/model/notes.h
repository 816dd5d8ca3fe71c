/*
 * SPDX-License-Identifier: MIT
 *
 * notes.h - stores an observer's notes: the data that it keeps per pool or per worker (observer.h).
 * Notes are created on first use, and are found by the row of the pool or the index of the worker.
 */
#ifndef DOZE_VIZ_NOTES_H
#define DOZE_VIZ_NOTES_H

#include <stddef.h>
#include <stdint.h>

#include "../trace/grow.h"

struct doze_model;

/** Initialize with zeros. Indices run from 0 to capacity - 1. */
struct doze_notes {
	void **at; /* owned array of owned notes; null: none yet */
	size_t capacity;
};

/** Returns the notes with the given index, or null if there are none. */
static inline void *doze_notes_find(const struct doze_notes *n, uint32_t index)
{
	return index < n->capacity ? n->at[index] : NULL;
}

/** Returns the notes with the given index; creates them with `size` zero bytes if there are none.
 * If out of memory, returns null and counts that in the model's totals.evicted. */
void *doze_notes_create(struct doze_notes *, uint32_t index, size_t size, struct doze_model *);
/** Frees all notes and the array, but nothing that the notes own. */
void doze_notes_free(struct doze_notes *);

#endif
