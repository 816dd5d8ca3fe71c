/*
 * SPDX-License-Identifier: MIT
 *
 * moves_test.c - viz/viewer: moving in time, keys, jumps, panes and the quiz.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/screen.h"
#include "viz/viewer/panes/panes.h"

/* ---- time ---- */

static void pause_freezes(void)
{
	char before[1024];

	begin(four_states, true, true);
	draw(80, 24);
	press(" ");
	draw(80, 24);
	snprintf(before, sizeof before, "%s", row("w0"));
	feed("500000 w0 sleeping>idle self_wake\n500010 w0 idle>active found_local\n");
	draw(80, 24);
	CU_ASSERT_STRING_EQUAL(row("w0"), before);
	CU_ASSERT_TRUE(shows("PAUSED"));
	press(" ");
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  works"));
	/* Events were still collected while the picture was frozen. */
	CU_ASSERT_EQUAL(scene.now.totals.events, 8);
}

static void zoom_keeps_the_cursor(void)
{
	int64_t t, cell;

	begin(four_states, false, true);
	draw(80, 24);
	press(","); /* moves to the last transition, at 30 us */
	t = scene.view.at.cursor;
	cell = tui_view_cell(&scene.view, t);
	CU_ASSERT_EQUAL(t - scene.view.origin, 30000);
	press("+");
	CU_ASSERT_EQUAL(scene.view.at.cursor, t);
	CU_ASSERT_TRUE(labs(tui_view_cell(&scene.view, t) - cell) <= 1);
	press("--0");
	draw(80, 24);
	CU_ASSERT_EQUAL(tui_view_cell(&scene.view, t), cell);
}

static void resize_keeps_the_place(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n0 w1 none>active start\n"
	      "10 w0 active>idle no_work\n1000 x mark end\n",
	      false, true);
	draw(80, 24);
	press("j+,");
	CU_ASSERT_EQUAL(scene.view.selected, 1);
	for (int i = 0; i < 3; i++) {
		int64_t t = scene.view.at.cursor;

		draw((int[]){120, 10, 61}[i], (int[]){40, 3, 18}[i]);
		CU_ASSERT_EQUAL(scene.view.at.cursor, t);
		CU_ASSERT_EQUAL(scene.view.selected, 1);
	}
	CU_ASSERT_TRUE(tui_view_cell(&scene.view, scene.view.at.cursor) < scene.view.cells);
	CU_ASSERT_TRUE(tui_view_cell(&scene.view, scene.view.at.cursor) >= 0);
}

static void follow_and_scroll_back(void)
{
	int64_t right;

	begin(four_states, true, true);
	draw(80, 24);
	feed("10000000 w0 sleeping>idle self_wake\n");
	draw(80, 24);
	CU_ASSERT_TRUE(tui_view_cell(&scene.view, scene.view.origin + 10000000000) <
		       scene.view.cells);
	CU_ASSERT_TRUE(tui_view_cell(&scene.view, scene.view.origin + 10000000000) >=
		       scene.view.cells - scene.view.cells / 4 - 1);
	press("H");
	right = scene.view.at.right;
	CU_ASSERT_FALSE(scene.view.at.follow);
	CU_ASSERT_TRUE(right - scene.view.origin < 10000000000);
	feed("20000000 w0 idle>active found_local\n");
	draw(80, 24);
	CU_ASSERT_EQUAL(scene.view.at.right, right);
	press("f");
	CU_ASSERT_TRUE(scene.view.at.right - scene.view.origin >= 20000000000);
	press("u");
	CU_ASSERT_FALSE(scene.view.at.follow);
}

static void steps_through_events(void)
{
	begin(four_states, false, true);
	draw(80, 24);
	press("g]");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 10000);
	press("]");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 20000);
	press("[[");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 0);
	press("/sleepy -> sleeping\n");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 30000);
	press("e");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("w0 sleeps from 0.000030s"));
	CU_ASSERT_TRUE(shows("JEC 2 (even), inactive 1, sleeping 0; after:"));
	CU_ASSERT_TRUE(shows("in one atomic step")); /* the rule of policy jec */
}

static void filter_hides(void)
{
	begin("0 x pool jec 3\n0 w0 none>active start\n0 w1 none>active start\n"
	      "0 w2 none>active start\n65 x mark end\n",
	      false, true);
	press("\\1-2\n");
	draw(80, 24);
	CU_ASSERT_EQUAL(scene.now.n_lanes, 2);
	CU_ASSERT_STRING_EQUAL(row("w0"), "");
	CU_ASSERT_STRING_NOT_EQUAL(row("w2"), "");
	press("\\1-\n");
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "not a list"));
	CU_ASSERT_EQUAL(scene.now.n_lanes, 2);
	press("\\\n");
	CU_ASSERT_EQUAL(scene.now.n_lanes, 3);
}

static void plays(void)
{
	begin(four_states, false, true);
	draw(80, 24);
	press("p");
	CU_ASSERT_EQUAL(scene.view.at.cursor, scene.view.origin);
	/* Plays one second of real time, which is ten columns. */
	tui_view_play(&scene.view, 1000000000);
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 10 * scene.view.at.per_cell);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  searches"));
	tui_view_play(&scene.view, 60000000000);
	CU_ASSERT_EQUAL(scene.view.at.cursor, scene.view.last);
	CU_ASSERT_FALSE(scene.view.playing);
}

static void quiz_asks(void)
{
	begin(four_states, false, true);
	draw(80, 24);
	press("gP");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("w0 works (active): what next?"));
	CU_ASSERT_PTR_NULL(strchr(row("w0"), '~')); /* events after the shown time are hidden */
	press("i");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 10000);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "Right"));
	press("a"); /* in this step the worker becomes sleepy */
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "No: w0 is about to sleep"));
	press("P");
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "1 of 2 right"));
	CU_ASSERT_PTR_NOT_NULL(strchr(row("w0"), '.'));
}

static void measures_are_shown(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n1 w0 active>idle no_work\n"
	      "2 w0 idle>sleepy rounds\n3 w0 sleepy>sleeping rounds\n"
	      "30 x post injector 1 empty wakes 1 d1\n30 x wake w0 id1 d1 inject\n31 w0 woken 1\n"
	      "31 w0 sleeping>idle woken\n33 w0 idle>active found_injected\n65 x mark end\n",
	      false, true);
	scene.view.pane = TUI_PANE_latency;
	draw(100, 30);
	CU_ASSERT_TRUE(shows("notify to awake        1  1.00 us"));
	CU_ASSERT_TRUE(shows("Wakers: outside 1"));
}

static void late_word(void)
{
	begin("5 w0 snapshot sleeping jec 2 1.1.6>1.1.6\n65 x mark end\n", false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("jec"), "        6 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("sleep  "), "sleep      1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  sleeps"));
}

/* One job wakes all four workers, three of which find nothing. */
static void storm_is_shown(void)
{
	char text[2048] = "0 x pool tickle 4\n";
	size_t n;

	for (int i = 0; i < 4; i++) {
		n = strlen(text);
		snprintf(text + n, sizeof text - n,
			 "1 w%d none>active start\n2 w%d active>idle no_work\n"
			 "3 w%d idle>sleepy rounds\n4 w%d sleepy>sleeping rounds\n",
			 i, i, i, i);
	}
	strcat(text, "100 x post injector 1 empty wakes 4 d1\n");
	for (int i = 0; i < 4; i++) {
		n = strlen(text);
		snprintf(text + n, sizeof text - n,
			 "101 x wake w%d id%d d1 inject all\n102 w%d woken %d\n"
			 "102 w%d sleeping>idle woken\n",
			 i, i + 1, i, i + 1, i);
	}
	strcat(text, "105 w0 idle>active found_injected\n");
	for (int i = 1; i < 4; i++) {
		n = strlen(text);
		snprintf(text + n, sizeof text - n,
			 "110 w%d idle>sleepy rounds\n111 w%d sleepy>sleeping rounds\n", i, i);
	}
	strcat(text, "5000 w0 active>idle no_work\n");
	begin(text, false, true);
	tui_history_finish(scene.history);
	draw(120, 30);
	CU_ASSERT_TRUE(shows("STORM: thread 99 wakes 4 for 1 job, 3 in vain"));
	CU_ASSERT_TRUE(shows("storms 1"));
	press("gs");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 101000);
	CU_ASSERT_NOT_EQUAL(strchr(row("marks"), 'S'), NULL);
}

static void findings_are_loud(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n10 w0 sleeping>idle woken\n65 x mark end\n",
	      false, true);
	scene.view.pane = TUI_PANE_findings;
	draw(100, 30);
	CU_ASSERT_TRUE(shows("findings 1"));
	CU_ASSERT_TRUE(shows("w0: transition"));
}

static void bookmarks_are_listed(void)
{
	begin("0 x pool jec 1\n0 w0 none>active start\n10 w0 active>idle no_work\n65 x mark end\n",
	      false, true);
	draw(80, 24);
	press("g.m");
	scene.view.pane = TUI_PANE_marks;
	draw(80, 24);
	CU_ASSERT_TRUE(shows("0.000010s * your bookmark"));
	press("g'");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 10000);
	press("m");
	draw(80, 24);
	CU_ASSERT_FALSE(shows("your bookmark"));
}

static const struct suite_test tests[] = {
    {"a pause freezes the screen while events are still collected", pause_freezes},
    {"zooming keeps the cursor in place", zoom_keeps_the_cursor},
    {"resizing keeps the cursor and the selection, even at 10x3", resize_keeps_the_place},
    {"the view follows new events until it is scrolled back, and moves can be undone",
     follow_and_scroll_back},
    {"keys step through events, search for text, and explain the event at the cursor",
     steps_through_events},
    {"p plays the trace, and playback stops at the end", plays},
    {"the quiz hides the next events and grades the answer", quiz_asks},
    {"the measures pane shows delays and wakers", measures_are_shown},
    {"a viewer that attaches late learns the states and the word from a snapshot", late_word},
    {"a storm is reported and marked, and s moves to it", storm_is_shown},
    {"an impossible transition is shown as a finding", findings_are_loud},
    {"m sets and removes a bookmark, and ' moves to it", bookmarks_are_listed},
    {"the filter hides workers and rejects a malformed list", filter_hides},
};

int main(int argc, char **argv)
{
	return screen_main("tui moves", tests, sizeof tests / sizeof tests[0], argc, argv);
}
