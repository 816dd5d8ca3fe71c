/*
 * SPDX-License-Identifier: MIT
 *
 * lanes_test.c - viz/show/cells contains exactly what an array of all cells would.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/suite.h"
#include "viz/show/cells.h"

enum { CELLS = 64, STEPS = 200000 };

static struct doze_cell array[CELLS];

static void add(struct doze_cell *to, const struct doze_cell *from)
{
	for (int k = 0; k < DOZE_CELL_KINDS; k++)
		to->share[k] += from->share[k];
	to->changes += from->changes;
	to->wakes += from->wakes;
}

static void fold_array(void)
{
	for (size_t i = 0; i < CELLS / 2; i++) {
		struct doze_cell sum = array[2 * i];

		add(&sum, &array[2 * i + 1]);
		array[i] = sum;
	}
	memset(array + CELLS / 2, 0, CELLS / 2 * sizeof *array);
}

/* Adds one of a few cells, most of them equal, to a few neighbours. */
static bool add_some(struct doze_lane *l)
{
	struct doze_cell what = {.changes = rand() % 8 == 0, .wakes = rand() % 16 == 0};
	size_t first = (size_t)rand() % CELLS, last = first + (size_t)rand() % 6;

	what.share[rand() % 3] = rand() % 4 ? 1024 : (float)(rand() % 1000) / 7;
	for (size_t i = first; i <= last && i < CELLS; i++) {
		if (!doze_lane_add(l, i, &what))
			return false;
		add(&array[i], &what);
	}
	return true;
}

static bool is_same(const struct doze_lane *l, size_t first, size_t last)
{
	struct doze_cell sum = {0}, got = doze_lane_sum(l, first, last);

	for (size_t i = first; i < last; i++)
		add(&sum, &array[i]);
	return memcmp(&sum, &got, sizeof sum) == 0;
}

static void equals_an_array(void)
{
	struct doze_lane l = {0};
	int wrong = 0;

	srand(1);
	for (int step = 0; step < STEPS && !wrong; step++) {
		size_t first = (size_t)rand() % CELLS;

		if (rand() % 20 == 0) {
			wrong += !doze_lane_fold(&l);
			fold_array();
		} else {
			wrong += !add_some(&l);
		}
		wrong += !is_same(&l, first, first + (size_t)rand() % (CELLS - first + 1));
		wrong += !is_same(&l, first, first + 1);
		if (rand() % 100 == 0) {
			doze_lane_free(&l);
			memset(array, 0, sizeof array);
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	doze_lane_free(&l);
}

static void stores_equal_cells_once(void)
{
	struct doze_lane l = {0};
	struct doze_cell what = {.share = {[DOZE_STATE_sleeping] = 1024}};

	for (size_t i = 0; i < 10000; i++)
		CU_ASSERT_TRUE(doze_lane_add(&l, i, &what));
	CU_ASSERT_EQUAL(l.count, 1);
	CU_ASSERT_TRUE(doze_lane_fold(&l));
	CU_ASSERT_EQUAL(l.count, 1);
	doze_lane_free(&l);
}

static const struct suite_test tests[] = {
    {"a lane contains the same cells as an array", equals_an_array},
    {"a lane stores equal neighbours once", stores_equal_cells_once},
};
SUITE_MAIN("views: lanes", tests)
