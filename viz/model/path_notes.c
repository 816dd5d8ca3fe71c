/*
 * SPDX-License-Identifier: MIT
 *
 * path_notes.c - creates the notes per pool and per worker (path_int.h) on first use.
 */
#include <stdlib.h>

#include "path_int.h"

struct path_pool *path_pool_new(struct paths *all, const struct doze_pool_view *v)
{
	struct path_pool *p = doze_notes_create(&all->pools, v->row, sizeof *p, all->model);

	if (p)
		p->v = v;
	return p;
}

struct path_worker *path_worker_new(struct paths *all, struct path_pool *p, int32_t index)
{
	struct path_worker *w = path_worker_of(p, index);

	if (w || index < 0)
		return w;
	w = doze_notes_create(&p->workers, (uint32_t)index, sizeof *w, all->model);
	if (w)
		w->took.vtid = -1;
	return w;
}

void path_notes_free(struct paths *all)
{
	for (uint32_t i = 0; i < all->pools.capacity; i++) {
		struct path_pool *p = all->pools.at[i];

		if (!p)
			continue;
		doze_notes_free(&p->workers);
		free(p->signals);
		path_free(p);
	}
	doze_notes_free(&all->pools);
	free(all);
}
