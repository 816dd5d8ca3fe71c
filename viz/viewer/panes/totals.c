/*
 * SPDX-License-Identifier: MIT
 *
 * totals.c - shows the time in each state per worker, the wakes by verdict, and the averted
 * sleeps.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../words/units.h"
#include "../screen/phrases.h"
#include "panes.h"

enum { STATE_W = 15, FIRST_X = 6 };

static const enum doze_state columns[] = {DOZE_STATE_active, DOZE_STATE_idle, DOZE_STATE_sleepy,
					  DOZE_STATE_sleeping};
enum { COLUMNS_N = sizeof columns / sizeof *columns };

/* Returns the worker's total time in a state, up to now. */
static int64_t time_in(const struct tui_scene *s, const struct doze_worker_view *w,
		       enum doze_state state)
{
	int64_t t = w->total[state];

	if (w->state == state && !w->unknown && s->now.clock > w->since)
		t += s->now.clock - w->since;
	return t;
}

static int add_text(char *out, size_t size, int at, const char *name, uint64_t n)
{
	if (at < 0 || (size_t)at >= size)
		return at;
	return at + snprintf(out + at, size - (size_t)at, "%s%s %s", at ? ", " : "", name,
			     doze_count(n));
}

static void verdict_line(const struct tui_scene *s, char *out, size_t size)
{
	int at = 0;

	out[0] = 0;
	for (int v = DOZE_VERDICT_COUNT - 1; v >= 0; v--) {
		bool of_crews = v == DOZE_VERDICT_went_on || v == DOZE_VERDICT_nobody;

		/* Most verdicts apply either only to crews or only to pools. */
		if (!s->now.totals.verdicts[v] && (of_crews || tui_is_foreign(s)))
			continue;
		at = add_text(out, size, at, tui_verdict_word(s, (enum doze_verdict)v),
			      s->now.totals.verdicts[v]);
	}
}

static void averted_line(const struct tui_scene *s, char *out, size_t size)
{
	int at = 0;

	out[0] = '\0';
	for (int a = 1; a < DOZE_ABORT_COUNT; a++)
		if (s->now.totals.sleep_aborts[a])
			at = add_text(out, size, at, doze_abort_name((enum doze_abort)a),
				      s->now.totals.sleep_aborts[a]);
	if (!at)
		snprintf(out, size, "none");
}

/* Times, jobs and wakes of one worker, or the sums over all workers. */
struct line {
	int64_t in[DOZE_STATE_COUNT];
	uint64_t jobs, wakes;
};

static void add_worker(const struct tui_scene *s, const struct doze_worker_view *w,
		       struct line *line)
{
	for (int st = 0; st < DOZE_STATE_COUNT; st++)
		if (doze_state_is_alive((enum doze_state)st))
			line->in[st] += time_in(s, w, (enum doze_state)st);
	line->jobs += w->jobs_run;
	line->wakes += w->wakes;
}

static void draw_line(const struct tui_scene *s, struct tui_grid *g, int y, const char *name,
		      const struct line *line)
{
	int64_t sum = 0;
	int x = FIRST_X;

	for (int st = 0; st < DOZE_STATE_COUNT; st++)
		sum += line->in[st];
	tui_text(g, 1, y, g->w, TUI_PLAIN, name);
	for (int i = 0; i < COLUMNS_N; i++, x += STATE_W) {
		int64_t t = line->in[columns[i]];

		tui_textf(g, x, y, g->w, tui_state_style(columns[i]), "%5.1f%% %s",
			  sum ? 100.0 * (double)t / (double)sum : 0.0, tui_ns(s, t));
	}
	if (!tui_is_foreign(s))
		tui_textf(g, x, y, g->w, TUI_PLAIN, "%7s", doze_count(line->jobs));
	tui_textf(g, x + 7, y, g->w, TUI_PLAIN, " %5s", doze_count(line->wakes));
}

static void draw_worker(const struct tui_scene *s, struct tui_grid *g, int y,
			const struct doze_worker_view *w)
{
	struct line line = {.jobs = 0};
	char who[TUI_NAME];

	add_worker(s, w, &line);
	draw_line(s, g, y,
		  tui_is_foreign(s) ? tui_worker_name(s, &w->key, who)
				    : doze_who_text(who, w->key.index),
		  &line);
}

/* Draws the sums over all lanes. */
static void draw_sum(const struct tui_scene *s, struct tui_grid *g, int y)
{
	struct line sum = {.jobs = 0};

	for (size_t i = 0; i < s->now.n_lanes; i++)
		add_worker(s, &s->now.workers[s->now.lanes[i]], &sum);
	draw_line(s, g, y, "all", &sum);
}

static void draw_head(const struct tui_scene *s, struct tui_grid *g, int y)
{
	int x = FIRST_X;

	for (int i = 0; i < COLUMNS_N; i++, x += STATE_W)
		tui_textf(g, x, y, g->w, TUI_BOLD, "%s", tui_state_word(s, columns[i]));
	tui_textf(g, x, y, g->w, TUI_BOLD, "%7s %5s", tui_is_foreign(s) ? "" : "jobs", "woken");
}

static void draw(const struct tui_scene *s, struct tui_textbox *p)
{
	char text[256];
	size_t lane = s->view.first_lane;

	p->x++;
	verdict_line(s, text, sizeof text);
	tui_sayf(p, TUI_PLAIN, "%s: wakes %s", tui_scope(s), text);
	averted_line(s, text, sizeof text);
	if (!tui_is_foreign(s))
		tui_sayf(p, TUI_PLAIN,
			 "sleeps averted: %s; posts seen %" PRIu64 ", published %" PRIu64
			 ", JEC toggles %" PRIu64,
			 text, s->now.totals.posts, s->now.totals.jobs_published,
			 s->now.totals.jec_toggles);
	if (p->y < p->bottom)
		draw_head(s, p->g, p->y++);
	if (p->y < p->bottom)
		draw_sum(s, p->g, p->y++);
	for (; p->y < p->bottom && lane < s->now.n_lanes; lane++, p->y++)
		draw_worker(s, p->g, p->y, &s->now.workers[s->now.lanes[lane]]);
}

const struct tui_pane_type tui_pane_totals = {
    .name = "totals",
    .what = "time in each state, jobs and wakes, per worker",
    .draw = draw,
};
