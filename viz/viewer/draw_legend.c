/*
 * SPDX-License-Identifier: MIT
 *
 * draw_legend.c - draws the legend of the glyphs. The legend is always shown, because an audience
 * cannot press `?`. Rare glyphs have an entry only while they are on the screen. If the legend does
 * not fit, entries are shortened one by one, beginning with the least important words.
 */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "draw.h"
#include "words.h"

enum { COUNTS_W = 120, COUNT_W = 4, ENTRIES = 11, TINY = 8 };

/* An entry of the legend. */
struct entry {
	/* three lengths of the text; `tiny` follows the glyph without a blank */
	const char *full, *brief, *tiny;
	/* entries with a lower rank are shortened to `brief` first; 0: never to `brief` */
	int rank;
	uint32_t glyph;
	enum tui_style style;
	enum doze_state state;
	bool off;
};

/* ---- the entries ---- */

/* Returns whether the entry's glyph is on the screen below row y. ASCII glyphs are also letters, so
 * in ASCII mode this function searches only the lanes and wakes. */
static bool is_on_screen(const struct tui_scene *s, const struct tui_grid *g, int y,
			 const struct entry *e)
{
	int bottom = g->ascii ? s->layout.counters_y : g->h;

	for (int row = y + 1; row < bottom; row++)
		for (int x = 0; x < g->w; x++) {
			const struct tui_cell *c = &g->cells[row * g->w + x];

			if (c->ch == e->glyph && c->style == e->style)
				return true;
		}
	return false;
}

/* Uses the words for programs without libdoze, whose threads are never sleepy or blocked. */
static void rename_entries(struct entry e[ENTRIES])
{
	static const struct {
		const char *full, *brief;
	} words[] = {{"not in a wait that doze sees", "no wait"},
		     {"woken, holds its mutex", "woken"},
		     {NULL, NULL},
		     {"waits", "waits"},
		     {"woken, left its loop", "left loop"},
		     {"at least in vain", "in vain"},
		     {"woken, went on", "went on"}};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		e[i].off = !words[i].full;
		e[i].full = words[i].full;
		e[i].brief = e[i].tiny = words[i].brief;
		e[i].rank = e[i].rank ? e[i].rank : 3;
	}
	e[6].off = true; /* shown if it is on the screen */
	e[10].full = "partly out of waits";
}

static void fill_entries(const struct tui_scene *s, const struct tui_grid *g, int y,
			 struct entry e[ENTRIES])
{
	const struct tui_look *k = s->look;
	const struct entry all[ENTRIES] = {
	    {"works", "works", "work", 0, k->state[DOZE_STATE_active], TUI_ACTIVE,
	     DOZE_STATE_active, false},
	    {"searches", "searches", "search", 0, k->state[DOZE_STATE_idle], TUI_IDLE,
	     DOZE_STATE_idle, false},
	    {"about to sleep", "sleepy", "sleepy", 3, k->state[DOZE_STATE_sleepy], TUI_SLEEPY,
	     DOZE_STATE_sleepy, false},
	    {"sleeps", "sleeps", "sleep", 0, k->state[DOZE_STATE_sleeping], TUI_SLEEPING,
	     DOZE_STATE_sleeping, false},
	    {"woken, useful", "useful", "use", 2, k->wake_used, TUI_WAKE, DOZE_STATE_none, false},
	    {"in vain", "in vain", "vain", 0, k->wake_futile, TUI_FUTILE, DOZE_STATE_none, false},
	    {"other wake", "other", "other", 1, k->wake_other, TUI_PLAIN, DOZE_STATE_none, true},
	    {"not known yet", "open", "open", 1, k->wake_open, TUI_PLAIN, DOZE_STATE_none, true},
	    {"unknown", "unknown", "unknown", 1, k->unknown, TUI_UNKNOWN, DOZE_STATE_none, true},
	    {"blocked", "blocked", "block", 1, k->state[DOZE_STATE_blocked], TUI_BLOCKED,
	     DOZE_STATE_none, true},
	    {"works partly", "partly", "part", 1, k->partly, TUI_ACTIVE, DOZE_STATE_none, true}};

	memcpy(e, all, sizeof all);
	if (tui_is_foreign(s))
		rename_entries(e);
	for (int i = 0; i < ENTRIES; i++)
		e[i].off = !e[i].full || (e[i].off && !is_on_screen(s, g, y, &e[i]));
}

/* ---- shortening the entries ---- */

/* Returns the text of an entry if all entries with a lower rank than `rank` are shortened, or null
 * if the entry is omitted. */
static const char *text_of(const struct entry *e, int rank)
{
	return e->off                      ? NULL
	       : rank >= TINY              ? e->tiny
	       : e->rank && e->rank < rank ? e->brief
					   : e->full;
}

static int width_at(const struct entry e[ENTRIES], int rank, bool counts)
{
	int width = -1; /* there is no blank after the last entry */

	for (int i = 0; i < ENTRIES; i++) {
		const char *text = text_of(&e[i], rank);

		if (text)
			width += (int)strlen(text) + (rank >= TINY ? 2 : 3) +
				 (counts && e[i].state ? COUNT_W : 0);
	}
	return width;
}

/* Counts the workers that are in each state at the time in focus. */
static void count_states(const struct tui_scene *s, unsigned count[DOZE_STATE_COUNT])
{
	memset(count, 0, DOZE_STATE_COUNT * sizeof *count);
	for (size_t i = 0; i < s->now.n_lanes; i++) {
		bool unknown;
		enum doze_state state = tui_state_at_focus(s, s->now.lanes[i], &unknown);

		count[unknown ? DOZE_STATE_none : state]++;
	}
}

/* Draws the entries, leaving `spare` columns free. */
static int draw_entries(const struct tui_scene *s, struct tui_grid *g, int y, bool counts,
			int spare)
{
	unsigned count[DOZE_STATE_COUNT];
	struct entry e[ENTRIES];
	int x = 0, rank = 0;

	count_states(s, count);
	fill_entries(s, g, y, e);
	while (rank < TINY && width_at(e, rank, counts) > g->w - spare)
		rank++;
	for (int i = 0; i < ENTRIES; i++) {
		const char *text = text_of(&e[i], rank);
		int gap = rank < TINY;

		if (!text || x + 1 + gap + (int)strlen(text) > g->w)
			continue;
		tui_put(g, x, y, e[i].glyph, e[i].style);
		x = tui_text(g, x + 1 + gap, y, g->w, TUI_PLAIN, text) + 1;
		if (counts && e[i].state)
			x = tui_textf(g, x, y, g->w, TUI_BOLD, "%-2u", count[e[i].state]) + 1;
	}
	return x;
}

/* ---- the legend ---- */

void tui_draw_glyphs(const struct tui_scene *s, struct tui_grid *g, int y)
{
	draw_entries(s, g, y, false, 0);
}

void tui_draw_legend(const struct tui_scene *s, struct tui_grid *g, int y)
{
	const struct doze_totals *t = &s->now.totals;
	const uint64_t *verdicts = t->verdicts;
	char text[160], n[3][32], ending[64] = "";
	int x, len;

	if (verdicts[DOZE_VERDICT_terminate])
		snprintf(ending, sizeof ending, ", %s to end the pool",
			 tui_count(n[2], sizeof n[2], verdicts[DOZE_VERDICT_terminate]));
	snprintf(text, sizeof text,
		 tui_is_foreign(s) ? "%s: wakes %s, in vain at least %s%s"
				   : "%s: wakes %s, in vain %s%s",
		 tui_scope(s), tui_count(n[0], sizeof n[0], t->wakes),
		 tui_count(n[1], sizeof n[1], verdicts[DOZE_VERDICT_futile]), ending);
	len = g->w >= COUNTS_W ? (int)strlen(text) + 2 : 0;
	x = draw_entries(s, g, y, len > 0, len);
	if (len)
		tui_text(g, x + 1, y, g->w, TUI_PLAIN, text);
}
