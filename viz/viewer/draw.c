/*
 * SPDX-License-Identifier: MIT
 *
 * draw.c - draws the parts of the screen at the places chosen by layout.c.
 */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "draw.h"
#include "gloss.h"
#include "lesson.h"
#include "panes.h"
#include "quiz.h"
#include "search.h"
#include "words.h"

static void draw_too_small(struct tui_grid *g)
{
	tui_text(g, 0, 0, g->w, TUI_BOLD, "too small");
	tui_textf(g, 0, 1, g->w, TUI_PLAIN, "%dx%d", g->w, g->h);
	tui_textf(g, 0, 2, g->w, TUI_PLAIN, g->w > 20 ? "needs %dx%d, q quits" : "q quits",
		  TUI_LEAST_W, TUI_LEAST_H);
}

/* ---- tabs ---- */

static int tab_width(int pane)
{
	return (int)strlen(tui_pane_at(pane)->name) + 3;
}

/* Returns the first tab to draw, such that the current tab fits and as many earlier ones as
 * possible. */
static int first_tab(const struct tui_scene *s, int room)
{
	int first = 0, need = 0;

	for (int i = 0; i <= s->view.pane; i++)
		need += tui_pane_exists(s, i) ? tab_width(i) : 0;
	while (need > room && first < s->view.pane) {
		need -= tui_pane_exists(s, first) ? tab_width(first) : 0;
		first++;
	}
	return first;
}

static void draw_tabs(struct tui_scene *s, struct tui_grid *g)
{
	const struct tui_layout *l = &s->layout;
	int x = 2, end = l->main_w - 3, first = first_tab(s, end - x);

	tui_fill(g, 0, l->tabs_y, l->main_w, s->look->rule, TUI_DIM);
	memset(s->areas.tab_x, 0, sizeof s->areas.tab_x);
	memset(s->areas.tab_end, 0, sizeof s->areas.tab_end);
	if (first > 0)
		tui_put(g, 0, l->tabs_y, '<', TUI_BOLD);
	for (int i = first; i < TUI_PANE_COUNT; i++) {
		bool on = s->view.pane == i;

		if (!tui_pane_exists(s, i))
			continue;
		if (x + tab_width(i) > end && i > s->view.pane) {
			tui_put(g, l->main_w - 2, l->tabs_y, '>', TUI_BOLD);
			break;
		}
		s->areas.tab_x[i] = x;
		x = tui_textf(g, x, l->tabs_y, l->main_w, on ? TUI_SELECT : TUI_DIM,
			      on ? "[%s]" : " %s ", tui_pane_at(i)->name);
		s->areas.tab_end[i] = x++;
	}
}

/* ---- panes ---- */

/* Draws the pane that belongs to a lesson's step, below the step's text. */
static void draw_below_lesson(struct tui_scene *s, struct tui_paper p)
{
	int pane = tui_lesson_pane(s);

	p.y += tui_lesson_rows(s, p.end - p.x);
	if (pane < 0 || p.bottom - p.y < 2)
		return;
	tui_fill(p.g, p.x, p.y, p.end - p.x, s->look->rule, TUI_DIM);
	tui_textf(p.g, p.x + 2, p.y, p.end, TUI_DIM, " %s ", tui_pane_at(pane)->name);
	p.y++;
	tui_pane_draw(s, pane, p);
}

static void draw_pane(struct tui_scene *s, struct tui_grid *g)
{
	const struct tui_layout *l = &s->layout;
	struct tui_paper p = {
	    .g = g, .x = 0, .y = l->pane_y, .end = l->main_w, .bottom = l->pane_y + l->pane_n};

	draw_tabs(s, g);
	if (s->view.pane == TUI_PANE_search)
		tui_search_update(s);
	if (s->status.failed && s->status.error) {
		p.x = 1;
		tui_say(&p, TUI_ALARM, s->status.error);
		p.x = 0;
	}
	tui_pane_draw(s, s->view.pane, p);
	if (s->view.pane == TUI_PANE_lesson && !s->layout.side_x)
		draw_below_lesson(s, p);
}

/* Draws the second pane. If a lesson's step has a pane, this is that pane; otherwise it is the
 * story or, if the first pane is the story, the matrix of wakes. */
static void draw_side(struct tui_scene *s, struct tui_grid *g)
{
	const struct tui_layout *l = &s->layout;
	int pane = tui_lesson_pane(s) >= 0          ? tui_lesson_pane(s)
		   : s->view.pane == TUI_PANE_story ? TUI_PANE_matrix
						    : TUI_PANE_story;
	struct tui_paper p = {
	    .g = g, .x = l->side_x, .y = l->axis_y + 1, .end = l->w, .bottom = l->message_y};

	if (!l->side_x)
		return;
	for (int y = l->axis_y; y < l->message_y; y++)
		tui_put(g, l->side_x - 1, y, s->look->side, TUI_DIM);
	tui_fill(g, l->side_x, l->axis_y, l->w - l->side_x, s->look->rule, TUI_DIM);
	tui_textf(g, l->side_x + 2, l->axis_y, l->w, TUI_BOLD, " %s ", tui_pane_at(pane)->name);
	tui_pane_draw(s, pane, p);
}

/* ---- messages ---- */

static void draw_message(const struct tui_scene *s, struct tui_grid *g)
{
	const struct tui_layout *l = &s->layout;
	char text[TUI_SENTENCE] = "", span[32];
	enum tui_style style = TUI_BOLD;

	if (s->quiz.on) {
		tui_quiz_question(s, text, sizeof text);
		style = TUI_SELECT;
	}
	if (s->banner[0])
		style = TUI_ALARM;
	if (s->banner[0] || s->message[0])
		snprintf(text, sizeof text, "%s", s->banner[0] ? s->banner : s->message);
	else if (s->view.slow && !s->view.playing && s->stop.why[0] && s->view.at.has_cursor &&
		 s->view.at.cursor == s->stop.at)
		snprintf(text, sizeof text, "stopped at %s; < or > continues at 1/%d of real time",
			 s->stop.why, (int)s->view.slow);
	else if (s->view.slow && (s->view.playing || s->view.stop_at))
		snprintf(text, sizeof text,
			 "%s at 1/%d of real time: < slower, > faster, Space stops",
			 s->view.playing ? "slow motion" : "stopped", (int)s->view.slow);
	else if (s->view.playing)
		snprintf(text, sizeof text, "playing: %s of the trace per second",
			 tui_duration(span, sizeof span, s->view.at.per_cell * TUI_PLAY_CELLS,
				      s->look->micro));
	else if (s->disk[0])
		snprintf(text, sizeof text, "%s", s->disk);
	if (!text[0])
		return;
	tui_fill(g, 0, l->message_y, l->w, ' ', TUI_PLAIN);
	/* A long message must not be truncated, so it also uses the footer's row. */
	if (l->message_y < l->footer_y && (int)strlen(text) > l->w - 2)
		tui_fill(g, 0, l->footer_y, l->w, ' ', TUI_PLAIN);
	tui_wrap(g, 1, l->w - 1, l->message_y, l->h - l->message_y, style, text);
}

/* ---- the screen ---- */

/* Returns the number of rows for a lesson: as many as its text needs, but at most half of the
 * screen. */
static int lesson_rows(const struct tui_scene *s, const struct tui_grid *g)
{
	int rows, most = g->h - g->h / 2;

	if (s->view.pane != TUI_PANE_lesson)
		return 0;
	rows = tui_lesson_rows(s, g->w < TUI_WIDE ? g->w : g->w * 3 / 5);
	return rows < most ? rows : most;
}

static void lay_out(struct tui_scene *s, const struct tui_grid *g)
{
	const struct tui_history *h = tui_newest(s);
	struct tui_layout *l = &s->layout;

	tui_lay_out(l, g->w, g->h,
		    &(struct tui_needs){.lanes = s->now.n_lanes,
					.marks = s->view.n_bookmarks > 0 || h->marks.count > 0 ||
						 h->storms.count > 0,
					.big = s->view.big,
					.pane = lesson_rows(s, g)});
	s->areas.lane_x = l->lane_x;
	s->areas.lanes_y = l->lanes_y;
	s->areas.lanes_n = l->lanes_n;
	s->areas.lane_h = l->lane_h;
	s->areas.tabs_y = l->tabs_y;
	s->areas.pane_y = l->pane_y;
	s->areas.pane_n = l->pane_n;
}

static bool too_small(const struct tui_grid *g)
{
	return g->w < TUI_LEAST_W || g->h < TUI_LEAST_H;
}

void tui_draw_picture(struct tui_scene *s, struct tui_grid *g)
{
	const struct tui_layout *l = &s->layout;

	if (too_small(g) || s->view.help || s->view.big || l->w != g->w || l->h != g->h)
		return;
	for (int y = l->axis_y < 0 ? l->lanes_y : l->axis_y; y < l->tabs_y; y++)
		tui_fill(g, 0, y, l->main_w, ' ', TUI_PLAIN);
	/* Redraw the border to the second pane in the axis's row, which tui_fill does not reach. */
	if (l->side_x)
		tui_put(g, l->side_x - 1, l->axis_y, s->look->side, TUI_DIM);
	if (l->axis_y >= 0)
		tui_draw_axis(s, l, g);
	tui_draw_lanes(s, l, g);
	tui_draw_wakes(s, l, g);
	tui_draw_counters(s, l, g);
	tui_draw_cursor(s, l, g);
}

void tui_draw(struct tui_scene *s, struct tui_grid *g)
{
	tui_grid_clear(g);
	if (too_small(g)) {
		draw_too_small(g);
		return;
	}
	if (s->lesson.file && !s->lesson.begun)
		/* the recording is still loading, and its events must not be shown before their
		 * step */
		return;
	lay_out(s, g);
	tui_view_resize(&s->view, s->layout.lane_w);
	tui_lesson_frame(s);
	if (s->view.help) {
		tui_draw_help(s, g);
		return;
	}
	tui_draw_header(s, g);
	tui_draw_picture(s, g);
	draw_pane(s, g);
	if (!s->view.big)
		draw_side(s, g);
	if (s->layout.legend_y >= 0)
		tui_draw_legend(s, g, s->layout.legend_y);
	tui_draw_footer(s, &s->layout, g);
	/* Do not explain words in a lesson, because an explanation might answer the lesson's
	 * question. */
	if (s->layout.message_y < s->layout.footer_y && !s->lesson.file)
		tui_gloss(g, tui_is_foreign(s), s->layout.message_y, s->layout.legend_y,
			  s->layout.pane_y);
	draw_message(s, g);
}
