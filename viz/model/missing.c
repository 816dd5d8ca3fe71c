/*
 * SPDX-License-Identifier: MIT
 *
 * missing.c - events that are not in the trace though nobody reported them lost: a stream file that
 * was deleted or not copied, a recording of some events only. What is left has no gap that a number
 * would show; but these signs it has, and no policy, right or wrong, can make them:
 *
 *	- the wakes of a pool are numbered one by one, and each number is told by one wake event: a
 *	  number is not there, or a woken names a wake that was never told
 *	- a worker's state is written and told by one function, so the state that it leaves is the
 *	  one that it told last
 *	- a pool is told before its workers start, and after they have stopped
 *	- a worker tells how many jobs it has run, and at level jobs each of them by an event
 *
 * With a sign, findings prove nothing: they may be what is missing. Where losses were reported, the
 * numbers that went with them are no further sign.
 */
#include "model_fn.h"

/* Threads between taking a number and telling it, at most, when it all ends. */
#define IN_FLIGHT 64

#define WORD(id) ((id) / 64 % (WAKE_IDS / 64))
#define BIT(id)  (UINT64_C(1) << (id) % 64)

static bool is_seen(const struct wake_ids *t, uint64_t id)
{
	return t->bits[WORD(id)] & BIT(id);
}

/* Numbers up to id take the places of those that lie WAKE_IDS before them. */
static void move_up(struct wake_ids *t, uint64_t id)
{
	uint64_t n = id - t->max;

	for (uint64_t k = t->max + 1; k <= id && k <= t->max + WAKE_IDS; k++) {
		if (k > WAKE_IDS && k - WAKE_IDS >= t->first)
			t->holes += !is_seen(t, k - WAKE_IDS);
		t->bits[WORD(k)] &= ~BIT(k);
	}
	if (n > WAKE_IDS)
		t->holes += 1; /* how many does not matter */
	t->max = id;
}

void model_missing_wake(struct pool *p, uint64_t id)
{
	struct wake_ids *t = &p->ids;

	if (!id || id > INT64_MAX) /* none of ours */
		return;
	if (!t->max)
		t->first = p->v.started ? 1 : id;
	if (id < t->first)
		t->first = id;
	if (id > t->max)
		move_up(t, id);
	if (t->max - id < WAKE_IDS)
		t->bits[WORD(id)] |= BIT(id);
	else if (t->holes)
		t->holes--; /* told very late */
}

void model_missing_woken(struct doze_model *m, const struct pool *p, uint64_t id)
{
	const struct wake_ids *t = &p->ids;
	/* The waker tells it before the wakee can go on: both under the wakee's lock. */
	bool late = id > t->max || (t->max - id < WAKE_IDS && !is_seen(t, id));

	if (id && late && id >= t->first && (t->max || p->v.started) && !m->totals.discarded)
		m->totals.missing++;
}

void model_missing_state(struct doze_model *m, const struct worker *w, const struct doze_event *e)
{
	bool joins = !w->v.known || w->v.unknown || w->v.state == e->u.state.from;
	bool starts = e->u.state.from == DOZE_STATE_none;

	m->totals.missing += !joins || (starts && !w->pool->v.started && !m->totals.discarded);
}

/* What happened before a late beginning is not missing, nor what was under way at a sudden end. */
static bool number_is_missing(const struct pool *p)
{
	const struct wake_ids *t = &p->ids;
	uint64_t last = p->v.stopped ? t->max : t->max > IN_FLIGHT ? t->max - IN_FLIGHT : 0;

	for (uint64_t id = t->max > WAKE_IDS ? t->max - WAKE_IDS + 1 : 1; id <= last; id++)
		if (id >= t->first && !is_seen(t, id))
			return true;
	return t->holes > 0;
}

void doze_model_incomplete(struct doze_model *m)
{
	m->totals.missing++;
}

/* Each worker of a pool that has stopped: it has, too, and what it ran was told. */
static void look_at_worker(struct doze_model *m, const struct pool *p, uint32_t index)
{
	const struct worker *w = model_worker_seen(p, (int32_t)index);

	if (!w && index >= p->v.workers)
		return;
	m->totals.missing += !w || !known_state(w, DOZE_STATE_stopped);
	m->totals.missing +=
	    w && p->v.started && m->totals.jobs_level && w->starts < w->reported.run;
}

void model_missing_finish(struct doze_model *m, struct pool *p)
{
	if (!m->totals.discarded && p->ids.max)
		m->totals.missing += number_is_missing(p);
	if (!m->totals.discarded && p->v.stopped)
		for (uint32_t i = 0; i < p->v.index_end; i++)
			look_at_worker(m, p, i);
	p->ids = (struct wake_ids){0};
}
