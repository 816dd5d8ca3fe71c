/*
 * SPDX-License-Identifier: MIT
 *
 * storms_json.c - writes the storm report as JSON. Times are in ns; `at` is relative to the first
 * event of the trace. New fields may be added, but none is renamed while `format` stays the same.
 *
 * The report on a program without libdoze has only the fields that are known of such a program, and
 * says `futile_at_least` instead of `futile`.
 */
#include "../explain/foreign_program.h"
#include "../explain/symbols.h"
#include "../words/quote.h"
#include "selected.h"
#include "storms.h"

/* Writes where a post was made: address, function and line; null if unknown. */
static void posted(struct doze_json *j, const struct doze_model *m, const struct doze_pool_view *p,
		   uint64_t caller)
{
	doze_json_uint(j, "caller", caller);
	doze_json_string(j, "posted_at", caller ? doze_symbols_line(m, p, caller) : NULL);
}

static void storm(struct doze_json *j, const struct doze_model *m, const struct doze_storm *s)
{
	int64_t origin = doze_model_totals(m)->first_ts;
	bool foreign = doze_model_is_foreign(m);

	doze_json_open(j, NULL, '{');
	doze_json_int(j, "at", s->from - origin);
	doze_json_int(j, "end", s->to - origin);
	doze_json_int(j, "vpid", s->vpid);
	doze_json_uint(j, "pool", s->pool);
	doze_json_uint(j, "pool_row", s->pool_row);
	if (!foreign)
		doze_json_string(j, "cause", doze_cause_name(s->cause));
	doze_json_int(j, "waker", s->waker);
	doze_json_int(j, "waker_vtid", s->waker_vtid);
	doze_json_uint(j, "decision_id", s->decision_id);
	doze_json_uint(j, "decisions", s->decisions);
	if (!foreign)
		doze_json_uint(j, "jobs", s->jobs);
	doze_json_uint(j, "woken", s->woken);
	if (foreign) {
		doze_json_uint(j, "futile_at_least", s->futile);
	} else {
		doze_json_uint(j, "useful", s->useful);
		doze_json_uint(j, "futile", s->futile);
		doze_json_uint(j, "latch", s->latch);
		doze_json_uint(j, "unresolved", s->unresolved);
		doze_json_int(j, "burnt", s->burnt);
	}
	posted(j, m, doze_model_pool(m, s->pool_row), s->caller);
	doze_json_close(j, '}');
}

static void storms(struct doze_json *j, const struct doze_storm_log *l, const struct doze_model *m)
{
	doze_json_open(j, "storms", '[');
	for (size_t i = 0; i < l->count; i++)
		storm(j, m, &l->storm[i]);
	doze_json_close(j, ']');
	doze_json_uint(j, "storms_left_out", l->left_out);
}

/* zeros: also write the verdicts that no wake has. */
static void verdicts(struct doze_json *j, const char *name, const uint64_t *v, bool zeros)
{
	doze_json_open(j, name, '{');
	for (int k = DOZE_VERDICT_unresolved; k < DOZE_VERDICT_COUNT; k++)
		if (v[k] || zeros)
			doze_json_uint(j, doze_verdict_name((enum doze_verdict)k), v[k]);
	doze_json_close(j, '}');
}

static void wakes(struct doze_json *j, const struct doze_model *m)
{
	const struct doze_totals *t = doze_model_totals(m);
	const struct doze_measures *s = doze_model_measures(m);

	doze_json_uint(j, "wakes", t->wakes);
	doze_json_uint(j, "woken", t->woken);
	doze_json_uint(j, "jobs_run", t->jobs_run);
	doze_json_uint(j, "jobs_published", t->jobs_published);
	doze_json_real(j, "futile_ratio", doze_model_futile_ratio(m));
	if (doze_selection_by_worker(doze_selection_of(m))) /* jobs are published to all workers */
		doze_json_null(j, "amplification");
	else
		doze_json_real(j, "amplification", doze_model_amplification(m));
	doze_json_uint(j, "herd_excess", doze_model_herd_excess(m));
	verdicts(j, "verdicts", t->verdicts, true);
	doze_json_open(j, "by_cause", '{');
	for (int c = DOZE_CAUSE_none + 1; c < DOZE_CAUSE_COUNT; c++)
		verdicts(j, doze_cause_name((enum doze_cause)c), s->verdicts[c], true);
	doze_json_close(j, '}');
	doze_json_open(j, "chain", '{');
	doze_json_uint(j, "roots", s->chain.roots);
	doze_json_uint(j, "wakes", s->chain.wakes);
	doze_json_uint(j, "futile", s->chain.futile);
	doze_json_uint(j, "longest", s->chain.longest);
	doze_json_close(j, '}');
}

static void hist(struct doze_json *j, const char *name, const struct doze_hist *h)
{
	doze_json_open(j, name, '{');
	doze_json_uint(j, "count", h->n);
	doze_json_int(j, "p50", doze_hist_percentile(h, 0.5));
	doze_json_int(j, "p90", doze_hist_percentile(h, 0.9));
	doze_json_int(j, "p99", doze_hist_percentile(h, 0.99));
	doze_json_int(j, "max", h->n ? h->max : 0);
	doze_json_real(j, "mean", doze_hist_mean(h));
	doze_json_open(j, "log2", '[');
	for (unsigned r = 0; r < DOZE_HIST_ROWS; r++) {
		if (!doze_hist_row(h, r))
			continue;
		doze_json_open(j, NULL, '{');
		doze_json_uint(j, "from", r ? 1ull << r : 0);
		doze_json_uint(j, "count", doze_hist_row(h, r));
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
	doze_json_close(j, '}');
}

static void latency(struct doze_json *j, const struct doze_measures *s)
{
	doze_json_open(j, "latency", '{');
	hist(j, "publish_notify", &s->publish_notify);
	hist(j, "useful_notify_awake", &s->useful_awake);
	hist(j, "awake_found", &s->awake_found);
	hist(j, "found_job", &s->found_job);
	hist(j, "publish_job", &s->publish_job);
	/* over all wakes, unlike the histograms above, which cover only useful wakes */
	hist(j, "notify_awake", &s->notify_awake);
	hist(j, "futile_search", &s->futile_search);
	doze_json_close(j, '}');
	doze_json_uint(j, "latency_unmeasured", s->unmeasured);
}

/* Writes why jobs waited, as counts over all posts, and the post whose job waited longest. */
static void left_by(struct doze_json *j, const struct doze_model *m)
{
	const struct doze_underwake_measures *u = &doze_model_measures(m)->underwake;
	const struct doze_waiting_post *l = &u->worst_post;

	doze_json_open(j, "left_by", '{');
	for (int k = 0; k < DOZE_UNDERWAKE_COUNT; k++)
		doze_json_uint(j, doze_underwake_why_name((enum doze_underwake_why)k),
			       u->by_why[k]);
	doze_json_close(j, '}');
	if (!l->known) {
		doze_json_null(j, "worst_post");
		return;
	}
	doze_json_open(j, "worst_post", '{');
	doze_json_int(j, "at", l->ts - doze_model_totals(m)->first_ts);
	doze_json_uint(j, "pool", u->worst_pool);
	doze_json_int(j, "poster", l->poster);
	doze_json_int(j, "poster_vtid", l->poster_vtid);
	doze_json_string(j, "queue", doze_queue_name(l->queue));
	doze_json_uint(j, "jobs", l->jobs);
	doze_json_int(j, "idle_seen", l->idle);
	doze_json_int(j, "sleeping_seen", l->sleeping);
	doze_json_uint(j, "wakes", l->wakes);
	doze_json_uint(j, "decision_id", l->decision_id);
	doze_json_string(j, "why", doze_underwake_why_name(doze_underwake_why(l)));
	doze_json_bool(j, "or_next", l->merged);
	posted(j, m, doze_model_pool(m, u->worst_pool_row), l->caller);
	doze_json_close(j, '}');
}

static void costs(struct doze_json *j, const struct doze_model *m)
{
	const struct doze_totals *t = doze_model_totals(m);
	const struct doze_underwake_measures *u = &doze_model_measures(m)->underwake;

	doze_json_open(j, "near_misses", '{');
	for (int a = DOZE_ABORT_none + 1; a < DOZE_ABORT_COUNT; a++)
		doze_json_uint(j, doze_abort_name((enum doze_abort)a), t->sleep_aborts[a]);
	doze_json_close(j, '}');
	doze_json_open(j, "time", '{');
	for (int s = 0; s < DOZE_STATE_COUNT; s++)
		if (doze_state_is_alive((enum doze_state)s))
			doze_json_int(j, doze_state_name((enum doze_state)s),
				      doze_model_time_in(m, (enum doze_state)s));
	doze_json_close(j, '}');
	if (!t->jobs_level) {
		doze_json_null(j, "underwake");
		return;
	}
	doze_json_open(j, "underwake", '{');
	doze_json_uint(j, "spans", u->spans);
	doze_json_int(j, "total", u->wait.sum);
	doze_json_int(j, "worst", u->worst);
	doze_json_int(j, "worst_at", u->spans ? u->worst_at - t->first_ts : 0);
	doze_json_int(j, "worst_poster", u->worst_post.poster);
	left_by(j, m);
	doze_json_close(j, '}');
}

static void workers(struct doze_json *j, const struct doze_model *m)
{
	doze_json_open(j, "workers", '[');
	for (size_t i = 0; i < doze_model_workers(m); i++) {
		const struct doze_worker_view *w = doze_model_worker(m, i);

		if (!doze_worker_set_has(&doze_selection_of(m)->workers, w->key.index))
			continue;
		doze_json_open(j, NULL, '{');
		doze_json_int(j, "vpid", w->key.vpid);
		doze_json_uint(j, "pool", w->key.pool);
		doze_json_uint(j, "pool_row", w->pool_row);
		doze_json_int(j, "worker", w->key.index);
		doze_json_uint(j, "woken", w->wakes);
		doze_json_uint(j, "wakes_sent", w->wakes_sent);
		doze_json_uint(j, "futile_sent", w->futile_sent);
		doze_json_uint(j, "jobs_run", w->jobs_run);
		/* time in each state, without the spans in which the state is unknown */
		doze_json_open(j, "time", '{');
		for (int s = 0; s < DOZE_STATE_COUNT; s++)
			if (doze_state_is_alive((enum doze_state)s))
				doze_json_int(j, doze_state_name((enum doze_state)s), w->total[s]);
		doze_json_close(j, '}');
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

/* Returns the name of an outside thread, or null. */
static const char *name_of(const struct doze_model *m, uint32_t pool_row, int32_t vtid)
{
	const struct doze_thread_view *t = doze_model_thread(m, pool_row, vtid);

	return t && *t->name ? t->name : NULL;
}

static void outside(struct doze_json *j, const struct doze_model *m)
{
	const struct doze_outside_view *o;
	bool foreign = doze_model_is_foreign(m);

	doze_json_open(j, "outside", '[');
	for (uint32_t p = 0; p < doze_model_pools(m); p++)
		for (size_t i = 0; (o = doze_model_outside(m, p, i)); i++) {
			doze_json_open(j, NULL, '{');
			if (!foreign) {
				doze_json_int(j, "vpid", doze_model_pool(m, p)->vpid);
				doze_json_uint(j, "pool", doze_model_pool(m, p)->pool);
			}
			doze_json_uint(j, "pool_row", p);
			doze_json_int(j, "vtid", o->vtid);
			doze_json_string(j, "name", name_of(m, p, o->vtid));
			doze_json_uint(j, "wakes_sent", o->wakes_sent);
			doze_json_uint(j, foreign ? "futile_at_least" : "futile_sent",
				       o->futile_sent);
			doze_json_close(j, '}');
		}
	doze_json_close(j, ']');
}

static void pools(struct doze_json *j, const struct doze_model *m)
{
	doze_json_open(j, "pools", '[');
	for (size_t i = 0; i < doze_model_pools(m); i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);

		doze_json_open(j, NULL, '{');
		doze_json_int(j, "vpid", p->vpid);
		doze_json_uint(j, "pool", p->pool);
		doze_json_string(j, "policy", p->policy);
		doze_json_uint(j, "workers", p->workers);
		doze_json_bool(j, "jec", doze_pool_has_jec(p));
		doze_json_string(j, "detail", doze_pool_level(p));
		doze_json_bool(j, "every_job", p->jobs_level);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

/* A critical path runs across all workers, so there is none for a selection of workers. */
static void paths(struct doze_json *j, const struct doze_storm_log *l, const struct doze_model *m)
{
	size_t n = doze_selection_by_worker(doze_selection_of(m)) ? 0 : l->paths;
	int64_t origin = doze_model_totals(m)->first_ts;

	doze_json_open(j, "critical_paths", '[');
	for (size_t i = 0; i < n; i++) {
		const struct doze_path_line *p = &l->path[i];

		doze_json_open(j, NULL, '{');
		doze_json_string(j, "phase", p->phase);
		doze_json_uint(j, "pool_row", p->pool_row);
		doze_json_int(j, "at", p->from - origin);
		doze_json_int(j, "end", p->to - origin);
		doze_json_int(j, "last", p->last);
		doze_json_bool(j, "estimated", !doze_model_pool(m, p->pool_row)->jobs_level);
		doze_json_open(j, "work", '[');
		for (int k = 0; k < DOZE_PATH_TOP; k++) {
			if (p->top[k].ns <= 0)
				continue;
			doze_json_open(j, NULL, '{');
			doze_json_int(j, "worker", p->top[k].worker);
			doze_json_int(j, "vtid", p->top[k].vtid);
			doze_json_int(j, "time", p->top[k].ns);
			doze_json_close(j, '}');
		}
		doze_json_close(j, ']');
		doze_json_int(j, "others", p->others);
		doze_json_int(j, "wait", p->part[DOZE_PATH_waiting]);
		doze_json_int(j, "search", p->part[DOZE_PATH_searching]);
		doze_json_int(j, "asleep", p->part[DOZE_PATH_asleep]);
		doze_json_int(j, "blocked", p->part[DOZE_PATH_blocked]);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

/* Writes what follows the number of storms. */
static void measures(struct doze_json *j, const struct doze_storm_log *l,
		     const struct doze_model *m)
{
	doze_json_string(
	    j, "burnt_is",
	    "wall time of a storm's futilely woken workers, awake to asleep; not CPU time");
	doze_json_uint(j, "storms_unresolved", doze_model_measures(m)->storm.unresolved);
	storms(j, l, m);
	pools(j, m);
	wakes(j, m);
	latency(j, doze_model_measures(m));
	costs(j, m);
	paths(j, l, m);
	doze_json_uint(j, "critical_paths_missing", doze_paths_missing(m));
	workers(j, m);
	outside(j, m);
}

void doze_storms_json(const struct doze_storm_log *l, const struct doze_model *m, const char *trace,
		      FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	bool foreign = doze_model_is_foreign(m);
	struct doze_json j = {.out = out};

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "format", "doze-storms/1");
	doze_json_string(&j, "trace", trace);
	doze_json_string(&j, "diagnosis", doze_storms_verdict(m));
	doze_json_int(&j, "duration", t->last_ts - t->first_ts);
	doze_selection_json(&j, doze_selection_of(m));
	doze_json_uint(&j, "events", t->events);
	if (!foreign) {
		doze_json_string(&j, "detail", doze_model_level(m));
		doze_json_bool(&j, "every_job", t->jobs_level);
	}
	doze_json_uint(&j, "lost", t->discarded);
	doze_json_bool(&j, "truncated", t->truncated);
	doze_json_bool(&j, "missing", t->missing > 0);
	if (foreign)
		doze_foreign_json(&j, "foreign", m);
	doze_json_uint(&j, "storm_count", t->storms);
	if (foreign) {
		storms(&j, l, m);
		outside(&j, m);
		verdicts(&j, "verdicts", t->verdicts, false);
	} else {
		measures(&j, l, m);
	}
	doze_json_close(&j, '}');
}
