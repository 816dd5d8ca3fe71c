/*
 * SPDX-License-Identifier: MIT
 *
 * spill.h - an array that moves to a temporary file once it is large, so that a long recording
 * needs disk space instead of memory.
 *
 * The array is mapped, so its elements are used like those of any other array. The mapped pages
 * count as the process's memory until sim_spill_rest gives them back; the next access to an element
 * maps its page again. Zero-initialize a spill before its first use.
 */
#ifndef DOZE_VIZ_PREDICT_SPILL_H
#define DOZE_VIZ_PREDICT_SPILL_H

#include <stdbool.h>
#include <stddef.h>

struct sim_spill {
	void *at;     /* the array; moves when it grows */
	size_t bytes; /* its size */
	int fd;       /* the file; valid if in_file */
	bool in_file;
};

/** Array size from which on it is kept in a file, in bytes. */
enum { SIM_SPILL_FROM = 1 << 20 };

/** Makes the array at least `bytes` long, if necessary by moving it. If no temporary file can be
 * created, the array stays in memory. Returns false if there is neither memory nor disk space; the
 * array is then unchanged. */
bool sim_spill_grow(struct sim_spill *, size_t bytes);

/** Gives back the memory of an array that is in a file. Thread-safe, also while other threads use
 * the array. */
void sim_spill_rest(const struct sim_spill *);

void sim_spill_free(struct sim_spill *);

#endif
