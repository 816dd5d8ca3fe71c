/*
 * SPDX-License-Identifier: MIT
 *
 * serial.c - the workloads that are dominated by their work, without a pool: the same recursion as
 * in the peers, with plain calls. The time and the instructions that a peer needs beyond these are
 * its overhead.
 */
#include "peer.h"

static int start(unsigned threads)
{
	(void)threads;
	return 0;
}

static void stop(void)
{
}

static void run(peer_fn *fn, long size, uint64_t *out)
{
	*out = fn(size);
}

static void sort_quick(uint32_t *a, size_t n)
{
	if (n <= SORT_LEAF) {
		quick_sort(a, n);
		return;
	}
	size_t cut = partition(a, n) + 1;
	sort_quick(a, cut);
	sort_quick(a + cut, n - cut);
}

static void sort_merge(uint32_t *a, uint32_t *tmp, size_t n)
{
	size_t half = n / 2;

	if (n <= SORT_LEAF) {
		merge_sort(a, tmp, n);
		return;
	}
	sort_merge(a, tmp, half);
	sort_merge(a + half, tmp + half, n - half);
	merge_halves(a, tmp, n);
}

static uint64_t run_quicksort(long size)
{
	sort_quick(numbers, (size_t)size);
	return numbers_checksum(size);
}

static uint64_t run_mergesort(long size)
{
	sort_merge(numbers, scratch, (size_t)size);
	return numbers_checksum(size);
}

static uint64_t solve(unsigned n, unsigned row, uint32_t columns, uint32_t left, uint32_t right)
{
	uint64_t found = 0;

	if (row >= QUEENS_PARALLEL)
		return queens(n, row, columns, left, right);
	for (unsigned i = 0; i < n; i++) {
		uint32_t bit = 1u << i;

		if (!((columns | left | right) & bit))
			found +=
			    solve(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
	}
	return found;
}

static uint64_t run_queens(long size)
{
	return solve((unsigned)size, 0, 0, 0, 0);
}

int main(int argc, char **argv)
{
	static const struct peer_workload workloads[] = {
	    {"quicksort", run_quicksort, prepare_numbers},
	    {"mergesort", run_mergesort, prepare_numbers},
	    {"queens", run_queens, NULL},
	    {0},
	};
	const struct peer peer = {.workloads = workloads, .start = start, .run = run, .stop = stop};

	return peer_main(argc, argv, &peer);
}
