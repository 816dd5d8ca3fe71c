/*
 * SPDX-License-Identifier: MIT
 *
 * doze_loops.c - the parallel loops of peer.h on doze.
 */
#include "doze_loops.h"

#include "lib/doze.h"
#include "peer.h"

static void increment(size_t begin, size_t end, void *arg)
{
	(void)arg;
	for (size_t i = begin; i < end; i++)
		words[i]++;
}

uint64_t run_increment(long size)
{
	for (int pass = 0; pass < INCREMENT_PASSES; pass++)
		doze_for(NULL, 0, (size_t)size, 0, increment, NULL);
	return words[size - 1];
}

static void pull_zero(void *acc, void *arg)
{
	(void)arg;
	for (unsigned k = 0; k < 3; k++)
		((double *)acc)[k] = 0;
}

static void pull(size_t begin, size_t end, void *acc, void *arg)
{
	body_pull((size_t)(uintptr_t)arg, begin, end, acc);
}

static void pull_add(void *left, const void *right, void *arg)
{
	(void)arg;
	for (unsigned k = 0; k < 3; k++)
		((double *)left)[k] += ((const double *)right)[k];
}

static const doze_reducer acceleration = {3 * sizeof(double), pull_zero, pull, pull_add};

static void move_bodies(size_t begin, size_t end, void *arg)
{
	size_t n = (size_t)(uintptr_t)arg;

	for (size_t i = begin; i < end; i++) {
		double a[3];

		doze_reduce(NULL, 0, n, 0, &acceleration, a, (void *)(uintptr_t)i);
		body_move(i, a);
	}
}

uint64_t run_nbody(long size)
{
	for (int tick = 0; tick < NBODY_TICKS; tick++) {
		doze_for(NULL, 0, (size_t)size, 0, move_bodies, (void *)(uintptr_t)size);
		bodies_swap();
	}
	return bodies_checksum(size);
}
