/*
 * SPDX-License-Identifier: MIT
 *
 * score.h - what the wakes of a run have cost up to a moment, for a duel.
 */
#ifndef DOZE_TUI_SCORE_H
#define DOZE_TUI_SCORE_H

#include "scene.h"

struct tui_score {
	int64_t time;           /* from the first event to t or to the end, ns */
	uint64_t wakes, futile; /* futile: only those whose verdict was known by then */
	int64_t cpu;            /* CPU time of the workers, as last reported, ns */
	bool has_cpu;
	int64_t p99; /* from a post to the start of the job for which a worker was woken, ns */
	uint64_t measured; /* number of jobs from which p99 was computed */
	uint64_t jobs_run; /* jobs run by all workers, as last reported */
	bool forgotten;    /* part of the run is no longer in the history: the counts are minima */
};

/** Adds up the part of the scene's history before or at t (ns, trace time). */
void tui_score_take(const struct tui_scene *, int64_t t, struct tui_score *);

#endif
