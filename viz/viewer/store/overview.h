/*
 * SPDX-License-Identifier: MIT
 *
 * overview.h - the part of a run that the history's rings have dropped, at a coarse resolution.
 *
 * When a ring drops its oldest item, the item is added to the overview. The rings and the overview
 * therefore hold the whole run together, and nothing twice. The overview divides time into cells of
 * one length, a power of two. When the run needs more than TUI_OVERVIEW_CELLS of them, or the
 * overview more than TUI_OVERVIEW_BYTES of memory, pairs of cells are merged and the length
 * doubles. So memory is bounded, and a cell is at most 1/8192 of the run as long as memory
 * suffices for that: with 64 workers whose states change in every cell, it does.
 *
 * Main thread only.
 */
#ifndef DOZE_TUI_OVERVIEW_H
#define DOZE_TUI_OVERVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../model/saved.h"
#include "../../show/cells.h"

enum { TUI_OVERVIEW_CELLS = 1 << 14, TUI_OVERVIEW_BYTES = 96 << 20 };

/** What a wake was good for, as the rows of wakes count it. */
enum tui_wake_kind { TUI_USEFUL, TUI_FUTILE_WAKE, TUI_OPEN, TUI_OTHER, TUI_WAKE_KINDS };

/** A number of wakes. */
struct tui_tally {
	uint32_t n[TUI_WAKE_KINDS];
	uint32_t ending; /* how many of these only ended the pool */
};

/** Adds the numbers of `from`. */
void tui_tally_add(struct tui_tally *to, const struct tui_tally *from);

enum tui_counter { TUI_SLEEPING_COUNT, TUI_IDLE_COUNT, TUI_ACTIVE_COUNT, TUI_JEC, TUI_COUNTERS };

/** The counters of a pool between two steps of its counters word. */
struct tui_counters {
	uint32_t count[TUI_JEC];
	uint64_t jec;
	uint64_t toggles; /* number of times that the step to these counters toggled the JEC */
	bool has_jec;
};

/** The counters of a pool during one cell. */
struct tui_counter_cell {
	double ns[TUI_JEC]; /* count x time, per counter, in ns */
	int64_t covered;    /* time for which the counters are known, ns */
	uint64_t jec;       /* JEC at the end of the cell */
	uint64_t toggles;
	bool has_jec, unknown;
};

/** The cells of one worker, and of one pool. Arrays are owned and in ascending order of time. */
struct tui_overview_lane {
	struct doze_lane states;
	struct tui_tally_cell {
		uint32_t cell;
		struct tui_tally tally;
	} * wakes;
	size_t n_wakes, room;
};
struct tui_overview_pool {
	struct tui_counters_cell {
		uint32_t cell;
		struct tui_counter_cell sum;
	} * counters;
	size_t n_counters, room;
};

/** Initialise with zeros. */
struct tui_overview {
	int64_t origin;                 /* beginning of the first cell; valid if `begun` */
	unsigned shift;                 /* a cell is 1 << shift ns long */
	bool begun;                     /* something was added */
	bool incomplete;                /* something was left out, because memory ran out */
	struct tui_overview_lane *lane; /* owned; by row */
	struct tui_overview_pool *pool; /* owned; by the index that the caller chose */
	size_t lanes, pools;
	size_t added; /* number of items added since memory was last measured */
};

/** Adds a state of the worker in this row. kind: an index of doze_cell.share. is_change: the worker
 * changed to this state at `from`. */
void tui_overview_span(struct tui_overview *, uint32_t row, int64_t from, int64_t to, int kind,
		       bool is_change);
/** Adds a wake of the worker in this row. is_ending: the wake only ended the pool. */
void tui_overview_wake(struct tui_overview *, uint32_t row, int64_t at, enum tui_wake_kind,
		       bool is_ending);
/** Adds the counters of a pool, which were constant from one time to another. */
void tui_overview_counters(struct tui_overview *, size_t pool, int64_t from, int64_t to,
			   const struct tui_counters *);
void tui_overview_free(struct tui_overview *);
/** Makes `to`, which must be zeros, a copy. Returns false if out of memory. */
bool tui_overview_copy(struct tui_overview *to, const struct tui_overview *from);
/** Merges cells until the overview takes at most `most` bytes, or has a single cell. */
void tui_overview_limit(struct tui_overview *, uint64_t most);
/** Saves the overview, or loads it (model/saved.h). */
void tui_overview_saved(struct tui_overview *, struct doze_saved *);

/** Returns the length of a cell in ns; 0 if nothing was added. */
int64_t tui_overview_cell_ns(const struct tui_overview *);

/*
 * The functions below add what the overview has between two times to a column of a view. A column
 * that is shorter than a cell gets its share of the cell's time; a wake or a toggle is counted in
 * the column that contains the middle of its cell.
 */
void tui_overview_states(const struct tui_overview *, uint32_t row, int64_t from, int64_t to,
			 struct doze_cell *);
void tui_overview_wakes(const struct tui_overview *, uint32_t row, int64_t from, int64_t to,
			struct tui_tally *);
void tui_overview_counts(const struct tui_overview *, size_t pool, int64_t from, int64_t to,
			 struct tui_counter_cell *);

#endif
