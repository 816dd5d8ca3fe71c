/*
 * SPDX-License-Identifier: MIT
 *
 * help.h - helpers that the library's suites share.
 */
#ifndef DOZE_TESTS_LIB_HELP_H
#define DOZE_TESTS_LIB_HELP_H

#include "lib/doze.h"
#include "tests/fixtures/patience.h"

/** Creates a pool of n workers (0: default) with the given policy (null: default, or
 * DOZE_TEST_POLICY). Exits with a message if the pool cannot be created. The caller frees the
 * pool. */
doze_pool *help_pool(unsigned n, const char *policy);
void help_sleep_us(unsigned us);
double help_now(void); /* Returns the monotonic time in seconds. */
/** Waits until *counter >= wanted or until the given number of seconds, less the time that the
 * process waited for a CPU, has passed. Returns whether the counter reached that value. */
bool help_reaches(long *counter, long wanted, double seconds);
/** Increments or reads a counter atomically. The argument of help_count is a long*. */
void help_count(void *counter);
long help_read(long *counter);

/** Returns the number of workers that are neither asleep nor blocked. The pool must have a deadlock
 * handler. */
unsigned help_active(doze_pool *pool);
/** Waits until every worker that is not blocked sleeps and no deadlock handler is running or due.
 * Returns false after 10 s (patience.h). If it returns true, no worker is waking up, unless an
 * outside thread has just woken one: a waker counts the worker as awake before it notifies it. */
bool help_all_still(doze_pool *pool);

/** Starts a plain thread. Exits with a message if the thread cannot be created. */
struct help_thread;
struct help_thread *help_thread_start(void (*fn)(void *), void *arg);
void help_thread_join(struct help_thread *thread);

/** Runs fn in a child process. Returns the child's wait status, and its stderr in text. */
int help_in_child(void (*fn)(void), char *text, size_t size);

#endif
