/*
 * SPDX-License-Identifier: MIT
 *
 * fuzz.h - reproducible mutations, and a driver that survives crashes.
 *
 * Input n of a seed always consists of the same bytes, so these two numbers identify a finding. The
 * driver runs inputs in a child process; when a child dies or hangs, the driver reports the input
 * and continues with the next one.
 */
#ifndef DOZE_TESTS_FUZZ_H
#define DOZE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/** The random state of one input. */
struct fuzz_random {
	uint64_t state;
};
void fuzz_random_init(struct fuzz_random *, uint64_t seed, uint64_t input);
uint64_t fuzz_random(struct fuzz_random *);
/** Returns a random number below n (n > 0). */
size_t fuzz_below(struct fuzz_random *, size_t n);

/** A growing buffer of bytes, owned. */
struct fuzz_bytes {
	uint8_t *data;
	size_t size, room;
};
void fuzz_set(struct fuzz_bytes *, const void *data, size_t size);
void fuzz_free(struct fuzz_bytes *);
/** Changes the bytes in 1 to 8 places: flips bits, writes boundary values, truncates, copies,
 * inserts. */
void fuzz_mutate(struct fuzz_bytes *, struct fuzz_random *);
/** Changes text like fuzz_mutate, and also changes its digits, words and lines. */
void fuzz_mutate_text(struct fuzz_bytes *, struct fuzz_random *);

/** The function under test. It runs one input; a finding terminates the process. */
typedef void (*fuzz_one)(uint64_t seed, uint64_t input);

/** Runs the inputs [first, first + count) and prints the findings. Command line options:
 * --inputs=N, --seed=N, --first=N, --seconds=N (stop after N seconds). Returns the exit status for
 * main. */
int fuzz_main(const char *name, int argc, char **argv, uint64_t inputs, fuzz_one one);

#endif
