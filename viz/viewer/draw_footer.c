/*
 * SPDX-License-Identifier: MIT
 *
 * draw_footer.c - lists the keys that have a function on this screen, the most useful ones first.
 */
#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "lesson.h"
#include "panes.h"

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

void tui_draw_footer(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
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
