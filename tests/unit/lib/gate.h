/*
 * SPDX-License-Identifier: MIT
 *
 * gate.h - places where a suite holds the library's threads: how a schedule is forced. Needs the
 * library built with sink.c.
 */
#ifndef DOZE_TESTS_LIB_GATE_H
#define DOZE_TESTS_LIB_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/doze.h"

enum gate {
	GATE_BED, /* a worker, between its last search before it would sleep and what it does then
		   */
	GATE_TICKLE, /* a thread that called gate_me, between a tickle's look and its swap */
	GATES
};

/** A pool whose workers will stop at GATE_BED, which is closed. Exits when it cannot be made. The
 * deadlock handler may be null. */
doze_pool *gate_pool(unsigned workers, const char *policy, void (*on_deadlock)(void *), void *arg);
/** Opens all gates for good, frees the pool, and takes the gates away. */
void gate_pool_free(doze_pool *pool);

/** Waits until n threads are held there. */
void gate_wait(enum gate gate, unsigned n);
/** Lets n of them go on, now or when they come. */
void gate_let(enum gate gate, unsigned n);
void gate_open(enum gate gate);
/** The calling thread stops at GATE_TICKLE from now on. */
void gate_me(void);

/** The lock under which worker i waits, a doze_mutex; it holds it from before it says that it
 * sleeps. */
void *gate_bed_lock(doze_pool *pool, unsigned i);
/** Worker i has said that it sleeps: when this returns it waits, or was woken since. */
void gate_in_bed(doze_pool *pool, unsigned i);
/** Ends the wait of whoever sleeps, as the system may do at any time. Nobody who has said before
 * that it sleeps is missed. */
void gate_wake_spuriously(doze_pool *pool);

#endif
