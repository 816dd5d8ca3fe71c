/*
 * SPDX-License-Identifier: MIT
 *
 * faults_test.c - viz/viewer: regression tests for the picture, the keys and the texts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/screen.h"
#include "viz/viewer/panes/panes.h"
#include "viz/words/event_text.h"

/* Writes a pool of n sleeping workers whose counters are unknown. */
static void sleepers(char *text, size_t size, const char *policy, int n)
{
	size_t at = (size_t)snprintf(text, size, "0 x pool %s %d\n", policy, n);

	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, size - at,
				       "1 w%d none>active start\n2 w%d active>idle no_work\n"
				       "3 w%d idle>sleepy rounds\n4 w%d sleepy>sleeping rounds\n",
				       i, i, i, i);
}

/* Adds a post at `us` that wakes all n workers, of which only the first finds work. */
static void herd(char *text, size_t size, int us, int n, int decision)
{
	size_t at = strlen(text);

	at += (size_t)snprintf(text + at, size - at, "%d x post injector 1 empty wakes %d d%d\n",
			       us, n, decision);
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, size - at,
				       "%d x wake w%d id%d d%d inject all\n%d w%d woken %d\n"
				       "%d w%d sleeping>idle woken\n",
				       us + 1, i, decision * n + i, decision, us + 2, i,
				       decision * n + i, us + 2, i);
	at += (size_t)snprintf(text + at, size - at,
			       "%d w0 idle>active found_injected\n%d w0 active>idle no_work\n",
			       us + 5, us + 8);
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, size - at,
				       "%d w%d idle>sleepy rounds\n%d w%d sleepy>sleeping rounds\n",
				       us + 10, i, us + 11, i);
}

static const char *storms(void)
{
	static char text[65536];

	sleepers(text, sizeof text, "tickle", 4);
	for (int i = 0; i < 3; i++)
		herd(text, sizeof text, 10000 + 10000 * i, 4, i + 1);
	return text;
}

/* ---- the picture ---- */

static void herds_do_not_vanish(void)
{
	begin(storms(), false, true);
	tui_history_finish(scene.history);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("wakes"), "^1!3 "));
	begin(storms(), false, false);
	draw(80, 40); /* room for one row per worker */
	CU_ASSERT_TRUE(shows("△"));
	CU_ASSERT_TRUE(shows("▲"));
}

static void bars_stay_in_scale(void)
{
	char text[8192];

	sleepers(text, sizeof text, "tickle", 8);
	strcat(text, "1000 w0 sleeping>idle self_wake\n1500 w0 idle>active found_local\n"
		     "3000 w0 active>idle no_work\n4000 x mark end\n");
	begin(text, false, true);
	draw(120, 40);
	/* The mean is at most 8, although seven of the eight workers sleep in the middle of the
	 * column. */
	CU_ASSERT_PTR_NOT_NULL(strchr(row("sleep  "), '7'));
	CU_ASSERT_PTR_NULL(strchr(row("sleep  "), '9'));
	CU_ASSERT_PTR_NULL(strchr(row("sleep  "), '+'));
}

static void pools_end_is_not_shown_first(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n20 w0 active>idle no_work\n"
	      "60 w0 idle>stopped terminate\n65 x mark end\n",
	      false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  searches"));
	press("G"); /* G still moves to the end */
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  stopped"));
}

static void header_is_not_cut(void)
{
	begin(four_states, true, true);
	scene.program = "a-program-with-a-name-that-is-longer-than-the-title-has-room-for-at-80";
	scene.status.behind_ns = 100000000;
	for (int w = 40; w < 120; w++) {
		draw(w, 24);
		CU_ASSERT_TRUE(shows("no events lost  0.1 s behind"));
	}
	scene.program = "fib";
	draw(80, 24);
	CU_ASSERT_TRUE(shows("live  fib  jec  2 workers"));
}

/* The time in the title must be the time of the picture. */
static void past_is_not_now(void)
{
	begin(four_states, true, true);
	feed("20000000 w0 sleeping>idle self_wake\n");
	scene.status.behind_ns = 0;
	draw(80, 24);
	CU_ASSERT_TRUE(shows("0.0 s behind"));
	press("g");
	draw(80, 24);
	CU_ASSERT_FALSE(shows("behind"));
	CU_ASSERT_TRUE(shows("s ago"));
}

static void discarded_is_shown(void)
{
	char line[128];

	begin("0 x pool jec 1\n0 w0 none>active start\n", true, true);
	scene.history->live = true;
	for (int i = 1; i < 400000; i++) {
		snprintf(line, sizeof line, "%d w0 %s\n", i * 10,
			 i % 2 ? "active>idle no_work" : "idle>active found_local");
		feed(line);
	}
	draw(80, 24);
	press("g");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("no longer stored: older than what the viewer keeps"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "%%%%"));
}

/* ---- keys ---- */

static void storms_are_found_while_following(void)
{
	begin(storms(), true, true);
	tui_history_quiet(scene.history, 1000000000 + 60000000);
	draw(80, 24);
	press("s");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 10001000);
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(scene.message, "no storm after this point: this is the first one"));
}

/* Returns the number of rows in which a worker searches without success. */
static int in_vain(void)
{
	int n = 0;

	for (int i = 0; i < 4; i++) {
		char what[64];

		snprintf(what, sizeof what, "w%d is awake after 2.00 us, searches", i);
		n += shows(what);
	}
	return n;
}

static void storms_are_played(void)
{
	int64_t begun;

	begin(storms(), true, true);
	tui_history_quiet(scene.history, 1000000000 + 60000000);
	draw(80, 24);
	press("sz");
	draw(80, 24);
	begun = scene.view.at.cursor;
	CU_ASSERT_TRUE(scene.view.paused);
	CU_ASSERT_TRUE(scene.view.playing);
	CU_ASSERT_EQUAL(scene.view.slow, 100000); /* slow motion, because the wake took 10 us */
	CU_ASSERT_TRUE(scene.view.at.per_cell * scene.view.cells < 100000);
	CU_ASSERT_TRUE(shows("woke 4 workers for 1 job"));
	CU_ASSERT_EQUAL(in_vain(), 0); /* no verdict is known yet */
	press(">");
	CU_ASSERT_EQUAL(scene.view.slow, 10000);
	tui_view_play(&scene.view, 20000000); /* plays 2 us of the trace */
	CU_ASSERT_EQUAL(scene.view.at.cursor - begun, 2001);
	draw(80, 24);
	CU_ASSERT_TRUE(shows("w1 is awake after 2.00 us and searches"));
	tui_view_play(&scene.view, 1000000000);
	CU_ASSERT_FALSE(scene.view.playing);
	draw(80, 24);
	CU_ASSERT_EQUAL(in_vain(), 3);
}

static void search_works_while_following(void)
{
	begin(four_states, true, true);
	tui_history_quiet(scene.history, 1000000000 + 60000000);
	draw(80, 24);
	press("/sleepy -> sleeping\n");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 30000);
	draw(80, 24);
	CU_ASSERT_TRUE(shows("[search]"));
	CU_ASSERT_TRUE(shows("sleepy -> sleeping"));
}

static void steps_move_the_picture(void)
{
	begin("0 x pool jec 1\n0 w0 none>active start\n500000 w0 active>idle no_work\n"
	      "500001 w0 idle>active found_local\n1000000 x mark end\n",
	      false, true);
	draw(80, 24);
	press("g..");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 500001000);
	/* Zoomed in until the step is at least one column wide. */
	CU_ASSERT_TRUE(scene.view.at.per_cell <= 1000);
}

static void lists_have_cursors(void)
{
	int64_t at;

	begin(storms(), false, true);
	tui_history_finish(scene.history);
	draw(80, 24);
	tui_key_press(&scene, TUI_KEY_UP);
	tui_key_press(&scene, TUI_KEY_UP);
	at = tui_pane_item(&scene)->at;
	press("\nz");
	draw(80, 24);
	CU_ASSERT_EQUAL(scene.view.at.cursor, at);
	CU_ASSERT_TRUE(shows("3 of 4 woken"));
	CU_ASSERT_TRUE(shows("Woken for this post by other rules (a model)"));
	press("\033z");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("3 of 4 in vain, asleep"));
	/* The selected row must stay under the cursor. */
	feed("70000 x post injector 1 empty wakes 0 d0\n");
	CU_ASSERT_EQUAL(tui_pane_item(&scene)->at, at);
}

/* ---- numbers and sentences ---- */

static void late_viewers_count_from_then(void)
{
	begin("5 w0 active>idle no_work ran 1000\n9 w0 idle>active found_local ran 1000\n"
	      "20 w0 active>idle no_work ran 1002\n65 x mark end\n",
	      false, true);
	draw(80, 24);
	CU_ASSERT_EQUAL(scene.now.totals.jobs_run, 2);
	CU_ASSERT_EQUAL(scene.now.workers[0].jobs_run, 2);
}

static void silence_is_explained(void)
{
	begin("", true, true);
	scene.status.program = "running, pid 12";
	draw(80, 24);
	CU_ASSERT_TRUE(shows("is it a doze program?"));
	scene.status.ended = true;
	draw(80, 24);
	CU_ASSERT_TRUE(shows("exited without recording an event"));
}

static void long_tids_are_complete(void)
{
	char text[16384];

	sleepers(text, sizeof text, "tickle", 4);
	begin(text, false, true);
	for (int i = 0; i < 4; i++) {
		struct doze_event e = {.ts = 1000100000 + i,
				       .kind = DOZE_EV_wake,
				       .vtid = 4194303,
				       .worker = -1,
				       .pool = 1};

		e.u.wake.target = i;
		e.u.wake.wake_id = (uint64_t)i + 1;
		e.u.wake.decision_id = 1;
		e.u.wake.cause = DOZE_CAUSE_inject;
		e.host = doze_model_pool(scene.history->model, 0)->host;
		e.vpid = doze_model_pool(scene.history->model, 0)->vpid;
		e.pool = doze_model_pool(scene.history->model, 0)->pool;
		tui_history_feed(scene.history, &e);
	}
	for (int pane = 0; pane < 2; pane++) {
		tui_pane_show(&scene, pane); /* the explanation comes first, then the wakes */
		draw(80, 24);
		CU_ASSERT_TRUE(shows("thread 4194303 "));
	}
}

static void no_jec_is_explained_without_one(void)
{
	struct doze_event e = {.kind = DOZE_EV_worker_state};
	const struct doze_pool_view *pool;
	char text[480], script[1024];

	sleepers(script, sizeof script, "tickle", 1);
	begin(script, false, true);
	pool = doze_model_pool(scene.history->model, 0);
	for (int from = 0; from < DOZE_STATE_COUNT; from++)
		for (int to = 0; to < DOZE_STATE_COUNT; to++)
			for (int why = 0; why < DOZE_REASON_COUNT; why++) {
				e.u.state.from = (enum doze_state)from;
				e.u.state.to = (enum doze_state)to;
				e.u.state.reason = (enum doze_reason)why;
				doze_event_why(text, sizeof text, pool, &e);
				CU_ASSERT_PTR_NULL(strstr(text, "JEC"));
			}
}

static void losses_prove_nothing(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n10 w0 sleeping>idle woken\n"
	      "40 lost 30 7\n65 x mark end\n",
	      false, true);
	tui_pane_show(&scene, TUI_PANE_findings);
	draw(120, 30);
	CU_ASSERT_TRUE(shows("(doubtful)"));
	press("\n");
	draw(120, 30);
	CU_ASSERT_TRUE(shows("this proves nothing"));
}

static void time_stops_at_the_end(void)
{
	begin("0 x pool jec 1\n0 w0 none>active start\n60 w0 active>stopped terminate\n", true,
	      true);
	tui_history_quiet(scene.history, 1000000000 + 9000000000);
	draw(80, 24);
	press("e");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("w0 stopped at 0.000060s"));
	CU_ASSERT_FALSE(shows("so far for"));
}

/* No glyph may have two meanings. */
static void glyphs_are_unique(void)
{
	for (int ascii = 0; ascii < 2; ascii++) {
		const struct tui_glyphs *k = tui_glyphs(ascii);
		const uint32_t all[] = {k->state[DOZE_STATE_active],
					k->state[DOZE_STATE_idle],
					k->state[DOZE_STATE_sleepy],
					k->state[DOZE_STATE_sleeping],
					k->state[DOZE_STATE_blocked],
					k->partly,
					k->unknown,
					k->wake_open,
					k->wake_used,
					k->wake_futile,
					k->wake_other,
					k->jec_even,
					k->jec_odd,
					k->jec_once,
					k->sep,
					k->storm,
					k->bookmark,
					k->bar[1]};

		for (size_t i = 0; i < sizeof all / sizeof *all; i++)
			for (size_t j = 0; j < i; j++)
				CU_ASSERT_NOT_EQUAL(all[i], all[j]);
	}
}

static const struct suite_test tests[] = {
    {"wakes in the same cell share one entry that counts each kind", herds_do_not_vanish},
    {"a bar never exceeds the number of workers", bars_stay_in_scale},
    {"a recording opens at a time when its workers are running", pools_end_is_not_shown_first},
    {"the title names the program and is not truncated", header_is_not_cut},
    {"the title of an earlier view shows how long ago it was", past_is_not_now},
    {"discarded history is still drawn, and its verdict is not zero", discarded_is_shown},
    {"s finds storms while the view follows new events", storms_are_found_while_following},
    {"s plays a storm in slow motion", storms_are_played},
    {"/ finds and lists events while the view follows new events", search_works_while_following},
    {"a step to an event in the same column zooms in", steps_move_the_picture},
    {"a row opens and closes, and remains under the cursor", lists_have_cursors},
    {"a viewer that attaches late does not count earlier jobs", late_viewers_count_from_then},
    {"the viewer explains why a program has no events", silence_is_explained},
    {"thread ids are not truncated", long_tids_are_complete},
    {"no explanation mentions a JEC under a policy without one", no_jec_is_explained_without_one},
    {"a finding after lost events is marked as unproven", losses_prove_nothing},
    {"the explain pane stops counting at the end of the trace", time_stops_at_the_end},
    {"no glyph has two meanings", glyphs_are_unique},
};

int main(int argc, char **argv)
{
	return screen_main("tui faults", tests, sizeof tests / sizeof tests[0], argc, argv);
}
