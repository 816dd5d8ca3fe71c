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
	TIMELINE_LABEL = 6,  /* columns left of the lane, its bar included */
	TIMELINE_RIGHT = 14, /* right of it: the bar, the shares of time active and searching */
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
	size_t columns; /* of a lane */
	struct doze_selection selection;
	int64_t origin; /* first event */
	struct doze_grid *grid;
	bool short_of_memory;
	struct timeline_pool pool[TIMELINE_POOLS]; /* by pool row; later pools have no such lanes */
	size_t marks;
	uint64_t marks_seen;
	struct timeline_mark mark[TIMELINE_MARKS];
};

/** Where a timeline is drawn to. */
struct timeline_canvas {
	const struct doze_timeline *t;
	const struct doze_palette *p;
	FILE *out;
	const char *color; /* the one that is on, "" = none */
	bool jec;          /* a JEC lane was drawn */
	bool letters;      /* more than 9 slept somewhere */
	bool finer;        /* a cell was drawn that is finer than it can show */
};

/** One column; the colour is changed only where it must be. */
void timeline_put(struct timeline_canvas *, const char *color, const char *glyph);
/** Ends the colour that is on. */
void timeline_plain(struct timeline_canvas *);
/** The glyph of a state or DOZE_CELL_UNKNOWN. */
void timeline_put_kind(struct timeline_canvas *, int kind);

/** Column of a time, or -1 when it is not in the picture. */
int64_t timeline_column_of(const struct timeline_canvas *, int64_t ts, int64_t from, int64_t to);
/** The axis. */
void timeline_ruler(struct timeline_canvas *, int64_t from, int64_t to);
/** Marks above the lanes, and what they say in full. */
void timeline_mark_line(struct timeline_canvas *, int64_t from, int64_t to);
void timeline_marks(struct timeline_canvas *, int64_t from, int64_t to);
void timeline_legend(struct timeline_canvas *);

#endif
