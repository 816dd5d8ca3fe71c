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

#include "keys.h"
#include "split.h"

struct tui_duel {
	struct tui_scene *side[2]; /* not owned; the caller's scene, and `second` */
	struct tui_scene second;   /* owned */
	const char *label[2];      /* not owned; the policies, or the names of the recordings */
	const char *how;           /* not owned; describes how the runs share the machine */
	int active;
	bool alone;             /* only the active side is shown, with its panes */
	struct tui_split split; /* live: divides the trace, which has the events of both runs */
	char aligned[64];       /* text that names the point at which the times are aligned */
};

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
