/*
 * SPDX-License-Identifier: MIT
 *
 * explore_trace.c - converts the lines of --events (record.c) into a CTF trace.
 *
 *	explore-trace FILE DIR
 *
 * The clock is synthetic: a step takes ten milliseconds, so that a whole execution fits on one
 * screen of the timeline. A final mark describes how the execution ended. It follows the last step
 * by half a second, more than `doze check` requires to report a job as stranded.
 *
 * A line `CLOCK lost POOL WORKER events=N` means that N events of that thread were discarded since
 * its last recorded event. LTTng discards events per CPU, so in a trace with losses each thread
 * gets its own CPU.
 *
 * trace_writer.c writes the trace.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../viz/trace/fields.h"
#include "../../viz/trace/grow.h"
#include "trace_writer.h"

#define STEP_NS  INT64_C(10000000)
#define EPOCH_NS INT64_C(1700000000000000000) /* an arbitrary but fixed date */
#define AFTER_NS INT64_C(500000000)

struct entry {
	struct doze_event event;
	uint64_t lost; /* number of lost events; 0 if the entry is an event */
};

static struct {
	const char *file;
	struct entry *entry;
	size_t used, room, next;
	unsigned line;
	bool losses;
} in;

static _Noreturn void bad(const char *what)
{
	fprintf(stderr, "explore-trace: %s:%u: %s\n", in.file, in.line, what);
	exit(3);
}

static void *need(void *p)
{
	if (!p)
		bad("out of memory");
	return p;
}

static const struct doze_field_spec *find_in(const struct doze_field_spec *f, const char *name)
{
	for (; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

static void put(struct doze_event *e, const struct doze_field_spec *f, const char *text)
{
	char *at = (char *)e + f->offset;
	/* strtoull accepts a minus sign and wraps around, so the casts below also work for signed
	 * fields. */
	unsigned long long value = strtoull(text, NULL, 0);
	uint32_t v32 = (uint32_t)value;
	uint64_t v64 = value;
	bool flag = value != 0;
	const char *string;

	switch (f->store) {
	case DOZE_STORE_u8:
		*at = (char)(uint8_t)value;
		break;
	case DOZE_STORE_32:
	case DOZE_STORE_enum:
		memcpy(at, &v32, sizeof(v32));
		break;
	case DOZE_STORE_64:
		memcpy(at, &v64, sizeof(v64));
		break;
	case DOZE_STORE_bool:
		memcpy(at, &flag, sizeof(flag));
		break;
	case DOZE_STORE_string:
		string = need(strdup(text));
		memcpy(at, &string, sizeof(string));
		break;
	}
}

static void add(const struct doze_event *e, uint64_t lost)
{
	in.entry = need(doze_grow(in.entry, &in.room, in.used, sizeof(*in.entry)));
	in.entry[in.used++] = (struct entry){*e, lost};
	in.losses |= lost != 0;
}

static void take_loss(struct doze_event *e, const char *fields)
{
	unsigned long long lost;
	if (sscanf(fields, " events=%llu", &lost) != 1 || lost == 0)
		bad("lost events need a field events=N");
	add(e, lost);
}

static void take_field(struct doze_event *e, char *word)
{
	char *value = strchr(word, '=');
	if (!value)
		bad("a word does not have the form field=value");
	*value++ = '\0';
	const struct doze_field_spec *f = find_in(doze_event_fields(e->kind), word);
	if (!f)
		f = find_in(doze_common_fields, word);
	if (!f)
		bad("unknown field");
	put(e, f, value);
	if (!strcmp(word, "old"))
		e->has_words = true;
}

static void take_line(char *line)
{
	char name[32];
	unsigned long long clock;
	unsigned pool;
	int worker, n = 0;

	if (sscanf(line, "%llu %31s %u %d%n", &clock, name, &pool, &worker, &n) != 4)
		bad("the line does not begin with CLOCK EVENT POOL WORKER");
	struct doze_event e = doze_event_prototype(doze_event_kind_named(name));
	bool lost = strcmp(name, "lost") == 0;
	if (e.kind == DOZE_EV_unknown && !lost)
		bad("unknown event");
	e.ts = EPOCH_NS + (int64_t)clock * STEP_NS;
	e.pool = pool;
	e.worker = worker;
	e.vpid = 1;
	e.vtid = 2 + worker;
	if (lost) {
		take_loss(&e, line + n);
		return;
	}
	for (char *word = strtok(line + n, " \n"); word; word = strtok(NULL, " \n"))
		take_field(&e, word);
	add(&e, 0);
}

static void add_end(const char *text)
{
	struct doze_event e = doze_event_prototype(DOZE_EV_mark);
	e.ts = (in.used ? in.entry[in.used - 1].event.ts : EPOCH_NS) + AFTER_NS;
	e.pool = 1;
	e.worker = -1;
	e.vpid = 1;
	e.vtid = 1;
	e.u.mark.text = need(strndup(text, 63));
	add(&e, 0);
}

static enum trace_writer_step next_entry(void *ctx, struct doze_event *event, uint64_t *lost)
{
	(void)ctx;
	if (in.next == in.used)
		return TRACE_WRITER_END;
	const struct entry *entry = &in.entry[in.next++];
	*event = entry->event;
	if (in.losses)
		event->cpu = event->worker + 1;
	*lost = entry->lost;
	return entry->lost ? TRACE_WRITER_LOSS : TRACE_WRITER_EVENT;
}

int main(int argc, char **argv)
{
	char line[1024];

	if (argc != 3) {
		fprintf(stderr,
			"usage: explore-trace FILE DIR\n"
			"Converts FILE, which --events wrote, to a trace in the new folder DIR.\n");
		return 2;
	}
	in.file = argv[1];
	FILE *f = fopen(argv[1], "r");
	if (!f) {
		fprintf(stderr, "explore-trace: cannot open %s: %s\n", argv[1], strerror(errno));
		return 3;
	}
	while (fgets(line, sizeof(line), f)) {
		in.line++;
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "end ", 4))
			add_end(line + 4);
		else
			take_line(line);
	}
	fclose(f);
	return trace_writer_write(argv[2], NULL, next_entry, NULL) == 0 ? 0 : 1;
}
