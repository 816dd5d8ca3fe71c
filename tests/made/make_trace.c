/*
 * SPDX-License-Identifier: MIT
 *
 * make_trace.c - writes a made trace for benchmarks and scripts.
 *
 *	make-trace DIR EVENTS [WORKERS [WOKEN [USEFUL [KIND]]]]
 *
 * KIND: healthy (default); future: of a schema that is not there yet; foreign: of another program;
 * lossy: events were lost in the middle; cut: the pool never stops.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "herd.h"

static unsigned number(int argc, char **argv, int i, unsigned otherwise)
{
	return argc > i ? (unsigned)atoi(argv[i]) : otherwise;
}

static struct herd herd;
static const char *kind = "healthy";

static bool is(const char *what)
{
	return strcmp(kind, what) == 0;
}

static enum made_what next(void *ctx, struct doze_event *e, uint64_t *lost)
{
	static bool lost_already;
	enum made_what what = herd_next(ctx, e, lost);

	if (what != MADE_EVENT)
		return what;
	if (is("future") && e->kind == DOZE_EV_pool_start)
		e->u.pool_start.schema_major = DOZE_SCHEMA_MAJOR + 1;
	if (is("cut") && herd.phase >= 2 && e->kind == DOZE_EV_pool_stop)
		return MADE_END;
	if (is("lossy") && !lost_already && herd.made > herd.events / 2) {
		lost_already = true;
		*lost = 100;
		return MADE_LOSS;
	}
	return what;
}

int main(int argc, char **argv)
{
	struct made_options options = {0};

	if (argc < 3)
		return 2;
	herd.events = strtoull(argv[2], NULL, 10);
	herd.workers = number(argc, argv, 3, 8);
	herd.woken = number(argc, argv, 4, 1);
	herd.useful = number(argc, argv, 5, 1);
	herd.cpus = 4;
	if (argc > 6)
		kind = argv[6];
	if (is("foreign"))
		options.provider = "elsewhere";
	if (herd.workers < 1 || herd.workers > HERD_MAX_WORKERS || herd.woken > herd.workers ||
	    herd.useful > herd.woken) {
		fprintf(stderr, "make-trace: 1 to %d workers, USEFUL <= WOKEN <= WORKERS\n",
			HERD_MAX_WORKERS);
		return 2;
	}
	return made_write(argv[1], &options, next, &herd) == 0 ? 0 : 1;
}
