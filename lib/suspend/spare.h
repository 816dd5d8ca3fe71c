/*
 * SPDX-License-Identifier: MIT
 *
 * spare.h - who holds a worker next; inside of suspend/.
 */
#ifndef DOZE_SPARE_H
#define DOZE_SPARE_H

#include "suspend.h"

/** Owner: hands the worker to the first wait that is ready; there is one. */
void doze_give_to_ready(struct doze_worker *worker);
/** Owner, in wait s: hands the worker and perhaps a job to its home thread if that is parked, to an
 * idle spare, or to a new one; aborts with a message when no thread can be made. */
void doze_give_to_any(struct doze_suspended *s, struct doze_job *job, enum doze_source source);
/** A thread that gave its worker away: waits until it is given one, which it then holds. Null: the
 * thread is a spare and is to end. */
struct doze_worker *doze_holder_await(struct doze_holder *holder);

/** Abort with a message that names the chain of waits that begins with s. */
_Noreturn void doze_too_many_waits(const struct doze_suspended *s);
_Noreturn void doze_no_spare(const struct doze_suspended *s, int error);

#endif
