/*
 * SPDX-License-Identifier: MIT
 *
 * diag_notes.c - creates the diagnosis's notes on a pool or a worker, by its row in the model.
 */
#include <stdlib.h>

#include "../model/observer.h"
#include "diagnose_int.h"

struct diag_worker *diag_worker_new(struct diagnosis *d, size_t row)
{
	struct diag_worker *bigger = doze_grow(d->worker, &d->workers, row, sizeof *d->worker);
	if (!bigger) {
		d->failed = true;
		return 0;
	}
	d->worker = bigger;
	return &d->worker[row];
}

struct diag_pool *diag_pool_new(struct diagnosis *d, size_t row)
{
	struct diag_pool **bigger;

	if (row >= d->pools) {
		bigger = doze_grow(d->pool, &d->pools, row, sizeof *d->pool);
		if (!bigger)
			return 0;
		d->pool = bigger;
	}
	if (!d->pool[row])
		d->pool[row] = calloc(1, sizeof **d->pool);
	return d->pool[row];
}
