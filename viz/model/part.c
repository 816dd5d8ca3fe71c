/*
 * SPDX-License-Identifier: MIT
 *
 * part.c - a part of a trace that was read before: a model continues with the state that it had
 * before the part, and takes what it must know about the rest from the finished model of the whole
 * trace (part.h).
 */
#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "model_int.h"

/* The numbers of a model that count only what is selected. */
struct counted_worker {
	int64_t total[DOZE_STATE_COUNT];
	uint64_t jobs_run, jobs_published, wakes, wakes_sent, futile_sent;
};

struct counted {
	struct doze_totals totals;
	struct doze_measures measures;
	struct counted_worker *worker; /* owned; by row */
	struct outside **waker;        /* owned; by row of the pool */
	size_t workers, pools;
};

/* ---- the state before the part ---- */

/* Sets the numbers that count only what is selected to 0: nothing before the part is. */
static void forget_numbers(struct doze_model *m)
{
	const struct doze_totals old = m->totals;

	m->totals = (struct doze_totals){.events = old.events,
					 .first_ts = old.first_ts,
					 .last_ts = old.last_ts,
					 .jobs_level = old.jobs_level};
	m->measures = (struct doze_measures){0};
	for (struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w)) {
		memset(w->v.total, 0, sizeof w->v.total);
		w->v.jobs_run = w->v.jobs_published = 0;
		w->v.wakes = w->v.wakes_sent = w->v.futile_sent = 0;
	}
}

void doze_model_running_saved(struct doze_model *m, struct doze_saved *s)
{
	model_checkpoint_saved(m, s);
	(void)doze_saved_value(s, m->fed);
	for (struct pool *p = model_next_pool(m, 0); p && !s->failed; p = model_next_pool(m, p)) {
		model_jobs_saved(p, s);
		model_ledger_saved(m, p, s);
	}
	if (!s->failed)
		model_storms_saved(m, s);
	if (!s->loads || s->failed)
		return;
	forget_numbers(m);
	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		model_chain_tell(m, p);
}

void doze_model_part_begin(struct doze_model *m, bool observed)
{
	if (!observed)
		model_observers_pause(m, true);
	doze_model_complete(m); /* the whole trace shows whether events are missing */
}

/* ---- the end of the part ---- */

bool doze_model_is_plain(const struct doze_model *m)
{
	const struct doze_totals *t = &m->totals;

	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (p->v.rules->foreign || !p->v.started || !p->v.stopped)
			return false;
	for (const struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w))
		if (!known_state(w, DOZE_STATE_stopped))
			return false;
	return m->finished && t->events && !t->unknown_events && !t->discarded && !t->findings &&
	       !t->ambiguous && !t->consequences && !t->elsewhere && !t->evicted && !t->missing &&
	       !*t->missing_what && !t->backwards && !t->leaps && !t->truncated;
}

bool doze_model_is_settled_by(const struct doze_model *m, int64_t to)
{
	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (!model_ledger_settled(p, to) || !model_jobs_settled(p, to))
			return false;
	return m->now > to && model_storms_settled(m, to);
}

static bool take_numbers(struct doze_model *m, struct counted *c)
{
	*c = (struct counted){.totals = m->totals, .measures = m->measures};
	c->worker = calloc(doze_model_workers(m) + 1, sizeof *c->worker);
	c->waker = calloc(doze_model_pools(m) + 1, sizeof *c->waker);
	if (!c->worker || !c->waker)
		return false;
	for (const struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w)) {
		struct counted_worker *to = &c->worker[c->workers++];

		memcpy(to->total, w->v.total, sizeof to->total);
		to->jobs_run = w->v.jobs_run;
		to->jobs_published = w->v.jobs_published;
		to->wakes = w->v.wakes;
		to->wakes_sent = w->v.wakes_sent;
		to->futile_sent = w->v.futile_sent;
	}
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		c->waker[c->pools++] = model_outside_take(p);
	return true;
}

/* Frees what is in progress, which no longer matters. */
static void drop_running(struct doze_model *m)
{
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p)) {
		model_ledger_free(p);
		model_jobs_free(p);
		model_posts_forget(p);
	}
	model_thread_names_free(m);
}

static void put_totals(struct doze_totals *to, const struct doze_totals *from)
{
	to->storms = from->storms;
	to->wakes = from->wakes;
	to->woken = from->woken;
	memcpy(to->verdicts, from->verdicts, sizeof to->verdicts);
	to->posts = from->posts;
	to->jobs_published = from->jobs_published;
	to->jobs_run = from->jobs_run;
	to->jec_toggles = from->jec_toggles;
	memcpy(to->sleep_aborts, from->sleep_aborts, sizeof to->sleep_aborts);
	to->outside_wakes = from->outside_wakes;
}

/* Workers and pools that the part does not contain have counted nothing. */
static void put_numbers(struct doze_model *m, struct counted *c)
{
	const struct doze_measures whole = m->measures;

	put_totals(&m->totals, &c->totals);
	m->measures = c->measures;
	m->measures.steps = whole.steps;
	m->measures.reordered = whole.reordered;
	for (struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w)) {
		static const struct counted_worker none;
		const struct counted_worker *from =
		    w->v.key.row < c->workers ? &c->worker[w->v.key.row] : &none;

		memcpy(w->v.total, from->total, sizeof w->v.total);
		w->v.jobs_run = from->jobs_run;
		w->v.jobs_published = from->jobs_published;
		w->v.wakes = from->wakes;
		w->v.wakes_sent = from->wakes_sent;
		w->v.futile_sent = from->futile_sent;
	}
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		model_outside_put(p, p->v.row < c->pools ? c->waker[p->v.row] : NULL);
	c->pools = 0; /* their pools own the numbers now */
}

static void free_numbers(struct counted *c)
{
	for (size_t i = 0; i < c->pools; i++)
		free(c->waker[i]);
	free(c->waker);
	free(c->worker);
}

static bool is_limited(const struct doze_model *m)
{
	return m->opt.selection.from > 0 || m->opt.selection.to < INT64_MAX;
}

static void end_spans(struct doze_model *m)
{
	const struct doze_selection *s = &m->opt.selection;
	int64_t to =
	    s->to > DOZE_TS_MAX - m->totals.first_ts ? INT64_MAX : m->totals.first_ts + s->to;

	for (struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w))
		model_state_end_part(m, w, m->now);
	model_storms_end_part(m, to);
}

bool doze_model_part_finish(struct doze_model *m, struct doze_saved *whole)
{
	struct counted c;
	bool ok;

	end_spans(m);
	ok = take_numbers(m, &c);
	if (ok) {
		drop_running(m);
		for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
			model_outside_put(p, NULL);
		model_observers_pause(m, false);
		ok = doze_model_saved(m, whole);
		/* The numbers of a model without a selection are those of the whole trace. */
		if (is_limited(m))
			put_numbers(m, &c);
	}
	free_numbers(&c);
	return ok;
}
