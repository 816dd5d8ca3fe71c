/*
 * SPDX-License-Identifier: MIT
 *
 * contest.c - see contest.h.
 *
 * Two runs of the same program never give exactly the same measurements, so a small difference does
 * not count as a win.
 */
#include "contest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../trace/utf8.h"
#include "../words/units.h"

/* A run wins if its value is below WON percent of the other run's value. Runs are comparable if
 * each has done at least SAME percent of the other's jobs. */
enum { WON = 95, SAME = 90 };

static const char *const names[TUI_CONTESTS] = {"wakes", "wakes in vain", "CPU", "p99"};

bool tui_contest_is_fair(const struct tui_score score[2])
{
	uint64_t a = score[0].jobs_run, b = score[1].jobs_run;

	return 100 * (a < b ? a : b) >= SAME * (a < b ? b : a);
}

/* Stores a run's value of the measure. Returns false if the run has no such value. */
static bool value_of(const struct tui_score *k, enum tui_contest by, int64_t *value)
{
	switch (by) {
	case TUI_BY_WAKES:
		*value = (int64_t)k->wakes;
		return true;
	case TUI_BY_VAIN:
		*value = (int64_t)k->futile;
		return true;
	case TUI_BY_CPU:
		*value = k->cpu;
		return k->has_cpu;
	default:
		*value = k->p99;
		return k->measured >= TUI_P99_LEAST;
	}
}

int tui_contest_winner(const struct tui_score score[2], enum tui_contest by)
{
	int64_t a, b;

	if (!tui_contest_is_fair(score) || !value_of(&score[0], by, &a) ||
	    !value_of(&score[1], by, &b))
		return TUI_UNJUDGED;
	if (100 * (a < b ? a : b) >= WON * (a < b ? b : a))
		return TUI_EVEN;
	return a < b ? 0 : 1;
}

/* ---- the sentence ---- */

static void add(char *out, size_t size, const char *text)
{
	size_t n = strlen(out);

	snprintf(out + n, size - n, "%s", text);
}

/* Returns whether the sentence can omit the result for wakes in vain, because neither run wins on
 * them, or the same run also wins on all wakes. */
static bool is_part_of_wakes(const int result[TUI_CONTESTS])
{
	return result[TUI_BY_VAIN] == result[TUI_BY_WAKES] || result[TUI_BY_VAIN] == TUI_EVEN;
}

/* Appends the names of the measures with this result, such as "wakes, CPU and p99". Returns whether
 * there are any. */
static bool add_names(char *out, size_t size, const int result[TUI_CONTESTS], int wanted,
		      const char *before)
{
	const char *found[TUI_CONTESTS];
	int n = 0;

	for (int i = 0; i < TUI_CONTESTS; i++)
		if (result[i] == wanted && !(i == TUI_BY_VAIN && is_part_of_wakes(result)))
			found[n++] = names[i];
	if (n)
		add(out, size, before);
	for (int i = 0; i < n; i++) {
		add(out, size, !i ? " " : i + 1 == n ? " and " : ", ");
		add(out, size, found[i]);
	}
	return n > 0;
}

/* Writes, for example, "jec wins on wakes, tickle on CPU, even on p99". */
static void winner_text(const struct tui_score score[2], const struct tui_contest_names *n,
			char *out, size_t size)
{
	int result[TUI_CONTESTS];
	char before[80];
	bool any = false;

	for (int i = 0; i < TUI_CONTESTS; i++)
		result[i] = tui_contest_winner(score, (enum tui_contest)i);
	for (int i = 0; i < 2; i++) {
		snprintf(before, sizeof before, "%s%s %s", any ? ", " : "", n->label[i],
			 any ? "on" : "wins on");
		any |= add_names(out, size, result, i, before);
	}
	if (!any)
		add(out, size, "no winner");
	add_names(out, size, result, TUI_EVEN, ", even on");
}

/* Writes, for example, "no winner yet: jec has run 200 jobs, tickle 40". */
static void unfair_text(const struct tui_score score[2], const struct tui_contest_names *n,
			char *out, size_t size)
{
	snprintf(out, size, "no winner%s: %s has run %s, %s %" PRIu64, n->running ? " yet" : "",
		 n->label[0], doze_plural(score[0].jobs_run, "job"), n->label[1],
		 score[1].jobs_run);
}

char *tui_contest_text(const struct tui_score score[2], const struct tui_contest_names *n, int room,
		       char *out, size_t size)
{
	char winner[240] = "";

	if (n->foreign) {
		snprintf(out, size,
			 "%s: at least %" PRIu64 " of %s in vain; %s: at least %" PRIu64
			 " of %" PRIu64,
			 n->label[0], score[0].futile, doze_plural(score[0].wakes, "wake"),
			 n->label[1], score[1].futile, score[1].wakes);
		return out;
	}
	if (tui_contest_is_fair(score))
		winner_text(score, n, winner, sizeof winner);
	else
		unfair_text(score, n, winner, sizeof winner);
	snprintf(out, size,
		 "%s: %s, %" PRIu64 " in vain; %s: %" PRIu64 ", %" PRIu64 " in vain %s %s",
		 n->label[0], doze_plural(score[0].wakes, "wake"), score[0].futile, n->label[1],
		 score[1].wakes, score[1].futile, n->dash, winner);
	if ((int)doze_utf8_columns(out, SIZE_MAX) > room)
		snprintf(out, size, "%s", winner);
	return out;
}
