/*
 * SPDX-License-Identifier: MIT
 *
 * masked_thread.h - creates threads on which no signal of other threads is handled.
 */
#ifndef DOZE_VIZ_MASKED_THREAD_H
#define DOZE_VIZ_MASKED_THREAD_H

#include <pthread.h>

/** Creates a thread with all signals blocked but those that a thread causes itself (SIGABRT,
 * SIGFPE, …), so that the program's handlers of the others run on its other threads. Returns 0 or
 * an error number, as pthread_create does. Any thread. */
int doze_masked_thread(pthread_t *, void *(*run)(void *), void *arg);

#endif
