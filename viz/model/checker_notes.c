/*
 * SPDX-License-Identifier: MIT
 *
 * checker_notes.c - creates and frees the checker's notes per pool, worker and thread.
 */
#include <stdlib.h>
#include <string.h>

#include "check_int.h"

struct check_pool *check_pool_new(struct checker *c, const struct doze_pool_view *v)
{
	struct check_pool *p = doze_notes_create(&c->pools, v->row, sizeof *p, c->model);

	if (!p)
		return 0;
	p->v = v;
	p->model = c->model;
	return p;
}

struct check_worker *check_worker_new(struct check_pool *p, int32_t index)
{
	const struct doze_worker_view *v = doze_pool_worker(p->v, index);
	struct check_worker *w;

	if (!v)
		return 0;
	w = doze_notes_create(&p->workers, (uint32_t)index, sizeof *w, p->model);
	if (w)
		w->v = v;
	return w;
}

void check_free(void *ctx)
{
	struct checker *c = ctx;

	for (uint32_t i = 0; i < c->pools.capacity; i++) {
		struct check_pool *p = c->pools.at[i];

		if (!p)
			continue;
		doze_notes_free(&p->workers);
		check_rule_job_forget(p);
	}
	doze_notes_free(&c->pools);
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
	for (uint32_t i = 0; i < p->workers.capacity; i++) {
		struct check_worker *w = p->workers.at[i];

		if (!w)
			continue;
		w->actor = (struct actor){0};
		w->due.set = false;
		w->slept_on = 0;
	}
	memset(p->actors, 0, sizeof p->actors);
	check_rule_job_forget(p);
}

void check_forget_all(struct check_pool *p)
{
	check_forget_due(p);
	for (uint32_t i = 0; i < p->workers.capacity; i++) {
		struct check_worker *w = p->workers.at[i];

		if (w)
			*w = (struct check_worker){.v = w->v};
	}
	p->terminating = p->after_stop = false;
	p->terminate_ts = p->inject_ts = p->wake_ts = p->broadcast_ts = 0;
}
