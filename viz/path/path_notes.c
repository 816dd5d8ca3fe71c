/*
 * SPDX-License-Identifier: MIT
 *
 * path_notes.c - the notes per pool and per worker (path_int.h), created on first use.
 */
#include <stdlib.h>
#include <string.h>

#include "path_int.h"

/* Grows an array of pointers to contain element i; new elements are null. */
static bool grow(void **array, uint32_t *capacity, uint32_t i)
{
	uint32_t want = *capacity ? *capacity : 8;
	char *more;

	if (i < *capacity)
		return true;
	while (want <= i)
		want *= 2;
	more = realloc(*array, want * sizeof(void *));
	if (!more)
		return false;
	memset(more + *capacity * sizeof(void *), 0, (want - *capacity) * sizeof(void *));
	*array = more;
	*capacity = want;
	return true;
}

struct path_pool *path_pool_new(struct paths *all, const struct doze_pool_view *v)
{
	struct path_pool *p = 0;

	if (grow((void **)&all->pool, &all->capacity, v->row))
		p = calloc(1, sizeof *p);
	if (!p) {
		doze_model_evicted(all->model);
		return 0;
	}
	p->v = v;
	return all->pool[v->row] = p;
}

struct path_worker *path_worker_new(struct paths *all, struct path_pool *p, int32_t index)
{
	struct path_worker *w = path_worker_of(p, index);

	if (w || index < 0)
		return w;
	if (grow((void **)&p->worker, &p->capacity, (uint32_t)index))
		w = calloc(1, sizeof *w);
	if (!w) {
		doze_model_evicted(all->model);
		return 0;
	}
	w->took.vtid = -1;
	return p->worker[index] = w;
}

static void pool_free(struct path_pool *p)
{
	for (uint32_t i = 0; i < p->capacity; i++)
		free(p->worker[i]);
	free(p->worker);
	free(p->signals);
	path_free(p);
	free(p);
}

void path_notes_free(struct paths *all)
{
	for (uint32_t i = 0; i < all->capacity; i++)
		if (all->pool[i])
			pool_free(all->pool[i]);
	free(all->pool);
	free(all);
}
