/*
 * SPDX-License-Identifier: MIT
 *
 * cells.h - time cut into cells, for a picture of a trace whose length is not known beforehand.
 *
 * A grid starts with cells of a few microseconds. When time runs out of it, neighbours are merged
 * and the cells are twice as long, so memory depends on the width of the picture and the number of
 * lanes, not on the length of the trace, and one pass is enough. With a given range (--from and
 * --to) the cells have their final length at once.
 *
 * Key invariant: all lanes of a grid have the same cells.
 */
#ifndef DOZE_VIZ_CELLS_H
#define DOZE_VIZ_CELLS_H

#include <stddef.h>

#include "../model/model.h"

enum { DOZE_CELL_UNKNOWN = DOZE_STATE_COUNT, DOZE_CELL_KINDS };

/** What one worker did in one cell. */
struct doze_cell {
	float share[DOZE_CELL_KINDS]; /* ns in each state; the last: unknown */
	uint32_t changes, wakes;      /* changes of state; a worker's start is none */
};

/** What one pool's counters did in one cell. */
struct doze_pool_cell {
	uint32_t words, toggles; /* steps seen; of these with another JEC */
	bool odd;                /* the last JEC, while words > 0 */
	uint16_t sleeping;       /* most at once */
	bool storm, lost;        /* a storm, a time in which steps may have been lost, touches it */
};

/** What a picture says of a cell, by one rule for all views (cells.c has it in words). */
struct doze_gist {
	int kind;      /* the state to show; DOZE_CELL_UNKNOWN; DOZE_STATE_none: nothing is known */
	bool finer;    /* more happens in it than one state can tell */
	double active; /* share of the cell's time, 0 to 1 */
};
struct doze_gist doze_cell_gist(const struct doze_cell *);

struct doze_grid;

/** from, to in ns (absolute); INT64_MIN / INT64_MAX: as the trace has it. Null: no memory. */
struct doze_grid *doze_grid_new(size_t columns, int64_t from, int64_t to);
void doze_grid_free(struct doze_grid *);

/** The trace begins at ts: before anything else is put in. */
void doze_grid_begin(struct doze_grid *, int64_t ts);
void doze_grid_interval(struct doze_grid *, const struct doze_interval *);
void doze_grid_wake(struct doze_grid *, uint32_t row, int64_t ts);
/** toggled: the JEC is another than at the step before. */
void doze_grid_word(struct doze_grid *, size_t pool, int64_t ts, uint32_t sleeping, bool odd,
		    bool toggled);
void doze_grid_storm(struct doze_grid *, size_t pool, int64_t from, int64_t to);
/** The pool's counters are not known in that time. */
void doze_grid_lost(struct doze_grid *, size_t pool, int64_t from, int64_t to);
/** True when memory ran short: the picture lacks something. */
bool doze_grid_short(const struct doze_grid *);

/** The time that the picture shows, after the last event. */
void doze_grid_range(const struct doze_grid *, int64_t *from, int64_t *to);
/** Column `column` of `columns` of that range, put together from the cells that it covers. */
struct doze_cell doze_grid_column(const struct doze_grid *, uint32_t row, size_t column);
struct doze_pool_cell doze_grid_pool_column(const struct doze_grid *, size_t pool, size_t column);

#endif
