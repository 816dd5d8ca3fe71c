/*
 * SPDX-License-Identifier: MIT
 *
 * doze_loops.h - the workloads of doze.c that are parallel loops. Each function runs in the pool,
 * takes the size of the workload, and returns its checksum.
 */
#ifndef DOZE_LOOPS_H
#define DOZE_LOOPS_H

#include <stdint.h>

uint64_t run_increment(long size);
uint64_t run_nbody(long size);

#endif
