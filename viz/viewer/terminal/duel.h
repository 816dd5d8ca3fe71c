/*
 * SPDX-License-Identifier: MIT
 *
 * duel.h - shows two runs of one workload, one above the other, as two scenes whose views move
 * together.
 *
 * One run is active: its scene receives the keys, and the other scene shows the corresponding part
 * of its run. The times are aligned at the last mark before the focus that both runs have, or
 * otherwise at the first events. A phase of one run is thus above the same phase of the other.
 */
#ifndef DOZE_TUI_DUEL_H
#define DOZE_TUI_DUEL_H

#include "../screen/scene.h"
#include "../store/feed.h"
#include "keys.h"

/* ---- the score: what the wakes of a run have cost up to a given time ---- */

struct tui_score {
	/* duration from the first event to t or to the end, whichever is earlier, ns */
	int64_t time;
	/* number of wakes except those that end the pool, which say nothing about the policy; how
	 * many of them were known to be futile at time t */
	uint64_t wakes, futile;
	int64_t cpu; /* total CPU time of the workers, as last reported, ns */
	bool has_cpu;
	int64_t p99;       /* 99th percentile of DOZE_DELAY_publish_job, ns */
	uint64_t measured; /* number of jobs from which p99 is computed */
	uint64_t jobs_run; /* jobs run by all workers, as last reported */
	bool forgotten;    /* the history has dropped a part of the run, so the counts are minima */
};

/** Computes the score of a run up to time t (ns, trace time) from the scene's history. */
void tui_score_take(const struct tui_scene *, int64_t t, struct tui_score *);

/*
 * ---- which run wins a duel, and on which measures: pure functions of the two
 * scores.
 */

/** The measures by which the runs of a duel are compared. The lower value wins. */
enum tui_contest { TUI_BY_WAKES, TUI_BY_VAIN, TUI_BY_CPU, TUI_BY_P99, TUI_CONTESTS };

/** The names of these measures: in a sentence, and above their column. */
extern const struct tui_contest_kind {
	const char *name, *column;
} tui_contests[TUI_CONTESTS];

enum {
	TUI_EVEN = -1, /* the values differ by at most 5 % */
	/* a value is missing or based on too few jobs, or the runs are not comparable */
	TUI_UNJUDGED = -2,
	TUI_P99_LEAST = 20 /* minimum number of jobs for judging the 99th percentile */
};

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

struct tui_duel {
	struct tui_scene *side[2]; /* not owned; the caller's scene, and `second` */
	struct tui_scene second;   /* owned */
	const char *label[2];      /* not owned; the policies, or the names of the recordings */
	const char *how;           /* not owned; describes how the runs share the machine */
	int active;
	bool alone; /* only the active side is shown, with its panes */
	struct tui_policy_split
	    split;        /* live: divides the trace, which has the events of both runs */
	char aligned[64]; /* text that names the point at which the times are aligned */
};

struct doze_tui_options;

/** Fills in a zeroed scene from the options. Returns false if out of memory. */
bool tui_scene_open(struct tui_scene *, const struct doze_tui_options *, bool ascii);
/** Fills in a zeroed duel. The caller has opened `first` with the same options. Returns false if
 * out of memory. */
bool tui_duel_open(struct tui_duel *, struct tui_scene *first, const struct doze_tui_options *,
		   bool ascii);
/** Updates both scenes, and makes their windows show corresponding times. */
void tui_duel_update(struct tui_duel *);
void tui_duel_draw(struct tui_duel *, struct tui_grid *);
/** Draws only the parts that move with time, into the grid of the last tui_duel_draw. */
void tui_duel_draw_picture(struct tui_duel *, struct tui_grid *);
enum tui_answer tui_duel_key(struct tui_duel *, int key);
/** Returns the label of a run: its policy, or the recording's folder if both runs have the same
 * policy. */
const char *tui_duel_label(const struct tui_duel *, int side);
/** Frees the second scene and its history. */
void tui_duel_free(struct tui_duel *);

/** Returns the difference between the times of two runs: time t of `a` corresponds to t +
 * difference in `b`. Writes a text that names the point at which the times are aligned into `where`
 * (size bytes). */
int64_t tui_duel_shift(const struct tui_scene *a, const struct tui_scene *b, char *where,
		       size_t size);

#endif
