/*
 * SPDX-License-Identifier: MIT
 *
 * draw.c - the screen: its layout, its parts at their places, the help and the footer.
 */
#include "draw.h"

#include <stdio.h>
#include <string.h>

#include "../panes/lesson_file.h"
#include "../panes/panes.h"
#include "../screen/parts.h"
#include "../screen/phrases.h"
#include "../screen/scene.h"
#include "keys.h"

/* ---- the layout ---- */

enum { LEAST_PANE = 8, SHORT = 16, TINY = 12, MOST_LANES = 10000 };

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Places title and verdict at the top, and message and footer at the bottom, where they share a row
 * on a short screen. */
static void place_frame(struct tui_layout *l, int w, int h)
{
	*l = (struct tui_layout){.w = w,
				 .h = h,
				 .main_w = w,
				 .lane_x = TUI_LABEL_W,
				 .legend_y = -1,
				 .axis_y = -1,
				 .marks_y = -1,
				 .wakes_y = -1,
				 .lane_h = 1,
				 .footer_y = h - 1,
				 .message_y = h < SHORT ? h - 1 : h - 2};
}

/* Gives the whole screen to the pane: a few lanes above it would not be useful. */
static void place_big(struct tui_layout *l)
{
	l->lanes_y = l->counters_y = 2;
	l->tabs_y = 2;
	l->pane_y = 3;
	l->pane_n = l->message_y - l->pane_y;
	l->lane_w = l->main_w - TUI_LABEL_W - 1;
}

/* Distributes `rest` rows below the axis. The pane's minimum, one row per lane and the shared row
 * of wakes come first; marks, a row of wakes per lane, and counters follow if there is room. */
static void place_rows(struct tui_layout *l, const struct tui_needs *n, int y, int rest)
{
	int pane = l->h >= 24      ? (l->h / 4 > LEAST_PANE ? l->h / 4 : LEAST_PANE)
		   : l->h >= SHORT ? 4
				   : 2;
	int lanes = (int)(n->lanes > MOST_LANES ? MOST_LANES : n->lanes), spare;

	if (n->pane > pane)
		pane = n->pane;
	rest -= 2; /* rows of the tabs and of the wakes */
	l->lanes_n = least(lanes, rest - pane > 1 ? rest - pane : 1);
	spare = rest - l->lanes_n - pane;
	if (n->marks && spare > 0) {
		l->marks_y = y++;
		spare--;
	}
	if (l->h >= TUI_TALL && l->lanes_n > 0 && spare + 1 >= l->lanes_n) {
		l->lane_h = 2;
		spare -= l->lanes_n - 1;
	}
	l->counters_n = spare < 0 ? 0 : least(spare, TUI_COUNTER_ROWS);
	l->lanes_y = y;
	y += l->lanes_n * l->lane_h;
	if (l->lane_h == 1)
		l->wakes_y = y++;
	l->counters_y = y;
	l->tabs_y = y + l->counters_n;
	l->pane_y = l->tabs_y + 1;
	l->pane_n = l->message_y - l->pane_y;
}

static void place_all(struct tui_layout *l, int w, int h, const struct tui_needs *n)
{
	int y = 2;

	place_frame(l, w, h);
	if (n->big) {
		place_big(l);
		return;
	}
	if (w >= TUI_WIDE && h >= 24) {
		l->main_w = w * 3 / 5;
		l->side_x = l->main_w + 1;
	}
	l->lane_w = l->main_w - TUI_LABEL_W - 1;
	l->legend_y = h > TUI_LEAST_H ? y++ : -1;
	l->axis_y = h >= TINY ? y++ : -1;
	place_rows(l, n, y, l->message_y - y);
}

/* ---- the footer: the keys that have a function on this screen, the most useful ones first ---- */

void tui_draw_hints(struct tui_grid *g, int x, int y, const struct tui_hint *h, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int len = (int)strlen(h[i].key) + 1 + (int)strlen(h[i].word);

		if (!h[i].word[0] || x + len > g->w)
			continue;
		x = tui_text(g, x, y, g->w, TUI_BOLD, h[i].key);
		x = tui_text(g, x + 1, y, g->w, TUI_PLAIN, h[i].word) + 2;
	}
}

static void draw_page_keys(struct tui_grid *g, int y)
{
	static const struct tui_hint page[] = {
	    {"Esc", "back"},      {"up down", "next row"}, {"z", "maximise"}, {"+ -", "zoom"},
	    {"Tab", "next pane"}, {"?", "help"},           {"q", "quit"}};

	tui_draw_hints(g, 1, y, page, sizeof page / sizeof *page);
}

static void draw_lesson_keys(const struct tui_scene *s, struct tui_grid *g, int y)
{
	const struct tui_lesson *l = &s->lesson;
	const struct doze_lesson_step *step = &l->file->step[l->step];
	bool scrolls = tui_lesson_rows(s, s->layout.main_w) > s->layout.pane_n;
	bool asks = !l->over && step->ask && !l->answer[l->step];
	static const char *const keys[] = {"", "1", "1 2", "1 2 3", "1 2 3 4"};
	const struct tui_hint lesson[] = {{"Space", asks ? "show the answer" : "go on"},
					  {asks ? keys[step->choices] : "", asks ? "answer" : ""},
					  {"up down", scrolls ? "scroll" : ""},
					  {"Backspace", "back"},
					  {"q", "quit"},
					  {"?", "help"},
					  {"z", s->view.big ? "restore" : "maximise"},
					  {"Tab", "pane"},
					  {", .", "step"},
					  {"+ -", "zoom"}};

	tui_draw_hints(g, 1, y, lesson, sizeof lesson / sizeof *lesson);
}

static void draw_list_keys(const struct tui_scene *s, struct tui_grid *g, int y)
{
	const struct tui_pane_type *t = tui_pane_at(s->view.pane);
	const struct tui_hint list[] = {{"q", "quit"},
					{"?", "help"},
					{"up down", t->list ? "choose" : ""},
					{"Enter", t->verb ? t->verb : "go there"},
					{"Tab", "pane"},
					{"z", s->view.big ? "restore" : "maximise"},
					{"Space", s->view.paused ? "go on" : "pause"},
					{"s", tui_newest(s)->storms.count ? "storm" : ""},
					{"o", t->orders[1] ? "sort" : ""},
					{"f", s->view.at.follow || !s->status.live ? "" : "follow"},
					{"+ - 0", "zoom"},
					{"arrows", "move"},
					{"[ ]", "event"},
					{"/", "search"},
					{"m", "mark"},
					{"p", "play"}};

	tui_draw_hints(g, 1, y, list, sizeof list / sizeof *list);
}

/* Draws the keys that work on this screen, or the text being typed. */
static void draw_footer(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	int y = l->footer_y, x;

	if (s->prompt) {
		x = tui_textf(g, 1, y, g->w, TUI_BOLD, "%s: ", s->prompt);
		x = tui_text(g, x, y, g->w, TUI_PLAIN, s->typed);
		tui_put(g, x, y, ' ', TUI_SELECT);
	} else if (s->view.list[s->view.pane].open) {
		draw_page_keys(g, y);
	} else if (s->view.pane == TUI_PANE_lesson && tui_lesson_on(s)) {
		draw_lesson_keys(s, g, y);
	} else {
		draw_list_keys(s, g, y);
	}
}

/* ---- the help: the keys (from the table in keys.c) and the legend ---- */

static int legend_item(struct tui_grid *g, int x, int y, uint32_t ch, enum tui_style style,
		       const char *text)
{
	tui_put(g, x, y, ch, style);
	tui_put(g, x + 1, y, ch, style);
	return tui_text(g, x + 3, y, g->w, TUI_PLAIN, text) + 2;
}

static int draw_legend(const struct tui_scene *s, struct tui_grid *g, int y)
{
	const struct tui_glyphs *k = s->glyphs;
	bool foreign = tui_is_foreign(s);
	int x = 2;

	for (int st = DOZE_STATE_active; st <= DOZE_STATE_blocked; st++)
		if (!foreign || (st != DOZE_STATE_sleepy && st != DOZE_STATE_blocked))
			x = legend_item(g, x, y, k->state[st], tui_state_style((enum doze_state)st),
					st == DOZE_STATE_sleepy
					    ? "about to sleep"
					    : tui_state_word(s, (enum doze_state)st));
	legend_item(g, x, y++, k->unknown, TUI_UNKNOWN, "unknown");
	x = legend_item(g, 2, y, k->wake_used, TUI_WAKE,
			foreign ? "woken, left the loop around its wait"
				: "woken, useful (or a latch's owner)");
	x = legend_item(g, x, y, k->wake_futile, TUI_FUTILE, "woken in vain");
	legend_item(g, x, y++, k->wake_open, TUI_PLAIN, "not known yet");
	x = legend_item(g, 2, y, k->partly, TUI_ACTIVE,
			foreign ? "out of waits for part of the column"
				: "works for part of the column");
	legend_item(g, x, y++, k->wake_other, TUI_PLAIN,
		    foreign ? "woken, went on" : "other wake (the pool ends)");
	tui_text(g, 2, y++, g->w, TUI_PLAIN,
		 "Row wakes: a count per symbol; 13/20: 13 of the 20 in view were in vain.");
	return y;
}

/* Draws the keys in as many columns as fit, without the first *skip rows. Limits *skip to the
 * number of rows that do not fit, and returns that limit. */
static int draw_keys(struct tui_grid *g, int y, int *skip)
{
	size_t n = 0, per_column;
	int columns = g->w / 40 ? g->w / 40 : 1, width = g->w / columns, room = g->h - 1 - y, over;

	while (tui_keys[n].help)
		n++;
	per_column = (n + (size_t)columns - 1) / (size_t)columns;
	over = (int)per_column > room ? (int)per_column - room : 0;
	if (*skip > over)
		*skip = over;
	for (size_t i = 0; i < n; i++) {
		int x = 2 + (int)(i / per_column) * width, row = (int)(i % per_column) - *skip;
		int end = x + width - 2;

		if (row < 0 || row >= room)
			continue;
		tui_textf(g, x, y + row, end, TUI_BOLD, "%-10s", tui_keys[i].name);
		tui_text(g, x + 11, y + row, end, TUI_PLAIN, tui_keys[i].help);
	}
	return over;
}

static void draw_help(struct tui_scene *s, struct tui_grid *g)
{
	int y, more;

	tui_grid_clear(g);
	tui_fill(g, 0, 0, g->w, ' ', TUI_TITLE);
	tui_text(g, 1, 0, g->w, TUI_TITLE, "doze: help");
	y = draw_legend(s, g, 1);
	y += g->h > 24;
	more = draw_keys(g, y, &s->view.help_scroll);
	tui_fill(g, 0, g->h - 1, g->w, ' ', TUI_TITLE);
	tui_text(g, 1, g->h - 1, g->w, TUI_TITLE,
		 more ? "? or Esc: close help   up down: more keys   q: quit"
		      : "? or Esc: close help   q: quit");
}

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

	tui_fill(g, 0, l->tabs_y, l->main_w, s->glyphs->rule, TUI_DIM);
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
static void draw_below_lesson(struct tui_scene *s, struct tui_textbox p)
{
	int pane = tui_lesson_pane(s);

	p.y += tui_lesson_rows(s, p.end - p.x);
	if (pane < 0 || p.bottom - p.y < 2)
		return;
	tui_fill(p.g, p.x, p.y, p.end - p.x, s->glyphs->rule, TUI_DIM);
	tui_textf(p.g, p.x + 2, p.y, p.end, TUI_DIM, " %s ", tui_pane_at(pane)->name);
	p.y++;
	tui_pane_draw(s, pane, p);
}

static void draw_pane(struct tui_scene *s, struct tui_grid *g)
{
	const struct tui_layout *l = &s->layout;
	struct tui_textbox p = {
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
	struct tui_textbox p = {
	    .g = g, .x = l->side_x, .y = l->axis_y + 1, .end = l->w, .bottom = l->message_y};

	if (!l->side_x)
		return;
	for (int y = l->axis_y; y < l->message_y; y++)
		tui_put(g, l->side_x - 1, y, s->glyphs->side, TUI_DIM);
	tui_fill(g, l->side_x, l->axis_y, l->w - l->side_x, s->glyphs->rule, TUI_DIM);
	tui_textf(g, l->side_x + 2, l->axis_y, l->w, TUI_BOLD, " %s ", tui_pane_at(pane)->name);
	tui_pane_draw(s, pane, p);
}

/* ---- messages ---- */

static void draw_message(const struct tui_scene *s, struct tui_grid *g)
{
	const struct tui_layout *l = &s->layout;
	char text[TUI_SENTENCE] = "";
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
			 tui_ns(s, s->view.at.per_cell * TUI_PLAY_CELLS));
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

	place_all(l, g->w, g->h,
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
		tui_put(g, l->side_x - 1, l->axis_y, s->glyphs->side, TUI_DIM);
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
		draw_help(s, g);
		return;
	}
	tui_draw_header(s, g);
	tui_draw_picture(s, g);
	draw_pane(s, g);
	if (!s->view.big)
		draw_side(s, g);
	if (s->layout.legend_y >= 0)
		tui_draw_legend(s, g, s->layout.legend_y);
	draw_footer(s, &s->layout, g);
	/* Do not explain words in a lesson, because an explanation might answer the lesson's
	 * question. */
	if (s->layout.message_y < s->layout.footer_y && !s->lesson.file)
		tui_explain_words(g, tui_is_foreign(s), s->layout.message_y, s->layout.legend_y,
				  s->layout.pane_y);
	draw_message(s, g);
}
