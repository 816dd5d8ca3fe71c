/*
 * SPDX-License-Identifier: MIT
 *
 * window.c - adds up the second before the focus; see verdict.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../explain/diagnose.h"
#include "../words/units.h"
#include "verdict.h"
#include "words.h"

/* Counts futile wakes per waker, for as many wakers as fit into the table. The waker with the most
 * futile wakes becomes the culprit. */
struct waker {
	uint32_t host, pool;
	int32_t vpid, waker, vtid;
	uint64_t futile;
	int32_t wakee[TUI_WAKEES];
	unsigned wakees;
};
enum { WAKERS = 32 };

static struct waker *waker_of(struct waker *table, size_t *n, const struct tui_decision *d)
{
	for (size_t i = 0; i < *n; i++)
		if (table[i].waker == d->waker && table[i].pool == d->pool &&
		    table[i].vpid == d->vpid && table[i].host == d->host &&
		    (d->waker >= 0 || table[i].vtid == d->vtid))
			return &table[i];
	if (*n == WAKERS)
		return NULL;
	table[*n] = (struct waker){
	    .host = d->host, .pool = d->pool, .vpid = d->vpid, .waker = d->waker, .vtid = d->vtid};
	return &table[(*n)++];
}

/* Adds the index of a woken worker, in ascending order and without duplicates. */
static void add_wakee(struct waker *w, int32_t index)
{
	unsigned n = w->wakees < TUI_WAKEES ? w->wakees : TUI_WAKEES, i = 0;

	while (i < n && w->wakee[i] < index)
		i++;
	if (i < n && w->wakee[i] == index)
		return;
	if (i < TUI_WAKEES) {
		unsigned last = n < TUI_WAKEES ? n : TUI_WAKEES - 1;

		memmove(w->wakee + i + 1, w->wakee + i, (last - i) * sizeof *w->wakee);
		w->wakee[i] = index;
	}
	w->wakees++;
}

static void add_decision(struct tui_window *w, struct waker *table, size_t *n,
			 const struct tui_decision *d)
{
	uint32_t futile = d->verdicts[DOZE_VERDICT_futile];
	struct waker *by = futile ? waker_of(table, n, d) : NULL;

	w->decisions++;
	w->jobs += d->jobs;
	w->wakes += d->wakes;
	w->futile += futile;
	w->useful += d->verdicts[DOZE_VERDICT_useful] + d->verdicts[DOZE_VERDICT_latch];
	w->open += d->verdicts[DOZE_VERDICT_open];
	w->searched += d->searched;
	if (!by)
		return;
	by->futile += futile;
	for (uint32_t i = 0; i < d->targets; i++)
		if (d->target[i].verdict == DOZE_VERDICT_futile && d->target[i].index >= 0)
			add_wakee(by, d->target[i].index);
}

static void name_culprit(const struct tui_scene *s, struct tui_window *w, const struct waker *table,
			 size_t n)
{
	const struct waker *worst = NULL;
	struct doze_worker_key k;
	char name[TUI_NAME];

	for (size_t i = 0; i < n; i++)
		if (!worst || table[i].futile > worst->futile)
			worst = &table[i];
	if (!worst || !worst->wakees)
		return;
	k = (struct doze_worker_key){.host = worst->host, .vpid = worst->vpid, .pool = worst->pool};
	snprintf(w->culprit, sizeof w->culprit, "%s",
		 tui_waker_name(s, &k, worst->waker, worst->vtid, name));
	w->culprit_futile = worst->futile;
	w->wakees = worst->wakees;
	for (unsigned i = 0; i < worst->wakees && i < TUI_WAKEES; i++) {
		k.index = worst->wakee[i];
		snprintf(w->wakee[i], sizeof w->wakee[i], "%s", tui_worker_name(s, &k, name));
	}
}

static void take_wakes(const struct tui_scene *s, struct tui_window *w, int64_t from, int64_t to)
{
	const struct tui_ring *r = &s->history->decisions.ring;
	struct waker table[WAKERS];
	size_t n = 0;

	for (size_t i = tui_ring_after(r, to); i-- > 0;) {
		const struct tui_decision *d = tui_ring_at(r, i);

		if (d->at < from)
			break;
		if (d->cause != DOZE_CAUSE_terminate && tui_decision_shown(s, d))
			add_decision(w, table, &n, d);
	}
	name_culprit(s, w, table, n);
}

static void take_storm(const struct tui_scene *s, struct tui_window *w, int64_t from, int64_t to)
{
	const struct tui_ring *r = &s->history->storms;
	const struct tui_storm *t = tui_ring_at(r, tui_ring_after(r, to) - 1);
	struct doze_worker_key k;
	char name[TUI_NAME];

	if (!t || t->at < from || t->storm.to > s->now.clock)
		return;
	k = (struct doze_worker_key){
	    .host = t->storm.host, .vpid = t->storm.vpid, .pool = t->storm.pool};
	w->storm = true;
	w->storm_woken = t->storm.woken;
	w->storm_futile = t->storm.futile;
	w->storm_jobs = t->storm.jobs;
	snprintf(w->storm_waker, sizeof w->storm_waker, "%s",
		 tui_waker_name(s, &k, t->storm.waker, t->storm.waker_vtid, name));
}

static void take_states(const struct tui_scene *s, struct tui_window *w)
{
	for (size_t i = 0; i < s->now.n_lanes; i++) {
		bool unknown;
		enum doze_state state = tui_state_at_focus(s, s->now.lanes[i], &unknown);

		if (unknown)
			w->unknown++;
		w->in_state[state]++;
		w->workers += doze_state_is_alive(state);
	}
	w->stopped = s->now.n_lanes && !w->workers && w->in_state[DOZE_STATE_stopped];
}

bool tui_hang_at_focus(const struct tui_scene *s, struct doze_hang *hang)
{
	return doze_hang_now(tui_newest(s)->model, s->now.known, hang) &&
	       tui_view_focus(&s->view) >= hang->since &&
	       (!s->status.live || s->status.ended || s->now.known - hang->since >= TUI_WINDOW_NS);
}

static void take_hang(const struct tui_scene *s, struct tui_window *w)
{
	struct doze_hang hang;

	if (!tui_hang_at_focus(s, &hang))
		return;
	snprintf(w->hang, sizeof w->hang, "%s", hang.why);
	snprintf(w->hangs_since, sizeof w->hangs_since, "%s",
		 doze_position(hang.since - s->view.origin, 1000000));
}

static bool lost_in(const struct tui_scene *s, int64_t from, int64_t to)
{
	const struct tui_ring *r = &s->history->losses;

	for (size_t i = tui_ring_after(r, from - 1); i < r->count; i++)
		if (((const struct tui_loss *)tui_ring_at(r, i))->from <= to)
			return true;
	return false;
}

void tui_window_take(const struct tui_scene *s, struct tui_window *w)
{
	int64_t to = tui_view_focus(&s->view), from = to - TUI_WINDOW_NS;

	*w = (struct tui_window){.live = s->status.live,
				 .ended = s->status.ended,
				 .no_events = s->now.totals.events == 0,
				 .foreign = tui_is_foreign(s),
				 .program = s->status.program};
	if (w->no_events)
		return;
	w->forgotten = to < tui_history_since(s->history);
	take_states(s, w);
	take_wakes(s, w, from, to);
	take_storm(s, w, from, to);
	w->lost = lost_in(s, from, to);
	w->begins = from < s->view.origin;
	take_hang(s, w);
}
