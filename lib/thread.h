/*
 * SPDX-License-Identifier: MIT
 *
 * thread.h - the code of a worker's thread from start to end.
 */
#ifndef DOZE_THREAD_H
#define DOZE_THREAD_H

struct doze_worker;

#define DOZE_THREAD_NAME_SIZE 16 /* Linux limits a thread's name to 15 bytes */

/** The start function of a worker's thread; the argument is the struct doze_worker. */
void *doze_worker_main(void *arg);

/** Any thread. Writes the name of the worker's thread to `name`; the guest's thread does not
 * actually get that name. */
void doze_worker_name(const struct doze_worker *worker, char name[DOZE_THREAD_NAME_SIZE]);

/** Called by the guest's thread. _enter makes the thread the guest worker. _leave works until the
 * guest's terminate latch is set and makes the thread an ordinary thread again. Neither calls a
 * handler. */
void doze_worker_enter(struct doze_worker *worker);
void doze_worker_leave(struct doze_worker *worker);

#endif
