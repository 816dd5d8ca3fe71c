/*
 * SPDX-License-Identifier: MIT
 *
 * made_classes.h - the metadata of a made trace: one event class per kind.
 */
#ifndef DOZE_TESTS_MADE_CLASSES_H
#define DOZE_TESTS_MADE_CLASSES_H

#include <babeltrace2/babeltrace.h>

#include "../../viz/reader/fields.h"
#include "trace_writer.h"

#define MADE_MAX_FIELDS 24

struct made_class {
	bt_event_class *class;                                /* owned reference */
	const struct doze_field_spec *field[MADE_MAX_FIELDS]; /* by member; null: the extra one */
	unsigned fields;
};

struct made_classes {
	bt_trace *trace;               /* owned reference */
	bt_stream_class *stream_class; /* owned reference */
	struct made_class kind[DOZE_EV_COUNT];
};

/** Creates trace, stream class and event classes. False when Babeltrace would not. */
bool made_classes_init(struct made_classes *, bt_self_component *, const struct made_options *);
void made_classes_fini(struct made_classes *);
/** Fills an event of that kind. */
void made_fill(const struct made_class *, bt_event *, const struct doze_event *);

#endif
