/*
 * SPDX-License-Identifier: MIT
 *
 * gloss.c - see gloss.h.
 *
 * The words are looked up on the screen itself, so every pane and the duel have their explanations
 * without naming them, and a word is explained only while it is visible.
 */
#include "gloss.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 3, ROW_TEXT = 1024 };

/* A word as it appears on the screen, an alternative form or null, and its meaning. Unusual words
 * come first. "\1" stands for a glyph: such a form matches only the legend's entry. */
struct gloss {
	const char *word, *form, *meaning;
};

static const struct gloss glosses[] = {
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
enum { GLOSSES = sizeof glosses / sizeof *glosses };

/* The words on a program without libdoze. The empty entries match nothing. */
static const struct gloss foreign_glosses[GLOSSES] = {
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

/* Returns which glosses have their words in row y, one bit per gloss. */
static uint32_t find_in_row(const struct tui_grid *g, const struct gloss *of, int y)
{
	char text[ROW_TEXT];
	uint32_t found = 0;

	read_row(g, y, text);
	for (int i = 0; i < GLOSSES; i++)
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

/* Writes the selected glosses, except those that do not fit, starting at column x. Returns the next
 * free column. */
static int put(struct tui_grid *g, const struct gloss *all, int x, int y, uint32_t of)
{
	for (int i = 0; i < GLOSSES; i++) {
		if (of >> i & 1 && x + (int)strlen(all[i].meaning) < g->w)
			x = tui_text(g, x, y, g->w, TUI_DIM, all[i].meaning) + GAP;
	}
	return x;
}

void tui_gloss(struct tui_grid *g, bool foreign, int y, int legend, int pane)
{
	const struct gloss *all = foreign ? foreign_glosses : glosses;
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
