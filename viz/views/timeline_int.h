/*
 * SPDX-License-Identifier: MIT
 *
 * timeline_int.h - shared by timeline.c, which gathers, and timeline_print.c, which draws.
 */
#ifndef DOZE_VIZ_TIMELINE_INT_H
#define DOZE_VIZ_TIMELINE_INT_H

#include "cells.h"
#include "timeline.h"

enum {
	TIMELINE_LABEL = 6, /* columns left of the lane, its bar included */
	TIMELINE_RIGHT = 6, /* right of it: the bar and the share of time active */
	TIMELINE_MARKS = 64,
	TIMELINE_POOLS = 256,
};

struct timeline_pool {
	uint64_t jec, words, storms;
	bool before; /* a word was seen before the range that is shown: the last one */
	bool before_odd;
	uint32_t before_sleeping;
	bool lost; /* events were lost from lost_from to lost_to, and no word was seen since */
	int64_t lost_from, lost_to;
};

struct timeline_mark {
	int64_t ts;
	char text[64];
};

struct doze_timeline {
	size_t columns;   /* of a lane */
	int64_t from, to; /* asked for, ns after origin */
	int64_t origin;   /* first event */
	struct doze_grid *grid;
	bool short_of_memory;
	struct timeline_pool pool[TIMELINE_POOLS]; /* by pool row; later pools have no such lanes */
	size_t marks;
	uint64_t marks_seen;
	struct timeline_mark mark[TIMELINE_MARKS];
};

#endif
