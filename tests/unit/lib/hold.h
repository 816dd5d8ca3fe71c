/*
 * SPDX-License-Identifier: MIT
 *
 * hold.h - holds the library's threads at chosen points to force a schedule. Needs the library
 * built with sink.c.
 */
#ifndef DOZE_TESTS_LIB_HOLD_H
#define DOZE_TESTS_LIB_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/doze.h"

enum hold_point {
	HOLD_BEFORE_SLEEP, /* a worker that has made its last search before going to sleep */
	HOLD_IN_TICKLE,    /* a thread that called hold_this_thread and is between the load and the
			      swap of a tickle */
	HOLD_POINTS
};

/** Creates a pool whose workers stop at HOLD_BEFORE_SLEEP. Exits if the pool cannot be created. The
 * deadlock handler may be null. */
doze_pool *hold_pool_new(unsigned workers, const char *policy, void (*on_deadlock)(void *),
			 void *arg);
/** Stops holding threads, frees the pool, and removes the hook from the sink. */
void hold_pool_free(doze_pool *pool);

/** Waits until n threads are held at the point. */
void hold_await(enum hold_point point, unsigned n);
/** Releases n threads: those held at the point or, if there are fewer, the next ones that arrive
 * there. */
void hold_release(enum hold_point point, unsigned n);
/** Releases every thread held at the point, and stops holding threads there. */
void hold_end(enum hold_point point);
/** Makes the calling thread stop whenever it reaches HOLD_IN_TICKLE. */
void hold_this_thread(void);

/** Returns the lock (a doze_mutex) under which worker i waits. The worker holds it from before it
 * reports that it sleeps until it waits. */
void *hold_sleep_lock(doze_pool *pool, unsigned i);
/** Waits until worker i, which has reported that it sleeps, is waiting or has been woken again. */
void hold_await_sleep(doze_pool *pool, unsigned i);
/** Wakes every worker that has reported that it sleeps. The wakes are spurious, as the system may
 * cause them at any time. */
void hold_wake_spuriously(doze_pool *pool);

#endif
