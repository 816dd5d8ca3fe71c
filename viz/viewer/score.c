/*
 * SPDX-License-Identifier: MIT
 *
 * score.c - see score.h.
 */
#include "score.h"

#include <stdlib.h>

#include "../model/hist.h"

static void add_wakes(const struct tui_lane *lane, int64_t t, struct tui_score *score,
		      struct doze_hist *delay)
{
	score->forgotten |= lane->wakes.dropped > 0;
	for (size_t i = 0; i < lane->wakes.count; i++) {
		const struct tui_wake *w = tui_ring_at(&lane->wakes, i);

		if (w->at > t)
			return;
		score->wakes += w->wake.cause != DOZE_CAUSE_terminate;
		score->futile += w->wake.verdict == DOZE_VERDICT_futile && w->wake.ended <= t;
		if (w->wake.verdict == DOZE_VERDICT_useful && w->wake.published &&
		    w->wake.first_job && w->wake.first_job <= t)
			doze_hist_add(delay, w->wake.first_job - w->wake.published);
	}
}

static int64_t cpu_of(const struct doze_event *e)
{
	if (e->kind == DOZE_EV_woken)
		return (int64_t)e->u.woken.cpu_ns;
	return e->kind == DOZE_EV_worker_state ? (int64_t)e->u.state.cpu_ns : 0;
}

/* What has already been counted for a worker. */
struct seen {
	bool cpu, jobs;
};

static void add_report(const struct doze_event *e, struct seen *seen, struct tui_score *score)
{
	int64_t cpu = cpu_of(e);

	if (cpu > 0 && !seen->cpu) {
		seen->cpu = score->has_cpu = true;
		score->cpu += cpu;
	}
	if (e->kind == DOZE_EV_worker_state && !seen->jobs) {
		seen->jobs = true;
		score->jobs_run += e->u.state.jobs_run;
	}
}

/* Adds the last CPU time and number of jobs that each worker reported up to t. A worker reports its
 * CPU time when it falls asleep and wakes up, and its number of jobs when it changes its state. */
static void add_reports(const struct tui_history *h, int64_t t, struct tui_score *score)
{
	struct seen *seen = calloc(h->n_lanes + 1, sizeof *seen);
	size_t left = h->n_lanes;

	for (size_t i = tui_ring_after(&h->events, t); seen && left > 0 && i-- > 0;) {
		const struct tui_event *e = tui_ring_at(&h->events, i);
		struct seen *of;
		bool had_all;

		if (e->row < 0 || (size_t)e->row >= h->n_lanes)
			continue;
		of = &seen[e->row];
		had_all = of->cpu && of->jobs;
		add_report(&e->ev, of, score);
		left -= !had_all && of->cpu && of->jobs;
	}
	free(seen);
}

void tui_score_take(const struct tui_scene *s, int64_t t, struct tui_score *score)
{
	const struct tui_history *h = s->history;
	struct doze_hist delay = {0};

	*score = (struct tui_score){0};
	for (size_t i = 0; i < h->n_lanes; i++)
		add_wakes(&h->lanes[i], t, score, &delay);
	/* The history lacks a part of the run. Without a cursor, the score is for the whole run, so
	 * use the model's totals. */
	if (score->forgotten && !s->view.at.has_cursor) {
		score->wakes = s->now.totals.wakes;
		score->futile = s->now.totals.verdicts[DOZE_VERDICT_futile];
		score->forgotten = false;
	}
	score->time = (t < s->now.clock ? t : s->now.clock) - s->view.origin;
	add_reports(h, t, score);
	if (!s->view.at.has_cursor)
		score->jobs_run = s->now.totals.jobs_run;
	score->measured = delay.n;
	score->p99 = doze_hist_percentile(&delay, 0.99);
}
