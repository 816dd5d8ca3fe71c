/*
 * SPDX-License-Identifier: MIT
 *
 * score.h - computes for a duel what the wakes of a run have cost up to a given time.
 */
#ifndef DOZE_TUI_SCORE_H
#define DOZE_TUI_SCORE_H

#include "scene.h"

struct tui_score {
	/* duration from the first event to t or to the end, whichever is earlier, ns */
	int64_t time;
	/* number of wakes; how many of them were known to be futile at time t */
	uint64_t wakes, futile;
	int64_t cpu; /* total CPU time of the workers, as last reported, ns */
	bool has_cpu;
	int64_t p99; /* 99th percentile from a post to the start of the job by a woken worker, ns */
	uint64_t measured; /* number of jobs from which p99 is computed */
	uint64_t jobs_run; /* jobs run by all workers, as last reported */
	bool forgotten;    /* the history has dropped a part of the run, so the counts are minima */
};

/** Computes the score of a run up to time t (ns, trace time) from the scene's history. */
void tui_score_take(const struct tui_scene *, int64_t t, struct tui_score *);

#endif
