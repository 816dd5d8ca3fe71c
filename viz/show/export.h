/*
 * SPDX-License-Identifier: MIT
 *
 * export.h - converts a trace to the formats of other programs, one file per format. The reader and
 * the model feed a format in one pass, and memory use does not grow with the trace.
 */
#ifndef DOZE_VIZ_EXPORT_H
#define DOZE_VIZ_EXPORT_H

#include <stdio.h>

#include "../model/model.h"
#include "selected.h"

/** The state of an export; the format's listener receives it as ctx. */
struct doze_export {
	FILE *out;                      /* not owned */
	const struct doze_model *model; /* not owned */
	const char *trace;              /* not owned; name of the folder */
	int64_t origin;                 /* time of the first event, ns; valid once that event has
					 * been read */
	uint64_t rows; /* number of items written so far; maintained by the format */
	void *own;     /* the format's own state, valid between begin and end */
	/* filters the trace: the format receives only the selected part */
	struct doze_selected selected;
	size_t last_pool; /* guess for doze_pool_of_key */
};

struct doze_export_format {
	const char *name, *what;
	/** The format's listener to the model; its ctx is the struct doze_export. */
	struct doze_model_listener listener;
	/** Called before the first event. Returns false if out of memory. May be null. */
	bool (*begin)(struct doze_export *);
	/** Called with each event before the model processes it. May be null. */
	void (*event)(struct doze_export *, const struct doze_event *);
	/** Writes the end of the output and frees `own`. Called once after begin, even if the trace
	 * could not be read completely. May be null. */
	void (*end)(struct doze_export *);
};

/** All formats; ends with null. */
extern const struct doze_export_format *const doze_export_formats[];
static inline const struct doze_pool_view *doze_export_pool(struct doze_export *x,
							    const struct doze_worker_key *k)
{
	return doze_pool_of_key(x->model, k, &x->last_pool);
}
/** Returns the name of the thread that sent a wake, for a thread that is not a worker of the pool:
 * the name of the thread, such as "feeder", or "worker 0 of pool 2" for a worker of another pool;
 * "" if unknown. The string is valid until the next call. */
const char *doze_export_waker(const struct doze_export *, const struct doze_pool_view *,
			      int32_t vtid);

struct doze_view;
extern const struct doze_view doze_export_view;

extern const struct doze_export_format doze_export_perfetto, doze_export_csv, doze_export_json,
    doze_export_svg, doze_export_trace_compass;

#endif
