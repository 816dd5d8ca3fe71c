/*
 * SPDX-License-Identifier: MIT
 *
 * lesson_test.c - viz/viewer: the file format of lessons, and the errors for malformed files.
 */
#include <stdio.h>
#include <string.h>

#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"
#include "viz/viewer/panes/lesson_file.h"

static char err[512];

/* Parses a text as a lesson. Returns the lesson, which the caller owns, or null. */
static struct doze_lesson *read_text(const char *text)
{
	const char *path = scratch("a.lesson");
	FILE *f = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs(text, f);
	fclose(f);
	err[0] = '\0';
	return doze_lesson_read(path, err, sizeof err);
}

static void refuses(const char *text, const char *says)
{
	struct doze_lesson *l = read_text(text);

	CU_ASSERT_PTR_NULL(l);
	doze_lesson_free(l);
	if (!strstr(err, says))
		printf("\nexpected '%s' in: %s\n", says, err);
	CU_ASSERT_PTR_NOT_NULL(strstr(err, says));
	CU_ASSERT_PTR_NULL(strchr(err, '\n'));
}

#define HEAD "title: A\nrecording: r\n"

static void every_entry(void)
{
	struct doze_lesson *l = read_text(
	    "# a comment\nnumber: 7\n" HEAD "about: of it\nnext: b\n\nat: w1 sleeping 3 - 5us\n"
	    "window: 2ms\nworker: w4\npane: explain\ntext: one\n  two\n\tthree\nask: which?\n"
	    "wrong: no\nright: yes\nbecause: so\nat: 12ms\ntext: the end\n");

	CU_ASSERT_PTR_NOT_NULL_FATAL(l);
	CU_ASSERT_EQUAL(l->number, 7);
	CU_ASSERT_STRING_EQUAL(l->next, "b");
	CU_ASSERT_EQUAL(l->steps, 2);
	CU_ASSERT_EQUAL(l->step[0].at.kind, DOZE_LESSON_PLACE_state);
	CU_ASSERT_EQUAL(l->step[0].at.worker, 1);
	CU_ASSERT_EQUAL(l->step[0].at.nth, 3);
	CU_ASSERT_EQUAL(l->step[0].at.plus, -5000);
	CU_ASSERT_EQUAL(l->step[0].window, 2000000);
	CU_ASSERT_EQUAL(l->step[0].worker, 4);
	CU_ASSERT_STRING_EQUAL(l->step[0].text, "one two three");
	CU_ASSERT_EQUAL(l->step[0].choices, 2);
	CU_ASSERT_EQUAL(l->step[0].right, 1);
	CU_ASSERT_STRING_EQUAL(l->step[0].because, "so");
	CU_ASSERT_EQUAL(l->step[1].at.plus, 12000000);
	CU_ASSERT_EQUAL(l->step[1].worker, -1);
	doze_lesson_free(l);
}

static void moments(void)
{
	static const struct {
		const char *text;
		enum doze_lesson_place_kind kind;
		unsigned nth;
		int64_t plus;
	} good[] = {{"end", DOZE_LESSON_PLACE_end, 0, 0},
		    {"storm 2 + 1ms", DOZE_LESSON_PLACE_storm, 2, 1000000},
		    {"post", DOZE_LESSON_PLACE_event, 1, 0},
		    {"sleep_abort 3 -2us", DOZE_LESSON_PLACE_event, 3, -2000},
		    {"w0 idle", DOZE_LESSON_PLACE_state, 1, 0},
		    {"1.5ms + 1us", DOZE_LESSON_PLACE_time, 0, 1501000}};
	static const char *const bad[] = {"",        "storm 0",  "w0",     "w0 dozing 1",
					  "posts 1", "post 1 2", "1 year", "end + soon"};
	struct doze_lesson_place m;
	char text[64];

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		snprintf(text, sizeof text, "%s", good[i].text);
		CU_ASSERT_PTR_NULL(doze_lesson_place_parse(text, &m));
		CU_ASSERT_EQUAL(m.kind, good[i].kind);
		CU_ASSERT_EQUAL(m.nth, good[i].nth);
		CU_ASSERT_EQUAL(m.plus, good[i].plus);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(text, sizeof text, "%s", bad[i]);
		CU_ASSERT_PTR_NOT_NULL(doze_lesson_place_parse(text, &m));
	}
}

static void bad_files(void)
{
	refuses("", ":1: the lesson has no 'title'");
	refuses("title: A\n", ":1: the lesson has no 'recording'");
	refuses(HEAD, "no step: begin one with 'at'");
	refuses(HEAD "colour: red\n", ":3: key: 'colour' is not one of: number title");
	refuses(HEAD "at 5ms\n", ":3: entry: 'at 5ms' is not KEY: VALUE");
	refuses(HEAD "text: x\n", ":3: a step begins with 'at'");
	refuses(HEAD "at: noon\n", ":3: at: 'noon' is not a time such as 12ms");
	refuses(HEAD "at: end\n", ":3: the step has no 'text'");
	refuses(HEAD "at: end\ntext: x\ntext: y\n", ":5: text is given twice");
	refuses(HEAD "at: end\nwindow: wide\n", ":4: window: 'wide' is not");
	refuses(HEAD "at: end\nworker: 1\n", ":4: worker: '1' is not a worker such as w1");
	refuses(HEAD "at: end\npane: lesson\n", ":4: pane: 'lesson' is not a pane");
	refuses(HEAD "at: end\ntext: x\nask:\n", ":5: ask: '' is not a value");
	refuses(HEAD "at: end\ntext: \033[2J\n", ":4: a control character");
}

static void bad_questions(void)
{
	refuses(HEAD "at: end\ntext: x\nright: y\n", ":5: an answer without a question");
	refuses(HEAD "at: end\ntext: x\nask: ?\nright: y\n", ":3: the question needs one 'right'");
	refuses(HEAD "at: end\ntext: x\nask: ?\nwrong: y\nwrong: z\n", "needs one 'right'");
	refuses(HEAD "at: end\ntext: x\nask: ?\nright: y\nright: z\n", ":7: a second right answer");
	refuses(HEAD "at: end\ntext: x\nask: ?\nwrong: 1\nwrong: 2\nwrong: 3\nwrong: 4\nright: 5\n",
		":10: too many answers");
}

static void missing_or_large(void)
{
	static char text[70000];

	CU_ASSERT_PTR_NULL(doze_lesson_read("/nowhere/a.lesson", err, sizeof err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err, "/nowhere/a.lesson: No such file"));
	CU_ASSERT_PTR_NULL(doze_lesson_read("/", err, sizeof err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err, "/: "));
	memset(text, '#', sizeof text - 1);
	refuses(text, "too large for a lesson");
}

static const struct suite_test tests[] = {
    {"a lesson is read with all its entries", every_entry},
    {"moments of a recording are identified by time, event, state or storm", moments},
    {"the error for a malformed file is one line with the line number", bad_files},
    {"a question has at most four answers, exactly one of them right", bad_questions},
    {"the error for a missing or large file is one line", missing_or_large},
};

int main(int argc, char **argv)
{
	int rc;

	scratch_begin();
	rc = suite_main("lesson", tests, sizeof tests / sizeof *tests, argc, argv);
	scratch_end();
	return rc;
}
