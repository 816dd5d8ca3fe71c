/*
 * SPDX-License-Identifier: MIT
 *
 * flags.h - flags that one thread sets and others wait for in user code, so that a waiting worker
 * runs no other jobs.
 */
#ifndef DOZE_EXPLORE_FLAGS_H
#define DOZE_EXPLORE_FLAGS_H

#include "common.h"

static doze_mutex lock; /* protects all flags */
static doze_cond changed;

static inline void init_flags(void)
{
	doze_mutex_init(&lock);
	doze_cond_init(&changed);
}

static inline void announce(bool *what)
{
	doze_mutex_lock(&lock);
	*what = true;
	doze_cond_broadcast(&changed);
	doze_mutex_unlock(&lock);
}

static inline void await(const bool *what)
{
	doze_mutex_lock(&lock);
	while (!*what)
		doze_cond_wait(&changed, &lock);
	doze_mutex_unlock(&lock);
}

#endif
