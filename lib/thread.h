/*
 * SPDX-License-Identifier: MIT
 *
 * thread.h - the life of a worker's thread.
 */
#ifndef DOZE_THREAD_H
#define DOZE_THREAD_H

/** The thread's function; the argument is its struct doze_worker. */
void *doze_worker_main(void *arg);

#endif
