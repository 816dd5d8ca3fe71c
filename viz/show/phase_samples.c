/*
 * SPDX-License-Identifier: MIT
 *
 * phase_samples.c - see phase_samples.h.
 */
#include "phase_samples.h"

#include <string.h>

#include "../model/path.h"
#include "../trace/utf8.h"
#include "selected.h"
#include "selection_text.h"

#define FIRST_TICK_NS 1000

/* Returns whether the sum is one of those that become known late (see enum doze_sum). */
static bool is_late(int sum)
{
	return sum >= DOZE_SUM_LATE;
}

/* Returns whether the sum is a time. Times can be interpolated; counts of events cannot. */
static bool is_time(int sum)
{
	return sum == DOZE_SUM_time || sum == DOZE_SUM_active || sum == DOZE_SUM_search ||
	       sum == DOZE_SUM_asleep;
}

/* ---- sums per phase and per part of the run ---- */

/* Returns the beginning of the selected time range. */
static int64_t origin(const struct doze_phases *p)
{
	return doze_selected_from(p->model, doze_selection_of(p->model));
}

static size_t bin_of(const struct doze_phases *p, int64_t ts)
{
	int64_t i = (ts - origin(p)) / p->tick_ns;

	return i < 0 ? 0 : i < DOZE_TICKS ? (size_t)i : DOZE_TICKS - 1;
}

/* Adds n to the sum of the phase that contains ts, for a wake or storm that began at ts but whose
 * outcome becomes known only now. */
static void add_late(struct doze_phases *p, int64_t ts, int sum, double n)
{
	size_t phase = p->marks;

	while (phase && p->mark[phase - 1].ts > ts)
		phase--;
	p->began[phase].sum[sum] += n;
	if (p->tick_ns)
		p->bin[bin_of(p, ts)].sum[sum] += n;
}

/* Adds the critical path of each pool for the phase that ends at ts. */
static void add_paths(struct doze_phases *p, int64_t ts)
{
	double *sum = p->began[p->marks].sum;
	const struct doze_selection *part = doze_selection_of(p->model);
	struct doze_path path;

	/* A critical path is defined only between marks and only for all workers together. */
	if (doze_selection_by_time(part) || doze_selection_by_worker(part))
		return;
	for (size_t i = 0; i < doze_model_pools(p->model); i++) {
		if (!doze_path_of(p->model, i, ts, &path) || path.to <= path.from)
			continue;
		sum[DOZE_SUM_path] += (double)(path.to - path.from);
		sum[DOZE_SUM_path_work] += (double)path.others;
		for (uint32_t k = 0; k < path.named; k++)
			sum[DOZE_SUM_path_work] += (double)path.work[k].ns;
	}
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_phases *p = ctx;
	struct doze_phase_mark *k;

	(void)pool, (void)worker;
	add_paths(p, ts);
	if (p->marks == DOZE_PHASES_MAX)
		return;
	k = &p->mark[p->marks++];
	doze_utf8_copy(k->text, sizeof k->text, text);
	k->ts = ts;
	k->at = doze_sample_now(p->model, ts);
}

static void add_span(struct doze_phases *p, int64_t at, int sum, int64_t from, int64_t to)
{
	if (!from || !to)
		return;
	add_late(p, at, sum, to > from ? (double)(to - from) : 0);
	add_late(p, at, sum + 1, 1);
}

static void on_verdict(void *ctx, const struct doze_wake *w)
{
	static const int sums[DOZE_VERDICT_COUNT] = {
	    [DOZE_VERDICT_useful] = DOZE_SUM_useful,
	    [DOZE_VERDICT_futile] = DOZE_SUM_futile,
	    [DOZE_VERDICT_latch] = DOZE_SUM_latch,
	    [DOZE_VERDICT_terminate] = DOZE_SUM_terminate,
	    [DOZE_VERDICT_redundant] = DOZE_SUM_redundant,
	    [DOZE_VERDICT_self] = DOZE_SUM_self,
	    [DOZE_VERDICT_unresolved] = DOZE_SUM_unresolved,
	};
	int64_t at = w->notified ? w->notified : w->ended;
	int64_t tried = w->ended - (w->awake ? w->awake : w->notified);

	if (is_late(sums[w->verdict]))
		add_late(ctx, at, sums[w->verdict], 1);
	if (w->verdict == DOZE_VERDICT_futile) {
		add_late(ctx, at, DOZE_SUM_vain, tried > 0 ? (double)tried : 0);
		add_late(ctx, at, DOZE_SUM_chained_futile, w->cause == DOZE_CAUSE_work_found);
	}
	add_span(ctx, at, DOZE_SUM_all_awake, w->notified, w->awake);
	if (w->verdict != DOZE_VERDICT_useful || !w->published || !w->awake)
		return;
	add_span(ctx, at, DOZE_SUM_publish_notify, w->published, w->notified);
	add_span(ctx, at, DOZE_SUM_notify_awake, w->notified, w->awake);
	add_span(ctx, at, DOZE_SUM_awake_found, w->awake, w->found);
	add_span(ctx, at, DOZE_SUM_found_job, w->found, w->first_job);
	add_span(ctx, at, DOZE_SUM_publish_job, w->published, w->first_job);
}

static void on_storm(void *ctx, const struct doze_storm *s)
{
	add_late(ctx, s->from, DOZE_SUM_storms, 1);
	add_late(ctx, s->from, DOZE_SUM_burnt, (double)s->burnt);
}

const struct doze_model_listener doze_phases_listener = {
    .on_mark = on_mark, .on_verdict = on_verdict, .on_storm = on_storm};

/* Doubles the length of a tick: drops every other sample and merges pairs of bins. */
static void coarsen(struct doze_phases *p)
{
	for (size_t i = 0; i < DOZE_TICKS / 2; i++) {
		p->tick[i] = p->tick[2 * i];
		for (int k = 0; k < DOZE_SUM_COUNT; k++)
			p->bin[i].sum[k] = p->bin[2 * i].sum[k] + p->bin[2 * i + 1].sum[k];
	}
	memset(&p->bin[DOZE_TICKS / 2], 0, DOZE_TICKS / 2 * sizeof p->bin[0]);
	p->ticks = (p->ticks + 1) / 2;
	p->last_bin /= 2;
	p->tick_ns *= 2;
}

/* Adds the events that were counted since the last call to p->bin[p->last_bin]. */
static void sort(struct doze_phases *p, const struct doze_sample *now)
{
	for (int k = 0; k < DOZE_SUM_COUNT; k++)
		if (!is_late(k) && !is_time(k))
			p->bin[p->last_bin].sum[k] += now->sum[k] - p->sorted.sum[k];
	p->sorted = *now;
}

static void add_tick(struct doze_phases *p, int64_t ts)
{
	struct doze_sample now = doze_sample_now(p->model, ts);

	sort(p, &now);
	while (p->ticks == DOZE_TICKS || (ts - origin(p)) / p->tick_ns >= DOZE_TICKS)
		coarsen(p);
	p->last_bin = bin_of(p, ts);
	p->tick[p->ticks++] = now;
	p->next_tick = origin(p) + ((int64_t)p->last_bin + 1) * p->tick_ns;
}

void doze_phases_event(struct doze_phases *p, const struct doze_event *e)
{
	if (!p->tick_ns) {
		p->tick_ns = FIRST_TICK_NS;
		p->next_tick = e->ts;
	}
	if (doze_model_totals(p->model)->events && e->ts >= p->next_tick && e->ts >= origin(p) &&
	    e->ts <= doze_selected_to(p->model, doze_selection_of(p->model)))
		add_tick(p, e->ts);
}

void doze_phases_finish(struct doze_phases *p)
{
	p->end = doze_sample_now(p->model, doze_model_totals(p->model)->last_ts);
	sort(p, &p->end);
	add_paths(p, doze_model_totals(p->model)->last_ts);
	for (int k = DOZE_SUM_LATE; k < DOZE_SUM_COUNT; k++)
		for (size_t i = 0; i <= p->marks; i++)
			p->end.sum[k] += p->began[i].sum[k];
}

struct doze_sample doze_phase(const struct doze_phases *p, size_t i)
{
	static const struct doze_sample zero;
	const struct doze_sample *a = i ? &p->mark[i - 1].at : &zero;
	const struct doze_sample *b = i < p->marks ? &p->mark[i].at : &p->end;
	struct doze_sample d = doze_sample_minus(b, a);

	for (int k = 0; k < DOZE_SUM_COUNT; k++)
		if (is_late(k))
			d.sum[k] = p->began[i].sum[k];
	return d;
}

/* Interpolates the sums at `time` ns between the two nearest samples. */
static struct doze_sample sample_at(const struct doze_phases *p, double time)
{
	static const struct doze_sample zero;
	const struct doze_sample *a = &zero, *b = &p->end;
	double span;

	for (size_t i = 0; i < p->ticks; i++) {
		if (p->tick[i].sum[DOZE_SUM_time] > time) {
			b = &p->tick[i];
			break;
		}
		a = &p->tick[i];
	}
	span = b->sum[DOZE_SUM_time] - a->sum[DOZE_SUM_time];
	return doze_sample_between(a, b, span > 0 ? (time - a->sum[DOZE_SUM_time]) / span : 0);
}

/* Returns the first bin whose middle is not before `time` ns. */
static size_t first_bin(const struct doze_phases *p, double time)
{
	double i = p->tick_ns ? time / (double)p->tick_ns + 0.5 : 0;

	return i < DOZE_TICKS ? (size_t)i : DOZE_TICKS;
}

struct doze_sample doze_phase_part(const struct doze_phases *p, size_t i, size_t parts)
{
	double whole = p->end.sum[DOZE_SUM_time] / (double)parts;
	struct doze_sample a = sample_at(p, whole * (double)i);
	struct doze_sample b = i + 1 == parts ? p->end : sample_at(p, whole * (double)(i + 1));
	struct doze_sample d = doze_sample_minus(&b, &a);
	size_t from = i ? first_bin(p, whole * (double)i) : 0;
	size_t to = i + 1 == parts ? DOZE_TICKS : first_bin(p, whole * (double)(i + 1));

	for (int k = 0; k < DOZE_SUM_COUNT; k++) {
		if (is_time(k))
			continue;
		d.sum[k] = 0;
		for (size_t n = from; n < to; n++)
			d.sum[k] += p->bin[n].sum[k];
	}
	return d;
}
