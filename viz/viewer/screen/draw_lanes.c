/*
 * SPDX-License-Identifier: MIT
 *
 * draw_lanes.c - draws the time axis and one lane per worker.
 *
 * All views use the same rule for what a cell shows (../../show/cells.c). A cell with intervals
 * shorter than itself, in some of which the worker worked, has its own glyph. Wakes have separate
 * rows (draw_wakes.c), so that a herd of wakes does not hide the lanes, and lanes do not hide
 * wakes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../words/units.h"
#include "parts.h"
#include "phrases.h"

/* ---- the contents of a cell ---- */

static void add_span(const struct tui_view *v, struct doze_cell *cells, const struct tui_span *s)
{
	int64_t left = tui_view_left(v);
	int64_t from = s->from > left ? s->from : left;
	int64_t to = s->to < v->at.right ? s->to : v->at.right;

	if (s->from >= v->at.right || s->to < left || s->state >= DOZE_STATE_COUNT)
		return;
	for (int64_t c = tui_view_cell(v, from); c < v->cells; c++) {
		int64_t begin = left + c * v->at.per_cell, end = begin + v->at.per_cell;

		if (begin >= to && begin > from)
			break;
		cells[c].share[s->unknown ? (int)DOZE_CELL_UNKNOWN : s->state] +=
		    (float)((to < end ? to : end) - (from > begin ? from : begin));
		cells[c].changes +=
		    s->from >= begin && s->from < end && s->why != DOZE_REASON_start;
	}
}

/* Returns whether the span only covers the time after the last snapshot of a trace that ends early,
 * and is shorter than half a cell. Such a span is drawn with the state that the snapshot confirmed,
 * rather than as unknown. */
static bool is_short_end(const struct tui_scene *s, const struct tui_span *span)
{
	return span->unknown && span->to >= s->now.clock && !s->now.totals.discarded &&
	       !s->now.totals.missing && span->to - span->from < s->view.at.per_cell / 2;
}

/* Adds the worker's current state, which lasts until the trace's clock. The history has no span for
 * it yet. */
static void add_open(const struct tui_scene *s, const struct doze_worker_view *w,
		     struct doze_cell *cells)
{
	struct tui_span open = {.from = w->since,
				.to = s->now.clock,
				.state = (uint8_t)w->state,
				.unknown = w->unknown};

	if (w->state != DOZE_STATE_none && open.from < open.to)
		add_span(&s->view, cells, &open);
}

static void add_stored(const struct tui_scene *s, const struct tui_history *h, uint32_t row,
		       struct doze_cell *cells)
{
	const struct tui_view *v = &s->view;
	const struct tui_ring *spans = &h->lanes[row].spans;

	for (size_t i = tui_ring_after(spans, tui_view_left(v)); i < spans->count; i++) {
		struct tui_span span = *(struct tui_span *)tui_ring_at(spans, i);

		if (span.from >= v->at.right || span.from >= s->now.clock)
			break;
		if (span.to > s->now.clock) /* the span began after the screen was paused */
			span.to = s->now.clock;
		span.unknown = span.unknown && !is_short_end(s, &span);
		add_span(v, cells, &span);
	}
}

/* Adds everything that a history has of a lane: what it has dropped, what it stores, and the state
 * that has not ended. */
static void add_history(const struct tui_scene *s, const struct tui_history *h, uint32_t row,
			struct doze_cell *cells)
{
	int64_t column = tui_view_left(&s->view);

	for (int c = 0; c < s->view.cells; c++, column += s->view.at.per_cell)
		tui_overview_states(&h->dropped, row, column, column + s->view.at.per_cell,
				    &cells[c]);
	if (row < h->n_lanes)
		add_stored(s, h, row, cells);
	if (h == s->now.of && row < s->now.n_workers)
		add_open(s, &s->now.workers[row], cells);
	else if (h != s->now.of && row < doze_model_workers(h->model))
		add_open(s, doze_model_worker(h->model, row), cells);
}

bool tui_is_read_back(const struct tui_scene *s, int column)
{
	int64_t begin = tui_view_left(&s->view) + column * s->view.at.per_cell;

	return s->history != tui_newest(s) && begin >= s->history->complete_from &&
	       begin + s->view.at.per_cell <= s->history->complete_to;
}

/* A column that was read back from disk is drawn from that part; any other from the history of the
 * whole run. */
void tui_lane_cells(const struct tui_scene *s, uint32_t row, struct doze_cell *cells)
{
	size_t n = (size_t)s->view.cells;
	struct doze_cell *part;

	memset(cells, 0, n * sizeof *cells);
	add_history(s, tui_newest(s), row, cells);
	if (s->history == tui_newest(s))
		return;
	part = calloc(n, sizeof *part);
	if (!part)
		return;
	add_history(s, s->history, row, part);
	for (int c = 0; c < s->view.cells; c++)
		if (tui_is_read_back(s, c))
			cells[c] = part[c];
	free(part);
}

/* ---- the glyph of a cell ---- */

static void draw_cell(const struct tui_glyphs *glyphs, struct tui_grid *g, int x, int y,
		      const struct doze_cell *c)
{
	struct doze_gist gist = doze_cell_gist(c);

	if (gist.kind == DOZE_CELL_UNKNOWN) {
		tui_put(g, x, y, glyphs->unknown, TUI_UNKNOWN);
	} else if (gist.finer && gist.active > 0) {
		tui_put(g, x, y, glyphs->partly, TUI_ACTIVE);
	} else if (gist.kind != DOZE_STATE_none) {
		tui_put(g, x, y, glyphs->state[gist.kind],
			tui_state_style((enum doze_state)gist.kind));
	}
}

/* ---- lanes ---- */

enum { LABEL_STATE = 6 };

static void draw_label(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g,
		       int y, const struct doze_worker_view *w)
{
	bool unknown;
	enum doze_state state = tui_state_at_focus(s, w->key.row, &unknown);
	char name[TUI_NAME];
	int x = tui_text(g, 1, y, l->lane_x - 1, TUI_PLAIN, tui_worker_name(s, &w->key, name));

	x = x < LABEL_STATE - 1 ? LABEL_STATE - 1 : x + 1;
	if (unknown)
		tui_text(g, x, y, l->lane_x - 1, TUI_UNKNOWN, "unknown");
	else if (state != DOZE_STATE_none)
		tui_text(g, x, y, l->lane_x - 1, tui_state_style(state), tui_state_word(s, state));
}

static void scroll_to_selection(struct tui_scene *s, int rows)
{
	struct tui_view *v = &s->view;
	size_t n = rows > 0 ? (size_t)rows : 0;

	if (v->selected < v->first_lane)
		v->first_lane = v->selected;
	if (n && v->selected >= v->first_lane + n)
		v->first_lane = v->selected - n + 1;
	if (v->first_lane + n > s->now.n_lanes)
		v->first_lane = s->now.n_lanes > n ? s->now.n_lanes - n : 0;
}

void tui_draw_cursor(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	int64_t cell = tui_view_cell(&s->view, s->view.at.cursor);

	if (!s->view.at.has_cursor || cell < 0 || cell >= s->view.cells)
		return;
	for (int y = l->lanes_y; y < l->counters_y + l->counters_n; y++)
		tui_mark(g, l->lane_x + (int)cell, y, TUI_REVERSE);
}

/* Says that something is missing. Without the label, the workers would seem to do nothing. */
static void draw_missing(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	if (!tui_newest(s)->dropped.incomplete)
		return;
	for (int i = 0; i < l->lanes_n; i++)
		tui_text(g, l->lane_x, l->lanes_y + i * l->lane_h, l->main_w, TUI_DIM,
			 "incomplete: memory ran out");
}

/* If not all lanes fit, shows which of them are on the screen. */
static void draw_more(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	size_t n = (size_t)l->lanes_n, above = s->view.first_lane;
	size_t below = s->now.n_lanes - above > n ? s->now.n_lanes - above - n : 0;

	if (!above && !below)
		return;
	/* erase the scale, which may use these columns */
	tui_fill(g, 0, l->axis_y, l->lane_x - 1, ' ', TUI_PLAIN);
	tui_textf(g, 1, l->axis_y, l->lane_x - 1, TUI_DIM, "%zu-%zu of %zu", above + 1, above + n,
		  s->now.n_lanes);
}

void tui_draw_lanes(struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	struct doze_cell *cells = malloc((size_t)s->view.cells * sizeof *cells);

	scroll_to_selection(s, l->lanes_n);
	for (int i = 0; cells && i < l->lanes_n; i++) {
		size_t at = s->view.first_lane + (size_t)i;
		int y = l->lanes_y + i * l->lane_h;
		uint32_t row;

		if (at >= s->now.n_lanes)
			break;
		row = s->now.lanes[at];
		tui_lane_cells(s, row, cells);
		for (int x = 0; x < s->view.cells; x++)
			draw_cell(s->glyphs, g, l->lane_x + x, y, &cells[x]);
		draw_label(s, l, g, y, &s->now.workers[row]);
		if (at == s->view.selected) {
			tui_put(g, 0, y, '>', TUI_BOLD);
			for (int x = 1; x < LABEL_STATE - 1; x++)
				tui_mark(g, x, y, TUI_REVERSE);
		}
	}
	free(cells);
	draw_missing(s, l, g);
}

/* ---- the axis ---- */

enum { TICK_CELLS = 14 }; /* width of a tick's label */

static void draw_storm_marks(const struct tui_scene *s, const struct tui_layout *l,
			     struct tui_grid *g)
{
	const struct tui_view *v = &s->view;
	const struct tui_ring *r = &tui_newest(s)->storms;

	for (size_t i = tui_ring_after(r, tui_view_left(v) - 1); i < r->count; i++) {
		const struct tui_storm *storm = tui_ring_at(r, i);
		int64_t cell = tui_view_cell(v, storm->at);

		if (cell >= v->cells || storm->storm.to > s->now.clock)
			break;
		tui_put(g, l->lane_x + (int)cell, l->marks_y, s->glyphs->storm, TUI_ALARM);
	}
}

/* Returns the column at which the text of mark i is truncated: that of the next mark or storm. */
static int note_end(const struct tui_scene *s, const struct tui_layout *l, size_t i)
{
	const struct tui_view *v = &s->view;
	/* Use the marks of the whole trace, as in tui_draw_marks, because a part that was read from
	 * disk has fewer marks. */
	const struct tui_ring *marks = &tui_newest(s)->marks, *storms = &tui_newest(s)->storms;
	const struct tui_event *e = tui_ring_at(marks, i), *next = tui_ring_at(marks, i + 1);
	const struct tui_storm *storm = tui_ring_at(storms, tui_ring_after(storms, e->at));
	int64_t end = v->cells;

	if (next && next->at <= s->now.clock && tui_view_cell(v, next->at) < end)
		end = tui_view_cell(v, next->at);
	if (storm && storm->storm.to <= s->now.clock && tui_view_cell(v, storm->at) < end)
		end = tui_view_cell(v, storm->at);
	return end < v->cells ? l->lane_x + (int)end : l->main_w;
}

void tui_draw_marks(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	const struct tui_view *v = &s->view;
	const struct tui_ring *r = &tui_newest(s)->marks;

	if (l->marks_y < 0)
		return;
	tui_text(g, 1, l->marks_y, l->lane_x - 1, TUI_DIM, "marks");
	for (size_t i = tui_ring_after(r, tui_view_left(v) - 1); i < r->count; i++) {
		const struct tui_event *e = tui_ring_at(r, i);
		int64_t cell = tui_view_cell(v, e->at);
		int x = l->lane_x + (int)cell;

		if (cell >= v->cells || e->at > s->now.clock)
			break;
		tui_put(g, x, l->marks_y, s->glyphs->sep, TUI_BOLD);
		tui_text(g, x + 1, l->marks_y, note_end(s, l, i), TUI_PLAIN, e->note);
	}
	draw_storm_marks(s, l, g);
	for (size_t i = 0; i < v->n_bookmarks; i++) {
		int64_t cell = tui_view_cell(v, v->bookmarks[i]);

		if (cell >= 0 && cell < v->cells)
			tui_put(g, l->lane_x + (int)cell, l->marks_y, s->glyphs->bookmark,
				TUI_BOLD);
	}
}

/* A range of columns on the axis. */
struct range {
	int from, end;
};

/* Returns the columns that the cursor and its time occupy. Near the right end of the axis, the time
 * is to the left of the cursor. Returns an empty range if the cursor is not visible. */
static struct range cursor_range(const struct tui_scene *s, const struct tui_layout *l)
{
	const struct tui_view *v = &s->view;
	int64_t cell = tui_view_cell(v, v->at.cursor);
	int x = l->lane_x + (int)cell;
	int len = (int)strlen(doze_position(v->at.cursor - v->origin, v->at.per_cell));

	if (!v->at.has_cursor || cell < 0 || cell >= v->cells)
		return (struct range){l->main_w, l->main_w};
	if (x + 1 + len < l->main_w)
		return (struct range){x, x + 2 + len};
	return (struct range){x - len - 1, x + 1};
}

static void draw_cursor_time(const struct tui_scene *s, const struct tui_layout *l,
			     struct tui_grid *g)
{
	const struct tui_view *v = &s->view;
	int64_t cell = tui_view_cell(v, v->at.cursor);
	const char *text = doze_position(v->at.cursor - v->origin, v->at.per_cell);
	struct range at = cursor_range(s, l);
	int x = l->lane_x + (int)cell;

	if (at.from >= l->main_w)
		return;
	tui_put(g, x, l->axis_y, s->glyphs->cursor, TUI_BOLD);
	if (at.from == x)
		tui_textf(g, x + 1, l->axis_y, l->main_w, TUI_BOLD, "%s ", text);
	else
		tui_textf(g, at.from, l->axis_y, x, TUI_BOLD, " %s", text);
}

/* Returns whether the cursor or its time occupies one of the last n columns. */
static bool cursor_in_last(const struct tui_scene *s, int n)
{
	int64_t cell = tui_view_cell(&s->view, s->view.at.cursor);

	return s->view.at.has_cursor && cell >= s->view.cells - n - TICK_CELLS &&
	       cell < s->view.cells;
}

/* Draws "1 column = 50 ms" at the right end, or a short form at the left if the cursor's time
 * occupies the right end. Returns the column where the axis ends. */
static int draw_scale(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	const char *span = tui_ns(s, s->view.at.per_cell);
	char text[48];
	int len;

	len = snprintf(text, sizeof text, " %s = %s", l->main_w < 60 ? "col" : "1 column", span);
	if (cursor_in_last(s, len)) {
		tui_textf(g, 0, l->axis_y, l->lane_x, TUI_PLAIN, "col=%s", span);
		return l->main_w;
	}
	len -= s->glyphs->micro[0] != 'u' &&
	       strstr(text, s->glyphs->micro); /* "µ" has two bytes but fills one column */
	tui_text(g, l->main_w - len, l->axis_y, l->main_w, TUI_PLAIN, text);
	return l->main_w - len;
}

/* Draws a tick and its label, unless the cursor's time or the scale (from column `end`) would cover
 * a part of the label. */
static void draw_tick(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g,
		      int x, int end, const char *text)
{
	struct range cursor = cursor_range(s, l);
	int after = x + 1 + (int)strlen(text);

	if (x >= end)
		return;
	tui_put(g, x, l->axis_y, s->glyphs->tick, TUI_DIM);
	if (after <= end && (after <= cursor.from || x >= cursor.end))
		tui_text(g, x + 1, l->axis_y, end, TUI_DIM, text);
}

void tui_draw_axis(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	const struct tui_view *v = &s->view;
	int64_t step =
	    doze_tick_step(v->at.per_cell * (v->cells < TICK_CELLS ? v->cells : TICK_CELLS));
	int64_t left = tui_view_left(v) - v->origin;
	int64_t t = left <= 0 ? 0 : (left + step - 1) / step * step;
	int end = draw_scale(s, l, g);

	for (; t < v->at.right - v->origin; t += step) {
		int64_t cell = tui_view_cell(v, v->origin + t);

		draw_tick(s, l, g, l->lane_x + (int)cell, end, doze_position(t, step));
	}
	draw_more(s, l, g);
	tui_draw_marks(s, l, g);
	draw_cursor_time(s, l, g);
}
