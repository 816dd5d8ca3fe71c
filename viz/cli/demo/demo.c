/*
 * SPDX-License-Identifier: MIT
 *
 * demo.c - the table of workloads.
 */
#include "demo.h"

#include <stddef.h>
#include <string.h>

/* The pool of many textbooks, in a program that does not use libdoze: what `doze record --any`
 * records by default. foreign/broadcast.c is that program. */
const struct demo demo_textbook = {
    .name = "textbook",
    .summary = "without libdoze: one queue, and a broadcast at each push",
    .params =
	{
	    {"threads", "number of threads", 4, 1, 1024},
	    {"jobs", "number of jobs", 500, 0, 1000000000},
	    {"work-us", "microseconds of work per job", 100, 0, 1000000},
	    {"pause-us", "microseconds between two pushes", 1000, 0, 1000000},
	},
};

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
