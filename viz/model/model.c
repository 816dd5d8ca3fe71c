/*
 * SPDX-License-Identifier: MIT
 *
 * model.c - one event in: finds the pool and the worker and hands it on. See model.h, README.md.
 */
#include <stdlib.h>

#include "model_int.h"

struct doze_model *doze_model_new_with(const struct doze_model_options *opt,
				       const struct doze_model_listener *on, void *ctx)
{
	static const struct doze_model_options defaults = DOZE_MODEL_DEFAULTS;
	struct doze_model *m = calloc(1, sizeof *m);

	if (!m)
		return 0;
	m->opt = opt ? *opt : defaults;
	if (on)
		m->on = *on;
	m->ctx = ctx;
	m->lost_to = INT64_MIN;
	return m;
}

struct doze_model *doze_model_new(const struct doze_model_listener *on, void *ctx)
{
	return doze_model_new_with(0, on, ctx);
}

void doze_model_free(struct doze_model *m)
{
	if (!m)
		return;
	keys_free(m);
	free(m->queue);
	free(m);
}

/* 0, unknown, when no pool can have so many: rows would be made for each of them. */
static uint32_t believable(uint32_t workers)
{
	return workers <= MAX_WORKERS ? workers : 0;
}

static void on_pool_start(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	bool anew = true;

	if (p->v.started || p->seen_workers)
		anew = pool_restart(m, p, e->ts);
	pool_policy_set(p, e->u.pool_start.policy);
	p->v.workers = believable(e->u.pool_start.workers);
	p->v.layout = e->u.pool_start.word;
	p->v.rounds_until_sleepy = e->u.pool_start.rounds_until_sleepy;
	p->v.rounds_until_sleeping = e->u.pool_start.rounds_until_sleeping;
	p->v.started = true;
	p->v.stopped = false;
	if (anew)
		chain_begin(p);
	path_begin(m, p, e->ts);
	for (uint32_t i = 0; i < p->v.workers; i++) {
		struct worker *w = worker_of(m, p, (int32_t)i);

		if (!w)
			return;
		if (!w->known) { /* its life begins here: nothing of it can have been missed */
			w->v.since = e->ts;
			w->span_lost = e->ts <= m->lost_to;
			w->v.unknown = w->span_lost;
		}
	}
}

static void on_snapshot(struct doze_model *m, struct pool *p, struct worker *w,
			const struct doze_event *e)
{
	if (!p->v.workers) {
		pool_policy_set(p, e->u.snapshot.policy);
		p->v.workers = believable(e->u.snapshot.workers);
		p->v.layout = e->u.snapshot.word;
	}
	chain_snapshot(p, e->new_word);
	if (w)
		state_snapshot(m, w, e);
}

static void on_abort(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	if ((unsigned)e->u.sleep_abort.by < DOZE_ABORT_COUNT && in_scope(m, e->ts, e->worker))
		m->totals.sleep_aborts[e->u.sleep_abort.by]++;
	if (w && e->old_word != e->new_word)
		w->taken_back = known_state(w, DOZE_STATE_sleeping);
}

static void on_jec(struct doze_model *m, const struct pool *p, const struct doze_event *e)
{
	if (doze_word_jec(&p->v.layout, e->old_word) != doze_word_jec(&p->v.layout, e->new_word) &&
	    in_scope(m, e->ts, e->worker))
		m->totals.jec_toggles++;
}

static void on_wake(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	if (e->u.wake.cause == DOZE_CAUSE_terminate && !p->terminating) {
		p->terminating = true;
		p->terminate_ts = e->ts;
	}
	missing_wake(p, e->u.wake.wake_id);
	ledger_wake(m, p, e);
	jobs_state(m, p, e->ts);
}

static void on_post(struct doze_model *m, struct pool *p, struct worker *w,
		    const struct doze_event *e)
{
	on_jec(m, p, e);
	decision_post(m, p, e);
	path_post(p, e);
	jobs_post(m, p, w, e);
}

/* An event of level `jobs` or finer: a process is recorded at one level. */
static void fine(struct doze_model *m, struct pool *p)
{
	if (p->v.jobs_level)
		return;
	m->totals.jobs_level = true;
	for (size_t i = 0; i < m->pool_count; i++)
		m->pools[i]->v.jobs_level |= same_process(m->pools[i], p);
}

/* Events of the worker itself. */
static void dispatch_worker(struct doze_model *m, struct pool *p, struct worker *w,
			    const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_worker_state:
		state_event(m, w, e);
		jobs_state(m, p, e->ts);
		break;
	case DOZE_EV_worker_stop:
		state_stop(m, w, e->ts);
		break;
	case DOZE_EV_woken:
		missing_woken(m, p, e->u.woken.wake_id);
		ledger_woken(m, w, e);
		jobs_state(m, p, e->ts);
		break;
	case DOZE_EV_job_start:
		fine(m, p);
		jobs_start(m, p, w, e);
		path_job_start(w, e);
		break;
	default:
		break;
	}
}

static void dispatch(struct doze_model *m, struct pool *p, struct worker *w,
		     const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_pool_start:
		on_pool_start(m, p, e);
		break;
	case DOZE_EV_pool_stop:
		p->v.stopped = true;
		break;
	case DOZE_EV_post:
		on_post(m, p, w, e);
		break;
	case DOZE_EV_wake:
		on_wake(m, p, e);
		break;
	case DOZE_EV_jec:
		on_jec(m, p, e);
		break;
	case DOZE_EV_latch:
		path_latch(p, e);
		break;
	case DOZE_EV_sleep_abort:
		on_abort(m, w, e);
		break;
	case DOZE_EV_snapshot:
		on_snapshot(m, p, w, e);
		break;
	case DOZE_EV_steal:
		if (w && e->u.steal.result == DOZE_STEAL_success)
			w->victim = e->u.steal.victim;
		fine(m, p);
		break;
	case DOZE_EV_job_end:
		fine(m, p);
		if (w)
			path_job_end(w, e);
		break;
	case DOZE_EV_lock:
	case DOZE_EV_search:
		fine(m, p);
		break;
	default:
		if (w)
			dispatch_worker(m, p, w, e);
	}
}

static void quiet(struct doze_model *m, struct pool *p, int64_t now)
{
	int64_t still = now - p->last_ts;

	if (still <= m->opt.quiet_ns || p->long_quiet_done)
		return;
	if (!p->quiet_done) {
		p->quiet_done = true;
		chain_quiet(m, p, p->last_ts + m->opt.quiet_ns);
	}
	if (still <= m->opt.long_quiet_ns)
		return;
	p->long_quiet_done = true;
	chain_long_quiet(m, p, p->last_ts + m->opt.long_quiet_ns);
	if (m->opt.check)
		rules_quiet(m, p, p->last_ts + m->opt.long_quiet_ns);
}

static void fold(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	struct worker *w = worker_of(m, p, e->worker);

	quiet(m, p, e->ts);
	if (e->kind != DOZE_EV_snapshot) {
		p->last_ts = e->ts;
		jobs_any(p, e);
		p->quiet_done = false;
		p->long_quiet_done = false;
		if (m->opt.check)
			rules_event(m, p, w, e);
		if (e->has_words)
			chain_step(m, p, e);
	}
	dispatch(m, p, w, e);
}

void text_copy(char *to, size_t size, const char *from)
{
	size_t n = 0;

	for (; from && n + 1 < size && from[n]; n++)
		to[n] = (unsigned char)from[n] < ' ' || from[n] == 0x7f ? '?' : from[n];
	to[n] = 0;
}

/* A mark is the program's, not a pool's: it ends the phase of all pools of its process. */
static void on_mark(struct doze_model *m, const struct doze_event *e)
{
	char text[MARK_TEXT];

	text_copy(text, sizeof text, e->u.mark.text);
	m->mark = e;
	if (m->on.on_mark)
		m->on.on_mark(m->ctx, e->ts, e->pool, e->worker, text);
	m->mark = 0;
	for (size_t i = 0; i < m->pool_count; i++)
		if (m->pools[i]->v.vpid == e->vpid && m->pools[i]->v.host == e->host)
			path_begin(m, m->pools[i], e->ts);
}

void doze_model_feed(struct doze_model *m, const struct doze_event *e)
{
	struct pool *p;

	if (!m->totals.events++)
		m->totals.first_ts = e->ts;
	if (e->ts > m->now)
		m->now = e->ts;
	m->totals.last_ts = m->now;
	m->totals.unknown_events += e->kind == DOZE_EV_unknown || e->unknown_label;
	if (e->kind == DOZE_EV_mark)
		on_mark(m, e);
	if (e->kind == DOZE_EV_unknown || (e->kind == DOZE_EV_mark && !e->pool))
		return;
	p = pool_of(m, e);
	if (p)
		fold(m, p, e);
}

void doze_model_discarded(struct doze_model *m, int64_t from, int64_t to, uint64_t count)
{
	m->totals.discarded += count ? count : 1;
	if (to > m->lost_to)
		m->lost_to = to;
	for (size_t i = 0; i < m->row_count; i++) {
		state_lost(m->rows[i]);
		ledger_lost(m->rows[i]);
	}
	for (size_t i = 0; i < m->pool_count; i++) {
		chain_lost(m->pools[i]);
		jobs_lost(m->pools[i]);
		path_lost(m->pools[i]);
		loose_lost(m->pools[i]);
	}
	rules_lost(m);
	if (m->on.on_lost)
		m->on.on_lost(m->ctx, from, to, count);
}

void doze_model_clock(struct doze_model *m, int64_t ts)
{
	if (ts <= m->now)
		return;
	m->now = ts;
	for (size_t i = 0; i < m->pool_count; i++)
		quiet(m, m->pools[i], ts);
	storms_advance(m, ts);
}

void doze_model_finish(struct doze_model *m, int64_t ts)
{
	if (m->finished)
		return;
	m->finished = true;
	doze_model_clock(m, ts);
	for (size_t i = 0; i < m->pool_count; i++) {
		if (m->opt.check)
			rules_finish(m, m->pools[i], ts);
		missing_finish(m, m->pools[i]);
		m->totals.truncated |= m->pools[i]->v.started && !m->pools[i]->v.stopped;
	}
	for (size_t i = 0; i < m->row_count; i++) {
		ledger_finish(m, m->rows[i], ts);
		state_finish(m, m->rows[i], ts);
	}
	for (size_t i = 0; i < m->pool_count; i++)
		loose_finish(m, m->pools[i], ts);
	storms_finish(m);
}
