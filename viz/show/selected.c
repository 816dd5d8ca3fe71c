/*
 * SPDX-License-Identifier: MIT
 *
 * selected.c - see selected.h.
 */
#include "selected.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../words/units.h"

/* ---- The selected part of a trace in words and as JSON ---- */

/* Returns the highest worker index in any pool, or -1 if there are no workers. */
static int last_worker(const struct doze_model *m)
{
	int last = -1;

	for (size_t i = 0; i < doze_model_workers(m); i++)
		if (doze_model_worker(m, i)->key.index > last)
			last = doze_model_worker(m, i)->key.index;
	return last;
}

static const char *worker_problem(const struct doze_selection *s, int last)
{
	static char text[96];
	int beyond = doze_selection_beyond(s, last);

	if (beyond < 0)
		return NULL;
	if (last < 0)
		return "--worker: this trace shows no workers: omit the option";
	snprintf(text, sizeof text,
		 "--worker: this trace has no worker %d: give indices from 0 to %d", beyond, last);
	return text;
}

const char *doze_selection_problem(const struct doze_selection *s, const struct doze_model *m,
				   bool complete)
{
	static char text[128];
	const struct doze_totals *t = doze_model_totals(m);
	int last = last_worker(m);

	if (complete && doze_selection_by_pool(s) && !doze_model_pools(m))
		return "--pool: this trace has no such pool: omit the option to see all pools";
	if (complete && s->from > t->last_ts - t->first_ts) {
		snprintf(text, sizeof text,
			 "--from is later than the end of the trace, which is %s long: give an "
			 "earlier time",
			 doze_position(t->last_ts - t->first_ts, 0));
		return text;
	}
	return complete || last >= 0 ? worker_problem(s, last) : NULL;
}

const char *doze_selection_when(const struct doze_selection *s, const struct doze_totals *t)
{
	static char text[96];
	int64_t end = t->last_ts - t->first_ts;

	if (doze_selection_by_time(s))
		snprintf(text, sizeof text, "between %s and %s", doze_position(s->from, 0),
			 doze_position(s->to < end ? s->to : end, 0));
	else
		snprintf(text, sizeof text, "in %s", doze_duration(end));
	return text;
}

bool doze_selection_is_plural(const struct doze_selection *s)
{
	return !s->list || strpbrk(s->list, "-,");
}

const char *doze_selection_who(const struct doze_selection *s)
{
	static char text[128];

	*text = 0;
	if (doze_selection_by_worker(s))
		snprintf(text, sizeof text, "worker%s %s", doze_selection_is_plural(s) ? "s" : "",
			 s->list);
	return text;
}

void doze_selection_json(struct doze_json *j, const struct doze_selection *s)
{
	doze_json_int(j, "from", s->from);
	if (s->to != INT64_MAX)
		doze_json_int(j, "to", s->to);
	else
		doze_json_null(j, "to");
	doze_json_string(j, "worker", s->list);
	if (s->pool)
		doze_json_uint(j, "pool", s->pool);
	else if (s->pool_name)
		doze_json_string(j, "pool", s->pool_name);
}

/* ---- The listener ---- */

const struct doze_pool_view *doze_pool_of_key(const struct doze_model *m,
					      const struct doze_worker_key *k, size_t *guess)
{
	size_t n = doze_model_pools(m);

	for (size_t i = 0; i < n; i++) {
		size_t row = (*guess + i) % n;
		const struct doze_pool_view *p = doze_model_pool(m, row);

		if (p->pool == k->pool && p->vpid == k->vpid && p->host == k->host) {
			*guess = row;
			return p;
		}
	}
	return NULL;
}

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

/* Defines a hook that passes on what is selected. */
#define PASS(hook, selected, arguments, ...)                                                       \
	static void hook(void *ctx, __VA_ARGS__)                                                   \
	{                                                                                          \
		const struct doze_selected *s = ctx;                                               \
                                                                                                   \
		if (s->to->hook && (selected))                                                     \
			s->to->hook arguments;                                                     \
	}
PASS(on_wake, has_wake(s, k), (s->ctx, k), const struct doze_wake *k)
PASS(on_verdict, has_wake(s, k), (s->ctx, k), const struct doze_wake *k)
PASS(on_finding, true, (s->ctx, f), const struct doze_finding *f)
PASS(on_consequence, true, (s->ctx, f), const struct doze_finding *f)
PASS(on_storm, true, (s->ctx, storm), const struct doze_storm *storm)
PASS(on_mark, has_span(s->model, ts, ts), (s->ctx, ts, pool, worker, text), int64_t ts,
     uint32_t pool, int32_t worker, const char *text)
PASS(on_counters, has_span(s->model, ts, ts), (s->ctx, ts, pool, word, l), int64_t ts,
     uint32_t pool, uint64_t word, const struct doze_word_layout *l)
PASS(on_word, has_span(s->model, ts, ts), (s->ctx, ts, pool, word), int64_t ts,
     const struct doze_pool_view *pool, uint64_t word)
PASS(on_lost, !doze_model_totals(s->model)->events || has_span(s->model, from, to),
     (s->ctx, from, to, count), int64_t from, int64_t to, uint64_t count)

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
