/*
 * SPDX-License-Identifier: MIT
 *
 * draw_header.c - draws the top of the screen: title and verdict.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../trace/utf8.h"

#include "clock.h"
#include "draw.h"
#include "verdict.h"
#include "words.h"

enum { BEHIND_ALARM_NS = 1000000000 };

/* ---- title ---- */

static const char *what(const struct tui_scene *s)
{
	if (s->view.paused)
		return "PAUSED";
	if (s->status.failed)
		return "ERROR";
	if (s->status.gone)
		return "RELAY LOST, waiting for it";
	if (s->status.loading)
		return "loading";
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
	char loss[48] = "", count[32], behind[48];
	bool late = s->status.behind_ns > BEHIND_ALARM_NS;
	int x;

	if (t->discarded)
		snprintf(loss, sizeof loss, " LOST %s EVENTS ",
			 tui_count(count, sizeof count, t->discarded));
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
	tui_put(g, x, 0, s->look->more, TUI_TITLE);
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
	tui_put(g, x, 0, s->look->more, TUI_TITLE);
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
	x = draw_part(g, 1, end,
		      s->view.paused || s->status.failed || s->status.gone ? TUI_ALARM : TUI_TITLE,
		      what(s));
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

/* ---- verdict ---- */

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

static void draw_verdict(const struct tui_scene *s, struct tui_grid *g)
{
	const char *all = s->status.ended && !s->lesson.file ? "in all" : "so far";
	char text[TUI_VERDICT], counts[96], jobs[32];
	struct tui_window w;
	enum tui_style style;
	int x;

	tui_window_take(s, &w);
	style = tui_verdict(&w, text);
	shorten(text, g->w - 2);
	x = tui_text(g, 1, 1, g->w, style, text);
	snprintf(counts, sizeof counts, "jobs %s %s",
		 tui_count(jobs, sizeof jobs, s->now.totals.jobs_run), all);
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
