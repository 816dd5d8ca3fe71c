/*
 * SPDX-License-Identifier: MIT
 *
 * help.h - what the suites of the library share.
 */
#ifndef DOZE_TESTS_LIB_HELP_H
#define DOZE_TESTS_LIB_HELP_H

#include "lib/doze.h"

/** A pool of n workers (0: default) with that policy (null: default, or DOZE_TEST_POLICY); ends the
 * program with a message when it cannot be made. The caller frees it. */
doze_pool *help_pool(unsigned n, const char *policy);
void help_sleep_us(unsigned us);
double help_now(void); /* seconds, monotonic */
/** Waits until *counter >= wanted, or seconds have passed; true in the first case. */
bool help_reaches(long *counter, long wanted, double seconds);
/** An atomic counter step and read; the argument is a long*. */
void help_count(void *counter);
long help_read(long *counter);

/** How many workers of a pool with a deadlock handler are neither asleep nor blocked. */
unsigned help_active(doze_pool *pool);
/** Waits until whoever is not blocked sleeps; false after 10 s. Then no wake is under way either,
 * unless a thread outside gives one: wakers count who they wake before they notify, and the handler
 * is called under the same lock. */
bool help_all_still(doze_pool *pool);

/** A plain thread; ends the program when it cannot be made. */
struct help_thread;
struct help_thread *help_thread_start(void (*fn)(void *), void *arg);
void help_thread_join(struct help_thread *thread);

/** Runs fn in a child process. Its wait status; what it wrote to stderr goes to text. */
int help_in_child(void (*fn)(void), char *text, size_t size);

#endif
