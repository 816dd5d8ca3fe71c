/*
 * SPDX-License-Identifier: MIT
 *
 * thread.h - what a worker's thread does from start to end.
 */
#ifndef DOZE_THREAD_H
#define DOZE_THREAD_H

struct doze_worker;

#define DOZE_THREAD_NAME_SIZE 16 /* Linux keeps 15 bytes */

/** The thread's function; the argument is its struct doze_worker. */
void *doze_worker_main(void *arg);

/** Any thread. Writes the name of the worker's thread (for the guest, the name that it would
 * have). */
void doze_worker_name(const struct doze_worker *worker, char name[DOZE_THREAD_NAME_SIZE]);

/** Called by the guest's thread. enter makes it that worker; leave works until its terminate latch
 * is set and makes it an outside thread again. No handler is called. */
void doze_worker_enter(struct doze_worker *worker);
void doze_worker_leave(struct doze_worker *worker);

#endif
