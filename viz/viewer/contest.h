/*
 * SPDX-License-Identifier: MIT
 *
 * contest.h - decides which run wins a duel, and on which measures: pure functions of the two
 * scores.
 */
#ifndef DOZE_TUI_CONTEST_H
#define DOZE_TUI_CONTEST_H

#include "score.h"

/** The measures by which the runs of a duel are compared. The lower value wins. */
enum tui_contest { TUI_BY_WAKES, TUI_BY_VAIN, TUI_BY_CPU, TUI_BY_P99, TUI_CONTESTS };

enum {
	TUI_EVEN = -1, /* the values differ by at most 5 % */
	/* a value is missing or based on too few jobs, or the runs are not comparable */
	TUI_UNJUDGED = -2,
	TUI_P99_LEAST = 20 /* minimum number of jobs for judging the 99th percentile */
};

/** Returns whether both runs have done about the same work: their numbers of jobs differ by at most
 * 10 %. */
bool tui_contest_is_fair(const struct tui_score score[2]);
/** Returns the run (0 or 1) that wins, TUI_EVEN or TUI_UNJUDGED. An unfair contest has no
 * winner. */
int tui_contest_winner(const struct tui_score score[2], enum tui_contest);

/** What tui_contest_text needs besides the scores. */
struct tui_contest_names {
	const char *label[2]; /* not owned: the names of the runs */
	const char *dash;     /* the dash between the counts and the winner */
	bool foreign;         /* the programs do not use libdoze: no run wins, counts are bounds */
	bool running;         /* a run is still in progress and may catch up */
};

/** Writes "jec: 12 wakes, 3 in vain; tickle: 198, 170 in vain - jec wins on wakes, CPU and p99". If
 * that needs more than `room` columns, writes only the part after the dash. Returns out. */
char *tui_contest_text(const struct tui_score score[2], const struct tui_contest_names *, int room,
		       char *out, size_t size);

#endif
