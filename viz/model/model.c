/*
 * SPDX-License-Identifier: MIT
 *
 * model.c - finds the pool and the worker of each event and dispatches it; answers questions about
 * the model's state and measures. See model.h, README.md.
 */
#include <stdlib.h>

#include "../trace/utf8.h"
#include "model_int.h"

const char *doze_verdict_name(enum doze_verdict v)
{
	static const char *const names[] = {"open",      "unresolved", "redundant", "self",
					    "terminate", "latch",      "useful",    "futile",
					    "went_on",   "nobody"};

	return (unsigned)v < DOZE_VERDICT_COUNT ? names[v] : "?";
}

bool doze_pool_has_jec(const struct doze_pool_view *p)
{
	const struct doze_policy_descriptor *d = doze_policy_descriptor(p->policy);

	return d->word == DOZE_WORD_RULE_JEC ||
	       (d == &doze_policy_unknown && p->layout.kind == DOZE_WORD_counters &&
		p->layout.bits_jec);
}

const struct doze_totals *doze_model_totals(const struct doze_model *m)
{
	return &m->totals;
}

const struct doze_model_options *doze_model_limits(const struct doze_model *m)
{
	return &m->opt;
}

const struct doze_measures *doze_model_measures(const struct doze_model *m)
{
	return &m->measures;
}

double doze_model_futile_ratio(const struct doze_model *m)
{
	const uint64_t *v = m->totals.verdicts;
	uint64_t resolved = v[DOZE_VERDICT_redundant] + v[DOZE_VERDICT_terminate] +
			    v[DOZE_VERDICT_latch] + v[DOZE_VERDICT_useful] +
			    v[DOZE_VERDICT_futile] + v[DOZE_VERDICT_went_on];

	return resolved ? (double)v[DOZE_VERDICT_futile] / (double)resolved : 0;
}

double doze_model_amplification(const struct doze_model *m)
{
	const struct doze_totals *t = &m->totals;
	uint64_t jobs = t->jobs_published > t->jobs_run ? t->jobs_published : t->jobs_run;

	return jobs ? (double)t->wakes / (double)jobs : 0;
}

uint64_t doze_model_herd_excess(const struct doze_model *m)
{
	const uint64_t *v = m->totals.verdicts;

	return m->totals.woken - v[DOZE_VERDICT_self] > v[DOZE_VERDICT_useful]
		   ? m->totals.woken - v[DOZE_VERDICT_self] - v[DOZE_VERDICT_useful]
		   : 0;
}

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
	model_observers_free(m);
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p)) {
		model_ledger_free(p);
		model_jobs_free(p);
		model_storms_free(p);
		model_latch_names_free(&p->latches);
	}
	model_entities_free(m);
	model_sites_free(&m->sites);
	free(m->decisions);
	model_thread_names_free(m);
	free(m);
}

/*
 * ---- Handles a pool_start for a known pool: the process executed another program, which
 * numbers its pools from 1 again, or another process has reused the process id. The open spans and
 * wakes of the old pool become unknown, and the new pool starts empty.
 */

static void pool_replaced(struct doze_model *m, struct pool *p, int64_t ts)
{
	model_untargeted_withdrawn(m, p, INT64_MAX);
	for (struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w)) {
		model_ledger_finish(m, w, ts);
		model_state_finish(m, w, ts);
		model_state_forget(w);
		model_ledger_forget(w);
		model_missing_forget(w);
		model_waits_forget(w);
		w->v.job_in_hand = false;
	}
	model_untargeted_finish(m, p, ts);
	model_decisions_end(m, p);
	model_jobs_lost(p);
	model_findings_forget(p);
	model_waits_forget_loops(p);
	model_posts_forget(p);
	notify_observers(m, replaced, &p->v);
}

/* Forgets what the pool has in progress apart from its workers: steps, jobs and signals. */
static void queues_lost(struct pool *p)
{
	model_chain_lost(p);
	model_jobs_lost(p);
	model_untargeted_lost(p);
}

/* Called when the pool's start was not seen. This pool_start may then be a repetition for a viewer
 * that attached late, or the start of another pool, so each worker is unknown until its next
 * event. */
static void pool_doubted(struct doze_model *m, struct pool *p)
{
	for (struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w))
		model_state_lost(m, w);
	queues_lost(p);
}

/* Handles a pool_start event of a known pool. Returns true if a new pool has started, whose
 * counters word is 0. */
static bool restart(struct doze_model *m, struct pool *p, int64_t ts)
{
	if (!p->v.started) {
		pool_doubted(m, p);
		return false;
	}
	m->totals.truncated |= !p->v.stopped;
	model_missing_finish(m, p);
	pool_replaced(m, p, ts);
	return true;
}

/* ---- events ---- */

/* Returns the number of workers, or 0 (unknown) if no pool can have that many: the model would
 * create a row for each. */
static uint32_t believable(uint32_t workers)
{
	return workers <= MAX_WORKERS ? workers : 0;
}

static void on_pool_start(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	bool anew = true;

	if (p->v.started || p->v.known_workers)
		anew = restart(m, p, e->ts);
	model_pool_policy_set(p, e->u.pool_start.policy);
	doze_text_clean(p->v.name, sizeof p->v.name, e->u.pool_start.name);
	p->v.workers = believable(e->u.pool_start.workers);
	p->v.layout = e->u.pool_start.word;
	p->v.rounds_until_sleepy = e->u.pool_start.rounds_until_sleepy;
	p->v.rounds_until_sleeping = e->u.pool_start.rounds_until_sleeping;
	p->v.schema_minor = e->u.pool_start.schema_minor;
	p->v.started = true;
	p->v.stopped = false;
	model_level_start(m, p, e);
	if (anew)
		model_chain_begin(p);
	for (uint32_t i = 0; i < p->v.workers; i++) {
		struct worker *w = model_worker_of(m, p, (int32_t)i);

		if (!w)
			return;
		if (!w->v.known) { /* the worker's first event, so none was missed */
			w->v.since = e->ts;
			w->v.unknown = e->ts <= m->lost_to;
		}
	}
}

static void on_pool_stop(struct doze_model *m, struct pool *p, int64_t ts)
{
	p->v.stopped = true;
	if (p->v.rules->foreign)
		model_waits_exit(p, ts);
	model_chain_end(m, p, ts);
}

static void on_snapshot(struct doze_model *m, struct pool *p, struct worker *w,
			const struct doze_event *e)
{
	if (!p->v.workers) {
		model_pool_policy_set(p, e->u.snapshot.policy);
		p->v.workers = believable(e->u.snapshot.workers);
		p->v.layout = e->u.snapshot.word;
	}
	model_level_snapshot(m, p, e);
	model_chain_snapshot(p, e->new_word);
	if (w)
		model_state_snapshot(m, w, e);
}

static void on_abort(struct doze_model *m, struct worker *w, const struct doze_event *e)
{
	if ((unsigned)e->u.sleep_abort.by < DOZE_ABORT_COUNT && in_scope(m, e->ts, e->worker))
		m->totals.sleep_aborts[e->u.sleep_abort.by]++;
	if (w && e->old_word != e->new_word)
		w->v.counted_out = known_state(w, DOZE_STATE_sleeping);
}

static void on_jec(struct doze_model *m, const struct pool *p, const struct doze_event *e)
{
	if (doze_word_jec(&p->v.layout, e->old_word) != doze_word_jec(&p->v.layout, e->new_word) &&
	    in_scope(m, e->ts, e->worker))
		m->totals.jec_toggles++;
}

/* Returns whether the pool has no worker with this index, so that an event that names the worker is
 * invalid. */
static bool is_stray(const struct pool *p, int32_t index)
{
	return p->v.started && p->v.workers && !p->v.rules->foreign && index >= 0 &&
	       (uint32_t)index >= p->v.workers;
}

static void on_wake(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	model_missing_wake(p, e->u.wake.wake_id);
	if (is_stray(p, e->u.wake.target))
		return;
	model_ledger_wake(m, p, e);
	model_jobs_state(m, p, e->ts);
}

static void on_post(struct doze_model *m, struct pool *p, struct worker *w,
		    const struct doze_event *e)
{
	on_jec(m, p, e);
	model_decision_post(m, p, e);
	model_jobs_post(m, p, w, e);
}

static void dispatch_worker(struct doze_model *m, struct pool *p, struct worker *w,
			    const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_worker_state:
		if (e->u.state.to == DOZE_STATE_none) { /* no such state */
			model_state_lost(m, w);
			break;
		}
		model_state_event(m, w, e);
		if (e->u.state.to == DOZE_STATE_idle)
			model_jobs_searches(w);
		model_jobs_state(m, p, e->ts);
		break;
	case DOZE_EV_worker_start:
		if (p->v.rules->foreign)
			model_waits_new_thread(m, w, e->ts);
		break;
	case DOZE_EV_worker_stop:
		model_state_stop(m, w, e->ts);
		break;
	case DOZE_EV_wait:
		model_waits_begin(w, e);
		break;
	case DOZE_EV_wait_totals:
		model_waits_totals(w, e);
		if (e->u.wait_totals.paused && !w->v.unknown)
			model_state_paused(m, w, e->ts);
		break;
	case DOZE_EV_woken:
		model_missing_woken(m, p, e->u.woken.wake_id);
		model_ledger_woken(m, w, e);
		model_jobs_state(m, p, e->ts);
		break;
	case DOZE_EV_job_start:
		model_level_job(m, p);
		model_verdict_start(m, w, e);
		if (!model_level_is_partial(p))
			model_jobs_start(m, p, w, e);
		break;
	case DOZE_EV_job_taken:
		model_verdict_start(m, w, e);
		break;
	default:
		break;
	}
}

static void on_steal(const struct pool *p, struct worker *w, const struct doze_event *e)
{
	/* The stolen job belongs to the victim's oldest post only if all posts are recorded. */
	if (model_level_is_partial(p))
		return;
	if (e->u.steal.result == DOZE_STEAL_success)
		model_jobs_stolen(w, e->u.steal.victim);
	else if (e->u.steal.result == DOZE_STEAL_moved)
		model_jobs_moved(w, e->u.steal.victim);
}

static void dispatch(struct doze_model *m, struct pool *p, struct worker *w,
		     const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_pool_start:
		on_pool_start(m, p, e);
		break;
	case DOZE_EV_pool_stop:
		on_pool_stop(m, p, e->ts);
		break;
	case DOZE_EV_crew:
		p->v.crew_start = e->u.crew.start;
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
	case DOZE_EV_sleep_abort:
		on_abort(m, w, e);
		break;
	case DOZE_EV_snapshot:
		on_snapshot(m, p, w, e);
		break;
	case DOZE_EV_steal:
		model_level_job(m, p);
		if (w)
			on_steal(p, w, e);
		break;
	case DOZE_EV_job_end:
	case DOZE_EV_lock:
	case DOZE_EV_search:
		model_level_job(m, p);
		break;
	default:
		if (w)
			dispatch_worker(m, p, w, e);
		else if (e->kind == DOZE_EV_job_taken && e->worker < 0)
			model_jobs_cancelled(m, p, e);
	}
}

static bool is_quiet(const struct doze_model *m, const struct pool *p, int64_t now)
{
	return now - p->v.last_ts > m->opt.quiet_ns && !p->quiet.long_done;
}

static void quiet(struct doze_model *m, struct pool *p, int64_t now)
{
	if (!p->quiet.done) {
		p->quiet.done = true;
		model_chain_quiet(m, p, p->v.last_ts + m->opt.quiet_ns);
	}
	if (now - p->v.last_ts <= m->opt.long_quiet_ns)
		return;
	p->quiet.long_done = true;
	notify_observers(m, long_quiet, &p->v, p->v.last_ts + m->opt.long_quiet_ns);
}

static const struct doze_worker_view *view_of(const struct worker *w)
{
	return w ? &w->v : 0;
}

static void fold(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	bool stray = is_stray(p, e->worker) && e->kind != DOZE_EV_pool_start;
	struct worker *w = stray ? 0 : model_worker_of(m, p, e->worker);

	if (is_quiet(m, p, e->ts))
		quiet(m, p, e->ts);
	m->fed++;
	if (w && p->v.rules->foreign)
		model_waits_seen(p, e);
	if (e->worker < 0)
		model_thread_outside(m, e);
	else if (w && e->kind == DOZE_EV_worker_start)
		model_thread_worker(m, e, w);
	if (e->kind == DOZE_EV_latch) {
		model_latch_seen(p, e->u.latch.id);
		model_ledger_latch(p, e);
	}
	if (e->kind != DOZE_EV_snapshot) {
		p->v.last_ts = e->ts;
		model_jobs_any(p, e);
		p->quiet.done = false;
		p->quiet.long_done = false;
		notify_of_kind(m, event, e->kind, &p->v, view_of(w), e);
		if (e->has_words)
			model_chain_step(m, p, e);
	}
	if (!stray)
		dispatch(m, p, w, e);
	if (e->kind == DOZE_EV_snapshot)
		notify_observers(m, snapshot, &p->v, view_of(w), e);
	else
		notify_of_kind(m, folded, e->kind, &p->v, view_of(w), e);
}

static void on_mark(struct doze_model *m, const struct doze_event *e)
{
	char text[MARK_TEXT];

	doze_text_clean(text, sizeof text, e->u.mark.text);
	notify_observers(m, mark, e);
	if (m->on.on_mark)
		m->on.on_mark(m->ctx, e->ts, e->pool, e->worker, text);
	notify_observers(m, marked, e);
}

void doze_model_begin(struct doze_model *m, int64_t ts)
{
	if (!m->begun)
		m->totals.first_ts = ts;
	m->begun = true;
}

static bool is_of_known_kind(const struct doze_event *e)
{
	return e->kind != DOZE_EV_unknown && (unsigned)e->kind < DOZE_EV_COUNT;
}

/* Notes whether the trace's clock went backwards or jumped ahead. */
static void note_time(struct doze_model *m, int64_t ts)
{
	int64_t step = ts - m->event_ts;

	m->totals.backwards += step < 0;
	m->totals.leaps += step > DOZE_LEAP_NS;
	m->event_ts = ts;
	if (ts > m->now)
		m->now = ts;
	m->totals.last_ts = m->now;
}

void doze_model_feed(struct doze_model *m, const struct doze_event *e)
{
	struct pool *p;

	if (!m->totals.events++) {
		doze_model_begin(m, e->ts);
		m->event_ts = e->ts;
	}
	note_time(m, e->ts);
	m->totals.unknown_events += !is_of_known_kind(e) || e->unknown_label;
	if (e->kind == DOZE_EV_mark)
		on_mark(m, e);
	if (!is_of_known_kind(e) || (e->kind == DOZE_EV_mark && !e->pool))
		return;
	if (e->kind == DOZE_EV_wake_site) { /* belongs to no crew */
		model_site_event(m, e);
		return;
	}
	p = model_pool_of(m, e);
	if (p)
		fold(m, p, e);
}

void doze_model_discarded(struct doze_model *m, int64_t from, int64_t to, uint64_t count)
{
	m->totals.discarded += count ? count : 1;
	if (to > m->lost_to)
		m->lost_to = to;
	for (struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w))
		model_state_lost(m, w);
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		queues_lost(p);
	notify_observers(m, lost, to);
	if (m->on.on_lost)
		m->on.on_lost(m->ctx, from, to, count);
}

void doze_model_clock(struct doze_model *m, int64_t ts)
{
	if (ts <= m->now)
		return;
	m->now = ts;
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (is_quiet(m, p, ts))
			quiet(m, p, ts);
	model_storms_advance(m, ts);
}

void doze_model_finish(struct doze_model *m, int64_t ts)
{
	if (m->finished)
		return;
	m->finished = true;
	doze_model_clock(m, ts);
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p)) {
		model_chain_end(m, p, ts);
		notify_observers(m, finish, &p->v, ts);
		model_missing_finish(m, p);
		m->totals.truncated |= p->v.started && !p->v.stopped;
	}
	/* Whether a wake can still be taken depends on how long the threads have slept. */
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		model_untargeted_withdrawn(m, p, INT64_MAX);
	for (struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w)) {
		model_ledger_finish(m, w, ts);
		model_state_finish(m, w, ts);
	}
	for (struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		model_untargeted_finish(m, p, ts);
	model_storms_finish(m);
}
