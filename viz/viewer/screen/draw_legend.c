/*
 * SPDX-License-Identifier: MIT
 *
 * draw_legend.c - draws the legend of the glyphs. The legend is always shown, because an audience
 * cannot press `?`. Rare glyphs have an entry only while they are on the screen. If the legend does
 * not fit, entries are shortened one by one, beginning with the least important words.
 */
#include <stdio.h>
#include <string.h>

#include "../../words/units.h"
#include "parts.h"
#include "phrases.h"

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
	const struct tui_glyphs *k = s->glyphs;
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
	char text[160], ending[64] = "";
	int x, len;

	if (verdicts[DOZE_VERDICT_terminate])
		snprintf(ending, sizeof ending, ", %s to end the pool",
			 doze_count(verdicts[DOZE_VERDICT_terminate]));
	snprintf(text, sizeof text,
		 tui_is_foreign(s) ? "%s: wakes %s, in vain at least %s%s"
				   : "%s: wakes %s, in vain %s%s",
		 tui_scope(s), doze_count(t->wakes), doze_count(verdicts[DOZE_VERDICT_futile]),
		 ending);
	len = g->w >= COUNTS_W ? (int)strlen(text) + 2 : 0;
	x = draw_entries(s, g, y, len > 0, len);
	if (len)
		tui_text(g, x + 1, y, g->w, TUI_PLAIN, text);
}

/*
 * ---- unusual words
 *
 * The words are looked up on the screen itself, so every pane and the duel have their explanations
 * without naming them, and a word is explained only while it is visible.
 */

enum { GAP = 3, ROW_TEXT = 1024 };

/* A word as it appears on the screen, an alternative form or null, and its meaning. Unusual words
 * come first. "\1" stands for a glyph: such a form matches only the legend's entry. */
struct meaning {
	const char *word, *form, *meaning;
};

static const struct meaning meanings[] = {
    {"p99 wait", NULL, "p99 wait: of the jobs for which a worker was woken, 99 % waited no longer"},
    {"in vain", "vain", "in vain: the worker was woken, found no job and slept again"},
    {"tickle", NULL, "tickle: the policy that wakes all sleepers at each post and after each job"},
    {"latch", NULL, "latch: a flag that a worker waits for, such as \"this job has finished\""},
    {"blocked", NULL,
     "blocked: waits outside the pool, for something that the trace does not show"},
    {"not known yet", "\1 open", "open, not known yet: woken, but has neither run a job nor slept"},
    {"\1 unknown", "\1unknown", "unknown: the trace does not show what the worker did"},
    {"JEC", NULL,
     "JEC: the jobs event counter: even once a worker is about to sleep, odd after a post"},
    {"jec", NULL, "jec: the policy that counts posts, so that no worker sleeps through one"},
    {"\1 other", "\1other", "other: wakes that end the pool, have no effect or no recorded result"},
    {"partly", NULL, "partly: worked, but not all the time that the column covers"},
};
enum { MEANINGS = sizeof meanings / sizeof *meanings };

/* The words on a program without libdoze. The empty entries match nothing. */
static const struct meaning foreign_meanings[MEANINGS] = {
    {"in vain", NULL,
     "in vain: woken, and waited again before releasing its mutex; others may be in vain, too"},
    {"left loop", "left its loop",
     "left its loop: woken, and did not wait again where other threads had"},
    {"went on", NULL, "went on: woken; whether it found what it waited for is not known"},
    {"no wait", NULL, "no wait: not in a wait that doze sees"},
    {"\1 unknown", "\1unknown", "unknown: the trace does not show what the thread did"},
};

static void read_row(const struct tui_grid *g, int y, char out[ROW_TEXT])
{
	const struct tui_cell *row = &g->cells[(size_t)y * (size_t)g->w];
	int x = 0;

	for (; x < g->w && x < ROW_TEXT - 1; x++)
		out[x] = row[x].ch > 0 && row[x].ch < 0x7f ? (char)row[x].ch : '\1';
	out[x] = '\0';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Returns whether the text contains the word as a whole word. */
static bool contains(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		if ((at == text || !is_letter(at[-1])) && !is_letter(at[n]))
			return true;
	return false;
}

/* Returns which meanings have their words in row y, one bit per meaning. */
static uint32_t find_in_row(const struct tui_grid *g, const struct meaning *of, int y)
{
	char text[ROW_TEXT];
	uint32_t found = 0;

	read_row(g, y, text);
	for (int i = 0; i < MEANINGS; i++)
		if (of[i].word &&
		    (contains(text, of[i].word) || (of[i].form && contains(text, of[i].form))))
			found |= 1u << i;
	return found;
}

static bool is_empty(const struct tui_grid *g, int y)
{
	for (int x = 0; x < g->w; x++)
		if (g->cells[(size_t)y * (size_t)g->w + (size_t)x].ch != ' ')
			return false;
	return true;
}

/* Writes the selected meanings, except those that do not fit, starting at column x. Returns the
 * next free column. */
static int put(struct tui_grid *g, const struct meaning *all, int x, int y, uint32_t of)
{
	for (int i = 0; i < MEANINGS; i++) {
		if (of >> i & 1 && x + (int)strlen(all[i].meaning) < g->w)
			x = tui_text(g, x, y, g->w, TUI_DIM, all[i].meaning) + GAP;
	}
	return x;
}

void tui_explain_words(struct tui_grid *g, bool foreign, int y, int legend, int pane)
{
	const struct meaning *all = foreign ? foreign_meanings : meanings;
	uint32_t found = 0, first = 0, last = 0;

	if (!is_empty(g, y))
		return;
	for (int row = 0; row < y; row++) {
		uint32_t in_row = find_in_row(g, all, row);

		if (row == legend)
			last = in_row;
		else
			found |= in_row;
		if (row >= pane && g->cells[(size_t)row * (size_t)g->w].ch == '>')
			first = in_row;
	}
	put(g, all, put(g, all, put(g, all, 1, y, first), y, found & ~first), y, last & ~found);
}
