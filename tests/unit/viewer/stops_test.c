/*
 * SPDX-License-Identifier: MIT
 *
 * stops_test.c - viz/viewer: where slow motion stops, the verdict on a hang, and the confirmation
 * that q asks for.
 */
#include <stdio.h>
#include <string.h>

#include "tests/fixtures/screen.h"

#define ASLEEP                                                                                     \
	"0 x pool jec 1\n0 w0 none>active start\n1 w0 active>idle no_work\n2 w0 idle>sleepy "      \
	"rounds\n"                                                                                 \
	"3 w0 sleepy>sleeping rounds\n"

static const char in_vain[] =
    ASLEEP "30 x post injector 1 empty wakes 1 d1\n30 x wake w0 id1 d1 inject\n"
	   "31 w0 woken 1\n31 w0 sleeping>idle woken\n40 w0 idle>sleepy rounds\n"
	   "50 w0 sleepy>sleeping rounds\n200 x mark end\n";
static const char stranded[] = ASLEEP "30 x post injector 1 empty wakes 0 d1\n";

static void slow_motion_stops(void)
{
	begin(in_vain, false, true);
	draw(80, 24);
	press("g<");
	CU_ASSERT_EQUAL(scene.stop.at - scene.view.origin, 50000);
	CU_ASSERT_TRUE(scene.view.playing);
	tui_view_play(&scene.view, 1000000000);
	draw(80, 24);
	CU_ASSERT_FALSE(scene.view.playing);
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 50000);
	CU_ASSERT_TRUE(shows("stopped at the verdict on the wake of w0: in vain"));
	press(">"); /* playback continues at the same speed */
	draw(80, 24);
	CU_ASSERT_TRUE(scene.view.playing);
	CU_ASSERT_EQUAL(scene.view.slow, 10);
	CU_ASSERT_EQUAL(scene.stop.at, 0); /* there is nothing left to stop at */
	CU_ASSERT_FALSE(shows("stopped at the verdict"));
}

static void hang_of_a_recording(void)
{
	begin(stranded, false, true);
	feed("100000 x mark end\n");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("HANG since 0.000s: a job is waiting, but the worker was not woken"));
	press("g");
	draw(80, 24);
	CU_ASSERT_FALSE(shows("HANG")); /* the verdict is not shown at the first event */
}

static const char blocked[] =
    "0 x pool jec 2\n0 w0 none>active start\n0 w1 none>active start\n"
    "4000 w0 active>blocked mark_blocked 0.0.0>0.0.0\n"
    "5020 w1 active>idle no_work 0.0.0>0.1.0\n5030 w1 idle>sleepy rounds 0.1.0>0.1.0\n"
    "5040 w1 sleepy>sleeping rounds 0.1.0>0.1.1\n";

/* The counters word of jec counts a blocked worker as active. */
static void hang_of_blocked(void)
{
	begin(blocked, false, true);
	feed("100000 x mark end\n");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("HANG since"));
	CU_ASSERT_TRUE(shows(" work       0"));
	CU_ASSERT_TRUE(
	    shows("HANG since 0.005s: w0 has been blocked since 0.004s, cause not recorded"));
	CU_ASSERT_TRUE(shows("s hang: w0 has been blocked since 0.004s, cause not"));
	CU_ASSERT_TRUE(shows(" blocked: waits outside the pool"));
	press("7");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("it waits for something outside the pool"));
	press("1j\n");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("The pool hung at"));
}

/* The time after a worker's last snapshot is unknown, but here it is shorter than a cell. */
static void end_of_a_killed_program(void)
{
	begin(blocked, false, true);
	feed("2000000 w0 snapshot blocked jec 2 0.1.1>0.1.1\n"
	     "2000030 w1 snapshot sleeping jec 2 0.1.1>0.1.1\n");
	tui_history_finish(scene.history);
	draw(80, 24);
	CU_ASSERT_PTR_NULL(strchr(row("w0"), '/'));
	CU_ASSERT_TRUE(shows("w0 has been blocked since 0.004s"));
	press("7");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("w0 is blocked, as far as is known, from 0.0040"));
}

/* Times are added up as floats. For some times, the rounding errors would add up to visible work,
 * so the test tries many. */
static void blocked_is_no_work(void)
{
	char end[64];

	for (int us = 2000000; us < 2100000; us += 3001) {
		begin(blocked, false, true);
		snprintf(end, sizeof end, "%d x mark end\n", us);
		feed(end);
		draw(80, 24);
		CU_ASSERT_PTR_NULL(strstr(row("work"), "11"));
	}
}

static void hang_while_live(void)
{
	begin(stranded, true, true);
	feed("500000 x mark on\n");
	draw(80, 24);
	CU_ASSERT_FALSE(shows("HANG")); /* the pool may still continue */
	feed("1500000 x mark on\n");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("HANG since 0.000s"));
	feed("1500010 w0 sleeping>idle self_wake\n1500020 w0 idle>active found_injected\n");
	draw(80, 24);
	CU_ASSERT_FALSE(shows("HANG"));
}

static void asks_before_deleting(void)
{
	begin(in_vain, true, true);
	/* An impossible transition must be reported as a finding. */
	feed("300000 w0 sleeping>sleepy rounds\n");
	draw(80, 24);
	CU_ASSERT_TRUE(scene.now.totals.findings > 0);
	CU_ASSERT_EQUAL(tui_key_press(&scene, 'q'), TUI_QUIT); /* there is nothing to save */
	scene.can_save = true;
	CU_ASSERT_EQUAL(tui_key_press(&scene, 'q'), TUI_GO_ON);
	draw(80, 24);
	CU_ASSERT_TRUE(shows("there are findings: ! saves the session; q again quits"));
	CU_ASSERT_EQUAL(tui_key_press(&scene, 'q'), TUI_QUIT);
	scene.asked = false;
	scene.saved = true;
	CU_ASSERT_EQUAL(tui_key_press(&scene, 'q'), TUI_QUIT);
}

static const struct suite_test tests[] = {
    {"slow motion stops at a verdict, and then continues", slow_motion_stops},
    {"the verdict on a recording of a hung pool reports the hang", hang_of_a_recording},
    {"a blocked worker does not count as working, and the story names the hang", hang_of_blocked},
    {"the row `work` is empty while no worker works", blocked_is_no_work},
    {"a killed program's workers keep their last state until the end", end_of_a_killed_program},
    {"q asks once before findings are deleted", asks_before_deleting},
    {"one second after a live pool hangs, the verdict reports the hang", hang_while_live},
};

int main(int argc, char **argv)
{
	return screen_main("stops", tests, sizeof tests / sizeof *tests, argc, argv);
}
