/*
 * SPDX-License-Identifier: MIT
 *
 * steps.c - keeps the latest steps in a ring, and tables that map ids to steps. New entries
 * overwrite old ones, so a chain may end early, but no cause is wrong, because each entry contains
 * its id.
 */
#include <stdlib.h>
#include <string.h>

#include "why_int.h"

static struct step *slot(const struct why *y, step_no no)
{
	return &y->step[no % STEPS_KEPT];
}

const struct step *why_at(const struct why *y, step_no no)
{
	return no && y->step && slot(y, no)->no == no ? slot(y, no) : 0;
}

/* Clears the event's strings, which belong to the reader. */
static void drop_strings(struct doze_event *e)
{
	if (e->kind == DOZE_EV_pool_start)
		e->u.pool_start.policy = e->u.pool_start.version = e->u.pool_start.name = 0;
}

step_no why_step(struct why *y, const struct doze_pool_view *v, const struct doze_worker_view *w,
		 const struct doze_event *e, step_no cause, step_no other)
{
	struct step *s;

	if (!y->step)
		y->step = calloc(STEPS_KEPT, sizeof *y->step);
	if (!y->step) {
		y->failed = true;
		return 0;
	}
	s = slot(y, ++y->last);
	*s = (struct step){.no = y->last,
			   .e = *e,
			   .row = v->row,
			   .cause = {cause, other},
			   .active = v->in_state[DOZE_STATE_active],
			   .since = w && w->known ? w->since : e->ts};
	drop_strings(&s->e);
	return y->last;
}

step_no why_again(struct why *y, struct step *s)
{
	if (!s->no || why_at(y, s->no) || !y->step)
		return s->no;
	s->no = ++y->last;
	*slot(y, s->no) = *s;
	return s->no;
}

struct why_pool *why_pool_of(struct why *y, const struct doze_pool_view *v)
{
	struct why_pool *p = doze_notes_find(&y->pools, v->row);

	if (!p)
		p = doze_notes_create(&y->pools, v->row, sizeof *p, y->model);
	if (p)
		p->v = v;
	y->failed |= !p;
	return p;
}

struct why_worker *why_worker_of(struct why *y, const struct doze_worker_view *w)
{
	struct why_worker *k = doze_notes_find(&y->workers, w->key.row);

	if (!k)
		k = doze_notes_create(&y->workers, w->key.row, sizeof *k, y->model);
	if (k)
		k->v = w;
	y->failed |= !k;
	return k;
}

static size_t slot_of(uint64_t id, size_t size)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % size;
}

void why_remember(struct id_slot *table, size_t size, uint64_t id, step_no no)
{
	table[slot_of(id, size)] = (struct id_slot){id, no};
}

bool why_has_started(const struct why_pool *p, uint64_t job)
{
	const struct id_slot *s = &p->job[slot_of(job, JOB_SLOTS)];

	return s->id == job && !s->no;
}

step_no why_find(const struct id_slot *table, size_t size, uint64_t id)
{
	const struct id_slot *s = &table[slot_of(id, size)];

	return id && s->id == id ? s->no : 0;
}
