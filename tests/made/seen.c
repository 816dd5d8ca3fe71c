/*
 * SPDX-License-Identifier: MIT
 *
 * seen.c - see seen.h.
 */
#include "seen.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "../../viz/reader/fields.h"
#include "scratch.h"

struct seen seen;

void keep_event(void *ctx, const struct doze_event *e)
{
	struct seen *s = &seen;

	(void)ctx;
	const char *text = "";

	if (s->events == MAX_SEEN)
		return;
	if (e->kind == DOZE_EV_mark)
		text = e->u.mark.text;
	else if (e->kind == DOZE_EV_pool_start)
		text = e->u.pool_start.policy;
	snprintf(s->text[s->events], sizeof(s->text[0]), "%s", text);
	s->event[s->events++] = *e;
}

static void keep_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct seen *s = ctx;

	s->losses++;
	s->loss_from = from;
	s->loss_to = to;
	s->lost += count;
}

static const struct doze_reader_sink keeper = {.event = keep_event, .discarded = keep_loss};

void read_dir(const char *dir)
{
	struct doze_reader *r;

	memset(&seen, 0, sizeof(seen));
	r = doze_reader_open_dir(dir, seen.error, sizeof(seen.error));
	seen.status = DOZE_READER_ERROR;
	if (!r)
		return;
	seen.status = doze_reader_run(r, &keeper, &seen);
	seen.counts = doze_reader_counts(r);
	seen.saw_doze = doze_reader_saw_doze(r);
	snprintf(seen.error, sizeof(seen.error), "%s", doze_reader_error(r));
	doze_reader_free(r);
}

struct doze_event at(int64_t ts, enum doze_event_kind kind, int32_t worker)
{
	struct doze_event e = doze_event_prototype(kind);

	e.ts = ts;
	e.pool = 1;
	e.worker = worker;
	e.vpid = 42;
	e.vtid = 43;
	e.cpu = 0;
	return e;
}

void make(const struct made_options *o, const struct doze_event *e, size_t n)
{
	CU_ASSERT_EQUAL_FATAL(made_write_array(scratch("t"), o, e, n), 0);
}

void in_scratch(void (*test)(void))
{
	scratch_begin();
	test();
	scratch_end();
}
