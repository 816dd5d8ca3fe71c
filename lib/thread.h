/*
 * SPDX-License-Identifier: MIT
 *
 * thread.h - the life of a worker's thread.
 */
#ifndef DOZE_THREAD_H
#define DOZE_THREAD_H

struct doze_worker;

#define DOZE_THREAD_NAME_SIZE 16 /* 15 bytes is what Linux keeps */

/** The thread's function; the argument is its struct doze_worker. */
void *doze_worker_main(void *arg);

/** Any thread: the name that the worker's thread has, or (the guest's) would have. */
void doze_worker_name(const struct doze_worker *worker, char name[DOZE_THREAD_NAME_SIZE]);

/** The guest's thread: becomes that worker; works until its terminate latch is set, and is none any
 * more. No handler is called. */
void doze_worker_enter(struct doze_worker *worker);
void doze_worker_leave(struct doze_worker *worker);

#endif
