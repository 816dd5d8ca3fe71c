/*
 * SPDX-License-Identifier: MIT
 *
 * read_ahead_test.c - viz/trace: reading ahead on a second thread, or on one for each part of the
 * streams. Also runs under ThreadSanitizer.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "tests/fixtures/collected_events.h"
#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/read_ahead.h"
#include "viz/trace/reader_int.h"

enum { EVENTS = 60000, STREAMS = 5, LOSS_EVERY = 3001, LONG_TEXT = 6000 };

/* What one run of the reader has delivered. */
struct delivered {
	uint64_t events, losses, hash;
	bool right_thread;
	size_t longest; /* length of the longest mark */
	pthread_t caller;
	struct doze_reader *stop; /* the reader that the first event stops; null: none */
};

static void mix(struct delivered *d, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		d->hash = (d->hash ^ byte[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
}

static void take_event(void *ctx, const struct doze_event *e)
{
	struct delivered *d = ctx;

	d->events++;
	d->right_thread = d->right_thread && pthread_equal(d->caller, pthread_self());
	mix(d, &e->ts, sizeof e->ts);
	mix(d, &e->kind, sizeof e->kind);
	if (e->kind == DOZE_EV_mark) {
		mix(d, e->u.mark.text, strlen(e->u.mark.text));
		if (strlen(e->u.mark.text) > d->longest)
			d->longest = strlen(e->u.mark.text);
	}
	if (d->stop)
		doze_reader_stop(d->stop);
}

static void take_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct delivered *d = ctx;

	d->losses++;
	mix(d, &from, sizeof from);
	mix(d, &to, sizeof to);
	mix(d, &count, sizeof count);
}

static const struct doze_reader_sink sink = {.event = take_event, .discarded = take_loss};

static int streams; /* of the trace that is written */

/* Returns the next event of a trace in which every tenth event is a mark with its own text, and
 * many events of different streams have the same time. */
static enum trace_writer_step next_event(void *ctx, struct doze_event *e, uint64_t *lost)
{
	static char text[32];
	int i = ++*(int *)ctx;

	*e = at(1000 * (i / 3), i % 10 ? DOZE_EV_woken : DOZE_EV_mark, 0);
	e->cpu = i * 7 / 3 % streams;
	*lost = 5;
	snprintf(text, sizeof text, "mark %d", i);
	if (e->kind == DOZE_EV_mark)
		e->u.mark.text = text;
	if (i > EVENTS)
		return TRACE_WRITER_END;
	return i % LOSS_EVERY ? TRACE_WRITER_EVENT : TRACE_WRITER_LOSS;
}

static void make_long(int number_of_streams)
{
	int i = 0;

	streams = number_of_streams;
	CU_ASSERT_EQUAL_FATAL(trace_writer_write(scratch("t"), NULL, next_event, &i), 0);
}

typedef enum doze_reader_status run_fn(struct doze_reader *, const struct doze_reader_sink *,
				       void *);

static struct delivered run(run_fn *fn, bool stop, enum doze_reader_status expected)
{
	struct delivered d = {.right_thread = true, .caller = pthread_self()};
	char err[512] = "";
	struct doze_reader *r = doze_reader_open_dir(scratch("t"), err, sizeof err);

	CU_ASSERT_STRING_EQUAL(err, "");
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	if (stop)
		d.stop = r;
	CU_ASSERT_EQUAL(fn(r, &sink, &d), expected);
	doze_reader_free(r);
	return d;
}

/* Reads the parts of the trace as if a manifest had shown that its files are sound. */
static enum doze_reader_status run_parts(struct doze_reader *r, const struct doze_reader_sink *s,
					 void *ctx)
{
	cpu_set_t set;

	CU_ASSERT_EQUAL(doze_reader_parts(r), 1);
	r->complete = true;
	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof set, &set), 0);
	CU_ASSERT_EQUAL(doze_reader_parts(r),
			CPU_COUNT(&set) < STREAMS ? (unsigned)CPU_COUNT(&set) : STREAMS);
	return doze_reader_run_ahead(r, s, ctx);
}

static void same_with(run_fn *fn)
{
	struct delivered without = run(doze_reader_run, false, DOZE_READER_END),
			 ahead = run(fn, false, DOZE_READER_END);

	CU_ASSERT_EQUAL(without.events, EVENTS - EVENTS / LOSS_EVERY);
	CU_ASSERT_EQUAL(without.losses, EVENTS / LOSS_EVERY);
	CU_ASSERT_EQUAL(ahead.events, without.events);
	CU_ASSERT_EQUAL(ahead.losses, without.losses);
	CU_ASSERT_EQUAL(ahead.hash, without.hash);
	CU_ASSERT_TRUE(ahead.right_thread);
}

static void same_as_without(void)
{
	make_long(1);
	same_with(doze_reader_run_ahead);
}

static void parts_are_merged(void)
{
	make_long(STREAMS);
	same_with(run_parts);
}

static void stops_with(run_fn *fn)
{
	struct delivered d = run(fn, true, DOZE_READER_STOPPED);

	CU_ASSERT(d.events >= 1 && d.events < EVENTS / 2);
	CU_ASSERT_TRUE(d.right_thread);
}

static void stops_early(void)
{
	make_long(1);
	stops_with(doze_reader_run_ahead);
}

static void parts_stop(void)
{
	make_long(STREAMS);
	stops_with(run_parts);
}

/* Returns the next event of a trace that cannot be read beyond a pool_start of a newer schema. */
static enum trace_writer_step next_until_newer(void *ctx, struct doze_event *e, uint64_t *lost)
{
	enum trace_writer_step step = next_event(ctx, e, lost);

	if (*(int *)ctx == LOSS_EVERY - 1) {
		*e = at(e->ts, DOZE_EV_pool_start, -1);
		e->u.pool_start.schema_major = DOZE_SCHEMA_MAJOR + 1;
	}
	return step;
}

static void error_comes_last(void)
{
	struct delivered d;
	int i = 0;

	streams = 1;
	CU_ASSERT_EQUAL_FATAL(trace_writer_write(scratch("t"), NULL, next_until_newer, &i), 0);
	d = run(doze_reader_run_ahead, false, DOZE_READER_ERROR);
	CU_ASSERT_EQUAL(d.events, LOSS_EVERY - 2);
}

static void part_fails(void)
{
	int i = 0;

	streams = STREAMS;
	CU_ASSERT_EQUAL_FATAL(trace_writer_write(scratch("t"), NULL, next_until_newer, &i), 0);
	(void)run(run_parts, false, DOZE_READER_ERROR);
}

static void long_text(void)
{
	static char text[LONG_TEXT + 1];
	struct doze_event e[2] = {at(1, DOZE_EV_mark, 0), at(2, DOZE_EV_mark, 0)};
	struct delivered without, ahead;

	memset(text, 'a', LONG_TEXT);
	e[0].u.mark.text = text;
	e[1].u.mark.text = "short";
	make(NULL, e, 2);
	without = run(doze_reader_run, false, DOZE_READER_END);
	ahead = run(doze_reader_run_ahead, false, DOZE_READER_END);
	CU_ASSERT_EQUAL(ahead.longest, LONG_TEXT);
	CU_ASSERT_EQUAL(ahead.hash, without.hash);
}

T(same_as_without)
T(parts_are_merged)
T(stops_early)
T(parts_stop)
T(error_comes_last)
T(part_fails)
T(long_text)

static const struct suite_test tests[] = {
    {"reading ahead delivers the same events and losses in the same order", t_same_as_without},
    {"parts are merged as they are in one graph", t_parts_are_merged},
    {"stopping the reader ends its run early", t_stops_early},
    {"and the runs of its parts", t_parts_stop},
    {"the events that precede an error are returned before the error", t_error_comes_last},
    {"a part that fails ends the others", t_part_fails},
    {"a text that is longer than a text block is delivered complete", t_long_text},
};

SUITE_MAIN("read ahead", tests)
