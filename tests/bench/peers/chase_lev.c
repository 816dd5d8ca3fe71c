/*
 * SPDX-License-Identifier: MIT
 *
 * chase_lev.c - the workloads of peer.h that only join, on as little of a pool as possible: one
 * Chase-Lev deque per worker (Le et al., PPoPP 2013, whose orders it uses) and workers that never
 * sleep. A fixed deque, no jobs from outside, no trace, no end of a job but a flag. The floor of
 * what a join on such a deque costs; every pop has the deque's fence.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "peer.h"

enum { CAPACITY = 1024, LINE = 128 };

typedef void (*fn)(void *);

struct half {
	fn fn;
	void *arg;
	atomic_bool done;
};

struct worker {
	_Alignas(LINE) atomic_long top;
	_Alignas(LINE) atomic_long bottom;
	_Atomic(struct half *) slot[CAPACITY];
};

static struct worker *workers;
static unsigned count;
static pthread_t *threads;
static atomic_bool ends;
static _Thread_local struct worker *self;

static void push(struct worker *w, struct half *half)
{
	long bottom = atomic_load_explicit(&w->bottom, memory_order_relaxed);

	if (bottom - atomic_load_explicit(&w->top, memory_order_relaxed) >= CAPACITY)
		abort(); /* the workloads do not nest that deep */
	atomic_store_explicit(&w->slot[bottom % CAPACITY], half, memory_order_relaxed);
	/* orders the half and the slot before the new bottom */
	atomic_store_explicit(&w->bottom, bottom + 1, memory_order_release);
}

static struct half *pop(struct worker *w)
{
	long bottom = atomic_load_explicit(&w->bottom, memory_order_relaxed) - 1;

	atomic_store_explicit(&w->bottom, bottom, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst); /* orders bottom before top */
	long top = atomic_load_explicit(&w->top, memory_order_relaxed);
	struct half *half = NULL;
	if (top <= bottom)
		half = atomic_load_explicit(&w->slot[bottom % CAPACITY], memory_order_relaxed);
	if (top < bottom)
		return half;
	if (top == bottom && !atomic_compare_exchange_strong(&w->top, &top, top + 1))
		half = NULL;
	atomic_store_explicit(&w->bottom, bottom + 1, memory_order_relaxed);
	return half;
}

static struct half *steal_from(struct worker *w)
{
	long top = atomic_load_explicit(&w->top, memory_order_acquire);

	atomic_thread_fence(memory_order_seq_cst); /* orders top before bottom */
	if (top >= atomic_load_explicit(&w->bottom, memory_order_acquire))
		return NULL;
	struct half *half = atomic_load_explicit(&w->slot[top % CAPACITY], memory_order_relaxed);
	return atomic_compare_exchange_strong(&w->top, &top, top + 1) ? half : NULL;
}

static void run_half(struct half *half)
{
	half->fn(half->arg);
	/* last access; orders the job's effects before the joiner's return */
	atomic_store_explicit(&half->done, true, memory_order_release);
}

/* Steals from the other workers, in order, and runs one job if there is one. */
static void steal_and_run(void)
{
	for (unsigned i = 0; i < count; i++) {
		struct half *half = &workers[i] != self ? steal_from(&workers[i]) : NULL;
		if (half != NULL) {
			run_half(half);
			return;
		}
	}
	sched_yield();
}

static inline void join(fn a, void *arg_a, fn b, void *arg_b)
{
	struct half half = {.fn = b, .arg = arg_b};

	push(self, &half);
	a(arg_a);
	if (pop(self) == &half) {
		b(arg_b);
		return;
	}
	while (!atomic_load_explicit(&half.done, memory_order_acquire))
		steal_and_run();
}

static void *work(void *worker)
{
	self = worker;
	while (!atomic_load_explicit(&ends, memory_order_relaxed))
		steal_and_run();
	return NULL;
}

/* The thread that calls `run` is the first worker. */
static int start(unsigned n)
{
	count = n;
	workers = aligned_alloc(LINE, n * sizeof(*workers));
	threads = calloc(n, sizeof(*threads));
	if (workers == NULL || threads == NULL)
		return 1;
	for (unsigned i = 0; i < n; i++) {
		atomic_init(&workers[i].top, 0);
		atomic_init(&workers[i].bottom, 0);
	}
	self = &workers[0];
	for (unsigned i = 1; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
			return 1;
	return 0;
}

static void stop(void)
{
	atomic_store(&ends, true);
	for (unsigned i = 1; i < count; i++)
		(void)pthread_join(threads[i], NULL);
}

static void run(peer_fn *fn, long size, uint64_t *out)
{
	*out = fn(size);
}

/* ---- the workloads, as in doze.c ---- */

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
	join(fib, &a, fib, &b);
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
		join(recurse, (void *)(depth - 1), recurse, (void *)(depth - 1));
}

static uint64_t run_recursion(long size)
{
	recurse((void *)(uintptr_t)size);
	return (uint64_t)size;
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
		join(count_children, &a, count_children, &b);
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

int main(int argc, char **argv)
{
	static const struct peer_workload workloads[] = {
	    {"fib", run_fib, NULL},
	    {"recursion", run_recursion, NULL},
	    {"tree", run_tree, NULL},
	    {0},
	};
	const struct peer peer = {.workloads = workloads, .start = start, .run = run, .stop = stop};

	return peer_main(argc, argv, &peer);
}
