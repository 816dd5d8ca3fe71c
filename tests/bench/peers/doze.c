/*
 * SPDX-License-Identifier: MIT
 *
 * doze.c - the workloads of peer.h on doze.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "doze_loops.h"
#include "lib/doze.h"
#include "peer.h"

static doze_pool *pool;

static int start(unsigned threads)
{
	doze_config config = DOZE_CONFIG_DEFAULT;

	config.num_threads = threads;
	return doze_pool_create(&pool, &config);
}

static void stop(void)
{
	doze_pool_free(pool);
}

struct run {
	peer_fn *fn;
	long size;
	uint64_t checksum;
};

static void run_here(void *arg)
{
	struct run *r = arg;

	r->checksum = r->fn(r->size);
}

static void run(peer_fn *fn, long size, uint64_t *out)
{
	struct run r = {fn, size, 0};

	doze_install(pool, run_here, &r);
	*out = r.checksum;
}

/* ---- fib, recursion ---- */

struct fib {
	uint64_t n, result;
};

static void fib(void *arg)
{
	struct fib *f = arg;

	if (f->n < 2) {
		f->result = f->n;
		return;
	}
	struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};
	doze_join(fib, &a, fib, &b);
	f->result = a.result + b.result;
}

static uint64_t run_fib(long size)
{
	struct fib f = {(uint64_t)size, 0};

	fib(&f);
	return f.result;
}

static void recurse(void *arg)
{
	uintptr_t depth = (uintptr_t)arg;

	if (depth > 0)
		doze_join(recurse, (void *)(depth - 1), recurse, (void *)(depth - 1));
}

static uint64_t run_recursion(long size)
{
	recurse((void *)(uintptr_t)size);
	return (uint64_t)size;
}

/* ---- sorts ---- */

struct piece {
	uint32_t *a, *tmp;
	size_t n;
};

static void sort_quick(void *arg)
{
	struct piece *p = arg;

	if (p->n <= SORT_LEAF) {
		quick_sort(p->a, p->n);
		return;
	}
	size_t cut = partition(p->a, p->n) + 1;
	struct piece low = {p->a, NULL, cut}, high = {p->a + cut, NULL, p->n - cut};
	doze_join(sort_quick, &low, sort_quick, &high);
}

static void sort_merge(void *arg)
{
	struct piece *p = arg;
	size_t half = p->n / 2;

	if (p->n <= SORT_LEAF) {
		merge_sort(p->a, p->tmp, p->n);
		return;
	}
	struct piece low = {p->a, p->tmp, half}, high = {p->a + half, p->tmp + half, p->n - half};
	doze_join(sort_merge, &low, sort_merge, &high);
	merge_halves(p->a, p->tmp, p->n);
}

static uint64_t run_quicksort(long size)
{
	struct piece p = {numbers, scratch, (size_t)size};

	sort_quick(&p);
	return numbers_checksum(size);
}

static uint64_t run_mergesort(long size)
{
	struct piece p = {numbers, scratch, (size_t)size};

	sort_merge(&p);
	return numbers_checksum(size);
}

/* ---- n-queens, tree ---- */

struct board {
	unsigned n, row;
	uint32_t columns, left, right;
};

static void add_zero(void *acc, void *arg)
{
	(void)arg;
	*(uint64_t *)acc = 0;
}

static void add_up(void *left, const void *right, void *arg)
{
	(void)arg;
	*(uint64_t *)left += *(const uint64_t *)right;
}

static void try_columns(size_t begin, size_t end, void *acc, void *arg);

static const doze_reducer solutions = {sizeof(uint64_t), add_zero, try_columns, add_up};

static uint64_t solve(const struct board *b)
{
	uint64_t found;

	if (b->row >= QUEENS_PARALLEL)
		return queens(b->n, b->row, b->columns, b->left, b->right);
	doze_reduce(NULL, 0, b->n, 0, &solutions, &found, (void *)(uintptr_t)b);
	return found;
}

static void try_columns(size_t begin, size_t end, void *acc, void *arg)
{
	const struct board *b = arg;

	for (size_t i = begin; i < end; i++) {
		uint32_t bit = 1u << i;

		if ((b->columns | b->left | b->right) & bit)
			continue;
		struct board next = {b->n, b->row + 1, b->columns | bit, (b->left | bit) << 1,
				     (b->right | bit) >> 1};
		*(uint64_t *)acc += solve(&next);
	}
}

static uint64_t run_queens(long size)
{
	struct board b = {(unsigned)size, 0, 0, 0, 0};

	return solve(&b);
}

struct children {
	uint64_t node, count;
	unsigned depth, begin, end;
};

static void count_children(void *arg)
{
	struct children *c = arg;
	unsigned half = c->begin + (c->end - c->begin) / 2;

	if (c->end - c->begin > 1) {
		struct children a = *c, b = *c;
		a.end = b.begin = half;
		doze_join(count_children, &a, count_children, &b);
		c->count = a.count + b.count;
		return;
	}
	uint64_t node = tree_child(c->node, c->begin);
	struct children below = {node, 0, c->depth + 1, 0, tree_children(node, c->depth + 1)};
	if (below.end > 0)
		count_children(&below);
	c->count = below.count + 1;
}

static uint64_t run_tree(long size)
{
	struct children root = {TREE_SEED + (uint64_t)size, 0, 0, 0, 8};

	count_children(&root);
	return root.count;
}

/* ---- spawns and futures ---- */

static atomic_ulong done;

static void count_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	(void)arg;
	atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
}

static void spawn_all(doze_scope *scope, void *arg)
{
	for (long i = 0; i < *(long *)arg; i++)
		if (doze_scope_spawn(scope, count_in_scope, NULL) != 0)
			abort();
}

static uint64_t run_scope(long size)
{
	atomic_store(&done, 0);
	if (doze_scope_run(NULL, spawn_all, &size) != 0)
		abort();
	return atomic_load(&done);
}

static void fill(doze_scope *scope, void *arg)
{
	uint64_t *slot = arg;

	(void)scope;
	*slot = *slot * *slot + 1;
}

static void spawn_bulk(doze_scope *scope, void *arg)
{
	if (doze_scope_spawn_many(scope, fill, arg, BULK_BATCH, sizeof(uint64_t)) != 0)
		abort();
}

static uint64_t run_bulk(long size)
{
	uint64_t slots[BULK_BATCH], sum = 0;

	for (long batch = 0; batch < size / BULK_BATCH; batch++) {
		for (uint64_t i = 0; i < BULK_BATCH; i++)
			slots[i] = i;
		if (doze_scope_run(NULL, spawn_bulk, slots) != 0)
			abort();
		for (int i = 0; i < BULK_BATCH; i++)
			sum += slots[i];
	}
	return sum;
}

static void *square(void *arg)
{
	uintptr_t n = (uintptr_t)arg;

	return (void *)(n * n);
}

static uint64_t run_fanout(long size)
{
	doze_future **f = malloc((size_t)size * sizeof(*f));
	uint64_t sum = 0;

	for (long i = 0; i < size; i++)
		if (doze_submit(&f[i], NULL, square, (void *)(uintptr_t)i) != 0)
			abort();
	for (long i = 0; i < size; i++) {
		sum += (uintptr_t)doze_future_get(f[i]);
		doze_future_free(f[i]);
	}
	free(f);
	return sum;
}

static void post(void (*fn)(void *), void *arg)
{
	if (doze_spawn(pool, fn, arg) != 0)
		abort();
}

/* ---- two pools that wait for each other's latches ---- */

static doze_pool *other;

static void nothing(void *arg)
{
	(void)arg;
}

static void ping(void *arg)
{
	for (long i = 0; i < *(long *)arg; i++)
		doze_install(other, nothing, NULL);
}

static void pingpong(long size)
{
	doze_config config = DOZE_CONFIG_DEFAULT;

	config.num_threads = 1;
	if (doze_pool_create(&other, &config) != 0)
		abort();
	doze_install(pool, ping, &size);
	doze_pool_free(other);
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

	const struct peer peer = {.workloads = workloads,
				  .start = start,
				  .run = run,
				  .stop = stop,
				  .post = post,
				  .pingpong = pingpong};

	return peer_main(argc, argv, &peer);
}
