/*
 * SPDX-License-Identifier: MIT
 *
 * peer.c - see peer.h.
 */
#include "peer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint32_t *numbers, *scratch;
struct body *bodies, *bodies_next;
uint64_t *words;

static void *need(size_t bytes)
{
	void *p = malloc(bytes);

	if (!p)
		abort();
	return p;
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t peer_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int64_t peer_cpu_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static const struct peer_workload *find(const struct peer_workload *w, const char *name)
{
	for (; w->name; w++)
		if (strcmp(w->name, name) == 0)
			return w;
	return NULL;
}

static void repeat(const struct peer *peer, const struct peer_workload *w, long size, long reps)
{
	for (long i = 0; i < reps; i++) {
		uint64_t checksum = 0;
		int64_t began, cpu;

		if (w->prepare)
			w->prepare(size);
		cpu = peer_cpu_ns();
		began = peer_now_ns();
		peer->run(w->run, size, &checksum);
		printf("%" PRId64 " %" PRIu64 " cpu_ns=%" PRId64 "\n", peer_now_ns() - began,
		       checksum, peer_cpu_ns() - cpu);
	}
}

int peer_main(int argc, char **argv, const struct peer *peer)
{
	const struct peer_workload *w;
	long size, reps;
	int rc;

	if (argc != 5) {
		fprintf(stderr, "usage: %s WORKLOAD THREADS SIZE REPETITIONS\n", argv[0]);
		return 2;
	}
	size = strtol(argv[3], NULL, 10);
	reps = strtol(argv[4], NULL, 10);
	if (peer->start((unsigned)strtoul(argv[2], NULL, 10)) != 0)
		return 2;
	rc = peer_wakes(peer, argv[1], size, reps);
	w = find(peer->workloads, argv[1]);
	if (rc < 0 && w)
		repeat(peer, w, size, reps);
	peer->stop();
	return rc >= 0 ? rc : w ? 0 : 77;
}

/* Mixes the bits of x with SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

void prepare_numbers(long size)
{
	if (!numbers) {
		numbers = need((size_t)size * sizeof(*numbers));
		scratch = need((size_t)size * sizeof(*scratch));
	}
	for (long i = 0; i < size; i++)
		numbers[i] = (uint32_t)mix((uint64_t)i);
}

uint64_t numbers_checksum(long size)
{
	uint64_t sum = 0;

	for (long i = 0; i < size; i++)
		sum = sum * 31 + numbers[i];
	return sum;
}

void insertion_sort(uint32_t *a, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t x = a[i];
		size_t j = i;

		for (; j > 0 && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}

size_t partition(uint32_t *a, size_t n)
{
	uint32_t pivot = a[(n - 1) / 2];
	size_t i = 0, j = n - 1;

	for (;;) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i >= j)
			return j;
		uint32_t t = a[i];
		a[i++] = a[j];
		a[j--] = t;
	}
}

void quick_sort(uint32_t *a, size_t n)
{
	while (n > 16) {
		size_t cut = partition(a, n) + 1;

		quick_sort(a, cut);
		a += cut;
		n -= cut;
	}
	insertion_sort(a, n);
}

static void merge(const uint32_t *a, size_t na, const uint32_t *b, size_t nb, uint32_t *out)
{
	while (na && nb) {
		if (*b < *a) {
			*out++ = *b++;
			nb--;
		} else {
			*out++ = *a++;
			na--;
		}
	}
	memcpy(out, a, na * sizeof(*a));
	memcpy(out + na, b, nb * sizeof(*b));
}

void merge_halves(uint32_t *a, uint32_t *tmp, size_t n)
{
	merge(a, n / 2, a + n / 2, n - n / 2, tmp);
	memcpy(a, tmp, n * sizeof(*a));
}

void merge_sort(uint32_t *a, uint32_t *tmp, size_t n)
{
	if (n <= 16) {
		insertion_sort(a, n);
		return;
	}
	merge_sort(a, tmp, n / 2);
	merge_sort(a + n / 2, tmp + n / 2, n - n / 2);
	merge_halves(a, tmp, n);
}

uint64_t queens(unsigned n, unsigned row, uint32_t columns, uint32_t left, uint32_t right)
{
	uint32_t open = ~(columns | left | right) & ((1u << n) - 1);
	uint64_t found = 0;

	if (row == n)
		return 1;
	while (open) {
		uint32_t bit = open & -open;

		open ^= bit;
		found += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
	}
	return found;
}

unsigned tree_children(uint64_t node, unsigned depth)
{
	uint64_t r = mix(node) & 1023;

	if (depth < 4)
		return 8;
	/* The mean number of children is 0.97: subtrees die out, but a few are large. */
	return r < 124 ? 8 : 0;
}

uint64_t tree_child(uint64_t node, unsigned i)
{
	return mix(node * 31 + i + 1);
}

void prepare_bodies(long size)
{
	if (!bodies) {
		bodies = need((size_t)size * sizeof(*bodies));
		bodies_next = need((size_t)size * sizeof(*bodies));
	}
	for (long i = 0; i < size; i++) {
		struct body *b = &bodies[i];

		for (unsigned k = 0; k < 3; k++) {
			b->at[k] = (double)(mix((uint64_t)i * 3 + k) >> 11) / (double)(1ull << 53);
			b->speed[k] = 0;
		}
		b->mass = 1.0 + (double)(i % 7);
	}
}

void body_pull(size_t i, size_t begin, size_t end, double a[3])
{
	const double *p = bodies[i].at;

	for (size_t j = begin; j < end; j++) {
		double d[3], r2 = 1e-3, f;

		for (unsigned k = 0; k < 3; k++) {
			d[k] = bodies[j].at[k] - p[k];
			r2 += d[k] * d[k];
		}
		f = bodies[j].mass / (r2 * r2);
		for (unsigned k = 0; k < 3; k++)
			a[k] += f * d[k];
	}
}

void body_move(size_t i, const double a[3])
{
	struct body b = bodies[i];

	for (unsigned k = 0; k < 3; k++) {
		b.speed[k] += a[k] * 1e-9;
		b.at[k] += b.speed[k];
	}
	bodies_next[i] = b;
}

void bodies_swap(void)
{
	struct body *t = bodies;

	bodies = bodies_next;
	bodies_next = t;
}

uint64_t bodies_checksum(long size)
{
	double sum = 0;

	for (long i = 0; i < size; i++)
		sum += bodies[i].at[0];
	/* Each peer adds in a different order, so compare only a few digits. */
	return (uint64_t)(sum * 1e3);
}

void prepare_words(long size)
{
	if (!words)
		words = need((size_t)size * sizeof(*words));
	memset(words, 0, (size_t)size * sizeof(*words));
}
