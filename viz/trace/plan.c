/*
 * SPDX-License-Identifier: MIT
 *
 * plan.c - see plan.h. Plans are created once per event class. Only doze_plan_look_up may run per
 * event, when consecutive events differ in class.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sorts the steps of a plan, so that the decoder needs no decision per field ---- */

static enum doze_step_run run_of(const struct doze_plan_step *s)
{
	if (s->load == DOZE_LOAD_signed)
		return s->store == DOZE_STORE_32 ? DOZE_RUN_signed_32 : DOZE_RUN_other;
	if (s->load != DOZE_LOAD_unsigned)
		return DOZE_RUN_other;
	switch (s->store) {
	case DOZE_STORE_32:
		return DOZE_RUN_unsigned_32;
	case DOZE_STORE_64:
		return DOZE_RUN_64;
	default:
		return s->store == DOZE_STORE_enum ? DOZE_RUN_enum : DOZE_RUN_other;
	}
}

/* Sorts the steps by run, with insertion sort. */
static void doze_plan_sort(struct doze_plan *p)
{
	for (int r = 0; r < DOZE_RUN_COUNT; r++)
		p->run_end[r] = p->step;
	for (uint32_t i = 0; i < p->steps; i++) {
		struct doze_plan_step s = p->step[i];
		uint32_t k = i;

		for (; k && run_of(&p->step[k - 1]) > run_of(&s); k--)
			p->step[k] = p->step[k - 1];
		p->step[k] = s;
		for (int r = (int)run_of(&s); r < DOZE_RUN_COUNT; r++)
			p->run_end[r]++;
	}
}

#define PREFIX    "doze:"
#define STATEDUMP "lttng_ust_statedump:"
#define ENUM_MAX  4096 /* larger than any enum value of doze, so this value counts as unknown */
#define MAX_STEPS 32

static int member_index(const bt_field_class *structure, const char *name)
{
	uint64_t n = bt_field_class_structure_get_member_count(structure);

	for (uint64_t i = 0; i < n; i++) {
		const bt_field_class_structure_member *m =
		    bt_field_class_structure_borrow_member_by_index_const(structure, i);
		if (strcmp(bt_field_class_structure_member_get_name(m), name) == 0)
			return (int)i;
	}
	return -1;
}

static const bt_field_class *member_class(const bt_field_class *structure, int index)
{
	return bt_field_class_structure_member_borrow_field_class_const(
	    bt_field_class_structure_borrow_member_by_index_const(structure, (uint64_t)index));
}

/* Returns how to load a field class, or -1 for types that cannot be stored (floats, sequences,
 * structures). */
static int class_load(bt_field_class_type t)
{
	switch (t) {
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		return DOZE_LOAD_unsigned;
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		return DOZE_LOAD_signed;
	case BT_FIELD_CLASS_TYPE_BOOL:
		return DOZE_LOAD_bool;
	case BT_FIELD_CLASS_TYPE_STRING:
		return DOZE_LOAD_string;
	default:
		return -1;
	}
}

static bool map_grow(struct doze_enum_map *map, uint64_t count)
{
	int16_t *t = realloc(map->table, count * sizeof(*t));

	if (!t)
		return false;
	for (uint64_t i = map->count; i < count; i++)
		t[i] = -1;
	map->table = t;
	map->count = (uint32_t)count;
	return true;
}

static bool map_range(struct doze_enum_map *map, int64_t lower, int64_t upper, int value)
{
	if (lower < 0 || upper < lower || lower >= ENUM_MAX)
		return true;
	if (upper >= ENUM_MAX)
		upper = ENUM_MAX - 1;
	if ((uint64_t)upper >= map->count && !map_grow(map, (uint64_t)upper + 1))
		return false;
	for (int64_t i = lower; i <= upper; i++)
		map->table[i] = (int16_t)value;
	return true;
}

/* Clamps a value to ENUM_MAX, because all values beyond it are unknown. */
static int64_t cut(uint64_t value)
{
	return value < ENUM_MAX ? (int64_t)value : ENUM_MAX;
}

/* Maps the ranges of label i to the label's value. Sets of unsigned and of signed ranges have
 * different types in Babeltrace. */
static bool map_unsigned(struct doze_enum_map *map, const bt_field_class *fc, uint64_t i,
			 enum doze_vocab vocab)
{
	const bt_field_class_enumeration_unsigned_mapping *m =
	    bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(fc, i);
	const bt_integer_range_set_unsigned *set =
	    bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(m);
	int value = doze_vocab_value(
	    vocab, bt_field_class_enumeration_mapping_get_label(
		       bt_field_class_enumeration_unsigned_mapping_as_mapping_const(m)));
	uint64_t n = bt_integer_range_set_get_range_count(
	    bt_integer_range_set_unsigned_as_range_set_const(set));

	for (uint64_t k = 0; k < n; k++) {
		const bt_integer_range_unsigned *r =
		    bt_integer_range_set_unsigned_borrow_range_by_index_const(set, k);

		if (!map_range(map, cut(bt_integer_range_unsigned_get_lower(r)),
			       cut(bt_integer_range_unsigned_get_upper(r)), value))
			return false;
	}
	return true;
}

static bool map_signed(struct doze_enum_map *map, const bt_field_class *fc, uint64_t i,
		       enum doze_vocab vocab)
{
	const bt_field_class_enumeration_signed_mapping *m =
	    bt_field_class_enumeration_signed_borrow_mapping_by_index_const(fc, i);
	const bt_integer_range_set_signed *set =
	    bt_field_class_enumeration_signed_mapping_borrow_ranges_const(m);
	int value = doze_vocab_value(
	    vocab, bt_field_class_enumeration_mapping_get_label(
		       bt_field_class_enumeration_signed_mapping_as_mapping_const(m)));
	uint64_t n = bt_integer_range_set_get_range_count(
	    bt_integer_range_set_signed_as_range_set_const(set));

	for (uint64_t k = 0; k < n; k++) {
		const bt_integer_range_signed *r =
		    bt_integer_range_set_signed_borrow_range_by_index_const(set, k);

		if (!map_range(map, bt_integer_range_signed_get_lower(r),
			       bt_integer_range_signed_get_upper(r), value))
			return false;
	}
	return true;
}

static bool map_make(struct doze_enum_map *map, const bt_field_class *fc, bt_field_class_type type,
		     enum doze_vocab vocab)
{
	uint64_t n = bt_field_class_enumeration_get_mapping_count(fc);

	for (uint64_t i = 0; i < n; i++) {
		bool ok = type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION
			      ? map_unsigned(map, fc, i, vocab)
			      : map_signed(map, fc, i, vocab);
		if (!ok)
			return false;
	}
	return true;
}

static bool is_enum(bt_field_class_type t)
{
	return t == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION ||
	       t == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION;
}

/* Returns whether a field of this class can be stored as the table specifies. */
static bool fits(bt_field_class_type type, const struct doze_field_spec *spec)
{
	int load = class_load(type);

	if (spec->store == DOZE_STORE_enum)
		return is_enum(type);
	return load >= 0 && (load == DOZE_LOAD_string) == (spec->store == DOZE_STORE_string);
}

static void plan_lacks(struct doze_plan *p, const struct doze_field_spec *spec)
{
	if (doze_event_has_field(p->prototype.kind, spec) &&
	    (!p->lacks || spec->since < p->lacks->since))
		p->lacks = spec;
}

/* Adds the step for one field, if the trace has the field with a suitable type. */
static bool plan_add(struct doze_plan *p, const bt_field_class *payload,
		     const struct doze_field_spec *spec)
{
	int member = member_index(payload, spec->name);
	const bt_field_class *fc = member < 0 ? NULL : member_class(payload, member);
	bt_field_class_type type;
	struct doze_plan_step *s = &p->step[p->steps];

	type = fc ? bt_field_class_get_type(fc) : BT_FIELD_CLASS_TYPE_STRUCTURE;
	if (!fits(type, spec) || p->steps == MAX_STEPS) {
		plan_lacks(p, spec);
		return true;
	}
	*s = (struct doze_plan_step){.member = (uint32_t)member,
				     .load = (uint8_t)class_load(type),
				     .store = (uint8_t)spec->store,
				     .offset = (uint16_t)spec->offset};
	p->steps++;
	return spec->store != DOZE_STORE_enum || map_make(&s->map, fc, type, spec->vocab);
}

static bool plan_fields(struct doze_plan *p, const bt_field_class *payload,
			const struct doze_field_spec *specs)
{
	for (; specs->name; specs++)
		if (!plan_add(p, payload, specs))
			return false;
	return true;
}

static int context_member(const bt_field_class *context, const char *name)
{
	int i = context ? member_index(context, name) : -1;
	int load = i < 0 ? -1 : class_load(bt_field_class_get_type(member_class(context, i)));

	return load == DOZE_LOAD_signed ? i : -1;
}

bool doze_event_class_is_ours(const bt_event_class *ec)
{
	const char *name = bt_event_class_get_name(ec);

	return name && strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

/* Returns the index of the member with this name and type, or -1. */
static int typed_member(const bt_field_class *payload, const char *name, bt_field_class_type type)
{
	int i = payload ? member_index(payload, name) : -1;

	return i >= 0 && bt_field_class_type_is(bt_field_class_get_type(member_class(payload, i)),
						type)
		   ? i
		   : -1;
}

/* Plans the events with which LTTng lists the binaries of a process when the recording starts. */
static void plan_binary(struct doze_plan *p, const bt_event_class *ec,
			const bt_field_class *payload)
{
	const char *name = bt_event_class_get_name(ec);
	bool info = name && !strcmp(name, STATEDUMP "bin_info");
	bool id = name && !strcmp(name, STATEDUMP "build_id");

	p->base = typed_member(payload, "baddr", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
	p->size = typed_member(payload, "memsz", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
	p->path = typed_member(payload, "path", BT_FIELD_CLASS_TYPE_STRING);
	p->id = typed_member(payload, "build_id", BT_FIELD_CLASS_TYPE_ARRAY);
	p->binary = p->base >= 0 && p->vpid_member >= 0 &&
		    ((info && p->size >= 0 && p->path >= 0) || (id && p->id >= 0));
}

static bool plan_make(struct doze_plan *p, const bt_event_class *ec)
{
	const bt_stream_class *sc = bt_event_class_borrow_stream_class_const(ec);
	const bt_field_class *context =
	    bt_stream_class_borrow_event_common_context_field_class_const(sc);
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(ec);
	enum doze_event_kind kind;

	p->foreign = !doze_event_class_is_ours(ec);
	p->has_clock = bt_stream_class_borrow_default_clock_class_const(sc) != NULL;
	p->vpid_member = context_member(context, "vpid");
	if (p->foreign) {
		plan_binary(p, ec, payload);
		return true;
	}
	p->vtid_member = context_member(context, "vtid");
	p->name_member = typed_member(context, "procname", BT_FIELD_CLASS_TYPE_STRING);
	kind = doze_event_kind_named(bt_event_class_get_name(ec) + strlen(PREFIX));
	p->prototype = doze_event_prototype(kind);
	if (!payload)
		return true;
	p->prototype.has_words = member_index(payload, "new") >= 0;
	return plan_fields(p, payload, doze_common_fields) &&
	       plan_fields(p, payload, doze_event_fields(kind));
}

static void plan_free(struct doze_plan *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; p->step && i < p->steps; i++)
		free(p->step[i].map.table);
	free(p->step);
	bt_event_class_put_ref(p->class);
	free(p);
}

static struct doze_plan *plan_new(const bt_event_class *ec)
{
	struct doze_plan *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->step = calloc(MAX_STEPS + 1, sizeof(*p->step));
	p->class = ec;
	bt_event_class_get_ref(ec);
	if (p->step && plan_make(p, ec)) {
		doze_plan_sort(p);
		return p;
	}
	plan_free(p);
	return NULL;
}

static size_t slot_of(const struct doze_plan *const *slots, size_t size, const bt_event_class *ec)
{
	size_t i = ((uintptr_t)ec >> 4) * 0x9e3779b97f4a7c15u >> 20 & (size - 1);

	while (slots[i] && slots[i]->class != ec)
		i = (i + 1) & (size - 1);
	return i;
}

static bool plans_grow(struct doze_plans *ps)
{
	size_t size = ps->size ? ps->size * 2 : 64;
	struct doze_plan **slots = calloc(size, sizeof(struct doze_plan *));

	if (!slots)
		return false;
	for (size_t i = 0; i < ps->size; i++)
		if (ps->slots[i])
			slots[slot_of((const struct doze_plan *const *)slots, size,
				      ps->slots[i]->class)] = ps->slots[i];
	free(ps->slots);
	ps->slots = slots;
	ps->size = size;
	return true;
}

static const struct doze_plan *plans_add(struct doze_plans *ps, const bt_event_class *ec)
{
	struct doze_plan *p;

	if (ps->used * 2 >= ps->size && !plans_grow(ps))
		return NULL;
	p = plan_new(ec);
	if (!p)
		return NULL;
	ps->slots[slot_of((const struct doze_plan *const *)ps->slots, ps->size, ec)] = p;
	ps->used++;
	return p;
}

const struct doze_plan *doze_plan_look_up(struct doze_plans *ps, const bt_event_class *ec)
{
	const struct doze_plan *p = NULL;

	if (ps->size)
		p = ps->slots[slot_of((const struct doze_plan *const *)ps->slots, ps->size, ec)];
	if (!p)
		p = plans_add(ps, ec);
	ps->last = p;
	return p;
}

void doze_plans_clear(struct doze_plans *ps)
{
	for (size_t i = 0; i < ps->size; i++)
		plan_free(ps->slots[i]);
	free(ps->slots);
	*ps = (struct doze_plans){0};
}
