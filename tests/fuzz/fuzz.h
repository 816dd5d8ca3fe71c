/*
 * SPDX-License-Identifier: MIT
 *
 * fuzz.h - reproducible mutations, and a driver that survives crashes.
 *
 * Input number n of a seed always consists of the same bytes, so two numbers identify a finding.
 * The driver runs inputs in a child process; when the child dies or hangs, it reports the input and
 * continues with the next one.
 */
#ifndef DOZE_TESTS_FUZZ_H
#define DOZE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/** State of the random numbers of one input. */
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
/** Changes the bytes in 1 to 8 places: bits, edges of number ranges, cuts, copies, insertions. */
void fuzz_mutate(struct fuzz_bytes *, struct fuzz_random *);
/** Changes text in the same way, and also its digits, words and lines. */
void fuzz_mutate_text(struct fuzz_bytes *, struct fuzz_random *);

/** The function under test: runs one input; a finding terminates the process. */
typedef void (*fuzz_one)(uint64_t seed, uint64_t input);

/** Runs inputs [first, first + count) and prints the findings. Options from the command line:
 * --inputs=N --seed=N --first=N --seconds=N (stop after N seconds). Returns main's exit status. */
int fuzz_main(const char *name, int argc, char **argv, uint64_t inputs, fuzz_one one);

#endif
