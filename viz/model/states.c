/*
 * SPDX-License-Identifier: MIT
 *
 * states.c - from worker_state and snapshot events to closed intervals and totals.
 *
 * Key invariant: the intervals of one worker do not overlap and follow each other without a hole
 * from the moment it is first seen. A span in which events were lost, or whose beginning was not
 * seen, is handed out as unknown and is left out of the totals.
 */
#include "model_int.h"

/* The part of a span that lies in the scope's range. */
static int64_t in_range_ns(const struct doze_model *m, const struct doze_interval *iv)
{
	const struct doze_selection *s = &m->opt.selection;
	int64_t from = iv->from - m->totals.first_ts, to = iv->to - m->totals.first_ts;

	from = from > s->from ? from : s->from;
	to = to < s->to ? to : s->to;
	return to > from ? to - from : 0;
}

/* Ends the span that w is in. */
static void close_span(struct doze_model *m, struct worker *w, int64_t ts, bool unknown)
{
	struct doze_interval iv = {.who = w->v.key,
				   .state = w->v.state,
				   .why = w->why,
				   .from = w->v.since,
				   .to = ts < w->v.since ? w->v.since : ts,
				   .unknown = unknown || w->span_lost};

	if (!iv.unknown)
		w->v.total[iv.state] += in_range_ns(m, &iv);
	if (m->on.on_interval && (iv.to > iv.from || w->known))
		m->on.on_interval(m->ctx, &iv);
}

static void open_span(struct doze_model *m, struct worker *w, enum doze_state s,
		      enum doze_reason why, int64_t ts)
{
	struct pool *p = w->pool;
	bool lost = ts <= m->lost_to;

	p->leaving -= w->leaving;
	w->leaving = false;

	p->in_state[w->v.state] -= w->known;
	p->in_state[s]++;
	p->unsure -= w->known && w->span_lost;
	p->unsure += lost;
	p->seen_workers += !w->known;
	w->known = true;
	w->span_lost = lost;
	w->v.unknown = lost;
	w->v.state = s;
	w->v.since = ts;
	w->v.entered[s]++;
	w->why = why;
}

/* Workers tell sums. Returns how many are new. */
static uint64_t news(uint64_t *told, uint64_t now)
{
	uint64_t n = now > *told ? now - *told : 0;

	*told += n;
	return n;
}

static void count_jobs(struct doze_model *m, struct worker *w, uint64_t run, uint64_t published,
		       int64_t ts)
{
	run = news(&w->told_run, run);
	published = news(&w->told_published, published);
	if (!in_range(m, ts))
		return;
	w->v.jobs_run += run;
	w->v.jobs_published += published;
	if (!in_choice(m, w->v.key.index))
		return;
	m->totals.jobs_run += run;
	m->totals.jobs_published += published;
}

static void judge(struct doze_model *m, const struct worker *w, const struct doze_event *e)
{
	enum doze_state from = e->u.state.from, to = e->u.state.to;
	const char *why = doze_policy_transition(w->pool->rules, from, to, e->u.state.reason);
	bool joins = !w->known || w->span_lost || w->v.state == from;

	if (!joins)
		finding(m, "transition", w->v.key, e->ts,
			"it was %s, but says that it goes from %s to %s (%s)",
			doze_state_name(w->v.state), doze_state_name(from), doze_state_name(to),
			doze_reason_name(e->u.state.reason));
	else if (why && !e->unknown_label)
		finding(m, "transition", w->v.key, e->ts, "%s -> %s (%s): %s",
			doze_state_name(from), doze_state_name(to),
			doze_reason_name(e->u.state.reason), why);
}

void state_event(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	enum doze_state from = e->u.state.from, to = e->u.state.to;

	if ((unsigned)to >= DOZE_STATE_COUNT || (unsigned)from >= DOZE_STATE_COUNT)
		return;
	/* Its former life was seen, and not its end. */
	if (from == DOZE_STATE_none && w->known && w->v.state != DOZE_STATE_stopped)
		m->totals.truncated |= w->span_lost;
	missing_state(m, w, e);
	judge(m, w, e);
	if (!w->known && from != DOZE_STATE_none) {
		w->v.state = from; /* what it was, though not since when */
		w->span_lost = true;
	}
	ledger_state(m, w, from, to, e->u.state.reason, e->ts);
	if (to == DOZE_STATE_active)
		jobs_found(w, e->u.state.reason);
	path_state(w, to, e->u.state.reason, e->ts);
	close_span(m, w, e->ts, w->known && w->v.state != from);
	open_span(m, w, to, e->u.state.reason, e->ts);
	w->taken_back = false;
	count_jobs(m, w, e->u.state.jobs_run, e->u.state.jobs_published, e->ts);
}

/* A snapshot tells where a worker is that was not seen yet, or not since a loss. It reads published
 * state from another thread, so it never contradicts what the worker itself said. */
void state_snapshot(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	if ((unsigned)e->u.snapshot.state >= DOZE_STATE_COUNT)
		return;
	if (!w->known || (w->span_lost && e->ts > m->lost_to)) {
		close_span(m, w, e->ts, true);
		open_span(m, w, e->u.snapshot.state, DOZE_REASON_none, e->ts);
		if (w->phase == WAKE_NONE)
			w->wake_lost = false;
	}
	count_jobs(m, w, e->u.snapshot.jobs_run, e->u.snapshot.jobs_published, e->ts);
}

/* worker_stop: a worker that did not say so before is stopped now. */
void state_stop(struct doze_model *m, struct worker *w, int64_t ts)
{
	if (known_state(w, DOZE_STATE_stopped))
		return;
	ledger_state(m, w, w->v.state, DOZE_STATE_stopped, DOZE_REASON_terminate, ts);
	path_state(w, DOZE_STATE_stopped, DOZE_REASON_terminate, ts);
	close_span(m, w, ts, false);
	open_span(m, w, DOZE_STATE_stopped, DOZE_REASON_terminate, ts);
}

void state_lost(struct worker *w)
{
	if (w->known && w->v.state == DOZE_STATE_stopped)
		return;
	if (w->known && !w->span_lost)
		w->pool->unsure++;
	w->span_lost = true;
	w->v.unknown = true;
}

void state_finish(struct doze_model *m, struct worker *w, int64_t ts)
{
	if (known_state(w, DOZE_STATE_stopped))
		return;
	close_span(m, w, ts, true);
	w->v.since = ts;
}
