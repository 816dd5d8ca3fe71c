/*
 * SPDX-License-Identifier: MIT
 *
 * outside.c - keeps one row per outside thread that woke a pool's workers, up to OUTSIDE_ROWS.
 */
#include <stdlib.h>

#include "model_fn.h"

enum { OUTSIDE_ROWS = 64 };

struct outside {
	size_t count, last; /* last: the row used last */
	struct doze_outside_view
	    row[OUTSIDE_ROWS + 1]; /* the last row stands for all further threads */
};

static struct doze_outside_view *row_of(struct pool *p, int32_t vtid)
{
	struct outside *o = p->outside;
	size_t i = 0;

	if (!o)
		o = p->outside = calloc(1, sizeof *o);
	if (!o)
		return 0;
	if (o->count && o->row[o->last].vtid == vtid)
		return &o->row[o->last];
	while (i < o->count && o->row[i].vtid != vtid)
		i++;
	if (i >= OUTSIDE_ROWS) {
		i = OUTSIDE_ROWS;
		vtid = -1;
	}
	if (i >= o->count) {
		o->row[i].vtid = vtid;
		o->count = i + 1;
	}
	o->last = i;
	return &o->row[i];
}

void model_outside_sent(struct doze_model *m, struct pool *p, const struct doze_wake *k)
{
	struct doze_outside_view *row = wake_in_scope(m, k) ? row_of(p, k->waker_vtid) : 0;

	if (row)
		row->wakes_sent++;
}

void model_outside_futile(struct doze_model *m, struct pool *p, const struct doze_wake *k)
{
	struct doze_outside_view *row = wake_in_scope(m, k) ? row_of(p, k->waker_vtid) : 0;

	if (row)
		row->futile_sent++;
}

const struct doze_outside_view *doze_model_outside(const struct doze_model *m, size_t pool,
						   size_t i)
{
	const struct outside *o =
	    pool < m->entities.pool_count ? m->entities.pools[pool]->outside : 0;

	return o && i < o->count ? &o->row[i] : 0;
}
