/*
 * SPDX-License-Identifier: MIT
 *
 * cells.h - divides time into cells, to draw a trace whose length is not known in advance.
 *
 * A grid starts with cells of about a microsecond. When the trace outgrows the grid, neighbouring
 * cells are merged and become twice as long. One pass is therefore enough, and memory depends on
 * the width of the output and the number of lanes, not on the length of the trace. With a fixed
 * range (--from and --to) the cells have their final length from the beginning.
 *
 * Invariant: all lanes of a grid have the same cells.
 */
#ifndef DOZE_VIZ_CELLS_H
#define DOZE_VIZ_CELLS_H

#include <stddef.h>

#include "../model/model.h"
#include "../model/saved.h"

enum { DOZE_CELL_UNKNOWN = DOZE_STATE_COUNT, DOZE_CELL_KINDS };

/** The states and wakes of one worker during one cell. */
struct doze_cell {
	float share[DOZE_CELL_KINDS]; /* ns in each state; the last entry: unknown */
	uint32_t changes, wakes;      /* number of state changes, excluding the worker's start;
				       * number of wakes */
};

/** The counters of one pool during one cell. */
struct doze_pool_cell {
	uint32_t words, toggles; /* number of counters words; how many of them changed the JEC */
	bool odd;                /* parity of the last JEC; undefined while words is 0 */
	uint16_t sleeping;       /* maximum number of sleepers */
	bool storm, lost;        /* whether the cell overlaps a storm; whether it overlaps a loss of
				  * events */
};

/** What a view shows for a cell. All views use the same rule (see cells.c). */
struct doze_gist {
	int kind;      /* the state to show, DOZE_CELL_UNKNOWN, or DOZE_STATE_none if nothing is
			* known */
	bool finer;    /* the cell contains more state changes than it can show */
	double active; /* active share of the cell's time, 0 to 1 */
};
struct doze_gist doze_cell_gist(const struct doze_cell *);

struct doze_grid;

/** Returns a grid owned by the caller, or null if out of memory. from and to are absolute, in ns;
 * INT64_MIN and INT64_MAX stand for the beginning and the end of the trace. */
struct doze_grid *doze_grid_new(size_t columns, int64_t from, int64_t to);
void doze_grid_free(struct doze_grid *);

/** Sets the beginning of the trace. Call it before any of the functions below. */
void doze_grid_begin(struct doze_grid *, int64_t ts);
void doze_grid_interval(struct doze_grid *, const struct doze_interval *);
void doze_grid_wake(struct doze_grid *, uint32_t row, int64_t ts);
/** Adds the values of a counters word. toggled: its JEC differs from that of the previous word. */
void doze_grid_word(struct doze_grid *, size_t pool, int64_t ts, uint32_t sleeping, bool odd,
		    bool toggled);
void doze_grid_storm(struct doze_grid *, size_t pool, int64_t from, int64_t to);
/** Marks the pool's counters as unknown in that time range. */
void doze_grid_lost(struct doze_grid *, size_t pool, int64_t from, int64_t to);
/** Returns whether some lanes are missing because memory ran out. */
bool doze_grid_short(const struct doze_grid *);

/** Returns the time range of the grid. Call it after the last event. */
void doze_grid_range(const struct doze_grid *, int64_t *from, int64_t *to);
/** Returns one of the grid's columns, merged from the cells that it covers. */
struct doze_cell doze_grid_column(const struct doze_grid *, uint32_t row, size_t column);
struct doze_pool_cell doze_grid_pool_column(const struct doze_grid *, size_t pool, size_t column);

/*
 * ---- Lanes: the cells of one worker ----
 *
 * A worker sleeps or does not exist for most of the
 * time, so equal neighbours are stored once, and empty cells not at all: memory depends on how much
 * of the worker a picture of this resolution can show, not on the number of cells.
 *
 * One thread at a time per lane. A lane of zeros is empty.
 */

struct doze_lane {
	struct doze_cell_run *run; /* owned; see cells.c */
	size_t count, room;
};

/** Adds `what` to cell i. Returns false if out of memory; the lane then lacks it. */
bool doze_lane_add(struct doze_lane *, size_t i, const struct doze_cell *what);
/** Merges cells 2i and 2i+1 into cell i. Returns false if out of memory, with the lane unchanged.
 */
bool doze_lane_fold(struct doze_lane *);
/** Returns the sum of the cells from `first` to `last` (exclusive). */
struct doze_cell doze_lane_sum(const struct doze_lane *, size_t first, size_t last);
/** Returns the memory that the lane's cells need, in bytes. */
size_t doze_lane_bytes(const struct doze_lane *);
void doze_lane_free(struct doze_lane *);
/** Saves the lane, or loads it (model/saved.h). */
void doze_lane_saved(struct doze_lane *, struct doze_saved *);

#endif
