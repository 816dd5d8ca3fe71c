/*
 * SPDX-License-Identifier: MIT
 *
 * demo.c - the table of workloads.
 */
#include "demo.h"

#include <stddef.h>
#include <string.h>

const struct demo *const demo_all[] = {
    &demo_fib, &demo_trickle, &demo_burst, &demo_phases, &demo_latch, &demo_textbook, NULL,
};

const struct demo *demo_find(const char *name)
{
	for (size_t i = 0; demo_all[i]; i++)
		if (!strcmp(demo_all[i]->name, name))
			return demo_all[i];
	return NULL;
}
