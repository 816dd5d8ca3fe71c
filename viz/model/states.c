/*
 * SPDX-License-Identifier: MIT
 *
 * states.c - turns worker_state and snapshot events into closed intervals and totals.
 *
 * Key invariant: from the moment a worker is first seen, each of its intervals begins where the
 * previous one ends. A span in which events were lost, or whose beginning was not seen, is unknown
 * and does not count in the totals.
 */
#include "model_int.h"

static void close_span(struct doze_model *m, struct worker *w, int64_t ts, bool unknown)
{
	struct doze_interval iv = {.who = w->v.key,
				   .state = w->v.state,
				   .why = w->v.why,
				   .from = w->v.since,
				   .to = ts < w->v.since ? w->v.since : ts,
				   .unknown = unknown || w->v.unknown};

	if (!iv.unknown)
		w->v.total[iv.state] += in_range_ns(m, iv.from, iv.to);
	if (m->on.on_interval && (iv.to > iv.from || w->v.known))
		m->on.on_interval(m->ctx, &iv);
}

static void open_span(struct doze_model *m, struct worker *w, enum doze_state s,
		      enum doze_reason why, int64_t ts)
{
	struct pool *p = w->pool;
	bool lost = ts <= m->lost_to;

	p->leaving -= w->v.leaving;
	w->v.leaving = false;

	p->v.in_state[w->v.state] -= w->v.known;
	p->v.in_state[s]++;
	p->v.uncertain_workers -= w->v.known && w->v.unknown;
	p->v.uncertain_workers += lost;
	p->v.known_workers += !w->v.known;
	w->v.known = true;
	w->v.unknown = lost;
	w->v.state = s;
	w->v.since = ts;
	w->v.entered[s]++;
	w->v.why = why;
}

/* Stores a sum that a worker reports, and returns the increase since its previous report. */
static uint64_t increase(uint64_t *reported, uint64_t now)
{
	uint64_t n = now > *reported ? now - *reported : 0;

	*reported += n;
	return n;
}

/* Subtracts the jobs that the worker ran before the trace began, if its start was not seen. */
static void skip_earlier_jobs(struct worker *w, uint64_t run, uint64_t published)
{
	if (w->reported.begun)
		return;
	w->reported.run = run;
	w->reported.published = published;
	w->reported.begun = true;
}

static void count_jobs(struct doze_model *m, struct worker *w, uint64_t run, uint64_t published,
		       int64_t ts)
{
	run = increase(&w->reported.run, run);
	published = increase(&w->reported.published, published);
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
	const char *why = doze_policy_transition(w->pool->v.rules, from, to, e->u.state.reason);

	if (!joins(m, w, from))
		doze_model_finding(m, "transition", w->v.key, e->ts,
				   "this worker was %s, but reports a step from %s to %s (%s)",
				   doze_state_name(w->v.state), doze_state_name(from),
				   doze_state_name(to), doze_reason_name(e->u.state.reason));
	else if (why && !e->unknown_label)
		doze_model_finding(m, "transition", w->v.key, e->ts, "%s -> %s (%s): %s",
				   doze_state_name(from), doze_state_name(to),
				   doze_reason_name(e->u.state.reason), why);
}

int64_t doze_model_time_in(const struct doze_model *m, enum doze_state s)
{
	int64_t ns = 0;

	if ((unsigned)s >= DOZE_STATE_COUNT)
		return 0;
	for (const struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w))
		if (in_choice(m, w->v.key.index))
			ns = doze_ns_add(ns, w->v.total[s]);
	return ns;
}

int64_t doze_model_time_until(const struct doze_model *m, enum doze_state s, int64_t ts)
{
	int64_t ns = doze_model_time_in(m, s);

	for (const struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w))
		if (known_state(w, s) && !w->v.unknown && ts > w->v.since &&
		    in_choice(m, w->v.key.index))
			ns = doze_ns_add(ns, in_range_ns(m, w->v.since, ts));
	return ns;
}

void model_state_event(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	enum doze_state from = e->u.state.from, to = e->u.state.to;

	if (e->unknown_label && from == DOZE_STATE_none)
		from = w->v.state; /* this version does not know the reported old state */
	if ((unsigned)to >= DOZE_STATE_COUNT || (unsigned)from >= DOZE_STATE_COUNT)
		return;
	/* The worker starts again, but its previous stop was not seen. */
	if (from == DOZE_STATE_none && w->v.known && w->v.state != DOZE_STATE_stopped)
		m->totals.truncated |= w->v.unknown;
	model_missing_state(m, w, e);
	judge(m, w, e);
	if (!w->v.known && from != DOZE_STATE_none) {
		w->v.state = from; /* the time when the worker entered this state is unknown */
		w->v.unknown = true;
	}
	if (w->pool->v.rules->foreign)
		model_waits_state(m, w, from, to, e->u.state.reason, e->ts);
	model_ledger_state(m, w, from, to, e->u.state.reason, e->ts);
	if (to == DOZE_STATE_active)
		model_jobs_found(m, w, e->u.state.reason);
	notify_observers(m, state, &w->v, to, e->u.state.reason, e->ts);
	close_span(m, w, e->ts, w->v.known && !joins(m, w, from));
	open_span(m, w, to, e->u.state.reason, e->ts);
	w->v.counted_out = false;
	if (from != DOZE_STATE_none)
		skip_earlier_jobs(w, e->u.state.jobs_run, e->u.state.jobs_published);
	w->reported.begun = true;
	count_jobs(m, w, e->u.state.jobs_run, e->u.state.jobs_published, e->ts);
}

/* Takes a worker's state from a snapshot if the worker has not been seen yet, or not since events
 * were lost. Another thread takes the snapshot, so it may be out of date: the worker's own events
 * always take precedence. */
void model_state_snapshot(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	if ((unsigned)e->u.snapshot.state >= DOZE_STATE_COUNT)
		return;
	if (!w->v.known || (w->v.unknown && e->ts > m->lost_to)) {
		close_span(m, w, e->ts, true);
		open_span(m, w, e->u.snapshot.state, DOZE_REASON_none, e->ts);
		w->confirmed = e->ts;
		model_ledger_snapshot(m, w, e);
	} else if (!w->v.unknown && w->v.state == e->u.snapshot.state) {
		w->confirmed = e->ts;
	}
	skip_earlier_jobs(w, e->u.snapshot.jobs_run, e->u.snapshot.jobs_published);
	count_jobs(m, w, e->u.snapshot.jobs_run, e->u.snapshot.jobs_published, e->ts);
}

/* Handles worker_stop for a worker that has not reported the state `stopped`. */
void model_state_stop(struct doze_model *m, struct worker *w, int64_t ts)
{
	if (known_state(w, DOZE_STATE_stopped))
		return;
	model_ledger_state(m, w, w->v.state, DOZE_STATE_stopped, DOZE_REASON_terminate, ts);
	notify_observers(m, state, &w->v, DOZE_STATE_stopped, DOZE_REASON_terminate, ts);
	close_span(m, w, ts, false);
	open_span(m, w, DOZE_STATE_stopped, DOZE_REASON_terminate, ts);
}

void model_state_lost(struct doze_model *m, struct worker *w)
{
	if (!known_state(w, DOZE_STATE_stopped)) {
		w->pool->v.uncertain_workers += w->v.known && !w->v.unknown;
		w->v.unknown = true;
		model_waits_lost(w);
	}
	model_ledger_lost(m, w);
}

void model_state_forget(struct worker *w)
{
	struct pool *p = w->pool;

	p->v.in_state[w->v.state] -= w->v.known;
	p->v.known_workers -= w->v.known;
	p->v.uncertain_workers -= w->v.known && w->v.unknown;
	p->leaving -= w->v.leaving;
	w->v.known = w->v.leaving = w->v.counted_out = w->v.unknown = false;
	w->v.state = DOZE_STATE_none;
	/* Workers of the new program count their jobs from 0. */
	w->reported = (struct job_sums){.begun = true};
	w->confirmed = 0;
}

void model_state_paused(struct doze_model *m, struct worker *w, int64_t ts)
{
	if (!w->v.known || known_state(w, DOZE_STATE_stopped))
		return;
	close_span(m, w, ts, false);
	w->v.since = ts;
	model_state_lost(m, w);
}

void model_state_end_part(struct doze_model *m, struct worker *w, int64_t ts)
{
	if (!known_state(w, DOZE_STATE_stopped))
		close_span(m, w, ts, false);
}

void model_state_finish(struct doze_model *m, struct worker *w, int64_t ts)
{
	if (known_state(w, DOZE_STATE_stopped))
		return;
	/* The state is certain until the last snapshot that confirmed it. */
	if (w->v.known && !w->v.unknown && w->confirmed > w->v.since) {
		close_span(m, w, w->confirmed, false);
		w->v.since = w->confirmed;
		/* The thread of a crew ended with its program, without a report. */
		if (w->pool->v.rules->foreign && w->pool->v.stopped) {
			open_span(m, w, DOZE_STATE_stopped, DOZE_REASON_terminate, w->confirmed);
			return;
		}
	}
	close_span(m, w, ts, true);
	w->v.since = ts;
}
