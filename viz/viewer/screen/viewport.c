/*
 * SPDX-License-Identifier: MIT
 *
 * viewport.c - see viewport.h.
 */
#include "viewport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10, ZOOM_STRIDE = 3 };
static const int64_t mantissa[STEPS] = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
static const int64_t least_cell = 10, most_cell = 1000000000000; /* 10 ns to 1000 s */
static const int64_t first_cell_live = 50000000; /* 50 ms, so that a screen shows a few seconds */

/* Returns step n of the zoom scale: about ten steps per decade, from 10 ns. */
static int64_t scale(int n)
{
	int64_t v = mantissa[n % STEPS];

	for (int i = n / STEPS; i > 0; i--)
		v *= 10;
	return v;
}

/* Returns the smallest n with scale(n) >= ns. */
static int scale_above(int64_t ns)
{
	int n = 0;

	while (scale(n) < ns && scale(n) < most_cell)
		n++;
	return n;
}

static int64_t align_to(const struct tui_view *v, int64_t t, int64_t step)
{
	int64_t d = t - v->origin, rest = d % step;

	if (rest < 0)
		rest += step;
	return rest ? t + step - rest : t;
}

static int64_t align_up(const struct tui_view *v, int64_t t)
{
	return align_to(v, t, v->at.per_cell);
}

/* Returns the end of a window that follows. The window moves in steps of a quarter of its width:
 * between two steps only the newest column changes, so the terminal receives a few bytes per frame
 * instead of a whole picture. */
static int64_t follow_end(const struct tui_view *v)
{
	int64_t quarter = v->cells / 4 > 1 ? v->cells / 4 : 1;

	return align_to(v, v->last + 1, v->at.per_cell * quarter);
}

void tui_view_init(struct tui_view *v, bool live)
{
	*v = (struct tui_view){.marks = true, .cells = 1};
	v->growing = live;
	v->at.per_cell = first_cell_live;
	v->at.follow = live;
	v->at.fit = !live;
}

int64_t tui_view_left(const struct tui_view *v)
{
	return v->at.right - v->at.per_cell * v->cells;
}

int64_t tui_view_focus(const struct tui_view *v)
{
	int64_t end = v->at.right <= v->last ? v->at.right - 1 : v->last;

	if (v->at.has_cursor)
		return v->at.cursor;
	/* At the end of the trace, all workers have stopped. Move the focus to just before the
	 * pools began to stop. */
	return v->settled && v->settled > tui_view_left(v) && end > v->settled ? v->settled - 1
									       : end;
}

int64_t tui_view_cell(const struct tui_view *v, int64_t t)
{
	int64_t d = t - tui_view_left(v);

	return d >= 0 ? d / v->at.per_cell : -1 - (-1 - d) / v->at.per_cell;
}

/* Moves the window's end to t, or to the nearest time at which the window still shows a part of the
 * trace. */
static void set_right(struct tui_view *v, int64_t t)
{
	int64_t least = v->first + v->at.per_cell;
	int64_t most = v->last + v->at.per_cell * (v->cells / 2);
	int64_t width = v->at.per_cell * v->cells;

	if (least < v->first + width) /* do not scroll to before the first event */
		least = v->first + width;
	if (t > most)
		t = most;
	if (t < least)
		t = least;
	v->at.right = align_up(v, t);
}

static void refit(struct tui_view *v)
{
	int64_t span = v->last - v->first;

	/* In a recording, the whole trace fills the window exactly; the next zoom returns to the
	 * scale. In a growing trace, this would shift every column in every frame, so the duration
	 * of a column is rounded up to a step of the scale. */
	v->at.per_cell = span / v->cells + 1;
	if (v->growing)
		v->at.per_cell = scale(scale_above(v->at.per_cell));
	if (v->at.per_cell < least_cell)
		v->at.per_cell = least_cell;
	v->at.right = align_up(v, v->first) + v->at.per_cell * v->cells;
}

void tui_view_extent(struct tui_view *v, int64_t origin, int64_t first, int64_t last)
{
	v->origin = origin;
	v->first = first;
	v->last = last;
	if (v->at.fit)
		refit(v);
	else if (v->at.follow)
		v->at.right = follow_end(v);
}

void tui_view_resize(struct tui_view *v, int cells)
{
	int64_t anchor, before;

	if (cells < 1)
		cells = 1;
	if (cells == v->cells)
		return;
	before = v->cells;
	anchor = v->at.has_cursor ? v->at.cursor : tui_view_left(v) + v->at.per_cell * before / 2;
	v->cells = cells;
	if (v->at.fit)
		refit(v);
	else if (!v->at.follow)
		v->at.right = align_up(v, anchor + (v->at.right - anchor) * cells / before);
}

void tui_view_remember(struct tui_view *v)
{
	v->stop_at = 0; /* playing no longer stops at the time that was set before the jump */
	if (v->n_undo == TUI_UNDO)
		memmove(v->undo, v->undo + 1, --v->n_undo * sizeof *v->undo);
	v->undo[v->n_undo++] = v->at;
}

void tui_view_undo(struct tui_view *v)
{
	if (v->n_undo > 0)
		v->at = v->undo[--v->n_undo];
}

void tui_view_zoom(struct tui_view *v, int steps)
{
	int n = scale_above(v->at.per_cell) - steps * ZOOM_STRIDE;
	int64_t before = v->at.per_cell, anchor = v->at.right, rest;

	if (v->at.has_cursor)
		anchor = v->at.cursor;
	else if (!v->at.follow)
		anchor = tui_view_left(v) + before * v->cells / 2;
	rest = (v->at.right - anchor) / before;
	v->at.per_cell = n < 0 ? least_cell : scale(n);
	if (v->at.per_cell > most_cell)
		v->at.per_cell = most_cell;
	v->at.fit = false;
	if (v->at.follow)
		v->at.right = follow_end(v);
	else
		set_right(v, anchor + rest * v->at.per_cell);
}

void tui_view_fit(struct tui_view *v)
{
	v->at.fit = true;
	v->at.follow = false;
	refit(v);
}

void tui_view_follow(struct tui_view *v)
{
	v->at.follow = true;
	v->at.fit = false;
	v->at.has_cursor = false;
	v->at.right = follow_end(v);
}

void tui_view_pan(struct tui_view *v, int64_t cells)
{
	v->at.follow = v->at.fit = false;
	set_right(v, v->at.right + cells * v->at.per_cell);
}

void tui_view_goto(struct tui_view *v, int64_t t)
{
	int64_t cell;

	if (t < v->first)
		t = v->first;
	if (t > v->last)
		t = v->last;
	v->at.follow = v->at.fit = false;
	v->at.has_cursor = true;
	v->at.cursor = t;
	cell = tui_view_cell(v, t);
	if (cell < 0)
		set_right(v, t + v->at.per_cell * (v->cells - v->cells / 4));
	else if (cell >= v->cells)
		set_right(v, t + v->at.per_cell * (v->cells / 4));
}

void tui_view_frame(struct tui_view *v, int64_t t, int64_t width, int margin)
{
	int64_t per_cell = width / v->cells + 1;

	v->at.per_cell = per_cell < least_cell ? least_cell : per_cell;
	tui_view_goto(v, t);
	set_right(v, t + v->at.per_cell * (v->cells / margin));
}

void tui_view_step(struct tui_view *v, int64_t cells)
{
	int64_t from = tui_view_focus(v);

	/* If there is no cursor, the first step only shows it. */
	tui_view_goto(v, v->at.has_cursor ? from + cells * v->at.per_cell : from);
}

void tui_view_play(struct tui_view *v, int64_t wall_ns)
{
	int64_t by = (int64_t)((double)v->at.per_cell * TUI_PLAY_CELLS * (double)wall_ns / 1e9);

	int64_t to, end = v->stop_at ? v->stop_at : v->last;

	if (!v->playing)
		return;
	if (v->slow)
		by = wall_ns / v->slow + 1;
	to = tui_view_focus(v) + by;
	tui_view_goto(v, to < end ? to : end);
	if (v->at.cursor >= end) {
		v->playing = false;
		v->stop_at = 0;
	}
}

void tui_view_back(struct tui_view *v, bool live)
{
	if (v->at.has_cursor)
		v->at.has_cursor = false;
	else if (live)
		tui_view_follow(v);
}

/* ---- the filter and the bookmarks ---- */

void tui_view_set_workers(struct tui_view *v, const struct doze_worker_set *workers,
			  const char *list)
{
	v->workers = *workers;
	snprintf(v->filter, sizeof v->filter, "%s", list ? list : "");
	v->selected = v->first_lane = 0;
}

bool tui_view_set_filter(struct tui_view *v, const char *list)
{
	struct doze_worker_set workers = {.limited = false};

	if (*list && !doze_worker_set_parse(&workers, list))
		return false;
	tui_view_set_workers(v, &workers, list);
	return true;
}

bool tui_view_shows(const struct tui_view *v, int32_t worker)
{
	return doze_worker_set_has(&v->workers, worker);
}

void tui_view_bookmark(struct tui_view *v, int64_t t)
{
	for (size_t i = 0; i < v->n_bookmarks; i++)
		if (tui_view_cell(v, v->bookmarks[i]) == tui_view_cell(v, t)) {
			v->bookmarks[i] = v->bookmarks[--v->n_bookmarks];
			return;
		}
	if (v->n_bookmarks < TUI_BOOKMARKS)
		v->bookmarks[v->n_bookmarks++] = t;
}
