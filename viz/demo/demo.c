/*
 * SPDX-License-Identifier: MIT
 *
 * demo.c - the table of workloads.
 */
#include "demo.h"

#include <stddef.h>
#include <string.h>

const struct demo *const demos[] = {
    &demo_fib, &demo_trickle, &demo_burst, &demo_phases, &demo_latch, NULL,
};

const struct demo *demo_find(const char *name)
{
	for (size_t i = 0; demos[i]; i++)
		if (!strcmp(demos[i]->name, name))
			return demos[i];
	return NULL;
}
