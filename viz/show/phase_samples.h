/*
 * SPDX-License-Identifier: MIT
 *
 * phase_samples.h - divides a run into phases, by its marks or into parts of equal length.
 *
 * Samples are taken while the model processes the trace, at each mark and at regular intervals.
 * When there are too many regular samples, every other one is dropped, so memory is bounded and one
 * pass is enough.
 *
 * The verdict on a wake becomes known only some time after the wake, and a storm only after it has
 * ended. Both are counted in the phase in which the wake was notified or the storm began. In parts
 * of equal length, times in a state are interpolated between samples, and events are assigned to a
 * part with an accuracy of 1/512 of the run.
 */
#ifndef DOZE_VIZ_PHASE_SAMPLES_H
#define DOZE_VIZ_PHASE_SAMPLES_H

#include "sample.h"

#define DOZE_PHASES_MAX 64 /* maximum number of marks; later marks are ignored */
#define DOZE_TICKS      1024

struct doze_phase_mark {
	char text[64];
	int64_t ts;
	struct doze_sample at;
};

/** Initialise with zeros, then create the model with doze_phases_listener. */
struct doze_phases {
	struct doze_model *model; /* not owned */
	struct doze_phase_mark mark[DOZE_PHASES_MAX];
	size_t marks;
	struct doze_sample
	    began[DOZE_PHASES_MAX + 1]; /* per phase; only the sums that become known late */
	struct doze_sample tick[DOZE_TICKS];
	size_t ticks;
	int64_t tick_ns, next_tick;
	/* Sums per tick_ns of the run. Everything counted since `sorted` belongs to last_bin. */
	struct doze_sample bin[DOZE_TICKS], sorted;
	size_t last_bin;
	struct doze_sample end; /* the whole run; set by doze_phases_finish */
};

/** The listener for creating the model; its ctx is the struct doze_phases, whose .model is set
 * afterwards. */
extern const struct doze_model_listener doze_phases_listener;
/** Call this before the model processes each event. */
void doze_phases_event(struct doze_phases *, const struct doze_event *);
/** Completes the samples. Call this after doze_model_finish. */
void doze_phases_finish(struct doze_phases *);

/** Returns phase i of marks + 1 phases: before the first mark, between two marks, or after the last
 * one. */
struct doze_sample doze_phase(const struct doze_phases *, size_t i);
/** Returns part i of the run, divided into `parts` equal parts. */
struct doze_sample doze_phase_part(const struct doze_phases *, size_t i, size_t parts);

#endif
