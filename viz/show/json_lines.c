/*
 * SPDX-License-Identifier: MIT
 *
 * json_lines.c - writes each event as one JSON object on one line, with the field names of
 * tracepoints/README.md. Times are in ns since the first event; the first line also has its time
 * since the epoch, `ts`. The context procname names an outside thread. Counters words and ids are
 * integers that may need 64 bits. To keep lines short, a field that is newer than schema 1.0 is
 * left out if it is 0, false or empty, and so is host 0.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../trace/fields.h"
#include "../words/quote.h"
#include "export.h"

/*
 * ---- A line of output ----
 *
 * It is built in memory, because formats with a line per event would
 * otherwise spend most of their time in printf.
 */

/* One line of output. It has room for all fields of an event except strings, which go directly to
 * the stream after flush. Text that does not fit is dropped. */
struct out_line {
	char text[2048];
	size_t n;
};

static void put_text(struct out_line *l, const char *s)
{
	size_t n = strlen(s);

	if (n > sizeof l->text - l->n)
		return;
	memcpy(l->text + l->n, s, n);
	l->n += n;
}

static void put_uint(struct out_line *l, uint64_t v)
{
	char digits[20];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	if (n > sizeof l->text - l->n)
		return;
	while (n)
		l->text[l->n++] = digits[--n];
}

static void put_int(struct out_line *l, int64_t v)
{
	if (v < 0)
		put_text(l, "-");
	put_uint(l, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

/* Writes the line so far to the stream and empties it. */
static void flush(struct out_line *l, FILE *out)
{
	fwrite(l->text, 1, l->n, out);
	l->n = 0;
}

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

/* Returns whether the field is a signed 32-bit number: type i32 in the catalogue. */
static bool is_signed(const char *name)
{
	static const char *const names[] = {"worker", "idle",  "sleeping",
					    "target", "owner", "victim"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static const char *string_at(const char *at)
{
	const char *text;

	memcpy(&text, at, sizeof(text));
	return text ? text : "";
}

/* Flushes the line and writes a string to the stream, because a string of any length may not fit in
 * the line. */
static void write_string(struct out_line *l, FILE *out, const char *text)
{
	flush(l, out);
	doze_quote_json(out, text);
}

static void write_value(struct out_line *l, FILE *out, const struct doze_field_spec *f,
			const char *at)
{
	uint64_t bits = f->store == DOZE_STORE_string ? 0 : bits_at(f, at);
	const char *label =
	    f->store == DOZE_STORE_enum ? doze_vocab_label(f->vocab, (int)bits) : NULL;

	if (f->store == DOZE_STORE_string) {
		write_string(l, out, string_at(at));
	} else if (f->store == DOZE_STORE_enum) {
		put_text(l, "\"");
		put_text(l, label ? label : "?"); /* labels need no escapes */
		put_text(l, "\"");
	} else if (f->store == DOZE_STORE_bool) {
		put_text(l, bits ? "true" : "false");
	} else if (f->store == DOZE_STORE_32 && is_signed(f->name)) {
		put_int(l, (int32_t)bits);
	} else {
		put_uint(l, bits);
	}
}

/* Returns whether the event lacks this counters word. A snapshot has only one word: the table of
 * fields lists it as `old` and as `new`, and only `new` is written. */
static bool left_out(const struct doze_field_spec *f, const struct doze_event *e)
{
	bool old = f->offset == offsetof(struct doze_event, old_word);

	if (!old && f->offset != offsetof(struct doze_event, new_word))
		return false;
	return !e->has_words || (old && e->kind == DOZE_EV_snapshot);
}

static bool says_nothing(const struct doze_field_spec *f, const char *at)
{
	if (!f->since || f->store == DOZE_STORE_enum)
		return false;
	return f->store == DOZE_STORE_string ? !*string_at(at) : !bits_at(f, at);
}

static void write_fields(struct out_line *l, FILE *out, const struct doze_field_spec *f,
			 const struct doze_event *e)
{
	for (; f->name; f++) {
		const char *at = (const char *)e + f->offset;

		if (left_out(f, e) || says_nothing(f, at))
			continue;
		put_text(l, ",\"");
		put_text(l, f->name);
		put_text(l, "\":");
		write_value(l, out, f, at);
	}
}

static void named(struct out_line *l, const char *name, int64_t v)
{
	put_text(l, name);
	put_int(l, v);
}

static void on_event(struct doze_export *x, const struct doze_event *e)
{
	struct out_line l;

	l.n = 0;
	put_text(&l, "{");
	if (!x->rows) {
		named(&l, "\"ts\":", e->ts);
		put_text(&l, ",");
	}
	named(&l, "\"at\":", e->ts - x->origin);
	put_text(&l, ",\"event\":\"");
	put_text(&l, doze_event_name(e->kind));
	put_text(&l, "\"");
	if (e->host)
		named(&l, ",\"host\":", e->host);
	named(&l, ",\"cpu\":", e->cpu);
	named(&l, ",\"vpid\":", e->vpid);
	named(&l, ",\"vtid\":", e->vtid);
	if (e->procname && *e->procname) {
		put_text(&l, ",\"procname\":");
		write_string(&l, x->out, e->procname);
	}
	write_fields(&l, x->out, doze_common_fields, e);
	write_fields(&l, x->out, doze_event_fields(e->kind), e);
	put_text(&l, "}\n");
	flush(&l, x->out);
	x->rows++;
}

static void on_lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct doze_export *x = ctx;

	fprintf(x->out,
		"{\"at\":%" PRId64 ",\"event\":\"lost\",\"from\":%" PRId64 ",\"to\":%" PRId64
		",\"count\":%" PRIu64 "}\n",
		to - x->origin, from - x->origin, to - x->origin, count);
	x->rows++;
}

const struct doze_export_format doze_export_json = {
    .name = "json",
    .what = "JSON Lines: each event with all its fields",
    .listener = {.on_lost = on_lost},
    .event = on_event,
};
