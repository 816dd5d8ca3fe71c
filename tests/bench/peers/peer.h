/*
 * SPDX-License-Identifier: MIT
 *
 * peer.h - shared by the benchmark programs of all pools: the command line, the clock, the input
 * data and the sequential parts of each workload. Only the parallel code differs.
 *
 *	PEER WORKLOAD THREADS SIZE REPETITIONS
 *
 * prints one line per repetition: nanoseconds, a checksum that all peers must agree on, and
 * cpu_ns=N, the CPU time of the whole process. The workloads `trickle`, `burst` and `pingpong` have
 * the same code for all peers (peer_wakes.c) and print nanoseconds, 0, and further figures as
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
	SORT_LEAF = 512,     /* number of elements that a sort handles sequentially */
	QUEENS_PARALLEL = 3, /* number of rows of the board that are searched in parallel */
	NBODY_TICKS = 10,
	INCREMENT_PASSES = 100,
	BULK_BATCH = 1000, /* number of jobs that one bulk spawn queues */
};

/** Runs one repetition inside the pool and returns its checksum. */
typedef uint64_t peer_fn(long size);

struct peer_workload {
	const char *name;
	peer_fn *run;
	void (*prepare)(long size); /* called outside the measured time; may be null */
};

/** A pool as the harness sees it. */
struct peer {
	const struct peer_workload *workloads; /* the last entry has a null name */
	int (*start)(unsigned threads);        /* returns 0 on success */
	/* Runs fn in the pool; returns when it is done. */
	void (*run)(peer_fn *fn, long size, uint64_t *out);
	void (*stop)(void);
	/* Queues fn(arg) from an outside thread, and returns. Null if the peer has no such call. */
	void (*post)(void (*fn)(void *), void *arg);
	/* Lets two pools of one worker each install into each other, `size` times. Null if the peer
	 * cannot do that. */
	void (*pingpong)(long size);
};

/** Parses the arguments, starts the pool, runs the workload, and prints the results. Returns the
 * exit code: 0, 2 for bad arguments, or 77 if the peer does not have the workload. */
int peer_main(int argc, char **argv, const struct peer *peer);

/** Runs trickle, burst or pingpong if `name` is one of them (peer_wakes.c). Returns 0, 77 if the
 * peer cannot run it, or -1 for any other name. */
int peer_wakes(const struct peer *peer, const char *name, long size, long reps);
int64_t peer_now_ns(void);
/** Returns the CPU time that the process has used. */
int64_t peer_cpu_ns(void);

/** The input of the sorts. prepare_numbers recreates it from a fixed seed. */
extern uint32_t *numbers, *scratch;
void prepare_numbers(long size);
uint64_t numbers_checksum(long size);
void insertion_sort(uint32_t *a, size_t n);
/** Sorts n elements with the algorithm of the parallel quicksort, sequentially. */
void quick_sort(uint32_t *a, size_t n);
/** Reorders the elements so that none of a[0..result] is greater than any of a[result + 1..n-1].
 * The pivot is the value in the middle of the array. */
size_t partition(uint32_t *a, size_t n);
void merge_sort(uint32_t *a, uint32_t *tmp, size_t n);
/** Merges the sorted halves a[0, n/2) and a[n/2, n) into a. tmp has room for n elements. */
void merge_halves(uint32_t *a, uint32_t *tmp, size_t n);

/** Returns the number of solutions below a partial board of n rows. */
uint64_t queens(unsigned n, unsigned row, uint32_t columns, uint32_t left, uint32_t right);

/** An unbalanced tree: a node's seed determines the number of its children and their seeds. */
unsigned tree_children(uint64_t node, unsigned depth);
uint64_t tree_child(uint64_t node, unsigned i);
enum { TREE_SEED = 42 };

/** Adds to a[3] the acceleration that bodies [begin, end) exert on body i, for n-body. */
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
