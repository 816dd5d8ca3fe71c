/*
 * SPDX-License-Identifier: MIT
 *
 * draw.c - the layout of the screen.
 *
 *   title      trace, policy, workers, detail, losses, delay behind real time
 *   state      counts per state, wakes, futile ratio
 *   axis       times; the cursor's time
 *   marks      program marks and bookmarks, when there are any
 *   lanes      one per worker, scrolling with the selection
 *   counters   sleeping, idle, active, JEC
 *   tabs       which pane is below
 *   pane       events, totals, wakes, explain, output
 *   footer     keys, or the text being typed
 */
#include <stdio.h>
#include <string.h>

#include "../text/units.h"
#include "clock.h"
#include "draw.h"
#include "lesson.h"

#define STORM_TOLD_NS INT64_C(5000000000)

enum { LEAST_W = 40, LEAST_H = 8, LABEL_W = 14, LEAST_PANE = 4 };

static const char *const pane_names[TUI_PANE_COUNT] = {"events",   "totals",  "wakes", "measures",
						       "findings", "explain", "output"};

int tui_wrap(struct tui_grid *g, int x, int end, int y, int n, enum tui_style style,
	     const char *text)
{
	int rows = 0, width = end - x;

	while (*text && rows < n && width > 0) {
		size_t len = strlen(text), take = len;

		if (len > (size_t)width) {
			take = (size_t)width;
			while (take > 0 && text[take] != ' ')
				take--;
			if (take == 0)
				take = (size_t)width;
		}
		tui_textf(g, x, y + rows++, end, style, "%.*s", (int)take, text);
		text += take;
		while (*text == ' ')
			text++;
	}
	return rows;
}

static void draw_too_small(struct tui_grid *g)
{
	tui_text(g, 0, 0, g->w, TUI_BOLD, "too small");
	tui_textf(g, 0, 1, g->w, TUI_PLAIN, "%dx%d", g->w, g->h);
	tui_textf(g, 0, 2, g->w, TUI_PLAIN, g->w > 20 ? "needs %dx%d, q quits" : "q quits", LEAST_W,
		  LEAST_H);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Distributes the rows: first a lane per worker, then the counters, then the pane. When rows are
 * scarce, the pane keeps a few and the lanes scroll. */
static void lay_out(const struct tui_scene *s, struct tui_layout *l, int w, int h)
{
	bool marks =
	    s->view.n_bookmarks > 0 || s->history->marks.count > 0 || s->history->storms.count > 0;
	int lanes = (int)(s->now.n_lanes > 10000 ? 10000 : s->now.n_lanes), y, rest;

	*l = (struct tui_layout){.w = w, .h = h, .lane_x = LABEL_W, .marks_y = -1};
	l->lane_w = w - LABEL_W - 1;
	l->footer_n = tui_draw_footer(s, NULL, w, h);
	l->footer_y = h - l->footer_n;
	l->axis_y = 2;
	y = 3;
	if (marks && h >= 16)
		l->marks_y = y++;
	rest = l->footer_y - y;
	l->counters_n = rest >= 16   ? TUI_COUNTERS
			: rest >= 10 ? TUI_COUNTERS - 1
			: rest >= 7  ? 1
				     : 0;
	rest -= l->counters_n;
	l->pane_n = rest >= 12 ? LEAST_PANE + 1 : rest >= 7 ? LEAST_PANE - 1 : 0;
	l->lanes_y = y;
	l->lanes_n = least(lanes, rest - l->pane_n);
	l->counters_y = y + l->lanes_n;
	l->tabs_y = l->counters_y + l->counters_n;
	l->pane_y = l->tabs_y + 1;
	l->pane_n = l->footer_y - l->pane_y;
}

/* The last storm up to the focus is highlighted for a few seconds while following, else while the
 * focus is in or just after it. The row stays after the first storm, so that the screen does not
 * jump. */
static void draw_banner(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	const struct tui_ring *r = &s->history->storms;
	int64_t t = tui_view_focus(&s->view);
	const struct tui_storm *item = tui_ring_at(r, tui_ring_after(r, t) - 1);
	int64_t after = s->view.at.follow ? STORM_TOLD_NS : s->view.at.per_cell;
	char who[DOZE_WHO], searched[32];

	if (!item || item->storm.to > s->now.clock)
		return;
	tui_textf(g, 1, l->pane_y, l->w - 1, t > item->storm.to + after ? TUI_DIM : TUI_ALARM,
		  " STORM at %s: %s (%s) woke %u for %u job%s, %u futile, searched %s ",
		  doze_position(item->at - s->view.origin, 1000000),
		  doze_who_text(who, item->storm.waker), doze_cause_name(item->storm.cause),
		  item->storm.woken, item->storm.jobs, item->storm.jobs == 1 ? "" : "s",
		  item->storm.futile,
		  tui_duration(searched, sizeof searched, item->storm.burnt, s->look->micro));
}

static void draw_playing(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g,
			 int x)
{
	char text[32];

	tui_textf(
	    g, x, l->tabs_y, l->w - 1, TUI_BOLD, " playing %s/s ",
	    tui_duration(text, sizeof text, s->view.at.per_cell * TUI_PLAY_CELLS, s->look->micro));
}

static void draw_tabs(struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	int x = 2;

	tui_fill(g, 0, l->tabs_y, l->w, s->look->rule, TUI_DIM);
	for (int i = 0; i < TUI_PANE_COUNT; i++) {
		bool on = (int)s->view.pane == i;

		if (i == TUI_OUTPUT && !s->has_output)
			continue;
		s->areas.tab_x[i] = x;
		x = tui_textf(g, x, l->tabs_y, l->w, on ? TUI_SELECT : TUI_DIM,
			      on ? "[%s]" : " %s ", pane_names[i]);
		s->areas.tab_end[i] = x;
		x++;
	}
	if (s->view.playing)
		draw_playing(s, l, g, x + 1);
	else if (s->message[0])
		tui_textf(g, x + 1, l->tabs_y, l->w - 1, TUI_BOLD, " %s ", s->message);
}

static int draw_question(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	char text[TUI_SENTENCE];

	tui_lesson_question(s, text, sizeof text);
	return tui_wrap(g, 1, l->w - 1, l->pane_y, l->pane_n, TUI_SELECT, text);
}

void tui_draw_pane(struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	static void (*const panes[TUI_PANE_COUNT])(const struct tui_scene *, struct tui_grid *, int,
						   int) = {
	    [TUI_EVENTS] = tui_pane_events,     [TUI_TOTALS] = tui_pane_totals,
	    [TUI_WAKES] = tui_pane_wakes,       [TUI_MEASURES] = tui_pane_measures,
	    [TUI_FINDINGS] = tui_pane_findings, [TUI_EXPLAIN] = tui_pane_explain,
	    [TUI_OUTPUT] = tui_pane_output,
	};

	int banner = s->history->storms.count > 0 && l->pane_n >= LEAST_PANE;

	if (l->pane_n < 0)
		return;
	draw_tabs(s, l, g);
	if (s->status.failed && s->status.error)
		banner = tui_wrap(g, 1, l->w - 1, l->pane_y, l->pane_n, TUI_ALARM, s->status.error);
	else if (s->lesson.on)
		banner = draw_question(s, l, g);
	else if (banner)
		draw_banner(s, l, g);
	if (l->pane_n > 0)
		panes[s->view.pane](s, g, l->pane_y + banner, l->pane_n - banner);
}

void tui_draw(struct tui_scene *s, struct tui_grid *g)
{
	struct tui_layout l;

	tui_grid_clear(g);
	if (g->w < LEAST_W || g->h < LEAST_H) {
		draw_too_small(g);
		return;
	}
	lay_out(s, &l, g->w, g->h);
	tui_view_resize(&s->view, l.lane_w);
	if (s->view.help) {
		tui_draw_help(s, g);
		return;
	}
	s->areas = (struct tui_areas){
	    .lane_x = l.lane_x, .lanes_y = l.lanes_y, .lanes_n = l.lanes_n, .tabs_y = l.tabs_y};
	tui_draw_header(s, g);
	tui_draw_axis(s, &l, g);
	tui_draw_lanes(s, &l, g);
	tui_draw_counters(s, &l, g);
	tui_draw_pane(s, &l, g);
	tui_draw_footer(s, g, g->w, g->h);
}
