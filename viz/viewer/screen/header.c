/*
 * SPDX-License-Identifier: MIT
 *
 * header.c - the top of the screen: the title, and the last second in one sentence. See
 * header.h.
 */
#include "header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../explain/diagnose.h"
#include "../../trace/utf8.h"
#include "../../words/units.h"
#include "parts.h"
#include "phrases.h"

/* ---- the sums of the last second ---- */

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

static void add_decision(struct tui_last_second *w, struct waker *table, size_t *n,
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

static void name_culprit(const struct tui_scene *s, struct tui_last_second *w,
			 const struct waker *table, size_t n)
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

static void take_wakes(const struct tui_scene *s, struct tui_last_second *w, int64_t from,
		       int64_t to)
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

static void take_storm(const struct tui_scene *s, struct tui_last_second *w, int64_t from,
		       int64_t to)
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

static void take_states(const struct tui_scene *s, struct tui_last_second *w)
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
	       (!s->status.live || s->status.ended || s->now.known - hang->since >= TUI_SECOND_NS);
}

static void take_hang(const struct tui_scene *s, struct tui_last_second *w)
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

void tui_last_second_take(const struct tui_scene *s, struct tui_last_second *w)
{
	int64_t to = tui_view_focus(&s->view), from = to - TUI_SECOND_NS;

	*w = (struct tui_last_second){.live = s->status.live,
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

/* ---- the sentences, in order of importance; the first one that applies is shown ---- */

static unsigned searching(const struct tui_last_second *w)
{
	return w->in_state[DOZE_STATE_idle] + w->in_state[DOZE_STATE_sleepy];
}

/* Returns the name of the time that the numbers cover: the last second, or the whole run if the run
 * is shorter. */
static const char *scope(const struct tui_last_second *w)
{
	return w->begins ? "so far" : "in 1 s";
}

/* Writes "w1", "w1 and w2", or "w1, w2, w3 and 4 others". */
static void wakees_text(const struct tui_last_second *w, char *out, size_t size)
{
	unsigned n = w->wakees < TUI_WAKEES ? w->wakees : TUI_WAKEES;
	unsigned named = w->wakees > TUI_WAKEES ? TUI_WAKEES - 1 : n;
	int at = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < named && at >= 0 && (size_t)at < size; i++)
		at += snprintf(out + at, size - (size_t)at, "%s%s",
			       !i                                     ? ""
			       : i + 1 == named && named == w->wakees ? " and "
								      : ", ",
			       w->wakee[i]);
	if (w->wakees > named && at >= 0 && (size_t)at < size)
		snprintf(out + at, size - (size_t)at, " and %u others", w->wakees - named);
}

static enum tui_style say_futile(const struct tui_last_second *w, char *out)
{
	char wakees[96];

	wakees_text(w, wakees, sizeof wakees);
	if (w->culprit_futile < w->futile)
		snprintf(out, TUI_LAST_SECOND_TEXT,
			 "%" PRIu64 " of %" PRIu64 " wakes in vain %s, %" PRIu64
			 " by %s: it wakes %s",
			 w->futile, w->wakes, scope(w), w->culprit_futile, w->culprit, wakees);
	else
		snprintf(out, TUI_LAST_SECOND_TEXT,
			 "%" PRIu64 " of %" PRIu64 " wakes in vain %s: %s wakes %s for nothing",
			 w->futile, w->wakes, scope(w), w->culprit, wakees);
	return TUI_FUTILE;
}

static enum tui_style say_storm(const struct tui_last_second *w, char *out)
{
	snprintf(out, TUI_LAST_SECOND_TEXT,
		 "STORM: %s wakes %" PRIu32 " for %s, %" PRIu32 " in vain; %" PRIu64 " of %" PRIu64
		 " wakes in vain %s",
		 w->storm_waker, w->storm_woken, doze_plural(w->storm_jobs, "job"), w->storm_futile,
		 w->futile, w->wakes, scope(w));
	return TUI_ALARM;
}

/* Writes what the workers are doing: "3 of 4 workers work, 1 sleeps". */
static enum tui_style say_states(const struct tui_last_second *w, char *out)
{
	unsigned active = w->in_state[DOZE_STATE_active], idle = searching(w);
	unsigned asleep = w->in_state[DOZE_STATE_sleeping];
	char wakes[64] = "";

	if (w->wakes)
		snprintf(wakes, sizeof wakes, "; %s %s, none in vain%s",
			 doze_plural(w->wakes, "wake"), scope(w), w->open ? " yet" : "");
	if (asleep == w->workers && w->workers == 1)
		snprintf(out, TUI_LAST_SECOND_TEXT, "the worker sleeps: there is no work%s", wakes);
	else if (asleep == w->workers)
		snprintf(out, TUI_LAST_SECOND_TEXT, "all %u workers sleep: there is no work%s",
			 w->workers, wakes);
	else if (active == w->workers)
		snprintf(out, TUI_LAST_SECOND_TEXT, "all %u workers work%s", w->workers, wakes);
	else
		snprintf(out, TUI_LAST_SECOND_TEXT,
			 "of %u workers %u work%s, %u search%s, %u sleep%s%s", w->workers, active,
			 active == 1 ? "s" : "", idle, idle == 1 ? "es" : "", asleep,
			 asleep == 1 ? "s" : "", wakes);
	return TUI_BOLD;
}

/* The sentences on a program without libdoze: every number of wakes in vain is a lower bound. */
static enum tui_style say_foreign(const struct tui_last_second *w, char *out)
{
	unsigned out_of_waits = w->in_state[DOZE_STATE_active] + w->in_state[DOZE_STATE_idle];
	char vain[96] = "";

	if (w->futile)
		snprintf(vain, sizeof vain, "at least %" PRIu64 " of %" PRIu64 " wakes in vain %s",
			 w->futile, w->wakes, scope(w));
	if (w->storm)
		snprintf(out, TUI_LAST_SECOND_TEXT,
			 "STORM: %s wakes %" PRIu32 ", at least %" PRIu32 " in vain; %s",
			 w->storm_waker, w->storm_woken, w->storm_futile, vain);
	else if (w->futile && w->culprit[0])
		snprintf(out, TUI_LAST_SECOND_TEXT, "%s, %s%" PRIu64 " by %s", vain,
			 w->culprit_futile == w->futile ? "all " : "", w->culprit_futile,
			 w->culprit);
	else
		snprintf(out, TUI_LAST_SECOND_TEXT,
			 "of %u threads %u wait%s, %u %s not in a wait that doze sees; %s %s",
			 w->workers, w->in_state[DOZE_STATE_sleeping],
			 w->in_state[DOZE_STATE_sleeping] == 1 ? "s" : "", out_of_waits,
			 out_of_waits == 1 ? "is" : "are", doze_plural(w->wakes, "wake"), scope(w));
	return w->storm ? TUI_ALARM : w->futile ? TUI_FUTILE : TUI_BOLD;
}

static void say_nothing_yet(const struct tui_last_second *w, char *out)
{
	if (!w->live)
		snprintf(out, TUI_LAST_SECOND_TEXT, "the recording has no events up to here");
	else if (w->ended)
		snprintf(out, TUI_LAST_SECOND_TEXT,
			 "exited without recording an event: it started no pool of libdoze; "
			 "try --any");
	else
		snprintf(out, TUI_LAST_SECOND_TEXT,
			 "no event yet: it has started no pool (is it a doze "
			 "program?)%s%s",
			 w->program ? "; " : "", w->program ? w->program : "");
}

enum tui_style tui_last_second_text(const struct tui_last_second *w, char *out)
{
	if (w->no_events) {
		say_nothing_yet(w, out);
		return TUI_DIM;
	}
	if (w->forgotten) {
		snprintf(
		    out, TUI_LAST_SECOND_TEXT,
		    "no longer stored: older than what the viewer keeps in memory and on disk");
		return TUI_DIM;
	}
	if (w->hang[0]) {
		snprintf(out, TUI_LAST_SECOND_TEXT, "HANG since %s: %s", w->hangs_since, w->hang);
		return TUI_ALARM;
	}
	if (w->foreign && !w->lost && w->workers && !w->stopped)
		return say_foreign(w, out);
	if (w->storm && !w->foreign)
		return say_storm(w, out);
	if (w->futile && w->culprit[0] && !w->foreign)
		return say_futile(w, out);
	if (w->lost) {
		snprintf(out, TUI_LAST_SECOND_TEXT,
			 "events were lost in this second: hatched spans are "
			 "unknown");
		return TUI_UNKNOWN;
	}
	if (w->stopped || !w->workers) {
		snprintf(out, TUI_LAST_SECOND_TEXT, "%s",
			 w->foreign                     ? "the program has ended"
			 : w->in_state[DOZE_STATE_none] ? "no worker has started yet"
							: "the pool has stopped");
		return TUI_DIM;
	}
	return say_states(w, out);
}

/* On a narrow screen, keeps only the first part of a sentence, because a sentence cut in the middle
 * is useless. */
static void shorten(char *text, int room)
{
	while ((int)strlen(text) > room) {
		char *end = text + strlen(text);

		while (end > text && *end != ':' && *end != ';' && *end != ',')
			end--;
		if (end == text)
			return;
		*end = '\0';
	}
}

/* ---- the title ---- */

enum { BEHIND_ALARM_NS = 1000000000 };

static const char *what(const struct tui_scene *s)
{
	if (s->view.paused)
		return "PAUSED";
	if (s->status.failed)
		return "ERROR";
	if (s->status.gone)
		return "RELAY LOST, waiting for it";
	if (s->status.loading)
		return "reading";
	if (!s->status.live)
		return s->lesson.file ? "lesson" : "replay";
	return s->status.ended ? "ended" : s->view.at.follow ? "live" : "live, not following";
}

/* Writes how far the newest event lags behind real time or, if the user has scrolled back, the time
 * that is displayed. */
static void behind_text(const struct tui_scene *s, char *out, size_t size)
{
	int64_t shown = s->view.at.right < s->view.last ? s->view.at.right : s->view.last;

	out[0] = '\0';
	if (!s->status.live || s->status.ended || s->status.behind_ns < 0)
		return;
	if (s->view.at.follow && !s->view.paused)
		snprintf(out, size, " %.1f s behind ", (double)s->status.behind_ns / 1e9);
	else
		snprintf(out, size, " %.1f s ago ",
			 (double)(tui_newest(s)->clock - shown + s->status.behind_ns) / 1e9);
}

/* Draws the right end of the title: lost events and delay. Returns its first column. */
static int draw_health(const struct tui_scene *s, struct tui_grid *g)
{
	const struct doze_totals *t = &s->now.totals;
	bool lost = t->discarded > 0 || t->missing > 0 || tui_newest(s)->losses.count > 0;
	char loss[48] = "", behind[48];
	bool late = s->status.behind_ns > BEHIND_ALARM_NS;
	int x;

	if (t->discarded)
		snprintf(loss, sizeof loss, " LOST %s EVENTS ", doze_count(t->discarded));
	else if (t->missing)
		snprintf(loss, sizeof loss, " EVENTS MISSING ");
	else
		snprintf(loss, sizeof loss, lost ? " EVENTS LOST " : " no events lost ");
	behind_text(s, behind, sizeof behind);
	x = g->w - (int)strlen(loss) - (int)strlen(behind);
	tui_text(g, x, 0, g->w, lost ? TUI_ALARM : TUI_TITLE, loss);
	tui_text(g, x + (int)strlen(loss), 0, g->w, late ? TUI_ALARM : TUI_TITLE, behind);
	return x;
}

/* Draws a part of the title only if all of it fits. Returns the next column. */
static int draw_part(struct tui_grid *g, int x, int end, enum tui_style style, const char *text)
{
	if (!text[0] || x + (int)strlen(text) + 1 > end)
		return x;
	return tui_text(g, x, 0, end, style, text) + 2;
}

/* Draws a path, or as much of its end as fits into `room` columns. Returns the next column. */
static int draw_path(const struct tui_scene *s, struct tui_grid *g, int x, int end, int room,
		     const char *path)
{
	int len = (int)strlen(path);

	if (len <= room)
		return draw_part(g, x, end, TUI_TITLE, path);
	if (room < 2)
		return x;
	tui_put(g, x, 0, s->glyphs->more, TUI_TITLE);
	return draw_part(g, x + 1, end, TUI_TITLE, path + len - room + 1);
}

/* Draws a command line, with the program's name instead of its path, and truncated at the end if it
 * does not fit. Returns the next column. */
static int draw_command(const struct tui_scene *s, struct tui_grid *g, int x, int end, int room,
			const char *command)
{
	const char *blank = strchr(command, ' ');

	for (const char *c = command; *c && (!blank || c < blank); c++)
		if (*c == '/')
			command = c + 1;
	if ((int)doze_utf8_columns(command, SIZE_MAX) <= room)
		return draw_part(g, x, end, TUI_TITLE, command);
	if (room < 2)
		return x;
	x = tui_textf(g, x, 0, end, TUI_TITLE, "%.*s",
		      (int)doze_utf8_fit(command, (size_t)room - 1, NULL), command);
	tui_put(g, x, 0, s->glyphs->more, TUI_TITLE);
	return x + 3;
}

static int draw_pool(const struct tui_scene *s, struct tui_grid *g, int x, int end)
{
	const struct doze_pool_view *p = tui_selected_pool(s);
	const struct doze_worker_view *w = tui_selected(s);
	size_t pools = doze_model_pools(s->history->model);
	char text[96];

	if (!p)
		return x;
	x = draw_part(g, x, end, TUI_TITLE, doze_pool_is_crew(p) ? p->name : p->policy);
	snprintf(text, sizeof text, "%" PRIu32 " %s%s", p->workers,
		 doze_pool_is_crew(p) ? "thread" : "worker", p->workers == 1 ? "" : "s");
	x = draw_part(g, x, end, TUI_TITLE, text);
	if (pools > 1 && w) {
		snprintf(text, sizeof text, "%s %zu of %zu, pid %d%s",
			 doze_pool_is_crew(p) ? "crew" : "pool", tui_pool_number(s, &w->key), pools,
			 (int)w->key.vpid, s->view.pool ? " only" : "");
		x = draw_part(g, x, end, TUI_TITLE, text);
	}
	return x;
}

static void draw_title(const struct tui_scene *s, struct tui_grid *g)
{
	char text[96];
	int x, end;

	tui_fill(g, 0, 0, g->w, ' ', TUI_TITLE);
	end = draw_health(s, g);
	snprintf(text, sizeof text, "%s", what(s));
	if (s->status.loading && s->status.progress[0] && !s->view.paused)
		snprintf(text, sizeof text, "reading: %s", s->status.progress);
	shorten(text, end - 2);
	x = draw_part(g, 1, end,
		      s->view.paused || s->status.failed || s->status.gone ? TUI_ALARM : TUI_TITLE,
		      text);
	if (s->program)
		x = draw_command(s, g, x, end, (end - x) / 2, s->program);
	else
		x = draw_path(s, g, x, end, (end - x) / 2, s->title ? s->title : "");
	x = draw_pool(s, g, x, end);
	if (s->view.filter[0]) {
		snprintf(text, sizeof text, "only w%s%s", s->view.filter,
			 s->now.n_workers && !s->now.n_lanes ? ": none" : "");
		x = draw_part(g, x, end, TUI_TITLE, text);
	}
	if (s->status.program)
		x = draw_part(g, x, end, TUI_TITLE, s->status.program);
	if (s->detail) {
		snprintf(text, sizeof text, "detail %s", s->detail);
		draw_part(g, x, end, TUI_TITLE, text);
	}
}

/* ---- drawing the top of the screen ---- */

static void draw_verdict(const struct tui_scene *s, struct tui_grid *g)
{
	const char *all = s->status.ended && !s->lesson.file ? "in all" : "so far";
	const char *jobs;
	char text[TUI_LAST_SECOND_TEXT], counts[96];
	struct tui_last_second w;
	enum tui_style style;
	int x;

	tui_last_second_take(s, &w);
	style = tui_last_second_text(&w, text);
	shorten(text, g->w - 2);
	x = tui_text(g, 1, 1, g->w, style, text);
	jobs = doze_count(s->now.totals.jobs_run);
	snprintf(counts, sizeof counts, "jobs %s %s", jobs, all);
	if (tui_is_foreign(s))
		snprintf(counts, sizeof counts, "storms %" PRIu64 "  findings %" PRIu64 " %s",
			 s->now.totals.storms, s->now.totals.findings, all);
	else if (s->now.totals.storms || s->now.totals.findings)
		snprintf(counts, sizeof counts,
			 "jobs %s  storms %" PRIu64 "  findings %" PRIu64 " %s", jobs,
			 s->now.totals.storms, s->now.totals.findings, all);
	if (x + 1 + (int)strlen(counts) < g->w)
		tui_text(g, g->w - (int)strlen(counts) - 1, 1, g->w,
			 s->now.totals.findings ? TUI_ALARM : TUI_PLAIN, counts);
}

void tui_draw_header(const struct tui_scene *s, struct tui_grid *g)
{
	draw_title(s, g);
	draw_verdict(s, g);
}
