/*
 * SPDX-License-Identifier: MIT
 *
 * progress_test.c - viz/show: how far a recording has been read, and the time left, by a clock that
 * the test sets.
 */
#include "viz/show/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/synthetic_pool.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

/* A clock that does not begin at 0. */
static const int64_t begun = 500 * S;
static struct doze_pace pace;
static char text[DOZE_PROGRESS_TEXT];
static char recording[200], dir[220]; /* dir: the trace in the recording */

static const char *text_at(int64_t now)
{
	return doze_pace_text(&pace, begun + now, 1234567, text);
}

/* Notes `done` of `total` bytes after `now` ns, and returns the text. */
static const char *noted(int64_t now, uint64_t done, uint64_t total)
{
	doze_pace_note(&pace, begun + now, done, total);
	return text_at(now);
}

static void nothing_in_the_first_two_seconds(void)
{
	doze_pace_begin(&pace, begun);
	CU_ASSERT_STRING_EQUAL(noted(500 * MS, 10, 100), "");
	CU_ASSERT_STRING_EQUAL(noted(1999 * MS, 30, 100), "");
	CU_ASSERT_STRING_NOT_EQUAL(noted(2000 * MS, 40, 100), "");
}

/* Returns the text after 10 s, in which `done` of 1000 bytes have been read. */
static const char *after_ten(uint64_t done)
{
	doze_pace_begin(&pace, begun);
	return noted(10 * S, done, 1000);
}

static void time_left(void)
{
	CU_ASSERT_STRING_EQUAL(after_ten(750), "75 %, about 4 s left");
	CU_ASSERT_STRING_EQUAL(after_ten(333), "33 %, about 25 s left");
	CU_ASSERT_STRING_EQUAL(after_ten(50), "5 %, about 4 min left");
	/* Reading has not ended, so neither number says that it has. */
	CU_ASSERT_STRING_EQUAL(after_ten(999), "99 %, about 1 s left");
	CU_ASSERT_STRING_EQUAL(after_ten(1000), "99 %, about 1 s left");
	CU_ASSERT_STRING_EQUAL(after_ten(1001), "99 %, about 1 s left");
	/* From no progress at all, no time follows. */
	CU_ASSERT_STRING_EQUAL(after_ten(0), "0 %");
}

static void recent_speed_counts(void)
{
	doze_pace_begin(&pace, begun);
	CU_ASSERT_STRING_EQUAL(noted(10 * S, 100, 1000), "10 %, about 2 min left");
	/* Ten times as fast from now on. One fast second changes the estimate, but does not set it.
	 */
	CU_ASSERT_STRING_EQUAL(noted(11 * S, 200, 1000), "20 %, about 35 s left");
	for (int i = 1; i <= 5; i++)
		noted((11 + i) * S, 200 + 100 * (uint64_t)i, 1000);
	CU_ASSERT_STRING_EQUAL(text_at(16 * S), "70 %, about 5 s left");
}

static void how_often_it_is_noted_does_not_matter_much(void)
{
	doze_pace_begin(&pace, begun);
	for (int i = 1; i <= 100; i++)
		noted(i * 100 * MS, 5 * (uint64_t)i, 1000);
	CU_ASSERT_STRING_EQUAL(text_at(10 * S), "50 %, about 15 s left");
	/* A note at the same moment changes nothing. */
	CU_ASSERT_STRING_EQUAL(noted(10 * S, 500, 1000), "50 %, about 15 s left");
}

static void unknown_total(void)
{
	doze_pace_begin(&pace, begun);
	CU_ASSERT_STRING_EQUAL(noted(1 * S, 0, 0), "");
	CU_ASSERT_STRING_EQUAL(noted(12 * S, 0, 0), "1,234,567 events in 12 s");
}

/* ---- recordings ---- */

static const char *progress_of(struct doze_progress *p, int64_t now, int64_t ts)
{
	return doze_progress_text(p, begun + now,
				  &(struct doze_reached){.ts = {ts, ts}, .events = 7}, text);
}

static struct doze_packet_index indexed(void)
{
	struct doze_packet_index x = {0};
	char err[200];

	CU_ASSERT_EQUAL_FATAL(doze_packet_index_update(&x, dir, err, sizeof err), 0);
	return x;
}

static void a_recording(void)
{
	struct doze_packet_index x = indexed();
	int64_t middle = x.from + (x.to - x.from) / 2;
	struct doze_progress p;

	doze_progress_begin(&p, begun, dir, NULL);
	CU_ASSERT_STRING_EQUAL(progress_of(&p, 1 * S, middle), "");
	CU_ASSERT_PTR_NULL(p.part[0].own.root); /* not indexed before it is needed */
	CU_ASSERT_STRING_EQUAL(progress_of(&p, 10 * S, middle), "50 %, about 10 s left");
	/* Only the first three quarters are read. */
	p.length = (x.to - x.from) / 4 * 3;
	CU_ASSERT_STRING_EQUAL(progress_of(&p, 10 * S, middle), "66 %, about 5 s left");
	doze_progress_end(&p);
	CU_ASSERT_PTR_NULL(p.part[0].own.root);

	doze_progress_begin(&p, begun, dir, NULL);
	doze_progress_use(&p, &x);
	CU_ASSERT_STRING_EQUAL(progress_of(&p, 10 * S, middle), "50 %, about 10 s left");
	CU_ASSERT_PTR_NULL(p.part[0].own.root); /* the given index was used */
	doze_progress_end(&p);
	doze_packet_index_free(&x);
}

static void two_recordings(void)
{
	struct doze_packet_index x = indexed();
	const struct doze_reached one_read = {.ts = {x.to, 0}};
	struct doze_progress p;

	doze_progress_begin(&p, begun, dir, dir);
	CU_ASSERT_STRING_EQUAL(doze_progress_text(&p, begun + 10 * S, &one_read, text),
			       "50 %, about 15 s left");
	doze_progress_end(&p);
	/* Of a folder without a trace nothing is known, and so of both together. */
	doze_progress_begin(&p, begun, dir, "/nonexistent");
	CU_ASSERT_STRING_EQUAL(progress_of(&p, 3 * S, x.to), "7 events in 3 s");
	doze_progress_end(&p);
	doze_packet_index_free(&x);
}

/* ---- checking a recording's files ---- */

struct checked {
	uint64_t done, total;
	int reports;
};

static void report(void *ctx, uint64_t done, uint64_t total)
{
	struct checked *c = ctx;

	CU_ASSERT(done > c->done && done <= total);
	*c = (struct checked){done, total, c->reports + 1};
}

static void checking(void)
{
	char *argv[] = {(char *)"program", NULL};
	const struct doze_manifest m = {.argv = argv, .detail = "all", .cpus = 4};
	struct doze_packet_index x = indexed();
	struct checked c = {.done = 0};
	const struct doze_checking to = {report, &c};
	struct doze_reader *r;
	char err[200];

	CU_ASSERT_EQUAL_FATAL(doze_manifest_write(recording, &m, err, sizeof err), 0);
	r = doze_reader_open_checking(recording, &to, err, sizeof err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_FALSE(doze_reader_absent(r));
	CU_ASSERT(c.reports > 3);
	CU_ASSERT_EQUAL(c.done, c.total);
	CU_ASSERT(c.total > doze_packet_index_size(&x)); /* the packets and the metadata */
	doze_reader_free(r);
	doze_packet_index_free(&x);
}

static const struct suite_test tests[] = {
    {"nothing is shown in the first two seconds", nothing_in_the_first_two_seconds},
    {"the time left follows from the speed so far", time_left},
    {"a recent speed counts more than an earlier one", recent_speed_counts},
    {"frequent notes give the same estimate", how_often_it_is_noted_does_not_matter_much},
    {"without a total, the events and the time are shown", unknown_total},
    {"a recording is indexed once its progress is due", a_recording},
    {"two recordings count by their sizes", two_recordings},
    {"the check of a recording's files reports its progress", checking},
};

int main(int argc, char **argv)
{
	static struct synthetic_pool pool = {
	    .events = 20000, .workers = 4, .woken = 2, .useful = 1, .cpus = 4};
	const struct trace_writer_options options = {.per_packet = 200};
	int code;

	scratch_begin();
	snprintf(recording, sizeof recording, "%s", scratch("recording"));
	snprintf(dir, sizeof dir, "%s/ust", recording);
	if (mkdir(recording, 0755) != 0 ||
	    trace_writer_write(dir, &options, synthetic_pool_next, &pool) != 0)
		return 1;
	code = suite_main("show: progress", tests, sizeof tests / sizeof tests[0], argc, argv);
	scratch_end();
	return code;
}
