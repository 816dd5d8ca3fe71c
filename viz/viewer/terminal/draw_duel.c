/*
 * SPDX-License-Identifier: MIT
 *
 * draw_duel.c - draws the screen of a duel: title, which run wins, the score as a table, legend,
 * axis; then for each run its title, marks, lanes, wakes and counters, and on tall screens its
 * story.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../words/units.h"
#include "../panes/panes.h"
#include "../screen/parts.h"
#include "../screen/phrases.h"
#include "draw.h"
#include "duel.h"

enum { NARROW = 76, SHORT = 16, TABLE_H = 20, TABLE_ROWS = 3, STORY_ROWS = 4 };
enum { NAME_W = 9, TIME_X = 8 };

/* ---- the score ---- */

static int64_t focus_of(const struct tui_scene *s)
{
	int64_t t = tui_view_focus(&s->view);

	return t < s->now.clock ? t : s->now.clock;
}

static const char *cpu_text(const struct tui_scene *s, const struct tui_score *k)
{
	return k->has_cpu ? tui_ns(s, k->cpu) : "-";
}

static bool runs_on(const struct tui_scene *s)
{
	return s->status.live && !s->status.ended;
}

/* Returns whether the score is shown in a table. Otherwise each run's title shows its numbers. */
static bool has_table(const struct tui_grid *g)
{
	return g->w >= NARROW && g->h >= TABLE_H;
}

static int draw_label(const struct tui_duel *d, int side, struct tui_grid *g, int y)
{
	bool on = side == d->active;

	return tui_textf(g, 0, y, g->w, on ? TUI_SELECT : TUI_BOLD, on ? "[%s]" : " %s ",
			 tui_duel_label(d, side));
}

/* Writes the number of workers ("8 workers") or, if not all have a lane on the screen, which ones
 * do. */
static void draw_workers(const struct tui_scene *s, struct tui_grid *g, int x, int y)
{
	size_t n = s->now.n_lanes, rows = (size_t)s->layout.lanes_n;
	const uint32_t *lane = s->now.lanes + s->view.first_lane;
	char from[TUI_NAME], to[TUI_NAME];

	if (n <= rows)
		tui_textf(g, x, y, g->w, TUI_PLAIN, " %s ",
			  doze_plural(n, tui_is_foreign(s) ? "thread" : "worker"));
	else
		tui_textf(g, x, y, g->w, TUI_PLAIN, " %s to %s of %zu %s ",
			  tui_worker_name(s, &s->now.workers[lane[0]].key, from),
			  tui_worker_name(s, &s->now.workers[lane[rows - 1]].key, to), n,
			  tui_is_foreign(s) ? "threads" : "workers");
}

static void draw_numbers(const struct tui_scene *s, const struct tui_score *k, struct tui_grid *g,
			 int x, int y)
{
	x = tui_textf(g, x, y, g->w, TUI_PLAIN, " %s%" PRIu64 " wakes, ", k->forgotten ? ">" : "",
		      k->wakes);
	x = tui_textf(g, x, y, g->w, k->futile ? TUI_FUTILE : TUI_PLAIN, "%s%" PRIu64 " %s",
		      tui_is_foreign(s) ? "at least " : "", k->futile,
		      g->w < NARROW ? "vain" : "in vain");
	x = tui_textf(g, x, y, g->w, TUI_PLAIN, "  CPU %s ", cpu_text(s, k));
	if (k->measured && x + NAME_W < g->w && !tui_is_foreign(s))
		tui_textf(g, x, y, g->w, TUI_PLAIN, " p99 %s ", tui_ns(s, k->p99));
}

/* Draws the title of a run: its name, and its numbers if there is no table. */
static void draw_run(const struct tui_duel *d, int side, const struct tui_score *k,
		     struct tui_grid *g, int y)
{
	const struct tui_scene *s = d->side[side];
	int x;

	tui_fill(g, 0, y, g->w, s->glyphs->rule, TUI_DIM);
	x = draw_label(d, side, g, y);
	x = x < NAME_W ? NAME_W : x + 1;
	if (!s->now.totals.events)
		tui_text(g, x, y, g->w, TUI_PLAIN, " no pool yet ");
	else if (has_table(g))
		draw_workers(s, g, x, y);
	else
		draw_numbers(s, k, g, x, y);
}

/* ---- the table ---- */

/* Where the columns of the measures begin, and that of the jobs. */
static const int columns[TUI_CONTESTS + 1] = {17, 27, 43, 57, 74};

/* Of a program without libdoze, only the first columns are known: wakes, in vain, CPU time. */
static int columns_of(const struct tui_scene *s)
{
	return tui_is_foreign(s) ? TUI_BY_P99 : TUI_CONTESTS + 1;
}

static void value_text(const struct tui_scene *s, const struct tui_score *k, int column, char *out,
		       size_t size)
{
	const char *least = k->forgotten ? ">" : "";

	if (column == TUI_BY_WAKES)
		snprintf(out, size, "%s%" PRIu64, least, k->wakes);
	else if (column == TUI_BY_VAIN && tui_is_foreign(s))
		snprintf(out, size, k->futile ? "at least %s%" PRIu64 : "not known", least,
			 k->futile);
	else if (column == TUI_BY_VAIN)
		snprintf(out, size, "%s%" PRIu64 " (%.0f %%)", least, k->futile,
			 k->wakes ? 100.0 * (double)k->futile / (double)k->wakes : 0.0);
	else if (column == TUI_BY_CPU)
		snprintf(out, size, "%s", cpu_text(s, k));
	else if (column == TUI_BY_P99 && k->measured)
		snprintf(out, size, k->measured < TUI_P99_LEAST ? "%s (%" PRIu64 " jobs)" : "%s",
			 tui_ns(s, k->p99), k->measured);
	else
		snprintf(out, size, column == TUI_CONTESTS ? "%" PRIu64 : "?", k->jobs_run);
}

static void draw_line(const struct tui_duel *d, int side, const struct tui_score score[2],
		      struct tui_grid *g, int y)
{
	const struct tui_scene *s = d->side[side];
	char text[64];

	if (tui_text(g, 1, y, columns[0] - 1, TUI_BOLD, tui_duel_label(d, side)) < TIME_X)
		tui_text(g, TIME_X, y, columns[0], TUI_PLAIN, tui_ns(s, score[side].time));
	for (int i = 0; i < columns_of(s); i++) {
		bool best = i < TUI_CONTESTS && !tui_is_foreign(s) &&
			    tui_contest_winner(score, (enum tui_contest)i) == side;

		value_text(s, &score[side], i, text, sizeof text);
		tui_textf(g, columns[i], y, g->w, best ? TUI_ACTIVE : TUI_PLAIN, "%s%s", text,
			  best ? " best" : "");
	}
}

static const char *scope_of(const struct tui_duel *d)
{
	const struct tui_scene *s = d->side[d->active];

	return s->view.at.has_cursor ? "up to cursor" : tui_scope(s);
}

static void draw_table(const struct tui_duel *d, const struct tui_score score[2],
		       struct tui_grid *g, int y)
{
	tui_text(g, 1, y, columns[0], TUI_DIM, scope_of(d));
	for (int i = 0; i < columns_of(d->side[0]); i++)
		tui_text(g, columns[i], y, g->w, TUI_DIM,
			 i < TUI_CONTESTS ? tui_contests[i].column : "jobs");
	draw_line(d, 0, score, g, y + 1);
	draw_line(d, 1, score, g, y + 2);
}

/* Returns whether one of the runs has no pool yet. If so, writes a sentence that names the run. */
static bool is_early(const struct tui_duel *d, char *out, size_t size)
{
	for (int i = 0; i < 2; i++) {
		if (d->side[i]->now.totals.events)
			continue;
		snprintf(out, size, "no pool under %s yet%s", tui_duel_label(d, i),
			 d->side[!i]->now.totals.events
			     ? ": it starts later, or the program chooses its own policy"
			     : "");
		return true;
	}
	return false;
}

/* ---- the title ---- */

static int put(struct tui_grid *g, int x, const char *text)
{
	return x + (int)strlen(text) + 1 < g->w ? tui_text(g, x, 0, g->w, TUI_TITLE, text) + 2 : x;
}

static void draw_title(const struct tui_duel *d, struct tui_grid *g)
{
	const struct tui_scene *s = d->side[0];
	const char *word = s->view.paused     ? "PAUSED"
			   : s->status.failed ? "ERROR"
			   : s->status.gone   ? "RELAY LOST"
					      : "duel";
	char names[128];
	int x;

	tui_fill(g, 0, 0, g->w, ' ', TUI_TITLE);
	snprintf(names, sizeof names, "%s | %s", tui_duel_label(d, 0), tui_duel_label(d, 1));
	x = put(g, 1, word);
	x = put(g, x, names);
	if (s->status.loading && s->status.progress[0]) {
		snprintf(names, sizeof names, "reading: %s", s->status.progress);
		x = put(g, x, names);
	}
	if (s->program)
		x = put(g, x, s->program);
	x = put(g, x, d->how);
	x = put(g, x, d->aligned);
	if (s->status.program)
		put(g, x, s->status.program);
}

/* ---- drawing one run ---- */

/* Distributes n rows, starting at y: score, marks, lanes, wakes, counters. */
static void lay_out(const struct tui_scene *s, struct tui_layout *l, const struct tui_grid *g,
		    int y, int n)
{
	int lanes = (int)s->now.n_lanes < n - 2 ? (int)s->now.n_lanes : n - 2, spare;

	*l = (struct tui_layout){.w = g->w,
				 .h = g->h,
				 .main_w = g->w,
				 .lane_x = TUI_LABEL_W,
				 .lane_w = g->w - TUI_LABEL_W - 1,
				 .lane_h = 1,
				 .legend_y = -1,
				 .axis_y = -1,
				 .marks_y = -1,
				 .lanes_n = lanes > 0 ? lanes : 1};
	spare = n - 2 - l->lanes_n;
	y++; /* the first row is for the run's title and score */
	if (spare > 0 && (s->history->marks.count || s->history->storms.count)) {
		l->marks_y = y++;
		spare--;
	}
	l->lanes_y = y;
	l->wakes_y = y + l->lanes_n;
	l->counters_y = l->wakes_y + 1;
	l->counters_n = spare < TUI_COUNTER_ROWS ? spare : TUI_COUNTER_ROWS;
	if (spare - l->counters_n < STORY_ROWS)
		return;
	l->pane_y = l->counters_y + l->counters_n;
	l->pane_n = spare - l->counters_n;
}

static void draw_lanes(struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	if (!s->now.totals.events)
		return;
	if (l->marks_y >= 0)
		tui_draw_marks(s, l, g);
	tui_draw_lanes(s, l, g);
	tui_draw_wakes(s, l, g);
	tui_draw_counters(s, l, g);
	tui_draw_cursor(s, l, g);
}

static void draw_story(struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	struct tui_textbox p = {
	    .g = g, .y = l->pane_y, .end = l->main_w, .bottom = l->pane_y + l->pane_n};

	if (l->pane_n)
		tui_pane_draw(s, TUI_PANE_story, p);
}

/* ---- the screen ---- */

static void draw_axis(struct tui_duel *d, struct tui_grid *g, int y)
{
	struct tui_scene *s = d->side[d->active];
	struct tui_layout l = s->layout;

	l.axis_y = y;
	l.marks_y = -1;
	tui_draw_axis(s, &l, g);
}

/* Returns the number of rows above the first of the two runs. */
static int top_of(const struct tui_grid *g)
{
	return has_table(g) ? 4 + TABLE_ROWS : g->h >= SHORT ? 4 : 3;
}

static int side_rows(const struct tui_grid *g)
{
	return (g->h - top_of(g) - (g->h >= SHORT ? 2 : 1)) / 2;
}

static bool fits(const struct tui_grid *g)
{
	return g->w >= TUI_LEAST_W && side_rows(g) >= 3;
}

/* Returns whether only the active run is shown, on the whole screen. */
static bool has_screen(const struct tui_duel *d, const struct tui_grid *g)
{
	return d->alone || d->side[d->active]->view.help || !fits(g);
}

void tui_duel_draw_picture(struct tui_duel *d, struct tui_grid *g)
{
	if (has_screen(d, g)) {
		tui_draw_picture(d->side[d->active], g);
		return;
	}
	tui_fill(g, 0, top_of(g) - 1, g->w, ' ', TUI_PLAIN);
	draw_axis(d, g, top_of(g) - 1);
	for (int i = 0; i < 2; i++) {
		const struct tui_layout *l = &d->side[i]->layout;
		int from = l->marks_y >= 0 ? l->marks_y : l->lanes_y;

		for (int y = from; y < l->counters_y + l->counters_n; y++)
			tui_fill(g, 0, y, g->w, ' ', TUI_PLAIN);
		draw_lanes(d->side[i], l, g);
	}
}

static void draw_keys(const struct tui_duel *d, struct tui_grid *g)
{
	const struct tui_scene *s = d->side[d->active];
	const struct tui_hint keys[] = {{"q", "quit"},
					{"?", "help"},
					{"Tab", "other run"},
					{"Enter", "this run alone"},
					{"Space", s->view.paused ? "go on" : "pause"},
					{"p", "play"},
					{"+ - 0", "zoom"},
					{"arrows", "move"},
					{"'", "next mark"},
					{"f", s->status.live ? "follow" : ""}};

	tui_draw_hints(g, 1, g->h - 1, keys, sizeof keys / sizeof *keys);
}

static void draw_message(const struct tui_duel *d, struct tui_grid *g)
{
	const struct tui_scene *s = d->side[d->active];
	int y = g->h >= SHORT ? g->h - 2 : g->h - 1;

	if (!s->message[0] && !s->banner[0])
		return;
	tui_fill(g, 0, y, g->w, ' ', TUI_PLAIN);
	tui_text(g, 1, y, g->w, s->banner[0] ? TUI_ALARM : TUI_BOLD,
		 s->banner[0] ? s->banner : s->message);
}

static void draw_verdict(struct tui_duel *d, const struct tui_score score[2], struct tui_grid *g)
{
	const struct tui_contest_names names = {
	    .label = {tui_duel_label(d, 0), tui_duel_label(d, 1)},
	    .dash = d->side[0]->glyphs->dash,
	    .foreign = tui_is_foreign(d->side[0]) || tui_is_foreign(d->side[1]),
	    .running = runs_on(d->side[0])};
	char text[320];

	if (!is_early(d, text, sizeof text))
		tui_contest_text(score, &names, g->w - 2, text, sizeof text);
	tui_text(g, 1, 1, g->w - 1, TUI_BOLD, text);
}

/* Lays out both sides. If the width has changed, this moves the active side's window, and the other
 * window must follow. */
static void lay_out_sides(struct tui_duel *d, const struct tui_grid *g)
{
	int rows = side_rows(g), before = d->side[d->active]->view.cells;

	for (int i = 0; i < 2; i++)
		lay_out(d->side[i], &d->side[i]->layout, g, top_of(g) + i * rows, rows);
	tui_view_resize(&d->side[d->active]->view, d->side[d->active]->layout.lane_w);
	if (before != d->side[d->active]->view.cells)
		tui_duel_update(d);
}

void tui_duel_draw(struct tui_duel *d, struct tui_grid *g)
{
	struct tui_score score[2];
	int rows = side_rows(g);

	if (has_screen(d, g)) {
		tui_draw(d->side[d->active], g);
		return;
	}
	tui_grid_clear(g);
	lay_out_sides(d, g);
	for (int i = 0; i < 2; i++)
		tui_score_take(d->side[i], focus_of(d->side[i]), &score[i]);
	draw_title(d, g);
	draw_verdict(d, score, g);
	if (has_table(g))
		draw_table(d, score, g, 2);
	tui_duel_draw_picture(d, g);
	for (int i = 0; i < 2; i++) {
		draw_run(d, i, &score[i], g, top_of(g) + i * rows);
		draw_story(d->side[i], &d->side[i]->layout, g);
	}
	if (g->h >= SHORT)
		tui_draw_glyphs(d->side[d->active], g, top_of(g) - 2);
	draw_keys(d, g);
	if (g->h >= SHORT)
		tui_explain_words(g, tui_is_foreign(d->side[d->active]), g->h - 2, top_of(g) - 2,
				  g->h);
	draw_message(d, g);
}
