/*
 * SPDX-License-Identifier: MIT
 *
 * missing.c - detects events that are missing although no loss was reported, because a stream file
 * was deleted or not copied, or because only some kinds of events were recorded. LTTng's sequence
 * numbers do not show this (README.md). The following signs do, and no policy, correct or not, can
 * cause them:
 *
 *	- A wake number is missing, or a `woken` event names a wake that was never seen. A pool
 *	  numbers its wakes consecutively and reports each in one `wake` event.
 *	- A worker leaves a state other than the one that it last reported. One function sets a
 *	  worker's state and reports it.
 *	- A worker starts before its pool, or stops after it.
 *	- A worker has run more jobs than it has `job_start` events, if all are recorded.
 *
 * After a sign, findings prove nothing, because the missing events may explain them. If losses were
 * reported, they explain missing numbers, which are then no sign.
 */
#include "../trace/utf8.h"
#include "model_int.h"

/* When a trace is cut off, at most this many threads may have taken a wake number without having
 * reported it. */
#define IN_FLIGHT 64

#define WORD(id) ((id) / 64 % (WAKE_IDS / 64))
#define BIT(id)  (UINT64_C(1) << (id) % 64)

static bool is_seen(const struct wake_ids *t, uint64_t id)
{
	return t->bits[WORD(id)] & BIT(id);
}

/* Makes room for wake numbers up to id. Each new number replaces the number that is lower by
 * WAKE_IDS. */
static void move_up(struct wake_ids *t, uint64_t id)
{
	uint64_t n = id - t->max;

	for (uint64_t k = t->max + 1; k <= id && k <= t->max + WAKE_IDS; k++) {
		if (k > WAKE_IDS && k - WAKE_IDS >= t->first)
			t->holes += !is_seen(t, k - WAKE_IDS);
		t->bits[WORD(k)] &= ~BIT(k);
	}
	if (n > WAKE_IDS)
		t->holes += 1; /* count a jump of any length as one sign of missing events */
	t->max = id;
}

void model_missing_start(struct worker *w)
{
	w->starts++;
}

void model_missing_forget(struct worker *w)
{
	w->starts = 0;
}

void model_missing_wake(struct pool *p, uint64_t id)
{
	struct wake_ids *t = &p->ids;

	if (!id || id > INT64_MAX) /* the library never uses these numbers */
		return;
	if (p->v.rules->foreign) /* the crews of a process share the numbers */
		return;
	if (!t->max) {
		t->first = p->v.started ? 1 : id;
		t->max = t->first - 1; /* not a jump, however long the pool has run */
	}
	if (id < t->first)
		t->first = id;
	if (id > t->max)
		move_up(t, id);
	if (t->max - id < WAKE_IDS)
		t->bits[WORD(id)] |= BIT(id);
	else if (t->holes)
		t->holes--; /* the wake was reported very late */
}

void model_missing_woken(struct doze_model *m, const struct pool *p, uint64_t id)
{
	const struct wake_ids *t = &p->ids;
	/* The waker reports the wake, and the wakee its `woken`, under the wakee's lock, so the
	 * wake always comes first. */
	bool late = id > t->max || (t->max - id < WAKE_IDS && !is_seen(t, id));

	if (m->complete || p->v.rules->foreign)
		return;
	if (id && late && id >= t->first && (t->max || p->v.started) && !m->totals.discarded)
		m->totals.missing++;
}

void model_missing_state(struct doze_model *m, const struct worker *w, const struct doze_event *e)
{
	bool starts = e->u.state.from == DOZE_STATE_none;

	if (m->complete || e->unknown_label)
		return;
	m->totals.missing += !joins(m, w, e->u.state.from) ||
			     (starts && !w->pool->v.started && !m->totals.discarded);
}

/* Returns whether a wake number is missing. Numbers assigned before a late attach do not count as
 * missing, nor do numbers whose wake may not have been reported yet when the trace was cut off. */
static bool number_is_missing(const struct pool *p)
{
	const struct wake_ids *t = &p->ids;
	uint64_t last = p->v.stopped ? t->max : t->max > IN_FLIGHT ? t->max - IN_FLIGHT : 0;

	for (uint64_t id = t->max > WAKE_IDS ? t->max - WAKE_IDS + 1 : 1; id <= last; id++)
		if (id >= t->first && !is_seen(t, id))
			return true;
	return t->holes > 0;
}

void doze_model_complete(struct doze_model *m)
{
	m->complete = true;
}

void doze_model_incomplete(struct doze_model *m, const char *what)
{
	doze_text_clean(m->totals.missing_what, sizeof m->totals.missing_what, what);
	m->totals.missing++;
}

/* Checks a worker of a stopped pool: it must have stopped too, and have reported each job that it
 * ran. */
static void look_at_worker(struct doze_model *m, const struct pool *p, uint32_t index)
{
	const struct worker *w = model_worker_seen(p, (int32_t)index);

	/* The pool has no worker with this index, or it is a crew, whose program may exit while its
	 * threads run. */
	if (index >= p->v.workers || p->v.rules->foreign)
		return;
	m->totals.missing += !w || !known_state(w, DOZE_STATE_stopped);
	m->totals.missing +=
	    w && p->v.started && p->v.jobs_level && w->starts < model_state_jobs_reported(w);
}

void model_missing_finish(struct doze_model *m, struct pool *p)
{
	bool judged = !m->totals.discarded && !m->complete;

	if (judged && p->ids.max)
		m->totals.missing += number_is_missing(p);
	if (m->complete && !m->totals.discarded && p->ids.max && number_is_missing(p))
		doze_model_finding(m, "wake-number", doze_pool_key(&p->v, -1), m->totals.last_ts,
				   "at least one of the wakes 1 to %llu was not reported, although "
				   "the recording is complete",
				   (unsigned long long)p->ids.max);
	if (judged && p->v.stopped)
		for (uint32_t i = 0; i < p->v.index_end; i++)
			look_at_worker(m, p, i);
	p->ids = (struct wake_ids){0};
}
