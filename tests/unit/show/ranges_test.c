/*
 * SPDX-License-Identifier: MIT
 *
 * ranges_test.c - viz/show: a range that is read alone shows what it shows when the whole recording
 * is read: random ranges of the recordings in the tree, with all views.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/suite.h"
#include "viz/explain/symbols.h"
#include "viz/model/part.h"
#include "viz/show/check_view.h"
#include "viz/show/export.h"
#include "viz/show/load_trace.h"
#include "viz/show/ranges.h"
#include "viz/show/report.h"
#include "viz/show/storms.h"

static const char *const recordings[] = {
    "labs/lessons/recordings/*", "labs/01-states/trace",   "tests/fixtures/phases",
    "tests/fixtures/duel/*",     "tests/proof/findings/*", "tests/fixtures/*",
};

enum { RANGES = 3, WHY = 250, FEW = 40, EVERY = 60 };

/* ---- what is known of a recording ---- */

struct known {
	const char *dir;
	struct doze_storm_log log;
	struct doze_model *model;
	struct doze_ranges ranges;
	struct doze_saved whole;
};

static void note(void *ctx, struct doze_model *m, const struct doze_event *e)
{
	doze_ranges_note(&((struct known *)ctx)->ranges, m, e);
	doze_model_feed(m, e);
}

/* Saves what was noted, and loads it again. */
static void through_bytes(struct doze_ranges *r)
{
	struct doze_saved s = {0};

	doze_ranges_saved(r, &s);
	CU_ASSERT_FALSE(s.failed);
	doze_ranges_free(r);
	s.loads = true;
	doze_ranges_saved(r, &s);
	CU_ASSERT_FALSE(s.failed);
	CU_ASSERT_EQUAL(s.at, s.size);
	doze_saved_free(&s);
}

/* Returns whether the recording can be read, and its ranges alone. */
static bool learn(struct known *k, const char *dir)
{
	static const struct doze_model_options usual = DOZE_MODEL_DEFAULTS;

	*k = (struct known){.dir = dir, .ranges = {.every = EVERY}};
	k->model = doze_storm_log_open(&k->log, &usual, dir);
	CU_ASSERT_PTR_NOT_NULL_FATAL(k->model);
	if (doze_load(dir, k->model, note, k) != 0 || !doze_model_is_plain(k->model))
		return false;
	doze_storm_log_saved(&k->log, &k->whole);
	CU_ASSERT_FALSE(k->whole.failed);
	through_bytes(&k->ranges);
	return true;
}

static void forget(struct known *k)
{
	doze_model_free(k->model);
	doze_storm_log_free(&k->log);
	doze_ranges_free(&k->ranges);
	doze_saved_free(&k->whole);
}

/* ---- the answers ---- */

static void set_format(const struct doze_view *v, void *state, const char *format)
{
	for (const struct doze_view_option *o = v->options; o && o->option.name; o++)
		if (strcmp(o->option.name, "format") == 0)
			CU_ASSERT_PTR_NULL(o->option.check(format, (char *)state + o->offset));
}

/* What is asked of a view. */
struct question {
	const struct doze_view *view;
	bool json;
	const char *format;
	bool any_order; /* of the lines */
	const char *asked;
	size_t lead; /* how many points before the range; 0: 1 */
};

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Replaces the text by its lines in alphabetical order. */
static char *sorted(char *text)
{
	size_t n = 0, size = strlen(text) + 2;
	char **line = calloc(size, sizeof *line), *out = calloc(size, 1);

	CU_ASSERT_FATAL(line && out);
	for (char *rest = text, *one; (one = strtok_r(n ? NULL : text, ",\n", &rest));)
		line[n++] = one;
	qsort(line, n, sizeof *line, compare_lines);
	for (size_t i = 0, at = 0; i < n; i++)
		at += (size_t)sprintf(out + at, "%s\n", line[i]);
	free(line);
	free(text);
	return out;
}

/* Returns the view's answer, owned by the caller; null if the range cannot be read alone. */
static char *answer(const struct question *q, const struct known *k, struct doze_selection part,
		    bool alone)
{
	const struct doze_view *v = q->view;
	struct doze_view_request r = {
	    .selection = part, .columns = 80, .trace = k->dir, .json = q->json, .output = "-"};
	struct doze_ranges_part p = {.trace = k->dir, .range = part, .lead = q->lead ? q->lead : 1};
	struct doze_saved whole = {.data = k->whole.data, .size = k->whole.size, .loads = true};
	void *state = doze_view_state(v);
	struct doze_model *m;
	char *text = NULL;
	size_t size;
	bool ok;

	set_format(v, state, q->format);
	if (q->asked)
		CU_ASSERT_PTR_NULL(v->ask(state, q->asked));
	CU_ASSERT(v->part(state, &r, &p.range));
	r.out = open_memstream(&text, &size);
	m = v->open(state, &r);
	CU_ASSERT_FATAL(state && r.out && m);
	ok = alone ? doze_ranges_read(&k->ranges, v, state, &p, &whole, m)
		   : doze_load(k->dir, m, v->feed, state) == 0;
	if (ok)
		(q->json ? v->json : v->print)(state, m, &r);
	if (v->close)
		v->close(state);
	fclose(r.out);
	doze_model_free(m);
	free(state);
	if (ok)
		return q->any_order ? sorted(text) : text;
	free(text);
	return NULL;
}

/* Prints both answers around the first difference. */
static void show_difference(const struct question *q, const struct known *k,
			    struct doze_selection part, const char *alone, const char *all)
{
	size_t at = 0, from;

	while (alone[at] == all[at])
		at++;
	from = at > 200 ? at - 200 : 0;
	printf("%s%s of %s from %lld to %lld ns, byte %zu\n--- alone\n%.400s\n--- all\n%.400s\n",
	       q->view->name, q->json ? " --json" : "", k->dir, (long long)part.from,
	       (long long)part.to, at, alone + from, all + from);
}

static void same_answer(const struct question *q, const struct known *k, struct doze_selection part)
{
	char *alone = answer(q, k, part, true), *all = answer(q, k, part, false);

	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	CU_ASSERT(alone && strcmp(alone, all) == 0);
	if (!alone)
		printf("%s of %s cannot be read alone\n", q->view->name, k->dir);
	else if (strcmp(alone, all) != 0)
		show_difference(q, k, part, alone, all);
	free(alone);
	free(all);
}

static int64_t random_time(int64_t length)
{
	return (int64_t)((double)rand() / RAND_MAX * (double)length);
}

/* Returns a range; now and then one without a beginning, or without an end. */
static struct doze_selection random_range(const struct known *k)
{
	int64_t length = k->ranges.last - k->ranges.first, a = random_time(length),
		b = random_time(length);
	struct doze_selection s = DOZE_SELECT_ALL;

	if (rand() % 8)
		s.from = a < b ? a : b;
	if (rand() % 8)
		s.to = a < b ? b : a;
	return s;
}

/* Asks why at random times, with a random number of points before them. Returns how often the
 * answer was found from a part. */
static size_t ask_why(const struct known *k, size_t times)
{
	static const struct doze_selection everything = DOZE_SELECT_ALL;
	size_t found = 0;

	/* In old recordings, whose level of detail is not known, no answer is. */
	for (size_t asked = 0; asked < times && (found || asked < FEW); asked++) {
		int64_t length = k->ranges.last - k->ranges.first;
		char text[40];
		struct question q = {.view = &doze_why_view,
				     .json = asked % 2,
				     .asked = text,
				     .lead = 1 + (size_t)rand() % 12};
		char *alone, *all;

		snprintf(text, sizeof text, "%.3fus", (double)random_time(length) / 1000);
		alone = answer(&q, k, everything, true);
		if (!alone)
			continue;
		all = answer(&q, k, everything, false);
		CU_ASSERT(strcmp(alone, all) == 0);
		if (strcmp(alone, all) != 0)
			printf("why %s in %s, lead %zu of %zu:\n%s\n%s\n", text, k->dir, q.lead,
			       k->ranges.count, alone, all);
		found += q.lead <= k->ranges.count;
		free(alone);
		free(all);
	}
	return found;
}

static void ask_all(const struct known *k)
{
	static const struct question questions[] = {
	    {.view = &doze_storms_view},
	    {.view = &doze_storms_view, .json = true},
	    {.view = &doze_check_view},
	    {.view = &doze_check_view, .json = true},
	    {.view = &doze_timeline_view},
	    {.view = &doze_timeline_view, .json = true},
	    {.view = &doze_export_view, .format = "json"},
	    {.view = &doze_export_view, .format = "csv", .any_order = true},
	    {.view = &doze_export_view, .format = "perfetto", .any_order = true},
	    {.view = &doze_export_view, .format = "svg"},
	    {.view = &doze_report_view},
	};

	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
		same_answer(&questions[i], k, random_range(k));
}

static bool is_recording(const char *folder)
{
	char metadata[300];

	snprintf(metadata, sizeof metadata, "%s/metadata", folder);
	if (access(metadata, R_OK) == 0)
		return true;
	snprintf(metadata, sizeof metadata, "%s/ust/metadata", folder);
	return access(metadata, R_OK) == 0;
}

static void random_ranges(void)
{
	size_t asked = 0, why = 0;
	glob_t found;

	srand(33);
	for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++)
		CU_ASSERT(glob(recordings[i], i ? GLOB_APPEND : 0, NULL, &found) == 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct known k;

		if (!is_recording(found.gl_pathv[i]))
			continue;
		if (learn(&k, found.gl_pathv[i])) {
			CU_ASSERT(k.ranges.events < 2 * EVERY || k.ranges.count > 0);
			asked++;
			for (int n = 0; n < RANGES; n++)
				ask_all(&k);
			why += ask_why(&k, WHY);
		}
		forget(&k);
	}
	printf("%zu recordings, %zu of at most %zu answers\n", asked, why, asked * WHY);
	CU_ASSERT(asked >= 8);
	globfree(&found);
}

/* The state before the range must matter, or the test could not fail. */
static void without_the_state_before(void)
{
	static const struct question q = {.view = &doze_timeline_view};
	struct doze_selection part = DOZE_SELECT_ALL;
	struct known k;
	unsigned char *other;
	char *right, *wrong;

	CU_ASSERT_FATAL(learn(&k, "tests/fixtures/duel/jec"));
	CU_ASSERT_FATAL(k.ranges.count >= 3);
	part.from = k.ranges.point[2].ts + 1 - k.ranges.first;
	right = answer(&q, &k, part, true);
	other = k.ranges.point[2].state;
	k.ranges.point[2].state = k.ranges.point[0].state;
	k.ranges.point[0].state = other;
	k.ranges.point[2].size = k.ranges.point[0].size;
	wrong = answer(&q, &k, part, true);
	CU_ASSERT(right && wrong && strcmp(right, wrong) != 0);
	free(right);
	free(wrong);
	forget(&k);
}

/* Damage that the checksum has let through must not be read beyond the bytes. */
static void shortened(void)
{
	struct doze_saved s = {0};
	struct known k;

	CU_ASSERT_FATAL(learn(&k, "tests/fixtures/duel/jec"));
	doze_ranges_saved(&k.ranges, &s);
	for (size_t size = 0; size < s.size; size += s.size / 53 + 1) {
		struct doze_saved cut = {.data = s.data, .size = size, .loads = true};
		struct doze_ranges r = {0};

		doze_ranges_saved(&r, &cut);
		CU_ASSERT(cut.failed);
		doze_ranges_free(&r);
	}
	for (size_t size = 0; size < k.ranges.point[0].size; size += 97) {
		struct doze_saved cut = {
		    .data = k.ranges.point[0].state, .size = size, .loads = true};
		struct doze_model *m = doze_model_new(NULL, NULL);

		doze_model_part_begin(m, false);
		doze_model_running_saved(m, &cut);
		CU_ASSERT(cut.failed);
		doze_model_free(m);
	}
	doze_saved_free(&s);
	forget(&k);
}

/* At most DOZE_RANGES_POINTS points are kept, spread over the recording. */
static void evenly_spread(void)
{
	struct doze_ranges r = {.every = 1};
	struct doze_model *m = doze_model_new(NULL, NULL);
	struct doze_event e = {.kind = DOZE_EV_pool_start,
			       .pool = 1,
			       .worker = -1,
			       .u.pool_start = {.policy = "jec", .workers = 2, .name = ""}};

	for (e.ts = 1; e.ts <= 1000; e.ts++) {
		doze_ranges_note(&r, m, &e);
		doze_model_feed(m, &e);
		e.kind = DOZE_EV_mark;
		e.u.mark.text = "";
	}
	CU_ASSERT(r.count >= DOZE_RANGES_POINTS / 2 && r.count <= DOZE_RANGES_POINTS);
	for (size_t i = 1; i < r.count; i++)
		CU_ASSERT(r.point[i].ts - r.point[i - 1].ts <= 4 * 1000 / DOZE_RANGES_POINTS);
	CU_ASSERT(r.point[r.count - 1].ts > 900);
	while (doze_ranges_thin(&r))
		CU_ASSERT(r.count > 0);
	CU_ASSERT_EQUAL(r.bytes, 0);
	doze_ranges_free(&r);
	doze_model_free(m);
}

static void note_mark(struct doze_ranges *r, struct doze_model *m, int64_t ts, const char *text)
{
	struct doze_event e = {.kind = DOZE_EV_mark, .ts = ts, .worker = -1, .u.mark.text = text};

	doze_ranges_note(r, m, &e);
}

static bool phase_is(const struct doze_ranges *r, const char *name, int64_t from, int64_t to)
{
	struct doze_selection s = DOZE_SELECT_ALL;

	return doze_ranges_phase(r, name, &s) && s.from == from && s.to == to;
}

/* The phases of a recording are those that its whole reading finds. */
static void phases_of_a_recording(void)
{
	struct doze_selection s = DOZE_SELECT_ALL;
	struct known k;

	(void)learn(&k, "tests/fixtures/phases");
	CU_ASSERT_FATAL(k.ranges.marks >= 4);
	for (size_t i = 0; i < k.ranges.marks; i++) {
		const char *name = k.ranges.mark[i].text;

		CU_ASSERT_EQUAL(doze_load_phase(k.dir, name, true, &s), 0);
		CU_ASSERT(phase_is(&k.ranges, name, s.from, s.to));
	}
	forget(&k);
}

static void phases(void)
{
	struct doze_model *m = doze_model_new(NULL, NULL);
	struct doze_selection s = DOZE_SELECT_ALL;
	struct doze_ranges r = {0};

	note_mark(&r, m, 100, "a");
	note_mark(&r, m, 110, "b");
	note_mark(&r, m, 120, "a"); /* the first counts */
	CU_ASSERT(phase_is(&r, "a", 0, 10));
	CU_ASSERT(phase_is(&r, "b", 10, 20));
	CU_ASSERT_FALSE(doze_ranges_phase(&r, "c", &s));
	note_mark(&r, m, 130, "c");
	CU_ASSERT(phase_is(&r, "c", 30, INT64_MAX));
	through_bytes(&r);
	CU_ASSERT(phase_is(&r, "b", 10, 20));
	CU_ASSERT(phase_is(&r, "c", 30, INT64_MAX));
	doze_ranges_free(&r);
	doze_model_free(m);
}

/* Marks that are not kept leave the last one without an end. */
static void missing_marks(void)
{
	static const char long_text[] =
	    "a text of sixty-four or more bytes, of which no mark keeps more than 63";
	struct doze_model *m = doze_model_new(NULL, NULL);
	struct doze_selection s = DOZE_SELECT_ALL;
	struct doze_ranges r = {0};
	char text[16];

	note_mark(&r, m, 100, "a");
	note_mark(&r, m, 110, "b");
	note_mark(&r, m, 120, long_text);
	note_mark(&r, m, 130, "c");
	through_bytes(&r);
	CU_ASSERT(phase_is(&r, "a", 0, 10));
	CU_ASSERT_FALSE(doze_ranges_phase(&r, "b", &s));
	CU_ASSERT_FALSE(doze_ranges_phase(&r, "c", &s));
	doze_ranges_free(&r);

	for (int i = 0; i < DOZE_RANGES_MARKS + 1; i++) {
		snprintf(text, sizeof text, "%d", i);
		note_mark(&r, m, i, text);
	}
	CU_ASSERT(phase_is(&r, "1022", 1022, 1023));
	CU_ASSERT_FALSE(doze_ranges_phase(&r, "1023", &s));
	doze_ranges_free(&r);
	doze_model_free(m);
}

static const struct suite_test tests[] = {
    {"random ranges show the same alone", random_ranges},
    {"the state before a range matters", without_the_state_before},
    {"too few bytes are refused", shortened},
    {"the points are spread evenly", evenly_spread},
    {"a recording's phases are found by its marks", phases_of_a_recording},
    {"the first mark of a name counts", phases},
    {"marks may be missing", missing_marks},
};

int main(int argc, char **argv)
{
	return suite_main("ranges", tests, sizeof tests / sizeof tests[0], argc, argv);
}
