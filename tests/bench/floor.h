/*
 * SPDX-License-Identifier: MIT
 *
 * floor.h - what floor_bench measures, in the order of its lines; the first is the floor.
 */
#ifndef DOZE_BENCH_FLOOR_H
#define DOZE_BENCH_FLOOR_H

#define FLOOR_PARTS(X)                                                                             \
	X(empty, "an event without fields, the floor")                                             \
	X(eight_bytes, "with 8 fields of 1 byte")                                                  \
	X(eight_words, "with 8 fields of 8 bytes")                                                 \
	X(one_array, "with one field of 64 bytes")                                                 \
	X(clock, "in each event: the monotonic clock")                                             \
	X(cpu_time, "in `woken` and some `worker_state`: the thread's CPU time, a system call")

#endif
