/*
 * SPDX-License-Identifier: MIT
 *
 * spare_threads.h - chooses the next thread to hold a worker; private to suspend/.
 */
#ifndef DOZE_SPARE_THREADS_H
#define DOZE_SPARE_THREADS_H

#include "suspend.h"

/** Owner. Hands the worker to the first ready wait. There must be one. */
void doze_give_to_ready(struct doze_worker *worker);
/** Owner, in wait s. Hands the worker, and a job if there is one, to its home thread if that thread
 * is parked, else to an idle or new spare. Aborts with a message if no thread can be created. */
void doze_give_to_any(struct doze_suspended *s, struct doze_job *job, enum doze_source source);
/** Called by a thread that has handed its worker over. Waits until the thread is given a worker,
 * which it then holds, and returns that worker. Returns null if the thread is a spare that must
 * exit. */
struct doze_worker *doze_holder_await(struct doze_holder *holder);

/** Each aborts with a message that lists the chain of waits beginning with s. */
_Noreturn void doze_too_many_waits(const struct doze_suspended *s);
_Noreturn void doze_no_spare(const struct doze_suspended *s, int error);

#endif
