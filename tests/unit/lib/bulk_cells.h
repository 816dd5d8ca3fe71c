/*
 * SPDX-License-Identifier: MIT
 *
 * bulk_cells.h - the arguments of the jobs in the suites of bulk spawn: each job counts its runs in
 * a cell of its own.
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

/** Returns the number of cells that do not have the right count, which is 1 in the first n and 0
 * elsewhere, and resets all cells. */
static size_t wrong_cells(size_t n)
{
	size_t wrong = 0;
	for (size_t i = 0; i < MOST; i++)
		wrong += cells[i].runs != (i < n);
	memset(cells, 0, sizeof cells);
	return wrong;
}

#endif
