/*
 * SPDX-License-Identifier: MIT
 *
 * draw_counters.c - draws the pool's counters over time: sleeping, idle, active, and the JEC.
 *
 * The counts are unpacked from the pool's counters word at each step in the trace. idle is the
 * difference of inactive and sleeping, so it includes the sleepy workers. For a policy without a
 * counters word, workers are counted by their states. A cell shows the mean over its time: as a bar
 * (a share of the workers, never empty for a count above 0) or, with ASCII, as a digit rounded up.
 * Blocked workers belong to none of the counts, although the counters word counts them as active.
 *
 * The JEC is drawn like the trace of a logic analyser: low while even (a worker became sleepy since
 * the last post), high while odd (work was posted since), an edge for one toggle within a cell, a
 * digit for several toggles.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "phrases.h"

static const char *const names[TUI_COUNTERS] = {"sleep", "search", "work", "jec"};
static const char *const foreign_names[TUI_COUNTERS] = {"waits", "woken", "no wait", ""};
static const enum tui_style styles[TUI_COUNTERS] = {TUI_SLEEPING, TUI_IDLE, TUI_ACTIVE, TUI_BOLD};

/* ---- counts from the counters word ---- */

static void add_word(const struct tui_view *v, const struct doze_pool_view *p,
		     struct tui_counter_cell *cells, int64_t from, int64_t to, uint64_t word)
{
	int64_t left = tui_view_left(v);
	struct tui_counters now = tui_counters_of(p, word);

	if (from < left)
		from = left;
	for (int64_t c = tui_view_cell(v, from); c < v->cells; c++) {
		int64_t begin = left + c * v->at.per_cell, end = begin + v->at.per_cell, ns;

		if (begin >= to)
			break;
		ns = (to < end ? to : end) - (from > begin ? from : begin);
		for (int i = 0; i < TUI_JEC; i++)
			cells[c].ns[i] += (double)now.count[i] * (double)ns;
		cells[c].covered += ns;
		cells[c].jec = now.jec;
		cells[c].has_jec = now.has_jec;
	}
}

static void add_words(const struct tui_scene *s, const struct doze_pool_view *p,
		      const struct tui_pool_words *w, struct tui_counter_cell *cells)
{
	const struct tui_view *v = &s->view;
	const struct tui_ring *r = &w->words;
	int64_t last = w->ended < s->now.clock ? w->ended : s->now.clock;
	size_t i = tui_ring_after(r, tui_view_left(v));
	uint64_t high = 0;

	i = i ? i - 1 : 0;
	if (i < r->count)
		high = doze_word_jec(&p->layout, ((struct tui_word *)tui_ring_at(r, i))->word);
	for (; i < r->count; i++) {
		const struct tui_word *word = tui_ring_at(r, i), *next = tui_ring_at(r, i + 1);
		int64_t to = next && next->at < last ? next->at : last;
		int64_t cell = tui_view_cell(v, word->at);
		uint64_t toggles;

		if (word->at >= v->at.right || word->at > last)
			break;
		toggles = tui_toggles_beyond(&high, doze_word_jec(&p->layout, word->word));
		if (cell >= 0 && cell < v->cells)
			cells[cell].toggles += toggles;
		add_word(v, p, cells, word->at, to, word->word);
	}
}

/* Adds what a history has of the pool's words. Returns whether it has any. */
static bool add_history(const struct tui_scene *s, const struct tui_history *h,
			const struct doze_pool_view *p, struct tui_counter_cell *cells)
{
	const struct tui_pool_words *w = tui_words_of(h, p);
	int64_t column = tui_view_left(&s->view);

	if (!w)
		return false;
	for (int c = 0; c < s->view.cells; c++, column += s->view.at.per_cell)
		tui_overview_counts(&h->dropped, (size_t)(w - h->pools), column,
				    column + s->view.at.per_cell, &cells[c]);
	add_words(s, p, w, cells);
	return true;
}

/* Fills in the cells from the pool's counters words. Returns false if no word is known. As in the
 * lanes, a column that was read back from disk is drawn from that part. */
static bool cells_from_words(const struct tui_scene *s, const struct doze_pool_view *p,
			     struct tui_counter_cell *cells)
{
	struct tui_counter_cell *part;
	bool any;

	if (p->layout.kind != DOZE_WORD_counters)
		return false;
	any = add_history(s, tui_newest(s), p, cells);
	part = s->history != tui_newest(s) ? calloc((size_t)s->view.cells, sizeof *part) : NULL;
	if (!part)
		return any;
	any |= add_history(s, s->history, p, part);
	for (int c = 0; c < s->view.cells; c++)
		if (tui_is_read_back(s, c))
			cells[c] = part[c];
	free(part);
	return any;
}

static void hatch_losses(const struct tui_scene *s, struct tui_counter_cell *cells)
{
	const struct tui_view *v = &s->view;
	const struct tui_ring *r = &s->history->losses;

	for (size_t i = 0; i < r->count; i++) {
		const struct tui_loss *loss = tui_ring_at(r, i);
		int64_t from = tui_view_cell(v, loss->from), to = tui_view_cell(v, loss->to);

		for (int64_t c = from < 0 ? 0 : from; c <= to && c < v->cells; c++)
			cells[c].unknown = true;
	}
}

/* ---- counts from the workers' states ---- */

static int counter_of(int state)
{
	switch (state) {
	case DOZE_STATE_sleeping:
		return TUI_SLEEPING_COUNT;
	case DOZE_STATE_idle:
	case DOZE_STATE_sleepy:
		return TUI_IDLE_COUNT;
	case DOZE_STATE_active:
		return TUI_ACTIVE_COUNT;
	default:
		return -1;
	}
}

static bool same_pool(const struct doze_worker_view *w, const struct doze_pool_view *p)
{
	return w->key.host == p->host && w->key.vpid == p->vpid && w->key.pool == p->pool;
}

/* Adds a lane's cell to the sums. A mean is taken over the time in which at least one worker was
 * seen in the cell. */
static void add_lane_cell(const struct doze_cell *lane, struct tui_counter_cell *cell)
{
	double seen = 0;

	for (int st = 0; st < DOZE_STATE_COUNT; st++) {
		double ns = (double)lane->share[st];

		if (counter_of(st) >= 0)
			cell->ns[counter_of(st)] += ns;
		if (counter_of(st) >= 0 || st == DOZE_STATE_blocked)
			seen += ns;
	}
	if (seen > (double)cell->covered)
		cell->covered = (int64_t)seen;
}

/* Upper bound of the relative rounding error of a cell's sums, which are floats. */
#define FLOAT_ERROR 1e-6

/* Subtracts the blocked workers from the active ones. */
static void subtract_blocked(const struct tui_scene *s, const struct doze_pool_view *p,
			     struct tui_counter_cell *cells)
{
	size_t n = (size_t)s->view.cells;
	struct doze_cell *lane = malloc(n * sizeof *lane);

	for (size_t row = 0; lane && row < s->now.n_workers; row++) {
		const struct doze_worker_view *w = &s->now.workers[row];

		if (!same_pool(w, p) || !w->entered[DOZE_STATE_blocked])
			continue;
		tui_lane_cells(s, (uint32_t)row, lane);
		for (size_t c = 0; c < n; c++) {
			double *active = &cells[c].ns[TUI_ACTIVE_COUNT];
			double blocked = (double)lane[c].share[DOZE_STATE_blocked];

			*active -= blocked;
			/* A very small remainder is a rounding error, because the shares of a lane
			 * are floats. */
			if (*active < blocked * FLOAT_ERROR)
				*active = 0;
		}
	}
	free(lane);
}

static void cells_from_states(const struct tui_scene *s, const struct doze_pool_view *p,
			      struct tui_counter_cell *cells)
{
	size_t n = (size_t)s->view.cells;
	struct doze_cell *lane = malloc(n * sizeof *lane);

	for (size_t row = 0; lane && row < s->now.n_workers; row++) {
		if (!same_pool(&s->now.workers[row], p))
			continue;
		tui_lane_cells(s, (uint32_t)row, lane);
		for (size_t c = 0; c < n; c++)
			add_lane_cell(&lane[c], &cells[c]);
	}
	free(lane);
}

/* ---- the current counts ---- */

static uint32_t blocked_now(const struct tui_scene *s, const struct doze_pool_view *p)
{
	uint32_t n = 0;

	for (size_t row = 0; row < s->now.n_workers; row++) {
		bool unknown;

		n += same_pool(&s->now.workers[row], p) &&
		     tui_state_at_focus(s, (uint32_t)row, &unknown) == DOZE_STATE_blocked;
	}
	return n;
}

static struct tui_counters counters_now(const struct tui_scene *s, const struct doze_pool_view *p)
{
	struct tui_counters now = {0};
	const struct tui_pool_words *words =
	    p->layout.kind == DOZE_WORD_counters ? tui_words_of(s->history, p) : NULL;
	int64_t t = tui_view_focus(&s->view);
	const struct tui_word *w =
	    words ? tui_ring_at(&words->words, tui_ring_after(&words->words, t) - 1) : NULL;

	if (w) {
		uint32_t blocked = blocked_now(s, p), *active = &now.count[TUI_ACTIVE_COUNT];

		now = tui_counters_of(p, w->word);
		if (t >= words->ended)
			memset(now.count, 0, sizeof now.count);
		*active -= blocked < *active ? blocked : *active;
		return now;
	}
	for (size_t row = 0; row < s->now.n_workers; row++) {
		bool unknown;
		int i = counter_of((int)tui_state_at_focus(s, (uint32_t)row, &unknown));

		if (same_pool(&s->now.workers[row], p) && i >= 0)
			now.count[i]++;
	}
	return now;
}

/* ---- drawing the counters ---- */

static uint32_t bar_glyph(const struct tui_scene *s, const struct doze_pool_view *p, bool ascii,
			  double mean)
{
	double share = p->workers ? mean / (double)p->workers : 0;
	int up = (int)mean + ((double)(int)mean < mean);

	if (mean <= 0)
		return ' ';
	if (ascii)
		return up > 9 ? '+' : (uint32_t)('0' + up);
	if (share > 1)
		share = 1;
	up = (int)(share * (TUI_BARS - 1) + 0.5);
	return s->glyphs->bar[up < 1 ? 1 : up];
}

static uint32_t jec_glyph(const struct tui_glyphs *glyphs, const struct tui_counter_cell *c)
{
	if (!c->has_jec)
		return ' ';
	if (c->toggles > 9)
		return '+';
	if (c->toggles > 1)
		return (uint32_t)('0' + c->toggles);
	if (c->toggles == 1)
		return glyphs->jec_once;
	return c->jec & 1 ? glyphs->jec_odd : glyphs->jec_even;
}

/* Returns the counter that is drawn in row i of n rows. */
static enum tui_counter counter_in(int n, int i)
{
	static const enum tui_counter shown[TUI_COUNTERS][TUI_COUNTERS] = {
	    {TUI_JEC},
	    {TUI_SLEEPING_COUNT, TUI_JEC},
	    {TUI_SLEEPING_COUNT, TUI_ACTIVE_COUNT, TUI_JEC},
	    {TUI_SLEEPING_COUNT, TUI_IDLE_COUNT, TUI_ACTIVE_COUNT, TUI_JEC}};

	return shown[n - 1][i];
}

static void draw_row(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g,
		     int y, enum tui_counter row, const struct doze_pool_view *p,
		     const struct tui_counter_cell *cells)
{

	for (int x = 0; x < s->view.cells; x++) {
		const struct tui_counter_cell *c = &cells[x];
		double mean = 0;

		if (row != TUI_JEC && c->covered)
			mean = c->ns[row] / (double)c->covered;
		if (c->unknown)
			tui_put(g, l->lane_x + x, y, s->glyphs->unknown, TUI_UNKNOWN);
		else if (row == TUI_JEC)
			tui_put(g, l->lane_x + x, y, jec_glyph(s->glyphs, c), TUI_BOLD);
		else
			tui_put(g, l->lane_x + x, y, bar_glyph(s, p, g->ascii, mean), styles[row]);
	}
}

static void draw_name(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g,
		      int y, enum tui_counter row, const struct tui_counters *now)
{
	int end = l->lane_x - 1;
	int x =
	    tui_text(g, 1, y, end, styles[row], (tui_is_foreign(s) ? foreign_names : names)[row]);

	if (row == TUI_JEC && tui_is_foreign(s))
		return;
	if (row != TUI_JEC)
		tui_textf(g, x < 10 ? 10 : x, y, end, TUI_PLAIN, "%3u", now->count[row]);
	else if (now->has_jec)
		tui_textf(g, x, y, end, TUI_PLAIN, "%9" PRIu64, now->jec);
	else
		tui_textf(g, x, y, end, TUI_DIM, "     none");
}

void tui_draw_counters(const struct tui_scene *s, const struct tui_layout *l, struct tui_grid *g)
{
	const struct doze_pool_view *p = tui_selected_pool(s);
	struct tui_counter_cell *cells = calloc((size_t)s->view.cells, sizeof *cells);
	struct tui_counters now;

	if (p && cells && l->counters_n > 0) {
		now = counters_now(s, p);
		if (cells_from_words(s, p, cells))
			subtract_blocked(s, p, cells);
		else
			cells_from_states(s, p, cells);
		hatch_losses(s, cells);
		for (int i = 0; i < l->counters_n; i++) {
			enum tui_counter row = counter_in(l->counters_n, i);

			draw_name(s, l, g, l->counters_y + i, row, &now);
			draw_row(s, l, g, l->counters_y + i, row, p, cells);
		}
	}
	free(cells);
}
