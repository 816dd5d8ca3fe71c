/*
 * SPDX-License-Identifier: MIT
 *
 * ranges.h - reads a range of a recording without what is before and after it.
 *
 * While doze reads a whole recording, it saves the state of the model up to DOZE_RANGES_POINTS
 * times (model/part.h); the summary of the recording keeps these states. To show a range, doze
 * continues with the last state before it, reads only the packets from there on, and stops once
 * nothing is in progress that began in the range. The marks are kept, too, to find a phase.
 *
 * Main thread only.
 */
#ifndef DOZE_VIZ_RANGES_H
#define DOZE_VIZ_RANGES_H

#include "../model/model.h"
#include "../model/saved.h"
#include "view.h"

enum {
	/* A range is preceded by at most the 128th part of the recording, because half of the
	 * points are dropped when there are too many. */
	DOZE_RANGES_POINTS = 256,
	DOZE_RANGES_MARKS = 1024, /* later marks are not kept */
};

/** The state of a model after all events up to a time. */
struct doze_ranges_point {
	int64_t ts; /* ns, trace time */
	unsigned char *state;
	size_t size;
};

struct doze_ranges_mark {
	int64_t ts; /* ns, trace time */
	char text[64];
};

/** Initialise with zeros. */
struct doze_ranges {
	struct doze_ranges_point point[DOZE_RANGES_POINTS]; /* in order of time */
	size_t count, bytes;
	uint64_t events;
	/* number of events between two points (0: the usual number); the next point is due before
	 * event `next` */
	uint64_t every, next;
	int64_t first, last;           /* time of the recording's first and last event */
	struct doze_ranges_mark *mark; /* in order of time */
	size_t marks, room;
	bool marks_missing; /* there are others */
};

/** Call this before each event is fed to the model, which must be that of the whole recording. */
void doze_ranges_note(struct doze_ranges *, struct doze_model *, const struct doze_event *);
/** Drops every second point, to save memory. Returns false if there is none left. */
bool doze_ranges_thin(struct doze_ranges *);
/** Limits a selection to a phase, as doze_load_phase does (load_trace.h). Returns false if the
 * marks kept do not tell where it is. */
bool doze_ranges_phase(const struct doze_ranges *, const char *name, struct doze_selection *);
/** Saves or loads the points and marks (model/saved.h). */
void doze_ranges_saved(struct doze_ranges *, struct doze_saved *);
void doze_ranges_free(struct doze_ranges *);

/** A part of a recording. */
struct doze_ranges_part {
	const char *trace; /* folder of the recording */
	struct doze_selection range;
	size_t lead; /* begin with the lead-th point before the range, at least 1 */
};

/** Feeds a part of the recording to a view and its new model, and finishes the model. whole: what
 * was saved of the whole recording, beginning with the model, the symbols, and what the view's
 * member `rest` loads. Returns false without a message if that is not possible; the view must then
 * be closed. A view cannot tell in which order the spans end that go on after the range. */
bool doze_ranges_read(const struct doze_ranges *, const struct doze_view *, void *state,
		      const struct doze_ranges_part *, struct doze_saved *whole,
		      struct doze_model *);

#endif
