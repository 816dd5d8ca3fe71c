/*
 * SPDX-License-Identifier: MIT
 *
 * overview_test.c - viz/viewer: what the rings drop is still in the overview, in bounded memory.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/suite.h"
#include "viz/viewer/store/overview.h"

static struct tui_overview o;

static void begin(void)
{
	tui_overview_free(&o);
}

static double time_in(uint32_t row, int kind, int64_t from, int64_t to, int columns)
{
	double sum = 0;

	for (int c = 0; c < columns; c++) {
		struct doze_cell cell = {0};

		tui_overview_states(&o, row, from + (to - from) * c / columns,
				    from + (to - from) * (c + 1) / columns, &cell);
		sum += (double)cell.share[kind];
	}
	return sum;
}

static uint32_t wakes_in(int64_t from, int64_t to, int columns)
{
	struct tui_tally sum = {.ending = 0};

	for (int c = 0; c < columns; c++)
		tui_overview_wakes(&o, 0, from + (to - from) * c / columns,
				   from + (to - from) * (c + 1) / columns, &sum);
	return sum.n[TUI_USEFUL];
}

enum { SPANS = 100000, SPAN_NS = 30011 };
#define START INT64_C(1790000000000000000)
#define END   (START + (int64_t)SPANS * SPAN_NS)

static void add_spans(void)
{
	begin();
	for (int64_t i = 0; i < SPANS; i++)
		tui_overview_span(&o, 0, START + i * SPAN_NS, START + (i + 1) * SPAN_NS,
				  i % 3 ? DOZE_STATE_sleeping : DOZE_STATE_active, true);
}

/* However wide a column is, the columns of a window share all of the window's time. */
static void keeps_all_time(void)
{
	static const int columns[] = {1, 7, 100, 4096};

	add_spans();
	CU_ASSERT(tui_overview_cell_ns(&o) <= 2 * (END - START) / TUI_OVERVIEW_CELLS);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		double active = time_in(0, DOZE_STATE_active, START, END, columns[i]);

		/* The last cell's middle may lie behind the end. */
		CU_ASSERT_DOUBLE_EQUAL(active / (double)(END - START), 1.0 / 3, 1e-3);
	}
}

/* A column shorter than a cell gets its share of the cell. */
static void shares_a_cell(void)
{
	int64_t cell, at;

	add_spans();
	cell = tui_overview_cell_ns(&o);
	at = o.origin + 5000 * cell;
	CU_ASSERT_DOUBLE_EQUAL(time_in(0, DOZE_STATE_active, at, at + cell / 8, 1) +
				   time_in(0, DOZE_STATE_sleeping, at, at + cell / 8, 1),
			       (double)cell / 8, (double)cell * 1e-3);
	CU_ASSERT_DOUBLE_EQUAL(time_in(0, DOZE_STATE_active, at, at + cell, 8),
			       time_in(0, DOZE_STATE_active, at, at + cell, 1),
			       (double)cell * 1e-3);
}

static void counts_each_wake_once(void)
{
	static const int columns[] = {1, 13, 200, 50000};

	begin();
	for (int64_t i = 0; i < SPANS; i++)
		tui_overview_wake(&o, 0, START + i * SPAN_NS, TUI_USEFUL, false);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		CU_ASSERT_EQUAL(wakes_in(START - 1000000, END + 1000000, columns[i]), SPANS);
}

static void keeps_counters(void)
{
	struct tui_counters c = {.count = {1, 2, 5}, .has_jec = true};
	struct tui_counter_cell sum = {.covered = 0};

	begin();
	for (int64_t i = 0; i < SPANS; i++) {
		c.jec = (uint64_t)i;
		c.toggles = 1;
		tui_overview_counters(&o, 2, START + i * SPAN_NS, START + (i + 1) * SPAN_NS, &c);
	}
	tui_overview_counts(&o, 2, START, END + 2 * tui_overview_cell_ns(&o), &sum);
	CU_ASSERT_EQUAL(sum.covered, END - START);
	CU_ASSERT_EQUAL(sum.toggles, SPANS);
	CU_ASSERT_EQUAL(sum.jec, SPANS - 1);
	CU_ASSERT_DOUBLE_EQUAL(sum.ns[TUI_ACTIVE_COUNT] / (double)sum.covered, 5, 1e-9);
	CU_ASSERT_EQUAL(o.pools, 8); /* pools 0 and 1 have nothing */
	sum = (struct tui_counter_cell){.covered = 0};
	tui_overview_counts(&o, 1, START, END, &sum);
	CU_ASSERT_EQUAL(sum.covered, 0);
}

/* Hundreds of busy workers make the cells longer, not the memory larger. */
static void memory_is_bounded(void)
{
	size_t bytes = 0;

	begin();
	for (int64_t i = 0; i < 4000; i++)
		for (uint32_t row = 0; row < 700; row++)
			tui_overview_span(&o, row, START + i * 1000000, START + (i + 1) * 1000000,
					  (int)(i + row) % 3 + 1, true);
	for (size_t i = 0; i < o.lanes; i++)
		bytes += doze_lane_bytes(&o.lane[i].states);
	CU_ASSERT(bytes <= TUI_OVERVIEW_BYTES + TUI_OVERVIEW_BYTES / 8);
	CU_ASSERT(bytes > TUI_OVERVIEW_BYTES / 4);
	CU_ASSERT_FALSE(o.incomplete);
	CU_ASSERT_DOUBLE_EQUAL(time_in(699, 1, START, START + INT64_C(4000000000), 10) / 4e9,
			       1.0 / 3, 1e-2);
}

static const struct suite_test tests[] = {
    {"the columns of a window share its time, whatever their width", keeps_all_time},
    {"a column that is shorter than a cell gets its share of it", shares_a_cell},
    {"each wake is counted in one column", counts_each_wake_once},
    {"the counters of a pool are averaged, and its toggles counted", keeps_counters},
    {"memory does not grow with the number of workers", memory_is_bounded},
};

SUITE_MAIN("tui overview", tests)
