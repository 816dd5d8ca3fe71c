/*
 * SPDX-License-Identifier: MIT
 *
 * score.h - what the wakes of a run have cost up to a moment, for a duel.
 */
#ifndef DOZE_TUI_SCORE_H
#define DOZE_TUI_SCORE_H

#include "scene.h"

struct tui_score {
	uint64_t wakes, futile; /* futile: the verdict was known by then */
	int64_t cpu;            /* ns: CPU time of the workers, as last reported */
	bool has_cpu;
	int64_t p99;    /* ns: from a post to the start of the job for which a worker was woken */
	uint64_t jobs;  /* of these, measured */
	bool forgotten; /* the history no longer has all of it: at least so many */
};

/** Adds up what the scene's history has up to t (ns, trace time). */
void tui_score_take(const struct tui_scene *, int64_t t, struct tui_score *);

#endif
