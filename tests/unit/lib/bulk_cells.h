/*
 * SPDX-License-Identifier: MIT
 *
 * bulk_cells.h - the job arguments in the suites of bulk spawn: each job counts its runs in its own
 * cell.
 */
#ifndef DOZE_TESTS_LIB_BULK_CELLS_H
#define DOZE_TESTS_LIB_BULK_CELLS_H

#include <string.h>

#include "help.h"

enum { MOST = 1000 };

struct cell {
	long runs;
};
static struct cell cells[MOST];

static void count_cell(void *arg)
{
	struct cell *cell = arg;
	help_count(&cell->runs);
}

static void count_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	count_cell(arg);
}

/** Returns the number of cells that hold a wrong count, and resets all cells. The first n cells
 * must hold 1, the others 0. */
static size_t wrong_cells(size_t n)
{
	size_t wrong = 0;
	for (size_t i = 0; i < MOST; i++)
		wrong += cells[i].runs != (i < n);
	memset(cells, 0, sizeof cells);
	return wrong;
}

#endif
