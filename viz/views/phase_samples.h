/*
 * SPDX-License-Identifier: MIT
 *
 * phase_samples.h - cuts a run into phases: between its marks, or into equal parts of its time.
 *
 * Samples are taken while the model folds, at each mark and at regular moments; when there are too
 * many of the latter, every other one is dropped, so that memory is bounded and one pass is enough.
 *
 * A wake's verdict falls, and a storm is known, some time after it began: both belong to the phase
 * that the wake was notified in, or the storm's first one. Times in a state are cut anywhere; what
 * happens is counted whole, in the part of the run that it lies in, to 1/512 of the run.
 */
#ifndef DOZE_VIZ_PHASE_SAMPLES_H
#define DOZE_VIZ_PHASE_SAMPLES_H

#include "sample.h"

#define DOZE_PHASES_MAX 64 /* marks that are kept; the rest belongs to the last phase */
#define DOZE_TICKS      1024

struct doze_phase_mark {
	char text[64];
	int64_t ts;
	struct doze_sample at;
};

/** Zero it, then doze_phases_model creates the model that fills it. */
struct doze_phases {
	struct doze_model *model; /* weak */
	struct doze_phase_mark mark[DOZE_PHASES_MAX];
	size_t marks;
	struct doze_sample began[DOZE_PHASES_MAX + 1]; /* by phase: only what is known later */
	struct doze_sample tick[DOZE_TICKS];
	size_t ticks;
	int64_t tick_ns, next_tick;
	/* What happened in each tick_ns of the run; the last one has all that is not sorted yet. */
	struct doze_sample bin[DOZE_TICKS], sorted;
	size_t last_bin;
	struct doze_sample end; /* of the whole run, after doze_phases_finish */
};

/** The listener to create the model with; its ctx is the struct doze_phases. Set .model then. */
extern const struct doze_model_listener doze_phases_listener;
/** Call before each event is folded in. */
void doze_phases_event(struct doze_phases *, const struct doze_event *);
/** After doze_model_finish. */
void doze_phases_finish(struct doze_phases *);

/** Phases by marks: before the first mark, between marks, after the last; 1 more than marks. */
struct doze_sample doze_phase(const struct doze_phases *, size_t i);
/** Part i of `parts` equal parts of the run. */
struct doze_sample doze_phase_part(const struct doze_phases *, size_t i, size_t parts);

#endif
