/*
 * SPDX-License-Identifier: MIT
 *
 * trace_writer_classes.h - the metadata of a written trace: one event class per kind.
 */
#ifndef DOZE_EXPLORER_TRACE_WRITER_CLASSES_H
#define DOZE_EXPLORER_TRACE_WRITER_CLASSES_H

#include <babeltrace2/babeltrace.h>

#include "../../viz/reader/fields.h"
#include "trace_writer.h"

#define TRACE_WRITER_MAX_FIELDS 24

struct trace_writer_class {
	bt_event_class *class; /* owned reference */
	const struct doze_field_spec
	    *field[TRACE_WRITER_MAX_FIELDS]; /* for each member of the payload; null for the
						extra field */
	unsigned fields;
};

struct trace_writer_classes {
	bt_trace *trace;               /* owned reference */
	bt_stream_class *stream_class; /* owned reference */
	struct trace_writer_class kind[DOZE_EV_COUNT];
};

/** Creates the trace, the stream class and the event classes. Returns false if Babeltrace fails. */
bool trace_writer_classes_init(struct trace_writer_classes *, bt_self_component *,
			       const struct trace_writer_options *);
void trace_writer_classes_fini(struct trace_writer_classes *);
/** Fills in an event of the given kind. */
void trace_writer_fill(const struct trace_writer_class *, bt_event *, const struct doze_event *);

#endif
