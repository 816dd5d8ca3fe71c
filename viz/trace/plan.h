/*
 * SPDX-License-Identifier: MIT
 *
 * plan.h - how to decode one event class of one trace, computed once.
 *
 * A trace names its fields and labels in its metadata; looking up names per event would cost more
 * than Babeltrace itself. The first event of a class therefore creates a plan: a list of {member
 * index, where to store, enum table}. The cache is keyed by the address of the bt_event_class and
 * holds a reference to it, so that the address cannot be reused for another class while the plan
 * lives.
 */
#ifndef DOZE_VIZ_READER_PLAN_H
#define DOZE_VIZ_READER_PLAN_H

#include <babeltrace2/babeltrace.h>

#include "fields.h"

/** Values of one enum field class. Value i in the trace is table[i] in doze; -1 = unknown label. */
struct doze_enum_map {
	int16_t *table; /* owned */
	uint32_t count;
};

/** How a value is read from Babeltrace. */
enum doze_load { DOZE_LOAD_unsigned, DOZE_LOAD_signed, DOZE_LOAD_bool, DOZE_LOAD_string };

/** The steps of a plan are sorted into runs, and the decoder has a loop for each. Almost all fields
 * belong to one of the first four runs. */
enum doze_step_run {
	DOZE_RUN_unsigned_32,
	DOZE_RUN_signed_32,
	DOZE_RUN_64,
	DOZE_RUN_enum, /* enums with unsigned values */
	DOZE_RUN_other,
	DOZE_RUN_COUNT
};

struct doze_plan_step {
	uint32_t member; /* index of the member in its structure */
	uint8_t load, store;
	uint16_t offset;
	struct doze_enum_map map;
};

struct doze_plan {
	const bt_event_class *class; /* owned reference; null = free slot */
	bool foreign;                /* belongs to another provider; skipped unless `binary` */
	bool binary; /* describes a program or library in its members base, size, path and id */
	int32_t base, size, path, id; /* -1: absent */
	bool has_clock;
	int32_t vpid_member, vtid_member, name_member; /* in the common context; -1: absent */
	/* A field of the schema that the trace lacks or stores with another type; null if there is
	 * none. Of several such fields, the one with the lowest `since`. */
	const struct doze_field_spec *lacks;
	uint32_t steps;
	struct doze_plan_step *step;                          /* owned; sorted by run */
	const struct doze_plan_step *run_end[DOZE_RUN_COUNT]; /* end of each run */
	struct doze_event prototype;
};

struct doze_plans {
	struct doze_plan **slots; /* owned; a hash table with open addressing, whose size is a power
				   * of two */
	size_t size, used;
	const struct doze_plan *last; /* not owned; the result of the last look-up */
};

/** Returns the plan of an event class, or null if out of memory. Creates the plan on first use. */
const struct doze_plan *doze_plan_look_up(struct doze_plans *, const bt_event_class *);
static inline const struct doze_plan *doze_plan_find(struct doze_plans *ps,
						     const bt_event_class *ec)
{
	return ps->last && ps->last->class == ec ? ps->last : doze_plan_look_up(ps, ec);
}

/** Returns whether the events of the class come from doze's provider. */
bool doze_event_class_is_ours(const bt_event_class *);
void doze_plans_clear(struct doze_plans *);

#endif
