/*
 * SPDX-License-Identifier: MIT
 *
 * saved.h - the state of an analysis as a sequence of bytes, which the same program can load again.
 *
 * Each module that has state provides one function, named ..._saved, that passes its members to the
 * functions below, one after the other. The same function saves and loads, so that the two cannot
 * differ. Members are stored as they are in memory: only the build of doze that wrote the bytes can
 * read them, and the caller must make sure that they are unchanged (show/summary.h does both).
 *
 * After a failure, nothing more is saved or loaded, and the state that was being loaded must be
 * freed. One thread at a time.
 */
#ifndef DOZE_VIZ_SAVED_H
#define DOZE_VIZ_SAVED_H

#include <stdbool.h>
#include <stddef.h>

/** Initialise with zeros to save. To load, set `loads`, `data` and `size`. */
struct doze_saved {
	unsigned char *data; /* owned */
	size_t size, room;   /* size: number of bytes saved */
	size_t at;           /* number of bytes loaded */
	bool loads;
	bool failed; /* out of memory, or the bytes are not what was expected */
};

/** Saves `size` bytes, or overwrites them with what was saved. Returns false after a failure. */
bool doze_saved_bytes(struct doze_saved *, void *what, size_t size);
#define doze_saved_value(s, lvalue) doze_saved_bytes(s, &(lvalue), sizeof(lvalue))
/** Saves an array of *count items. To load, stores a new array, owned by the caller, in *array
 * (null if there are no items), and its length in *count. Returns false after a failure; *array
 * and *count are then unchanged. */
bool doze_saved_array_(struct doze_saved *, void **array, size_t *count, size_t item);
#define doze_saved_array(s, array, count)                                                          \
	doze_saved_array_(s, (void **)(void *)&(array), &(count), sizeof *(array))
/** Notes a failure, and returns false. */
bool doze_saved_fail(struct doze_saved *);
void doze_saved_free(struct doze_saved *);

#endif
