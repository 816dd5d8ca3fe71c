/*
 * SPDX-License-Identifier: MIT
 *
 * timeline_int.h - the data that timeline.c collects, and the functions that draw it.
 */
#ifndef DOZE_VIZ_TIMELINE_INT_H
#define DOZE_VIZ_TIMELINE_INT_H

#include "cells.h"
#include "timeline.h"

enum {
	/* number of columns left of the lane, including the lane's left border */
	TIMELINE_LABEL = 6,
	/* number of columns right of the lane: its right border, and the shares of time active
	 * and searching */
	TIMELINE_RIGHT = 14,
	TIMELINE_MARKS = 64,
	TIMELINE_POOLS = 256,
};

struct timeline_pool {
	uint64_t jec, words, storms;
	bool before; /* the before_* members hold the last counters before the displayed range */
	bool before_odd;
	uint32_t before_sleeping;
	/* events were lost from lost_from to lost_to, and no counters word has followed yet */
	bool lost;
	int64_t lost_from, lost_to;
};

struct timeline_mark {
	int64_t ts;
	char text[64];
};

struct doze_timeline {
	size_t columns; /* number of columns in a lane */
	struct doze_selection selection;
	int64_t origin; /* time of the first event */
	struct doze_grid *grid;
	bool short_of_memory;
	struct timeline_pool
	    pool[TIMELINE_POOLS]; /* by pool row; further pools have no counter lanes */
	size_t marks;
	uint64_t marks_seen;
	struct timeline_mark mark[TIMELINE_MARKS];
};

/** State while a timeline is being drawn. */
struct timeline_canvas {
	const struct doze_timeline *t;
	const struct doze_palette *p;
	FILE *out;
	const char *color; /* the current colour; "": none */
	bool foreign;      /* the program does not use libdoze */
	bool jec;          /* a JEC lane was drawn */
	bool letters;      /* a number above 9 was drawn */
	bool finer;        /* a cell with more states than it can show was drawn */
};

/** Prints one column. Switches the colour only when it changes. */
void timeline_put(struct timeline_canvas *, const char *color, const char *glyph);
/** Switches the current colour off. */
void timeline_plain(struct timeline_canvas *);
/** Prints the glyph of a state or DOZE_CELL_UNKNOWN. */
void timeline_put_kind(struct timeline_canvas *, int kind);

/** Returns the column of a time, or -1 if it is outside the range. */
int64_t timeline_column_of(const struct timeline_canvas *, int64_t ts, int64_t from, int64_t to);
/** Prints the time axis. */
void timeline_ruler(struct timeline_canvas *, int64_t from, int64_t to);
/** Prints the marks above the lanes. */
void timeline_mark_line(struct timeline_canvas *, int64_t from, int64_t to);
/** Lists the marks below the lanes, with their full texts. */
void timeline_marks(struct timeline_canvas *, int64_t from, int64_t to);
void timeline_legend(struct timeline_canvas *);

#endif
