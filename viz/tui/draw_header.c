/*
 * SPDX-License-Identifier: MIT
 *
 * draw_header.c - the two lines at the top and the keys at the bottom.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "draw.h"
#include "keys.h"

enum { BEHIND_ALARM_NS = 1000000000, ROOMY_W = 90 };

/* ---- title ---- */

static const char *what(const struct tui_scene *s)
{
	if (s->view.paused)
		return "PAUSED";
	if (s->status.failed)
		return "ERROR";
	if (s->status.loading)
		return "loading";
	if (!s->status.live)
		return "replay";
	return s->status.ended ? "ended" : s->view.at.follow ? "live" : "live, not following";
}

/* Draws the right end of the title: losses and delay. Returns its column. */
static int draw_health(const struct tui_scene *s, struct tui_grid *g)
{
	const struct doze_totals *t = &s->now.totals;
	bool lost = t->discarded > 0 || t->missing > 0 || s->history->losses.count > 0;
	char loss[48] = "", count[32], behind[48] = "";
	bool late = s->status.live && !s->status.ended && s->status.behind_ns > BEHIND_ALARM_NS;
	int x;

	if (t->discarded)
		snprintf(loss, sizeof loss, " LOST %s EVENTS ",
			 tui_count(count, sizeof count, t->discarded));
	else if (t->missing)
		snprintf(loss, sizeof loss, " EVENTS MISSING ");
	else
		snprintf(loss, sizeof loss, lost ? " EVENTS LOST " : " lost 0 ");
	if (s->status.live && !s->status.ended && s->status.behind_ns >= 0)
		snprintf(behind, sizeof behind, " %.1f s behind ",
			 (double)s->status.behind_ns / 1e9);
	x = g->w - (int)strlen(loss) - (int)strlen(behind);
	tui_text(g, x, 0, g->w, lost ? TUI_ALARM : TUI_TITLE, loss);
	tui_text(g, x + (int)strlen(loss), 0, g->w, late ? TUI_ALARM : TUI_TITLE, behind);
	return x;
}

static void draw_title(const struct tui_scene *s, struct tui_grid *g)
{
	const struct doze_pool_view *p = tui_selected_pool(s);
	const struct doze_worker_view *w = tui_selected(s);
	size_t pools = doze_model_pools(s->history->model);
	int x, end;

	tui_fill(g, 0, 0, g->w, ' ', TUI_TITLE);
	end = draw_health(s, g);
	x = tui_textf(g, 1, 0, end, s->view.paused || s->status.failed ? TUI_ALARM : TUI_TITLE,
		      "%s", what(s));
	x = tui_textf(g, x + 1, 0, end, TUI_TITLE, "%s", s->title ? s->title : "");
	if (p)
		x = tui_textf(g, x + 1, 0, end, TUI_TITLE, " policy %s  %u worker%s", p->policy,
			      p->workers, p->workers == 1 ? "" : "s");
	if (pools > 1 && w)
		x = tui_textf(g, x + 1, 0, end, TUI_TITLE, " pool %zu of %zu, pid %d",
			      tui_pool_number(s, &w->key), pools, (int)w->key.vpid);
	if (s->detail)
		x = tui_textf(g, x + 1, 0, end, TUI_TITLE, " detail %s", s->detail);
	if (s->view.filter[0])
		tui_textf(g, x + 1, 0, end, TUI_TITLE, " only w%s%s", s->view.filter,
			  s->now.n_workers && !s->now.n_lanes ? ": none" : "");
}

/* ---- states ---- */

/* How many lanes are in each state at the focus; [DOZE_STATE_none] counts the unknown ones. */
static void count_states(const struct tui_scene *s, unsigned count[DOZE_STATE_COUNT])
{
	memset(count, 0, DOZE_STATE_COUNT * sizeof *count);
	for (size_t i = 0; i < s->now.n_lanes; i++) {
		bool unknown;
		enum doze_state state = tui_state_at_focus(s, s->now.lanes[i], &unknown);

		if (unknown)
			count[DOZE_STATE_none]++;
		else if (state != DOZE_STATE_none)
			count[state]++;
	}
}

static int draw_counts(const struct tui_scene *s, struct tui_grid *g)
{
	unsigned count[DOZE_STATE_COUNT];
	int x = 1, gap = g->w < ROOMY_W ? 1 : 2;

	count_states(s, count);
	for (int st = DOZE_STATE_active; st < DOZE_STATE_COUNT; st++) {
		enum tui_style style = tui_state_style((enum doze_state)st);

		if (!count[st] &&
		    st > DOZE_STATE_sleeping) /* rare states only when their count is not 0 */
			continue;
		if (s->look->state[st] != ' ') {
			tui_put(g, x, 1, s->look->state[st], style);
			x += 2;
		}
		x = tui_text(g, x, 1, g->w, style, doze_state_name((enum doze_state)st));
		x = tui_textf(g, x + 1, 1, g->w, TUI_BOLD, "%-*u", s->now.n_lanes > 9 ? 2 : 1,
			      count[st]) +
		    gap;
	}
	if (count[DOZE_STATE_none])
		x = tui_textf(g, x, 1, g->w, TUI_UNKNOWN, "unknown %u  ", count[DOZE_STATE_none]);
	return x;
}

/* Draws a name and a number if both fit. Returns the column after them. */
static int draw_number(struct tui_grid *g, int x, enum tui_style style, const char *name,
		       const char *number)
{
	if (x + (int)(strlen(name) + strlen(number)) + 1 > g->w)
		return x;
	x = tui_text(g, x, 1, g->w, style, name);
	return tui_text(g, x + 1, 1, g->w, TUI_BOLD, number) + (g->w < ROOMY_W ? 1 : 2);
}

static void draw_states(const struct tui_scene *s, struct tui_grid *g)
{
	const struct doze_totals *t = &s->now.totals;
	char text[32];
	int x = draw_counts(s, g);

	x = draw_number(g, x, TUI_WAKE, "wakes", tui_count(text, sizeof text, t->wakes));
	snprintf(text, sizeof text, "%.0f%%", 100.0 * s->now.futile_ratio);
	x = draw_number(g, x, TUI_FUTILE, "futile", text);
	x = draw_number(g, x, TUI_PLAIN, "jobs", tui_count(text, sizeof text, t->jobs_run));
	if (t->storms)
		x = draw_number(g, x, TUI_ALARM, "storms", tui_count(text, sizeof text, t->storms));
	if (t->findings)
		x = draw_number(g, x, TUI_ALARM, "findings",
				tui_count(text, sizeof text, t->findings));
	if (s->status.program)
		tui_textf(g, x, 1, g->w, TUI_DIM, "%s", s->status.program);
}

void tui_draw_header(const struct tui_scene *s, struct tui_grid *g)
{
	draw_title(s, g);
	draw_states(s, g);
}

/* ---- footer ---- */

/* Breaks the footer's keys into rows of width w and draws them unless g is null. Returns the rows.
 */
static int foot_keys(const struct tui_scene *s, struct tui_grid *g, int w, int y)
{
	int x = 1, rows = 1;

	for (const struct tui_key *k = tui_keys; k->help; k++) {
		int len = k->foot ? (int)strlen(k->name) + 1 + (int)strlen(k->foot) : 0;

		if (!k->foot)
			continue;
		if (x + len > w - 1 && x > 1) {
			x = 1;
			rows++;
		}
		if (g) {
			tui_textf(g, x, y + rows - 1, w, TUI_BOLD, "%s", k->name);
			tui_textf(g, x + (int)strlen(k->name) + 1, y + rows - 1, w, TUI_PLAIN, "%s",
				  k->foot);
		}
		x += len + 2;
	}
	(void)s;
	return rows;
}

int tui_draw_footer(const struct tui_scene *s, struct tui_grid *g, int w, int h)
{
	int rows = s->prompt ? 1 : foot_keys(s, NULL, w, 0), x;

	if (rows > 2 && h < 30)
		rows = 2;
	if (h < 20)
		rows = 1;
	if (!g)
		return rows;
	if (!s->prompt) {
		foot_keys(s, g, w, h - rows);
		return rows;
	}
	x = tui_textf(g, 1, h - 1, w, TUI_BOLD, "%s: ", s->prompt);
	x = tui_text(g, x, h - 1, w, TUI_PLAIN, s->typed);
	tui_put(g, x, h - 1, ' ', TUI_SELECT);
	return rows;
}
