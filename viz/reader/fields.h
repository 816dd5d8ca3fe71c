/*
 * SPDX-License-Identifier: MIT
 *
 * fields.h - where each field of a trace event is stored in a doze_event.
 *
 * The table is the reader's side of the catalogue in tracepoints/README.md: one row per field. A
 * field that the trace's schema does not have yet keeps the default of the event's prototype; a
 * field that has no row is ignored. Both make older and newer minor versions of the schema
 * readable. A trace that lacks a field of its own schema cannot be read (plan.h).
 */
#ifndef DOZE_VIZ_READER_FIELDS_H
#define DOZE_VIZ_READER_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "../event/event.h"
#include "../event/vocab.h"

/** How the value is stored in the doze_event. */
enum doze_store {
	DOZE_STORE_u8,
	DOZE_STORE_32,
	DOZE_STORE_64,
	DOZE_STORE_bool,
	DOZE_STORE_string,
	DOZE_STORE_enum
};

struct doze_field_spec {
	const char *name;
	enum doze_store store;
	enum doze_vocab vocab; /* DOZE_STORE_enum only */
	size_t offset;         /* in struct doze_event */
	uint8_t since;         /* the minor version of the schema that added it */
};

/** Fields of every event: pool, worker, old, new. Ends with name == NULL. */
extern const struct doze_field_spec doze_common_fields[];

/** Further fields of an event. Ends with name == NULL; never null. */
const struct doze_field_spec *doze_event_fields(enum doze_event_kind);

/** Returns whether events of this kind have the field, which is in one of the lists above: only
 * events with a counters word have `old` and `new`. An event of unknown kind needs no field. */
bool doze_event_has_field(enum doze_event_kind, const struct doze_field_spec *);

/** Returns the kind of an event by its name without the provider; DOZE_EV_unknown for others. */
enum doze_event_kind doze_event_kind_named(const char *name);

/** Returns the event before any field is read: its kind, and the defaults of fields that an older
 * schema lacks (numbers 0, strings "", workers, targets, owners and unread counts -1). */
struct doze_event doze_event_prototype(enum doze_event_kind kind);

#endif
