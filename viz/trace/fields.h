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

#include "event.h"

/*
 * ---- Translates the enum labels of a trace to values. There is one vocabulary per enum.
 *
 * A trace defines the numbers and labels of its enums. Only the labels are part of the contract, so
 * the reader translates values by label, once per enum class (see plan.c).
 */

/* clang-format off */
#define DOZE_VOCABS(X)                                                                             \
	X(state, STATES) X(reason, REASONS) X(cause, CAUSES) X(scope, SCOPES) X(queue, QUEUES)     \
	X(source, SOURCES) X(steal, STEALS) X(abort, ABORTS) X(jec_cause, JEC_CAUSES)              \
	X(latch_state, LATCH_STATES) X(latch_kind, LATCH_KINDS) X(lock, LOCKS) X(word, WORDS)      \
	X(level, LEVELS) X(wait_kind, WAIT_KINDS)
/* clang-format on */

#define DOZE_ENUM_VOCAB(name, list) DOZE_VOCAB_##name,
enum doze_vocab { DOZE_VOCABS(DOZE_ENUM_VOCAB) DOZE_VOCAB_COUNT };

/** Returns the value of a label, or -1 if this version does not know it. Any thread. */
int doze_vocab_value(enum doze_vocab vocab, const char *label);
/** Returns the label of a value, or null past the end of the vocabulary. Any thread. */
const char *doze_vocab_label(enum doze_vocab vocab, int value);

/** How a value is stored in struct doze_event. */
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
	enum doze_vocab vocab; /* for DOZE_STORE_enum only */
	size_t offset;         /* offset in struct doze_event */
	uint8_t since;         /* minor version of the schema that added the field */
};

/** Fields of every event: pool, worker, old, new. The list ends with name == NULL. */
extern const struct doze_field_spec doze_common_fields[];

/** Returns the other fields of an event. The list ends with name == NULL; never null. */
const struct doze_field_spec *doze_event_fields(enum doze_event_kind);

/** Returns whether events of this kind have the field, which must be in one of the lists above.
 * Only events with a counters word have `old` and `new`. An event of unknown kind needs none of the
 * fields. */
bool doze_event_has_field(enum doze_event_kind, const struct doze_field_spec *);

/** Returns the kind of an event, given its name without the provider; DOZE_EV_unknown for other
 * names. */
enum doze_event_kind doze_event_kind_named(const char *name);

/** Returns an event as it is before any field is read: its kind, and defaults for fields that
 * older schemas lack (0 for numbers, "" for strings, -1 for workers, targets, owners and unread
 * counts). */
struct doze_event doze_event_prototype(enum doze_event_kind kind);

#endif
