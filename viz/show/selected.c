/*
 * SPDX-License-Identifier: MIT
 *
 * selected.c - see selected.h.
 */
#include "selected.h"

#include "selection_text.h"

static int64_t trace_time(const struct doze_model *m, int64_t ns)
{
	int64_t first = doze_model_totals(m)->first_ts;

	return ns > DOZE_TS_MAX - first ? INT64_MAX : first + ns;
}

int64_t doze_selected_from(const struct doze_model *m, const struct doze_selection *s)
{
	return trace_time(m, s->from);
}

int64_t doze_selected_lower(const struct doze_model *m)
{
	const struct doze_selection *s = doze_selection_of(m);

	return s->from ? doze_selected_from(m, s) : INT64_MIN;
}

int64_t doze_selected_to(const struct doze_model *m, const struct doze_selection *s)
{
	return trace_time(m, s->to);
}

/* Returns whether the selection includes all times and workers. Tested first because it is the
 * usual case. */
static bool is_all(const struct doze_selection *s)
{
	return s->from == 0 && s->to == INT64_MAX && !s->workers.limited;
}

static bool has_span(const struct doze_model *m, int64_t from, int64_t to)
{
	const struct doze_selection *s = doze_selection_of(m);

	if (is_all(s))
		return true;
	return to >= doze_selected_lower(m) && from <= doze_selected_to(m, s);
}

static bool has_worker(const struct doze_model *m, int32_t worker)
{
	return doze_worker_set_has(&doze_selection_of(m)->workers, worker);
}

bool doze_selected_event(const struct doze_model *m, const struct doze_event *e)
{
	return has_span(m, e->ts, e->ts) && has_worker(m, e->worker);
}

static void on_interval(void *ctx, const struct doze_interval *iv)
{
	const struct doze_selected *s = ctx;
	const struct doze_selection *part_of = doze_selection_of(s->model);
	struct doze_interval part;
	int64_t from, to;

	if (!s->to->on_interval)
		return;
	if (is_all(part_of)) {
		s->to->on_interval(s->ctx, iv);
		return;
	}
	from = doze_selected_lower(s->model);
	to = doze_selected_to(s->model, part_of);
	if (iv->from > to || iv->to < from || !has_worker(s->model, iv->who.index))
		return;
	part = *iv;
	part.from = iv->from > from ? iv->from : from;
	part.to = iv->to < to ? iv->to : to;
	if (part.to > part.from || iv->to == iv->from)
		s->to->on_interval(s->ctx, &part);
}

static bool has_wake(const struct doze_selected *s, const struct doze_wake *k)
{
	int64_t at = k->notified ? k->notified : k->awake;

	return has_span(s->model, at, at) && has_worker(s->model, k->target.index);
}

static void on_wake(void *ctx, const struct doze_wake *k)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_wake && has_wake(s, k))
		s->to->on_wake(s->ctx, k);
}

static void on_verdict(void *ctx, const struct doze_wake *k)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_verdict && has_wake(s, k))
		s->to->on_verdict(s->ctx, k);
}

static void on_finding(void *ctx, const struct doze_finding *f)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_finding)
		s->to->on_finding(s->ctx, f);
}

static void on_consequence(void *ctx, const struct doze_finding *f)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_consequence)
		s->to->on_consequence(s->ctx, f);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_mark && has_span(s->model, ts, ts))
		s->to->on_mark(s->ctx, ts, pool, worker, text);
}

static void on_counters(void *ctx, int64_t ts, uint32_t pool, uint64_t word,
			const struct doze_word_layout *l)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_counters && has_span(s->model, ts, ts))
		s->to->on_counters(s->ctx, ts, pool, word, l);
}

static void on_word(void *ctx, int64_t ts, const struct doze_pool_view *pool, uint64_t word)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_word && has_span(s->model, ts, ts))
		s->to->on_word(s->ctx, ts, pool, word);
}

static void on_lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_lost &&
	    (!doze_model_totals(s->model)->events || has_span(s->model, from, to)))
		s->to->on_lost(s->ctx, from, to, count);
}

static void on_storm(void *ctx, const struct doze_storm *storm)
{
	const struct doze_selected *s = ctx;

	if (s->to->on_storm)
		s->to->on_storm(s->ctx, storm);
}

const struct doze_model_listener doze_selected_listener = {
    .on_interval = on_interval,
    .on_wake = on_wake,
    .on_verdict = on_verdict,
    .on_finding = on_finding,
    .on_consequence = on_consequence,
    .on_mark = on_mark,
    .on_counters = on_counters,
    .on_word = on_word,
    .on_lost = on_lost,
    .on_storm = on_storm,
};

struct doze_model *doze_selected_model(struct doze_selected *s, const struct doze_model_options *o)
{
	struct doze_model *m;

	if (is_all(&o->selection)) /* the model can call s->to directly */
		m = doze_model_new_with(o, s->to, s->ctx);
	else
		m = doze_model_new_with(o, &doze_selected_listener, s);
	s->model = m;
	return m;
}
