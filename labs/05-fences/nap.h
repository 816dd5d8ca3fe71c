/*
 * SPDX-License-Identifier: MIT
 *
 * nap.h - lab 5: the place where a poster and a sleeper meet.
 */
#ifndef DOZE_LAB_NAP_H
#define DOZE_LAB_NAP_H

#include "lib/atomic.h"

#include <stdbool.h>

struct nap {
	DOZE_ATOMIC(int) job;      /* 1: a job is published */
	DOZE_ATOMIC(int) sleepers; /* number of workers that sleep, or are about to */
};

/** The poster, which has written the job's data. Publishes the job, and returns whether somebody
 * must be woken. */
bool nap_post(struct nap *nap);
/** A worker that found no job. Counts itself, looks once more, and returns whether it may sleep
 * until it is woken. If not, it may read the job's data. */
bool nap_lie_down(struct nap *nap);

#endif
