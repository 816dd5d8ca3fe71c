/*
 * SPDX-License-Identifier: MIT
 *
 * checker_notes.c - the checker's notes per pool, worker and thread.
 */
#include <stdlib.h>
#include <string.h>

#include "check_int.h"

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

struct check_pool *check_pool_new(struct checker *c, const struct doze_pool_view *v)
{
	struct check_pool *p = 0;

	if (grow((void **)&c->pool, &c->capacity, v->row))
		p = calloc(1, sizeof *p);
	if (!p) {
		doze_model_evicted(c->model);
		return 0;
	}
	p->v = v;
	p->model = c->model;
	return c->pool[v->row] = p;
}

struct check_worker *check_worker_new(struct check_pool *p, int32_t index)
{
	const struct doze_worker_view *v = doze_pool_worker(p->v, index);
	struct check_worker *w = 0;

	if (!v)
		return 0;
	if (grow((void **)&p->by_index, &p->capacity, (uint32_t)index))
		w = calloc(1, sizeof *w);
	if (!w) {
		doze_model_evicted(p->model);
		return 0;
	}
	w->v = v;
	return p->by_index[index] = w;
}

static void pool_free(struct check_pool *p)
{
	for (uint32_t i = 0; p && i < p->capacity; i++)
		free(p->by_index[i]);
	if (p)
		free(p->by_index);
	free(p);
}

void check_free(void *ctx)
{
	struct checker *c = ctx;

	for (uint32_t i = 0; i < c->capacity; i++)
		pool_free(c->pool[i]);
	free(c->pool);
	free(c);
}

struct actor *check_actor_of(struct check_pool *p, struct check_worker *w, int32_t vtid)
{
	struct actor *a;

	if (w)
		return &w->actor;
	a = &p->actors[(uint32_t)vtid % CHECK_ACTORS];
	if (a->vtid != vtid)
		*a = (struct actor){.vtid = vtid};
	return a;
}

void check_forget_due(struct check_pool *p)
{
	for (uint32_t i = 0; i < p->capacity; i++) {
		struct check_worker *w = p->by_index[i];

		if (!w)
			continue;
		w->actor = (struct actor){0};
		w->due.set = false;
		w->slept_on = 0;
	}
	memset(p->actors, 0, sizeof p->actors);
}

void check_forget_all(struct check_pool *p)
{
	check_forget_due(p);
	for (uint32_t i = 0; i < p->capacity; i++)
		if (p->by_index[i])
			p->by_index[i]->has_sleepy_jec = false;
	p->terminating = false;
	p->terminate_ts = p->inject_ts = p->wake_ts = p->broadcast_ts = 0;
}
