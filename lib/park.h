/*
 * SPDX-License-Identifier: MIT
 *
 * park.h - all blocking primitives of doze: mutexes, condition variables, threads, yields.
 *
 * In the product each name stands for one pthread call. In the explorer (-DDOZE_EXPLORE) each name
 * calls the explorer's scheduler, where each lock, wait and notify is a choice point. To park,
 * callers always write out "lock; while (...) wait; unlock", so that the sleeper's lock is visible.
 */
#ifndef DOZE_PARK_H
#define DOZE_PARK_H

#ifdef DOZE_EXPLORE
/* the functions of this file in labs/explorer, which call the explorer's scheduler */
#include "explore_park.h"
#else

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef pthread_mutex_t doze_mutex;
typedef pthread_cond_t doze_cond;
typedef pthread_t doze_thread;

/** Initialises a mutex in static storage. */
#define DOZE_MUTEX_INIT       PTHREAD_MUTEX_INITIALIZER

/** Thread-local storage; under the explorer, storage per coroutine. */
#define DOZE_THREAD_LOCAL     _Thread_local
/** Storage class of thread-local variables that hot code reads. They are at a fixed offset from the
 * thread pointer, so that even a shared object reads them without a call. The C library reserves
 * room for a few words of such variables in objects that are loaded later. */
#define DOZE_THREAD_LOCAL_HOT _Thread_local __attribute__((tls_model("initial-exec")))

static inline void doze_mutex_init(doze_mutex *m)
{
	(void)pthread_mutex_init(m, 0);
}
static inline void doze_mutex_destroy(doze_mutex *m)
{
	(void)pthread_mutex_destroy(m);
}
static inline void doze_mutex_lock(doze_mutex *m)
{
	(void)pthread_mutex_lock(m);
}
/** Returns true if the lock was free; the caller then holds it. */
static inline int doze_mutex_trylock(doze_mutex *m)
{
	return pthread_mutex_trylock(m) == 0;
}
static inline void doze_mutex_unlock(doze_mutex *m)
{
	(void)pthread_mutex_unlock(m);
}
static inline void doze_cond_init(doze_cond *c)
{
	(void)pthread_cond_init(c, 0);
}
static inline void doze_cond_destroy(doze_cond *c)
{
	(void)pthread_cond_destroy(c);
}
/** Called with m held. May return spuriously, without a notification. */
static inline void doze_cond_wait(doze_cond *c, doze_mutex *m)
{
	(void)pthread_cond_wait(c, m);
}
/** Like doze_cond_wait, but returns false when doze_os_now_ns() has passed the deadline. */
static inline int doze_cond_wait_until(doze_cond *c, doze_mutex *m, uint64_t deadline)
{
	const uint64_t second = UINT64_C(1000000000);
	struct timespec t = {(time_t)(deadline / second), (long)(deadline % second)};
	return pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, &t) == 0;
}
static inline void doze_cond_signal(doze_cond *c)
{
	(void)pthread_cond_signal(c);
}
static inline void doze_cond_broadcast(doze_cond *c)
{
	(void)pthread_cond_broadcast(c);
}
static inline void doze_thread_yield(void)
{
	(void)sched_yield();
}
/** Returns 0 or an errno value, as pthread_create does. */
static inline int doze_thread_create(doze_thread *t, void *(*fn)(void *), void *arg)
{
	return pthread_create(t, 0, fn, arg);
}
/** Like doze_thread_create, but with a stack of the given size in bytes; 0 means the system's
 * default. */
static inline int doze_thread_create_sized(doze_thread *t, void *(*fn)(void *), void *arg,
					   size_t stack_bytes)
{
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);
	if (error != 0)
		return error;
	if (stack_bytes != 0)
		error = pthread_attr_setstacksize(&attr, stack_bytes);
	if (error == 0)
		error = pthread_create(t, &attr, fn, arg);
	(void)pthread_attr_destroy(&attr);
	return error;
}
static inline void doze_thread_join(doze_thread t)
{
	(void)pthread_join(t, 0);
}

#endif /* DOZE_EXPLORE */
#endif
