/*
 * SPDX-License-Identifier: MIT
 *
 * fuzz.h - reproducible mutations, and a driver that survives what it finds.
 *
 * Input number n of a seed is always the same bytes, so a finding is named by two numbers. The
 * driver runs inputs in a child; when the child dies or hangs, it says by which input, and goes on
 * behind it.
 */
#ifndef DOZE_TESTS_FUZZ_H
#define DOZE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/** Random numbers of one input. */
struct fuzz_random {
	uint64_t state;
};
void fuzz_random_init(struct fuzz_random *, uint64_t seed, uint64_t input);
uint64_t fuzz_random(struct fuzz_random *);
/** A number below n (n > 0). */
size_t fuzz_below(struct fuzz_random *, size_t n);

/** Bytes that grow: owned. */
struct fuzz_bytes {
	uint8_t *data;
	size_t size, room;
};
void fuzz_set(struct fuzz_bytes *, const void *data, size_t size);
void fuzz_free(struct fuzz_bytes *);
/** Changes the bytes in 1 to 8 places: bits, edges of number ranges, cuts, copies, insertions. */
void fuzz_mutate(struct fuzz_bytes *, struct fuzz_random *);
/** The same for text: also digits, words and lines. */
void fuzz_mutate_text(struct fuzz_bytes *, struct fuzz_random *);

/** What is fuzzed: runs one input; a finding ends the process. */
typedef void (*fuzz_one)(uint64_t seed, uint64_t input);

/** Runs inputs [first, first + count) and prints what was found. Options from the command line:
 * --inputs=N --seed=N --first=N --seconds=N (stop after). Returns main's exit status. */
int fuzz_main(const char *name, int argc, char **argv, uint64_t inputs, fuzz_one one);

#endif
