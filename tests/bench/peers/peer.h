/*
 * SPDX-License-Identifier: MIT
 *
 * peer.h - what the benchmark programs of all pools share: the command line, the clock, the input
 * data and the sequential parts of each workload, so that only the parallel code differs.
 *
 *	PEER WORKLOAD THREADS SIZE REPETITIONS
 *
 * prints one line per repetition: nanoseconds, a checksum that all peers must agree on, and
 * cpu_ns=N, the CPU time of the whole process. The workloads `trickle`, `burst` and `pingpong` are
 * the same code for all peers (peer_wakes.c); they print nanoseconds, 0, and further figures as
 * NAME=VALUE.
 */
#ifndef DOZE_BENCH_PEER_H
#define DOZE_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	SORT_LEAF = 512,     /* elements that a sort handles sequentially */
	QUEENS_PARALLEL = 3, /* rows of the board that are searched in parallel */
	NBODY_TICKS = 10,
	INCREMENT_PASSES = 100,
	BULK_BATCH = 1000, /* jobs that one bulk spawn queues */
};

/** Runs one repetition inside the pool and returns its checksum. */
typedef uint64_t peer_fn(long size);

struct peer_workload {
	const char *name;
	peer_fn *run;
	void (*prepare)(long size); /* outside the measured time; may be null */
};

/** A pool as seen by the harness. */
struct peer {
	const struct peer_workload *workloads; /* the last entry has a null name */
	int (*start)(unsigned threads);        /* returns 0 on success */
	void (*run)(peer_fn *fn, long size,
		    uint64_t *out); /* runs in the pool; returns when it is done */
	void (*stop)(void);
	/* From an outside thread: queues fn(arg) and returns. Null if the peer has no such call. */
	void (*post)(void (*fn)(void *), void *arg);
	/* Two pools of one worker each install into each other, `size` times. Null if the peer
	 * cannot do that. */
	void (*pingpong)(long size);
};

/** Parses the arguments, starts the pool, runs the workload, prints the results. Returns the exit
 * code: 0, 2 for bad arguments, 77 if the peer does not have the workload. */
int peer_main(int argc, char **argv, const struct peer *peer);

/** Runs trickle, burst or pingpong if `name` is one of them (peer_wakes.c). Returns 0, 77 if the
 * peer cannot, -1 for any other name. */
int peer_wakes(const struct peer *peer, const char *name, long size, long reps);
int64_t peer_now_ns(void);
/** Returns the CPU time that the process has used. */
int64_t peer_cpu_ns(void);

/** Input of the sorts, which prepare_numbers recreates from a fixed seed. */
extern uint32_t *numbers, *scratch;
void prepare_numbers(long size);
uint64_t numbers_checksum(long size);
void insertion_sort(uint32_t *a, size_t n);
/** Sorts n elements with the algorithm of the parallel quicksort, sequentially. */
void quick_sort(uint32_t *a, size_t n);
/** Splits around the middle element, into [0, result] <= [result + 1, n). */
size_t partition(uint32_t *a, size_t n);
void merge_sort(uint32_t *a, uint32_t *tmp, size_t n);
/** Merges a[0, n/2) and a[n/2, n), each sorted, into a; tmp has n elements. */
void merge_halves(uint32_t *a, uint32_t *tmp, size_t n);

/** Returns the number of solutions below a partial board of n rows. */
uint64_t queens(unsigned n, unsigned row, uint32_t columns, uint32_t left, uint32_t right);

/** An unbalanced tree: the number of children and their seeds follow from a node's seed. */
unsigned tree_children(uint64_t node, unsigned depth);
uint64_t tree_child(uint64_t node, unsigned i);
enum { TREE_SEED = 42 };

/** Adds the acceleration of body i by bodies [begin, end) to a[3], for n-body. */
struct body {
	double at[3], speed[3], mass;
};
extern struct body *bodies, *bodies_next;
void prepare_bodies(long size);
void body_pull(size_t i, size_t begin, size_t end, double a[3]);
/** Writes bodies_next[i] from bodies[i] and its acceleration. */
void body_move(size_t i, const double a[3]);
void bodies_swap(void);
uint64_t bodies_checksum(long size);

extern uint64_t *words;
void prepare_words(long size);

#ifdef __cplusplus
}
#endif
#endif
