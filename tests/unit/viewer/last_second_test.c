/*
 * SPDX-License-Identifier: MIT
 *
 * last_second_test.c - viz/viewer: the sentence about the last second of the trace.
 */
#include <string.h>

#include "tests/fixtures/suite.h"
#include "viz/viewer/screen/header.h"

static char text[TUI_LAST_SECOND_TEXT];

static void in_vain(void)
{
	struct tui_last_second w = {.workers = 3,
				    .wakes = 3,
				    .useful = 1,
				    .futile = 2,
				    .culprit = "w0",
				    .culprit_futile = 2,
				    .wakee = {"w1", "w2"},
				    .wakees = 2};

	CU_ASSERT_EQUAL(tui_last_second_text(&w, text), TUI_FUTILE);
	CU_ASSERT_STRING_EQUAL(text, "2 of 3 wakes in vain in 1 s: w0 wakes w1 and w2 for nothing");
	w.wakees = 7;
	strcpy(w.wakee[2], "w3");
	strcpy(w.wakee[3], "w4");
	tui_last_second_text(&w, text);
	CU_ASSERT_STRING_EQUAL(
	    text, "2 of 3 wakes in vain in 1 s: w0 wakes w1, w2, w3 and 4 others for nothing");
}

static void several_wakers(void)
{
	struct tui_last_second w = {.workers = 3,
				    .wakes = 9,
				    .futile = 3,
				    .culprit = "w0",
				    .culprit_futile = 2,
				    .wakee = {"w1", "w2"},
				    .wakees = 2};

	tui_last_second_text(&w, text);
	CU_ASSERT_STRING_EQUAL(text, "3 of 9 wakes in vain in 1 s, 2 by w0: it wakes w1 and w2");
}

static void one_in_vain(void)
{
	struct tui_last_second w = {.workers = 3,
				    .wakes = 3,
				    .futile = 1,
				    .culprit = "thread 4194303",
				    .culprit_futile = 1,
				    .wakee = {"w1"},
				    .wakees = 1};

	tui_last_second_text(&w, text);
	CU_ASSERT_STRING_EQUAL(text,
			       "1 of 3 wakes in vain in 1 s: thread 4194303 wakes w1 for nothing");
}

static void worst_first(void)
{
	struct tui_last_second w = {.workers = 8,
				    .wakes = 9,
				    .futile = 7,
				    .culprit = "w0",
				    .wakee = {"w1"},
				    .wakees = 1,
				    .lost = true,
				    .storm = true,
				    .storm_waker = "w0",
				    .storm_woken = 8,
				    .storm_futile = 7,
				    .storm_jobs = 1};

	CU_ASSERT_EQUAL(tui_last_second_text(&w, text), TUI_ALARM);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "STORM: w0 wakes 8 for 1 job, 7 in vain"));
	strcpy(w.hang, "a job is waiting, but no worker was woken");
	strcpy(w.hangs_since, "0.860s");
	CU_ASSERT_EQUAL(tui_last_second_text(&w, text), TUI_ALARM);
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(text, "HANG since 0.860s: a job is waiting, but no worker was woken"));
	w = (struct tui_last_second){.workers = 8, .lost = true};
	CU_ASSERT_EQUAL(tui_last_second_text(&w, text), TUI_UNKNOWN);
}

static void calm(void)
{
	struct tui_last_second w = {.workers = 4, .in_state = {[DOZE_STATE_active] = 4}};

	tui_last_second_text(&w, text);
	CU_ASSERT_STRING_EQUAL(text, "all 4 workers work");
	w.in_state[DOZE_STATE_active] = 1;
	w.in_state[DOZE_STATE_idle] = w.in_state[DOZE_STATE_sleepy] = 1;
	w.in_state[DOZE_STATE_sleeping] = 1;
	w.wakes = w.useful = 2;
	tui_last_second_text(&w, text);
	CU_ASSERT_STRING_EQUAL(text,
			       "of 4 workers 1 works, 2 search, 1 sleeps; 2 wakes in 1 s, none in "
			       "vain");
	w = (struct tui_last_second){.workers = 4, .in_state = {[DOZE_STATE_sleeping] = 4}};
	tui_last_second_text(&w, text);
	CU_ASSERT_STRING_EQUAL(text, "all 4 workers sleep: there is no work");
}

static void nothing(void)
{
	struct tui_last_second w = {.no_events = true, .live = true};

	tui_last_second_text(&w, text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "no event yet"));
	w.ended = true;
	tui_last_second_text(&w, text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "exited without recording an event"));
	w = (struct tui_last_second){.forgotten = true};
	tui_last_second_text(&w, text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "no longer stored"));
}

static const struct suite_test tests[] = {
    {"futile wakes are attributed to the thread that made most of them", in_vain},
    {"the futile wakes of the worst waker are counted separately", several_wakers},
    {"a single futile wake is described in the singular", one_in_vain},
    {"the worst problem is reported first", worst_first},
    {"without trouble, the verdict names the workers that are working", calm},
    {"without events, the verdict explains why", nothing},
};

int main(int argc, char **argv)
{
	return suite_main("tui verdict", tests, sizeof tests / sizeof tests[0], argc, argv);
}
