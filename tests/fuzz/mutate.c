/*
 * SPDX-License-Identifier: MIT
 *
 * mutate.c - see fuzz.h. Random numbers: splitmix64 (Steele, Lea, Flood, 2014).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define MAX_SIZE (1u << 20)

uint64_t fuzz_random(struct fuzz_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void fuzz_random_init(struct fuzz_random *r, uint64_t seed, uint64_t input)
{
	r->state = seed * 0x2545f4914f6cdd1du ^ input;
	r->state = fuzz_random(r);
}

size_t fuzz_below(struct fuzz_random *r, size_t n)
{
	return (size_t)(fuzz_random(r) % n);
}

static void reserve(struct fuzz_bytes *b, size_t size)
{
	if (size <= b->room)
		return;
	b->room = size * 2;
	b->data = realloc(b->data, b->room);
	if (!b->data)
		abort();
}

void fuzz_set(struct fuzz_bytes *b, const void *data, size_t size)
{
	reserve(b, size + 1);
	if (size)
		memcpy(b->data, data, size);
	b->size = size;
}

void fuzz_free(struct fuzz_bytes *b)
{
	free(b->data);
	*b = (struct fuzz_bytes){0};
}

static void flip(struct fuzz_bytes *b, struct fuzz_random *r)
{
	b->data[fuzz_below(r, b->size)] ^= (uint8_t)(1u << fuzz_below(r, 8));
}

/* Writes a boundary value of 1 to 8 bytes, mostly at an aligned offset. */
static void edge(struct fuzz_bytes *b, struct fuzz_random *r)
{
	static const uint64_t edges[] = {0,          1,          7,         8,          0x7f,
					 0x80,       0xff,       0x7fff,    0xffff,     0x7fffffff,
					 0x80000000, 0xffffffff, INT64_MAX, 1ull << 63, UINT64_MAX};
	uint64_t v = edges[fuzz_below(r, sizeof(edges) / sizeof(edges[0]))];
	size_t width = (size_t)1 << fuzz_below(r, 4);
	size_t at = fuzz_below(r, b->size);

	if (fuzz_below(r, 4))
		at -= at % width;
	for (size_t i = 0; i < width && at + i < b->size; i++)
		b->data[at + i] = (uint8_t)(v >> (8 * i));
}

static void cut(struct fuzz_bytes *b, struct fuzz_random *r)
{
	size_t at = fuzz_below(r, b->size);
	size_t n = fuzz_below(r, 2) ? fuzz_below(r, 16) + 1 : fuzz_below(r, b->size) + 1;

	if (n > b->size - at)
		n = b->size - at;
	memmove(b->data + at, b->data + at + n, b->size - at - n);
	b->size -= n;
}

static void truncate_it(struct fuzz_bytes *b, struct fuzz_random *r)
{
	b->size = fuzz_below(r, b->size + 1);
}

static void insert(struct fuzz_bytes *b, size_t at, const uint8_t *data, size_t n)
{
	if (b->size + n > MAX_SIZE)
		return;
	reserve(b, b->size + n + 1);
	memmove(b->data + at + n, b->data + at, b->size - at);
	memcpy(b->data + at, data, n);
	b->size += n;
}

static void copy_part(struct fuzz_bytes *b, struct fuzz_random *r)
{
	size_t from = fuzz_below(r, b->size), n = fuzz_below(r, 64) + 1;
	uint8_t part[64];

	if (n > b->size - from)
		n = b->size - from;
	memcpy(part, b->data + from, n);
	insert(b, fuzz_below(r, b->size + 1), part, n);
}

static void noise(struct fuzz_bytes *b, struct fuzz_random *r)
{
	uint8_t part[16];
	size_t n = fuzz_below(r, sizeof(part)) + 1;

	for (size_t i = 0; i < n; i++)
		part[i] = (uint8_t)fuzz_random(r);
	insert(b, fuzz_below(r, b->size + 1), part, n);
}

typedef void mutation(struct fuzz_bytes *, struct fuzz_random *);

static void apply(struct fuzz_bytes *b, struct fuzz_random *r, mutation *const *list, size_t count)
{
	for (size_t n = fuzz_below(r, 8) + 1; n > 0 && b->size > 0; n--)
		list[fuzz_below(r, count)](b, r);
}

void fuzz_mutate(struct fuzz_bytes *b, struct fuzz_random *r)
{
	/* Small mutations are listed more than once, because after a cut most of the input is
	 * misaligned. */
	static mutation *const list[] = {flip, flip, flip,        edge,      edge, edge,
					 edge, cut,  truncate_it, copy_part, noise};

	apply(b, r, list, sizeof(list) / sizeof(list[0]));
}

static void digit(struct fuzz_bytes *b, struct fuzz_random *r)
{
	size_t at = fuzz_below(r, b->size);

	for (size_t i = 0; i < b->size; i++, at = (at + 1) % b->size) {
		if (!isdigit(b->data[at]))
			continue;
		b->data[at] = (uint8_t)('0' + fuzz_below(r, 10));
		return;
	}
}

/* Swaps two words of the text. */
static void words(struct fuzz_bytes *b, struct fuzz_random *r)
{
	size_t at = fuzz_below(r, b->size), to = fuzz_below(r, b->size);

	while (at < b->size && to < b->size && isalnum(b->data[at]) && isalnum(b->data[to])) {
		uint8_t c = b->data[at];

		b->data[at++] = b->data[to];
		b->data[to++] = c;
	}
}

static void drop_line(struct fuzz_bytes *b, struct fuzz_random *r)
{
	size_t at = fuzz_below(r, b->size), end;

	while (at > 0 && b->data[at - 1] != '\n')
		at--;
	for (end = at; end < b->size && b->data[end] != '\n'; end++)
		;
	memmove(b->data + at, b->data + end, b->size - end);
	b->size -= end - at;
}

void fuzz_mutate_text(struct fuzz_bytes *b, struct fuzz_random *r)
{
	static mutation *const list[] = {flip,  digit, digit,     digit,      words,
					 words, words, drop_line, copy_part,  cut,
					 noise, digit, drop_line, truncate_it};

	apply(b, r, list, sizeof(list) / sizeof(list[0]));
}
