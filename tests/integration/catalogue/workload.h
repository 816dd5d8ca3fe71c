/*
 * SPDX-License-Identifier: MIT
 *
 * workload.h - shared by workload.c, waits.c and stands.c.
 */
#ifndef DOZE_TESTS_CATALOGUE_WORKLOAD_H
#define DOZE_TESTS_CATALOGUE_WORKLOAD_H

#include "lib/doze.h"

extern doze_pool *pool;

/** Returns the value of NAME=… on the command line, or `otherwise`. Any thread may call it. */
long value(const char *name, long otherwise);

void shape_locked(void);
void shape_sleeps(void);
void shape_reads(void);
void shape_blocked(void);
void shape_never(void);

void shape_nested(void);
void shape_crossed(void);
void shape_selfwait(void);
void shape_loader(void);

#endif
