/*
 * SPDX-License-Identifier: MIT
 *
 * textbook.c - the pool of many textbooks, in a program that does not use libdoze: what
 * `doze record --any` records by default. foreign/broadcast.c is that program.
 */
#include "demo.h"

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
