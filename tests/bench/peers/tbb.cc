/*
 * SPDX-License-Identifier: MIT
 *
 * tbb.cc - the workloads of peer.h on oneTBB.
 */
#include <oneapi/tbb.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "peer.h"

namespace
{

std::unique_ptr<tbb::global_control> limit;
std::unique_ptr<tbb::task_arena> arena;

int start(unsigned threads)
{
	limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
						      threads);
	arena = std::make_unique<tbb::task_arena>(static_cast<int>(threads));
	return 0;
}

void stop()
{
	arena.reset();
}

void run(peer_fn *fn, long size, uint64_t *out)
{
	arena->execute([&] { *out = fn(size); });
}

void post(void (*fn)(void *), void *arg)
{
	arena->enqueue([=] { fn(arg); });
}

uint64_t fib(uint64_t n)
{
	uint64_t a, b;

	if (n < 2)
		return n;
	tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
	return a + b;
}

uint64_t run_fib(long size)
{
	return fib(static_cast<uint64_t>(size));
}

void recurse(long depth)
{
	if (depth > 0)
		tbb::parallel_invoke([=] { recurse(depth - 1); }, [=] { recurse(depth - 1); });
}

uint64_t run_recursion(long size)
{
	recurse(size);
	return static_cast<uint64_t>(size);
}

void sort_quick(uint32_t *a, size_t n)
{
	if (n <= SORT_LEAF) {
		quick_sort(a, n);
		return;
	}
	size_t cut = partition(a, n) + 1;
	tbb::parallel_invoke([=] { sort_quick(a, cut); }, [=] { sort_quick(a + cut, n - cut); });
}

uint64_t run_quicksort(long size)
{
	sort_quick(numbers, static_cast<size_t>(size));
	return numbers_checksum(size);
}

void sort_merge(uint32_t *a, uint32_t *tmp, size_t n)
{
	size_t half = n / 2;

	if (n <= SORT_LEAF) {
		merge_sort(a, tmp, n);
		return;
	}
	tbb::parallel_invoke([=] { sort_merge(a, tmp, half); },
			     [=] { sort_merge(a + half, tmp + half, n - half); });
	merge_halves(a, tmp, n);
}

uint64_t run_mergesort(long size)
{
	sort_merge(numbers, scratch, static_cast<size_t>(size));
	return numbers_checksum(size);
}

uint64_t solve(unsigned n, unsigned row, uint32_t columns, uint32_t left, uint32_t right)
{
	if (row >= QUEENS_PARALLEL)
		return queens(n, row, columns, left, right);
	return tbb::parallel_reduce(
	    tbb::blocked_range<unsigned>(0, n), uint64_t{0},
	    [=](const tbb::blocked_range<unsigned> &r, uint64_t found) {
		    for (unsigned i = r.begin(); i < r.end(); i++) {
			    uint32_t bit = 1u << i;
			    if (!((columns | left | right) & bit))
				    found += solve(n, row + 1, columns | bit, (left | bit) << 1,
						   (right | bit) >> 1);
		    }
		    return found;
	    },
	    std::plus<uint64_t>());
}

uint64_t run_queens(long size)
{
	return solve(static_cast<unsigned>(size), 0, 0, 0, 0);
}

uint64_t count_children(uint64_t node, unsigned depth, unsigned begin, unsigned end)
{
	uint64_t a, b;

	if (end - begin > 1) {
		unsigned half = begin + (end - begin) / 2;
		tbb::parallel_invoke([&] { a = count_children(node, depth, begin, half); },
				     [&] { b = count_children(node, depth, half, end); });
		return a + b;
	}
	uint64_t child = tree_child(node, begin);
	unsigned below = tree_children(child, depth + 1);
	return 1 + (below ? count_children(child, depth + 1, 0, below) : 0);
}

uint64_t run_tree(long size)
{
	return count_children(TREE_SEED + static_cast<uint64_t>(size), 0, 0, 8);
}

uint64_t run_increment(long size)
{
	for (int pass = 0; pass < INCREMENT_PASSES; pass++)
		tbb::parallel_for(tbb::blocked_range<long>(0, size),
				  [](const tbb::blocked_range<long> &r) {
					  for (long i = r.begin(); i < r.end(); i++)
						  words[i]++;
				  });
	return words[size - 1];
}

using vec = std::array<double, 3>;

vec acceleration(size_t i, size_t n)
{
	return tbb::parallel_reduce(
	    tbb::blocked_range<size_t>(0, n), vec{},
	    [=](const tbb::blocked_range<size_t> &r, vec a) {
		    body_pull(i, r.begin(), r.end(), a.data());
		    return a;
	    },
	    [](vec a, const vec &b) {
		    for (unsigned k = 0; k < 3; k++)
			    a[k] += b[k];
		    return a;
	    });
}

uint64_t run_nbody(long size)
{
	size_t n = static_cast<size_t>(size);

	for (int tick = 0; tick < NBODY_TICKS; tick++) {
		tbb::parallel_for(size_t{0}, n,
				  [=](size_t i) { body_move(i, acceleration(i, n).data()); });
		bodies_swap();
	}
	return bodies_checksum(size);
}

uint64_t run_scope(long size)
{
	std::atomic<uint64_t> done{0};
	tbb::task_group group;

	for (long i = 0; i < size; i++)
		group.run([&] { done.fetch_add(1, std::memory_order_relaxed); });
	group.wait();
	return done;
}

uint64_t run_bulk(long size)
{
	std::array<uint64_t, BULK_BATCH> slots;
	uint64_t sum = 0;

	for (long batch = 0; batch < size / BULK_BATCH; batch++) {
		tbb::task_group group;

		for (uint64_t i = 0; i < BULK_BATCH; i++)
			slots[i] = i;
		for (uint64_t &slot : slots)
			group.run([&slot] { slot = slot * slot + 1; });
		group.wait();
		for (uint64_t x : slots)
			sum += x;
	}
	return sum;
}

uint64_t run_fanout(long size)
{
	std::vector<uint64_t> f(static_cast<size_t>(size));
	tbb::task_group group;
	uint64_t sum = 0;

	for (size_t i = 0; i < f.size(); i++)
		group.run([&f, i] { f[i] = i * i; });
	group.wait();
	for (uint64_t x : f)
		sum += x;
	return sum;
}

} // namespace

int main(int argc, char **argv)
{
	static const peer_workload workloads[] = {
	    {"fib", run_fib, nullptr},
	    {"recursion", run_recursion, nullptr},
	    {"quicksort", run_quicksort, prepare_numbers},
	    {"mergesort", run_mergesort, prepare_numbers},
	    {"queens", run_queens, nullptr},
	    {"tree", run_tree, nullptr},
	    {"increment", run_increment, prepare_words},
	    {"nbody", run_nbody, prepare_bodies},
	    {"scope", run_scope, nullptr},
	    {"bulk", run_bulk, nullptr},
	    {"fanout", run_fanout, nullptr},
	    {},
	};

	const peer peer = {workloads, start, run, stop, post, nullptr};

	return peer_main(argc, argv, &peer);
}
