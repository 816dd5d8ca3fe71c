/*
 * SPDX-License-Identifier: MIT
 *
 * make_trace.c - writes a made trace for benchmarks and scripts.
 *
 *	make-trace DIR EVENTS [WORKERS [WOKEN [USEFUL]]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "herd.h"

static unsigned number(int argc, char **argv, int i, unsigned otherwise)
{
	return argc > i ? (unsigned)atoi(argv[i]) : otherwise;
}

int main(int argc, char **argv)
{
	static struct herd h;

	if (argc < 3)
		return 2;
	h.events = strtoull(argv[2], NULL, 10);
	h.workers = number(argc, argv, 3, 8);
	h.woken = number(argc, argv, 4, 1);
	h.useful = number(argc, argv, 5, 1);
	h.cpus = 4;
	if (h.workers < 1 || h.workers > HERD_MAX_WORKERS || h.woken > h.workers ||
	    h.useful > h.woken) {
		fprintf(stderr, "make-trace: 1 to %d workers, USEFUL <= WOKEN <= WORKERS\n",
			HERD_MAX_WORKERS);
		return 2;
	}
	return made_write(argv[1], NULL, herd_next, &h) == 0 ? 0 : 1;
}
