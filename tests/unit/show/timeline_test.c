/*
 * SPDX-License-Identifier: MIT
 *
 * timeline_test.c - viz/show: what the timeline draws for event scripts.
 */
#include <stdlib.h>
#include <string.h>

#include "one_sleep.h"
#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"
#include "viz/show/timeline.h"

static char *out;
static size_t out_size;

/* Feeds the script to a model that fills a timeline, and prints that timeline into `out`. */
static void draw(const char *text, size_t columns, int64_t from, int64_t to, bool ascii)
{
	struct doze_selection part = {.from = from, .to = to};
	struct doze_timeline *t = doze_timeline_new(columns, &part);
	struct doze_model *m = doze_model_new(&doze_timeline_listener, t);
	struct doze_palette p = {.ascii = ascii};
	struct doze_event e;
	FILE *f;

	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		if (script_parse(s, &e))
			doze_timeline_begin(t, e.ts);
		script_feed_line(m, s);
	}
	doze_model_finish(m, doze_model_totals(m)->last_ts);
	free(out);
	f = open_memstream(&out, &out_size);
	doze_timeline_print(t, m, &p, f);
	fclose(f);
	doze_model_free(m);
	doze_timeline_free(t);
}

static size_t width_of(const char *line)
{
	size_t n = 0;

	for (; *line && *line != '\n'; line++)
		n += (*line & 0xc0) != 0x80;
	return n;
}

static size_t widest(void)
{
	size_t most = 0;

	for (const char *s = out; *s; s += strcspn(s, "\n"), s += *s == '\n')
		most = width_of(s) > most ? width_of(s) : most;
	return most;
}

static void draws_to_scale(void)
{
	/* the lane has 40 columns for 200 us, 5 us each */
	draw(ONE_SLEEP ONE_SLEEP_END, 60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |###########.........####################|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n     |          +         A                   |"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "|   75%     0%"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nJEC  |          __________--------------------|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nslept|          11111111111"));
}

static void draws_the_same_in_utf8(void)
{
	draw(ONE_SLEEP ONE_SLEEP_END, 60, 0, INT64_MAX, false);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   │███████████·········████████████████████│"));
	CU_ASSERT_PTR_NULL(strstr(out, "\033"));
}

static void keeps_the_width(void)
{
	for (size_t columns = 30; columns < 300; columns += 33) {
		draw(ONE_SLEEP ONE_SLEEP_END, columns, 0, INT64_MAX, false);
		/* The title alone needs 40 columns. */
		CU_ASSERT_TRUE(widest() <= (columns > 40 ? columns : 40));
	}
	draw(ONE_SLEEP ONE_SLEEP_END, 80, 0, INT64_MAX, false);
	CU_ASSERT_TRUE(widest() <= 80);
}

static void shows_a_range(void)
{
	draw(ONE_SLEEP ONE_SLEEP_END, 60, 42000, 62000, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |####################....................|"));
	draw(ONE_SLEEP ONE_SLEEP_END, 60, 60000, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |............############################|"));
}

/* Draws a trace in which a worker is woken every 20 us, ten times per cell, and searches for
 * `search` us after each wake. */
static void herd(int search)
{
	static char text[1 << 18];
	size_t n = (size_t)snprintf(text, sizeof text,
				    "0 x pool tickle 1\n0 w0 none>active start\n"
				    "1 w0 active>idle no_work\n"
				    "1 w0 idle>sleepy rounds\n"
				    "2 w0 sleepy>sleeping rounds\n");

	for (int i = 0; i < 400; i++)
		n += (size_t)snprintf(
		    text + n, sizeof text - n,
		    "%d x wake w0 id%d d%d inject\n%d w0 woken %d\n%d w0 sleeping>idle woken\n"
		    "%d w0 idle>sleepy rounds\n%d w0 sleepy>sleeping rounds\n",
		    20 * i + 5, i + 1, i + 1, 20 * i + 5, i + 1, 20 * i + 5, 20 * i + 5 + search,
		    20 * i + 5 + search);
	snprintf(text + n, sizeof text - n, "8000 w0 sleeping>idle self_wake\n");
	draw(text, 60, 0, INT64_MAX, true);
}

#define FORTY(glyph)                                                                               \
	glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph  \
	    glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph    \
		glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph glyph

/* Users look for a herd's short searches between longer sleeps, so the marks of its wakes must not
 * hide them. */
static void shows_shorter_intervals(void)
{
	herd(4);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |" FORTY("~") "|    0%    20%"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n     |" FORTY("A") "|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "A woken and finer"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "Finer: the cell has more states"));
	herd(1);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |" FORTY(".") "|    0%     5%"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n     |" FORTY("A") "|"));
	draw("0 x pool jec 1\n0 w0 none>active start\n99 w0 active>idle no_work\n200 x pool stop\n",
	     60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NULL(strstr(out, "finer"));
}

static void puts_marks_above(void)
{
	draw("0 x pool jec 1\n0 w0 none>active start\n51 x mark first\n101 x mark second-phase\n"
	     "200 w0 active>idle no_work\n",
	     60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n                vfirst    vsecond-phase\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "mark at 0.000051s: first\n"));
	draw("0 x pool jec 1\n0 w0 none>active start\n51 x mark first-and-long\n"
	     "101 x mark 2\n200 w0 active>idle no_work\n",
	     60, 45000, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n       vfirst-and-lov2\n"));
}

static void hatches_the_unknown(void)
{
	draw("0 w0 snapshot sleeping jec 2 1.1.0>1.1.0\n"
	     "100 w1 snapshot active jec 2 1.1.0>1.1.0\n"
	     "200 w1 active>idle no_work 1.1.0>1.2.0\n",
	     60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw1   |////////////////////####################|"));
}

/* Lanes are hatched from the last change before the lost events, counters from the lost events
 * themselves. Both stay hatched until the next event that reports their value. */
static void hatches_lost_counters(void)
{
	static const char before[] = "0 x pool jec 1\n0 w0 none>active start\n"
				     "41 w0 active>idle no_work 0.0.0>0.1.1\n";
	static char text[512];

	snprintf(text, sizeof text,
		 "%s121 lost 81 3\n161 w0 idle>active found_local 0.1.3>0.0.3\n%s", before,
		 ONE_SLEEP_END);
	draw(text, 60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |########/////////////////////////#######|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nJEC  |        --------/////////////////-------|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nslept|        00000000/////////////////0000000|"));
	draw(text, 60, 100000, 140000, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nJEC  |////////////////////////////////////////|"));
	snprintf(text, sizeof text, "%s121 lost 81 3\n%s", before, ONE_SLEEP_END);
	draw(text, 60, 0, INT64_MAX, true); /* no later event reports the value */
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nJEC  |        --------////////////////////////|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nslept|        00000000////////////////////////|"));
}

/* A trace of one second has 50,000 times as many events as one of 20 us, but its picture has the
 * same size. */
static void scales_to_long_traces(void)
{
	static char text[1 << 20];
	size_t n = (size_t)snprintf(text, sizeof text, "0 x pool jec 1\n0 w0 none>active start\n");

	for (int i = 0; i < 4000; i++)
		n += (size_t)snprintf(text + n, sizeof text - n,
				      "%d w0 active>idle no_work\n%d w0 idle>active found_local\n",
				      i * 1000 + 250, i * 1000 + 1000);
	draw(text, 60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n     |++++++++++++++++++++++++++++++++++++++++|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "|   25%    75%"));
}

/* The same trace with a change in the middle. Merging cells must not move the change. */
static void keeps_the_place(void)
{
	draw("0 x pool jec 1\n0 w0 none>active start\n1001 w0 active>idle no_work\n"
	     "1300 w0 idle>active found_local\n3001 w0 active>idle no_work\n"
	     "4000 w0 idle>active found_local\n",
	     60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |##########~~~#################~~~~~~~~~~|"));
}

/* No two ticks may have the same label at any zoom. */
static void ticks_differ(void)
{
	static const int64_t widths[] = {50, 100, 5000, 100000, 20000000};

	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		char last[32] = "", label[32];
		int ticks = 0;

		draw("0 x pool jec 1\n0 w0 none>active start\n9050000 w0 active>idle no_work\n", 80,
		     9000000000, 9000000000 + widths[i], true);
		for (const char *s = out; (s = strchr(s, '\'')); s++, ticks++) {
			CU_ASSERT_EQUAL(sscanf(s + 1, "%31s", label), 1);
			CU_ASSERT_STRING_NOT_EQUAL(label, last);
			strcpy(last, label);
		}
		CU_ASSERT_TRUE(ticks >= 2);
		CU_ASSERT_TRUE(widest() <= 80);
	}
}

/* The word of rfc has room for a JEC, but rfc does not use one. */
static void draws_a_jec_if_there_is_one(void)
{
	static const char *const policies[] = {"jec", "rfc", "go", "forkjoin"};
	char text[256];

	for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
		snprintf(text, sizeof text,
			 "0 x pool %s 1\n0 w0 none>active start\n"
			 "50 w0 active>idle no_work 0.0.0>0.1.0\n"
			 "90 w0 idle>sleeping rounds 0.1.0>1.1.0\n100 x mark end\n",
			 policies[i]);
		draw(text, 80, 0, INT64_MAX, true);
		CU_ASSERT_EQUAL(strstr(out, "JEC") != 0, i == 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nslept|"));
	}
}

/* 40 workers fall asleep one after the other, one per column. */
static void counts_sleepers_beyond_nine(void)
{
	static char text[1 << 14];
	size_t n = (size_t)snprintf(text, sizeof text, "0 x pool go 40\n");

	for (int i = 0; i < 40; i++)
		n += (size_t)snprintf(text + n, sizeof text - n,
				      "0 w%d none>active start\n%d w%d active>idle no_work "
				      "%d.%d.0>%d.%d.0\n%d w%d idle>sleeping rounds "
				      "%d.%d.0>%d.%d.0\n",
				      i, 10 * i + 1, i, i, i, i, i + 1, 10 * i + 2, i, i, i + 1,
				      i + 1, i + 1);
	snprintf(text + n, sizeof text - n, "400 x mark end\n");
	draw(text, 60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "|123456789abcdefghijklmnopqrstuvwxyz#####|"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "slept: a is 10 asleep"));
	draw(ONE_SLEEP ONE_SLEEP_END, 60, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NULL(strstr(out, "slept: a is 10 asleep"));
}

/* Events are lost in all columns, so too little is known to compute a share. */
static void has_no_share_of_nothing(void)
{
	draw("0 x pool jec 1\n0 w0 none>active start\n5 w0 active>idle no_work\n100 lost 6 3\n"
	     "100 w0 idle>sleepy rounds\n",
	     30, 0, INT64_MAX, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nw0   |//////////|     -      -\n"));
}

static const struct suite_test tests[] = {
    {"the lanes are drawn to scale", draws_to_scale},
    {"the UTF-8 picture shows the same cells as the ASCII one", draws_the_same_in_utf8},
    {"no line exceeds the requested width", keeps_the_width},
    {"--from and --to limit the picture to their range", shows_a_range},
    {"intervals shorter than a cell are marked and shown", shows_shorter_intervals},
    {"marks are drawn above the lanes", puts_marks_above},
    {"unknown spans are hatched", hatches_the_unknown},
    {"counters are hatched where events were lost", hatches_lost_counters},
    {"a long trace fits the screen, and intervals shorter than a column are marked",
     scales_to_long_traces},
    {"merging cells does not move a change", keeps_the_place},
    {"a JEC is drawn only for policies that have one", draws_a_jec_if_there_is_one},
    {"counts of more than nine sleepers are readable", counts_sleepers_beyond_nine},
    {"no percentages are shown for a lane that is entirely hatched", has_no_share_of_nothing},
    {"tick labels differ from each other at any zoom", ticks_differ},
};
SUITE_MAIN("timeline", tests)
