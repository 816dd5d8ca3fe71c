/*
 * SPDX-License-Identifier: MIT
 *
 * facts.c - runs a trace through the model and keeps what the model reports to its listener.
 */
#include "facts.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../viz/trace/grow.h"
#include "../../viz/trace/reader.h"

/* A lab's trace has a few hundred spans. With millions of spans, it is not a lab's trace. */
#define SPANS_MAX 4000000

static bool make_room(struct lab_facts *f)
{
	struct lab_span *spans =
	    f->span_count == SPANS_MAX
		? NULL
		: doze_grow(f->spans, &f->span_room, f->span_count, sizeof *spans);

	if (!spans)
		return false;
	f->spans = spans;
	return true;
}

static void on_interval(void *ctx, const struct doze_interval *i)
{
	struct lab_facts *f = ctx;

	if (!make_room(f)) {
		f->no_memory = true;
		return;
	}
	f->spans[f->span_count++] = (struct lab_span){
	    .worker = i->who.index,
	    .state = i->state,
	    .why = i->why,
	    .from = i->from,
	    .to = i->to,
	    .unknown = i->unknown,
	};
}

static void on_wake(void *ctx, const struct doze_wake *w)
{
	struct lab_facts *f = ctx;

	if ((unsigned)w->cause < DOZE_CAUSE_COUNT)
		f->wakes_by_cause[w->cause]++;
	f->last_cause = w->cause;
}

static void on_event(void *ctx, const struct doze_event *event)
{
	struct lab_facts *f = ctx;

	doze_model_feed(f->model, event);
}

static void on_discarded(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct lab_facts *f = ctx;

	f->lost = true;
	doze_model_discarded(f->model, from, to, count);
}

static int run_reader(struct lab_facts *f, const char *dir, char *err, size_t err_size)
{
	static const struct doze_reader_sink sink = {.event = on_event, .discarded = on_discarded};
	struct doze_reader *reader = doze_reader_open_dir(dir, err, err_size);
	int rc = -1;

	if (!reader)
		return -1;
	if (doze_reader_run(reader, &sink, f) != DOZE_READER_END)
		snprintf(err, err_size, "%s", doze_reader_error(reader));
	else if (f->no_memory)
		snprintf(err, err_size, "%s: too long to grade: record a shorter run", dir);
	else if (!lab_facts_pool(f))
		snprintf(
		    err, err_size,
		    "%s: the trace must contain exactly one pool: is it the trace of this lab?",
		    dir);
	else
		rc = 0;
	doze_reader_free(reader);
	return rc;
}

int lab_facts_read(struct lab_facts *f, const char *dir, char *err, size_t err_size)
{
	static const struct doze_model_listener listener = {.on_interval = on_interval,
							    .on_wake = on_wake};
	int rc;

	*f = (struct lab_facts){.model = doze_model_new(&listener, f)};
	if (!f->model) {
		snprintf(err, err_size, "%s: out of memory", dir);
		return -1;
	}
	rc = run_reader(f, dir, err, err_size);
	doze_model_finish(f->model, doze_model_totals(f->model)->last_ts);
	return rc;
}

void lab_facts_free(struct lab_facts *f)
{
	doze_model_free(f->model);
	free(f->spans);
	*f = (struct lab_facts){0};
}

const struct doze_pool_view *lab_facts_pool(const struct lab_facts *f)
{
	return doze_model_pools(f->model) == 1 ? doze_model_pool(f->model, 0) : NULL;
}

const struct doze_worker_view *lab_facts_worker(const struct lab_facts *f, int index)
{
	for (size_t row = 0; row < doze_model_workers(f->model); row++) {
		const struct doze_worker_view *w = doze_model_worker(f->model, row);

		if (w->key.index == index)
			return w;
	}
	return NULL;
}
