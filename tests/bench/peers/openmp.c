/*
 * SPDX-License-Identifier: MIT
 *
 * openmp.c - the workloads of peer.h on OpenMP tasks: one thread creates the first task, taskwait
 * joins. Built with gcc (libgomp) and with clang (libomp).
 */
#include <omp.h>
#include <stdlib.h>

#include "peer.h"

static int start(unsigned threads)
{
	omp_set_dynamic(0);
	omp_set_num_threads((int)threads);
	return 0;
}

static void stop(void)
{
}

static void run(peer_fn *fn, long size, uint64_t *out)
{
#pragma omp parallel
#pragma omp single
	*out = fn(size);
}

static uint64_t fib(uint64_t n)
{
	uint64_t a, b;

	if (n < 2)
		return n;
#pragma omp task shared(b)
	b = fib(n - 2);
	a = fib(n - 1);
#pragma omp taskwait
	return a + b;
}

static uint64_t run_fib(long size)
{
	return fib((uint64_t)size);
}

static void recurse(long depth)
{
	if (depth == 0)
		return;
#pragma omp task
	recurse(depth - 1);
	recurse(depth - 1);
#pragma omp taskwait
}

static uint64_t run_recursion(long size)
{
	recurse(size);
	return (uint64_t)size;
}

static void sort_quick(uint32_t *a, size_t n)
{
	if (n <= SORT_LEAF) {
		quick_sort(a, n);
		return;
	}
	size_t cut = partition(a, n) + 1;
#pragma omp task
	sort_quick(a + cut, n - cut);
	sort_quick(a, cut);
#pragma omp taskwait
}

static uint64_t run_quicksort(long size)
{
	sort_quick(numbers, (size_t)size);
	return numbers_checksum(size);
}

static void sort_merge(uint32_t *a, uint32_t *tmp, size_t n)
{
	size_t half = n / 2;

	if (n <= SORT_LEAF) {
		merge_sort(a, tmp, n);
		return;
	}
#pragma omp task
	sort_merge(a + half, tmp + half, n - half);
	sort_merge(a, tmp, half);
#pragma omp taskwait
	merge_halves(a, tmp, n);
}

static uint64_t run_mergesort(long size)
{
	sort_merge(numbers, scratch, (size_t)size);
	return numbers_checksum(size);
}

static uint64_t solve(unsigned n, unsigned row, uint32_t columns, uint32_t left, uint32_t right)
{
	uint64_t found[32] = {0}, sum = 0;

	if (row >= QUEENS_PARALLEL)
		return queens(n, row, columns, left, right);
	for (unsigned i = 0; i < n; i++) {
		uint32_t bit = 1u << i;

		if ((columns | left | right) & bit)
			continue;
#pragma omp task shared(found)
		found[i] = solve(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
	}
#pragma omp taskwait
	for (unsigned i = 0; i < n; i++)
		sum += found[i];
	return sum;
}

static uint64_t run_queens(long size)
{
	return solve((unsigned)size, 0, 0, 0, 0);
}

static uint64_t count_children(uint64_t node, unsigned depth, unsigned begin, unsigned end)
{
	uint64_t a, b;

	if (end - begin > 1) {
		unsigned half = begin + (end - begin) / 2;
#pragma omp task shared(b)
		b = count_children(node, depth, half, end);
		a = count_children(node, depth, begin, half);
#pragma omp taskwait
		return a + b;
	}
	uint64_t child = tree_child(node, begin);
	unsigned below = tree_children(child, depth + 1);
	return 1 + (below ? count_children(child, depth + 1, 0, below) : 0);
}

static uint64_t run_tree(long size)
{
	return count_children(TREE_SEED + (uint64_t)size, 0, 0, 8);
}

static uint64_t run_increment(long size)
{
	for (int pass = 0; pass < INCREMENT_PASSES; pass++) {
#pragma omp taskloop
		for (long i = 0; i < size; i++)
			words[i]++;
	}
	return words[size - 1];
}

static void move_body(size_t i, size_t n)
{
	double x = 0, y = 0, z = 0;
	size_t piece = (n + 7) / 8;

#pragma omp taskloop reduction(+ : x, y, z) grainsize(1)
	for (size_t begin = 0; begin < n; begin += piece) {
		double a[3] = {0, 0, 0};

		body_pull(i, begin, begin + piece < n ? begin + piece : n, a);
		x += a[0];
		y += a[1];
		z += a[2];
	}
	body_move(i, (double[]){x, y, z});
}

static uint64_t run_nbody(long size)
{
	for (int tick = 0; tick < NBODY_TICKS; tick++) {
#pragma omp taskloop
		for (long i = 0; i < size; i++)
			move_body((size_t)i, (size_t)size);
		bodies_swap();
	}
	return bodies_checksum(size);
}

static uint64_t run_scope(long size)
{
	uint64_t done = 0;

#pragma omp taskgroup
	for (long i = 0; i < size; i++) {
#pragma omp task shared(done)
#pragma omp atomic
		done++;
	}
	return done;
}

static uint64_t run_bulk(long size)
{
	uint64_t slots[BULK_BATCH], sum = 0;

	for (long batch = 0; batch < size / BULK_BATCH; batch++) {
		for (uint64_t i = 0; i < BULK_BATCH; i++)
			slots[i] = i;
#pragma omp taskloop grainsize(1) shared(slots)
		for (int i = 0; i < BULK_BATCH; i++)
			slots[i] = slots[i] * slots[i] + 1;
		for (int i = 0; i < BULK_BATCH; i++)
			sum += slots[i];
	}
	return sum;
}

static uint64_t run_fanout(long size)
{
	uint64_t *f = malloc((size_t)size * sizeof(*f)), sum = 0;

	for (long i = 0; i < size; i++) {
#pragma omp task
		f[i] = (uint64_t)i * (uint64_t)i;
	}
#pragma omp taskwait
	for (long i = 0; i < size; i++)
		sum += f[i];
	free(f);
	return sum;
}

int main(int argc, char **argv)
{
	static const struct peer_workload workloads[] = {
	    {"fib", run_fib, NULL},
	    {"recursion", run_recursion, NULL},
	    {"quicksort", run_quicksort, prepare_numbers},
	    {"mergesort", run_mergesort, prepare_numbers},
	    {"queens", run_queens, NULL},
	    {"tree", run_tree, NULL},
	    {"increment", run_increment, prepare_words},
	    {"nbody", run_nbody, prepare_bodies},
	    {"scope", run_scope, NULL},
	    {"bulk", run_bulk, NULL},
	    {"fanout", run_fanout, NULL},
	    {0},
	};

	const struct peer peer = {.workloads = workloads, .start = start, .run = run, .stop = stop};

	return peer_main(argc, argv, &peer);
}
