/*
 * SPDX-License-Identifier: MIT
 *
 * grow.h - arrays that grow, for the tools, the explorer and the labs.
 */
#ifndef DOZE_VIZ_GROW_H
#define DOZE_VIZ_GROW_H

#include <stddef.h>

/** Grows an owned array of *capacity elements until array[index] exists. New elements are zero; the
 * capacity doubles. Returns the array, or null if out of memory, with the array unchanged. */
void *doze_grow_more(void *array, size_t *capacity, size_t index, size_t element);
static inline void *doze_grow(void *array, size_t *capacity, size_t index, size_t element)
{
	return index < *capacity ? array : doze_grow_more(array, capacity, index, element);
}

#endif
