/*
 * SPDX-License-Identifier: MIT
 *
 * export.h - a trace in the formats of other programs. One file per format; all of them are fed by
 * the reader and the one model, in one pass, with memory that does not grow with the trace.
 */
#ifndef DOZE_VIZ_EXPORT_H
#define DOZE_VIZ_EXPORT_H

#include <stdio.h>

#include "../model/model.h"

/** What a format works with. Its ctx is the listener's, too. */
struct doze_export {
	FILE *out;                      /* weak */
	const struct doze_model *model; /* weak */
	const char *trace;              /* weak: the folder's name */
	int64_t origin;                 /* ns: the first event; valid after it */
	bool begun;
	uint64_t rows; /* written so far; the format's own count */
	void *own;     /* the format's, from begin to end */
};

struct doze_export_format {
	const char *name, *what;
	/** Facts of the model; its ctx is the struct doze_export. */
	struct doze_model_listener listener;
	/** Before the first event; null: nothing. False: out of memory. */
	bool (*begin)(struct doze_export *);
	/** Each event before the model has folded it in; null: not wanted. */
	void (*event)(struct doze_export *, const struct doze_event *);
	/** Writes the rest, and frees `own`. Called once after begin, also when the trace could not
	 * be read to its end. */
	void (*end)(struct doze_export *);
};

/** All formats; ends with null. */
extern const struct doze_export_format *const doze_export_formats[];
const struct doze_export_format *doze_export_find(const char *name);

struct doze_view;
extern const struct doze_view doze_export_view;

extern const struct doze_export_format doze_export_perfetto, doze_export_csv, doze_export_json,
    doze_export_svg, doze_export_trace_compass;

#endif
