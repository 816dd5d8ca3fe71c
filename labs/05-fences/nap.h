/*
 * SPDX-License-Identifier: MIT
 *
 * nap.h - lab 5: a poster and a sleeper.
 */
#ifndef DOZE_LAB_NAP_H
#define DOZE_LAB_NAP_H

#include "lib/atomic.h"

#include <stdbool.h>

struct nap {
	DOZE_ATOMIC(int) job;      /* 1 once a job is published */
	DOZE_ATOMIC(int) sleepers; /* number of workers that sleep or are about to sleep */
};

/** Called by the poster after it has written the job's data. Publishes the job, and returns whether
 * a worker must be woken. */
bool nap_post(struct nap *nap);
/** Called by a worker that found no job. Counts the worker as a sleeper, checks once more for a
 * job, and returns whether the worker may sleep until it is woken. If not, the worker may read the
 * job's data. */
bool nap_lie_down(struct nap *nap);

#endif
