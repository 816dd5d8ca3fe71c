/*
 * SPDX-License-Identifier: MIT
 *
 * json_lines.c - writes each event as one JSON object on one line, with the field names of
 * tracepoints/README.md. Times are in ns since the epoch. Counters words and ids are integers that
 * may need 64 bits.
 */
#include <inttypes.h>
#include <string.h>

#include "../reader/fields.h"
#include "../text/quote.h"
#include "export.h"

static uint64_t bits_at(const struct doze_field_spec *f, const char *at)
{
	uint64_t v64;
	uint32_t v32;

	if (f->store == DOZE_STORE_64) {
		memcpy(&v64, at, sizeof(v64));
		return v64;
	}
	if (f->store == DOZE_STORE_u8 || f->store == DOZE_STORE_bool)
		return *(const uint8_t *)at;
	memcpy(&v32, at, sizeof(v32));
	return v32;
}

/* The signed 32-bit fields: type i32 in the catalogue. */
static bool is_signed(const char *name)
{
	static const char *const names[] = {"worker", "idle",  "sleeping",
					    "target", "owner", "victim"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void write_value(FILE *out, const struct doze_field_spec *f, const char *at)
{
	uint64_t bits;
	const char *text;

	if (f->store == DOZE_STORE_string) {
		memcpy(&text, at, sizeof(text));
		doze_quote_json(out, text ? text : "");
		return;
	}
	bits = bits_at(f, at);
	text = f->store == DOZE_STORE_enum ? doze_vocab_label(f->vocab, (int)bits) : NULL;
	if (f->store == DOZE_STORE_enum)
		doze_quote_json(out, text ? text : "?");
	else if (f->store == DOZE_STORE_bool)
		fputs(bits ? "true" : "false", out);
	else if (f->store == DOZE_STORE_32 && is_signed(f->name))
		fprintf(out, "%" PRId32, (int32_t)bits);
	else
		fprintf(out, "%" PRIu64, bits);
}

/* Returns whether the event lacks this word. A snapshot has only one word, `new`, which the table
 * of fields lists twice. */
static bool left_out(const struct doze_field_spec *f, const struct doze_event *e)
{
	bool old = f->offset == offsetof(struct doze_event, old_word);

	if (!old && f->offset != offsetof(struct doze_event, new_word))
		return false;
	return !e->has_words || (old && e->kind == DOZE_EV_snapshot);
}

static void write_fields(FILE *out, const struct doze_field_spec *f, const struct doze_event *e)
{
	for (; f->name; f++) {
		if (left_out(f, e))
			continue;
		fprintf(out, ",\"%s\":", f->name);
		write_value(out, f, (const char *)e + f->offset);
	}
}

static void on_event(struct doze_export *x, const struct doze_event *e)
{
	const char *name = doze_event_name(e->kind);

	fprintf(x->out,
		"{\"ts\":%" PRId64 ",\"at\":%" PRId64 ",\"event\":\"%s\",\"host\":%" PRIu32
		",\"cpu\":%" PRId32 ",\"vpid\":%" PRId32 ",\"vtid\":%" PRId32,
		e->ts, e->ts - x->origin, name, e->host, e->cpu, e->vpid, e->vtid);
	write_fields(x->out, doze_common_fields, e);
	write_fields(x->out, doze_event_fields(e->kind), e);
	fputs("}\n", x->out);
	x->rows++;
}

static void on_lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct doze_export *x = ctx;

	fprintf(x->out,
		"{\"ts\":%" PRId64 ",\"at\":%" PRId64 ",\"event\":\"lost\",\"from\":%" PRId64
		",\"to\":%" PRId64 ",\"count\":%" PRIu64 "}\n",
		to, to - x->origin, from, to, count);
	x->rows++;
}

const struct doze_export_format doze_export_json = {
    .name = "json",
    .what = "JSON Lines: each event with all its fields",
    .listener = {.on_lost = on_lost},
    .event = on_event,
};
