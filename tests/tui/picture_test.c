/*
 * SPDX-License-Identifier: MIT
 *
 * picture_test.c - viz/tui without a terminal: events written by hand go in, a grid comes out.
 *
 * The clock is the trace's own, so every picture here is exact.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../viz/tui/keys.h"
#include "../../viz/tui/scene.h"
#include "../unit/story.h"
#include "../unit/suite.h"

static struct tui_scene scene;
static struct tui_grid grid;
static const int64_t base = 1000000000; /* time 0 of story_parse */

/* ---- the frame ---- */

static void feed(const char *text)
{
	char line[256];

	for (const char *s = text; *s; s += *s == '\n') {
		size_t len = strcspn(s, "\n");
		struct doze_event e;
		long long t, since, count;

		snprintf(line, sizeof line, "%.*s", (int)len, s);
		s += len;
		if (sscanf(line, "%lld lost %lld %lld", &t, &since, &count) == 3)
			tui_history_discarded(scene.history, base + since * 1000, base + t * 1000,
					      (uint64_t)count);
		else if (story_parse(line, &e))
			tui_history_feed(scene.history, &e);
	}
}

static void begin(const char *text, bool live, bool ascii)
{
	tui_scene_free(&scene);
	tui_history_free(scene.history);
	memset(&scene, 0, sizeof scene);
	scene.history = tui_history_new();
	scene.look = tui_look(ascii);
	scene.title = "made";
	scene.status.live = live;
	scene.status.behind_ns = -1;
	grid.ascii = ascii;
	tui_view_init(&scene.view, live);
	feed(text);
}

static void draw(int w, int h)
{
	tui_grid_resize(&grid, w, h);
	for (int i = 0; i < 2; i++) { /* the first picture tells the view how wide it is */
		tui_scene_update(&scene);
		tui_draw(&scene, &grid);
	}
}

/* The row of the picture that begins with this, after blanks and the selection's mark; as text. */
static const char *row(const char *begins)
{
	static char text[1024];

	for (int y = 0; y < grid.h; y++) {
		size_t n = 0;

		for (int x = 0; x < grid.w && n + 4 < sizeof text; x++)
			n += tui_utf8(grid.cells[y * grid.w + x].ch, text + n);
		text[n] = '\0';
		if (strncmp(text + 1, begins, strlen(begins)) == 0)
			return text;
	}
	return "";
}

static bool shows(const char *what)
{
	char text[8192];
	FILE *f = fmemopen(text, sizeof text, "w");
	bool found;

	tui_grid_print(&grid, f);
	fclose(f);
	text[sizeof text - 1] = '\0';
	found = strstr(text, what) != NULL;
	return found;
}

static void press(const char *keys)
{
	for (; *keys; keys++) {
		tui_key_press(&scene, *keys);
		tui_scene_update(&scene);
	}
}

#define LANE_X 14

/* A worker that is active, idle, sleepy, sleeping for 10 cells each; 65 cells fit 65 us. */
static const char four_states[] = "0 x pool jec 2\n"
				  "0 w0 none>active start\n"
				  "10 w0 active>idle no_work 0.0.1>0.1.1\n"
				  "20 w0 idle>sleepy rounds\n"
				  "30 w0 sleepy>sleeping rounds 0.1.2>1.1.2\n"
				  "65 x mark end\n";

/* ---- lanes ---- */

static void states_have_glyphs(void)
{
	begin(four_states, false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "##########~~~~~~~~~~??????????....."));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  sleeping"));
}

static void glyphs_in_unicode(void)
{
	begin(four_states, false, false);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "█▒▒"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "░··"));
}

static void finer_than_a_cell(void)
{
	begin("0 x pool jec 1\n0 w0 none>active start\n100 w0 active>idle no_work\n"
	      "101 w0 idle>active found_local\n102 w0 active>idle no_work\n650 x mark end\n",
	      false, true);
	draw(80, 24);
	/* The cell of 100..110 us holds 1 us of activity between two spans of idleness. */
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "##########1~~~~"));
}

static void loss_is_loud(void)
{
	begin("0 x pool jec 1\n0 w0 none>active start\n20 w0 active>idle no_work\n"
	      "40 lost 30 7\n50 w0 idle>active found_local\n65 x mark end\n",
	      false, true);
	draw(80, 24);
	CU_ASSERT_TRUE(shows("LOST 7 EVENTS"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "//////////"));
	CU_ASSERT_EQUAL(grid.cells[79].style, TUI_ALARM);
	begin(four_states, false, true);
	draw(80, 24);
	CU_ASSERT_TRUE(shows("lost 0"));
	CU_ASSERT_PTR_NULL(strchr(row("w0"), '/'));
}

static void wakes_are_marked(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n1 w0 active>idle no_work\n"
	      "2 w0 idle>sleepy rounds\n3 w0 sleepy>sleeping rounds\n"
	      "30 x wake w0 id1 d1 push\n31 w0 woken 1\n31 w0 sleeping>idle woken\n"
	      "33 w0 idle>sleepy rounds\n35 w0 sleepy>sleeping rounds\n65 x mark end\n",
	      false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "..!")); /* a futile one */
	press("w");
	draw(80, 24);
	CU_ASSERT_PTR_NULL(strchr(row("w0"), '!'));
	scene.view.pane = TUI_WAKES;
	draw(80, 24);
	CU_ASSERT_TRUE(shows("futile"));
	CU_ASSERT_TRUE(shows("outside > w0"));
}

static void counters_follow_the_word(void)
{
	begin(four_states, false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("sleeping"), "sleeping   1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("idle"), "1111111111"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("jec"), "        2 "));
	CU_ASSERT_PTR_NOT_NULL(strchr(row("jec"), '|')); /* one toggle, 1 to 2 */
}

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
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  active"));
	CU_ASSERT_EQUAL(scene.now.totals.events, 8); /* they went on being kept */
}

static void zoom_keeps_the_cursor(void)
{
	int64_t t, cell;

	begin(four_states, false, true);
	draw(80, 24);
	press(","); /* the last transition: 30 us */
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
	CU_ASSERT_TRUE(tui_view_cell(&scene.view, scene.view.origin + 10000000000) >=
		       scene.view.cells - 1);
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
	CU_ASSERT_TRUE(shows("w0 is sleeping, since 0.000030 s"));
	CU_ASSERT_TRUE(shows("JEC 2 (even), inactive 1, sleeping 0; after it"));
	CU_ASSERT_TRUE(shows("in one atomic step")); /* the rule of jec */
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
	tui_view_play(&scene.view, 1000000000); /* a second on the wall: ten columns */
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 10 * scene.view.at.per_cell);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  idle"));
	tui_view_play(&scene.view, 60000000000);
	CU_ASSERT_EQUAL(scene.view.at.cursor, scene.view.last);
	CU_ASSERT_FALSE(scene.view.playing);
}

static void lesson_asks(void)
{
	begin(four_states, false, true);
	draw(80, 24);
	press("gP");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("w0 is active: what next?"));
	CU_ASSERT_PTR_NULL(strchr(row("w0"), '~')); /* what comes is not shown */
	press("i");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 10000);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "Right"));
	press("a"); /* it gets sleepy */
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "No: w0 is sleepy"));
	press("P");
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "1 of 2 right"));
	CU_ASSERT_PTR_NOT_NULL(strchr(row("w0"), '.'));
}

static void measures_are_told(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n1 w0 active>idle no_work\n"
	      "2 w0 idle>sleepy rounds\n3 w0 sleepy>sleeping rounds\n"
	      "30 x post injector 1 empty wakes 1 d1\n30 x wake w0 id1 d1 inject\n31 w0 woken 1\n"
	      "31 w0 sleeping>idle woken\n33 w0 idle>active found_injected\n65 x mark end\n",
	      false, true);
	scene.view.pane = TUI_MEASURES;
	draw(100, 30);
	CU_ASSERT_TRUE(shows("notify to awake        1  1.00 us"));
	CU_ASSERT_TRUE(shows("Wakers: outside 1"));
}

static void late_word(void)
{
	begin("5 w0 snapshot sleeping jec 2 1.1.6>1.1.6\n65 x mark end\n", false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("jec"), "        6 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("sleeping"), "sleeping   1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  sleeping"));
}

/* Four of four woken for one job, three in vain. */
static void storm_is_told(void)
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
	CU_ASSERT_TRUE(shows("outside (inject) woke 4 for 1 job, 3 futile"));
	CU_ASSERT_TRUE(shows("storms 1"));
	press("gs");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 101000);
	CU_ASSERT_NOT_EQUAL(strchr(row("marks"), '!'), NULL);
}

static void findings_are_loud(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n10 w0 sleeping>idle woken\n65 x mark end\n",
	      false, true);
	scene.view.pane = TUI_FINDINGS;
	draw(100, 30);
	CU_ASSERT_TRUE(shows("findings 1"));
	CU_ASSERT_TRUE(shows("w0: transition"));
}

/* ---- hard cases ---- */

static void text_cannot_escape(void)
{
	begin("0 x pool jec 1\n0 w0 none>active start\n10 x mark \033[31mred\302\233\303\n", false,
	      false);
	draw(80, 24);
	for (int i = 0; i < grid.w * grid.h; i++)
		CU_ASSERT_FALSE(grid.cells[i].ch < ' ' ||
				(grid.cells[i].ch >= 0x7f && grid.cells[i].ch < 0xa0));
	CU_ASSERT_TRUE(shows("?[31mred"));
}

static void ascii_is_ascii(void)
{
	begin(four_states, false, true);
	feed("70 x mark \303\244\n");
	for (int pane = 0; pane < TUI_PANE_COUNT * 2; pane++) {
		scene.view.pane = (enum tui_pane)(pane % TUI_PANE_COUNT);
		scene.view.help = pane >= TUI_PANE_COUNT;
		draw(100, 30);
		for (int i = 0; i < grid.w * grid.h; i++)
			CU_ASSERT_TRUE_FATAL(grid.cells[i].ch <= 126);
	}
}

static void any_size_is_fine(void)
{
	begin(four_states, false, false);
	for (int w = 1; w < 130; w += 3)
		for (int h = 1; h < 50; h += 2) {
			scene.view.pane = (enum tui_pane)(w % TUI_PANE_COUNT);
			draw(w, h);
		}
	draw(10, 3);
	CU_ASSERT_TRUE(shows("too small"));
}

static void nothing_yet(void)
{
	begin("", true, true);
	for (int pane = 0; pane < TUI_PANE_COUNT; pane++) {
		scene.view.pane = (enum tui_pane)pane;
		draw(80, 24);
	}
	press("+-0hl,.[]gGfmu'sSnN e");
	CU_ASSERT_TRUE(shows("totals"));
}

/* A monkey at the keyboard while events come in. */
static void any_keys_are_fine(void)
{
	static const char keys[] = "?  f+-0hljkHLgG\te[],./\\nNm'wusS\033\f1-3\n";
	unsigned seed = 4711;
	char line[80];
	int t = 100;

	begin(four_states, true, false);
	for (int i = 0; i < 20000; i++) {
		seed = seed * 1103515245u + 12345u;
		tui_key_press(&scene, keys[(seed >> 16) % (sizeof keys - 1)]);
		if (i % 16 == 0) {
			t += 1000;
			snprintf(line, sizeof line,
				 "%d w0 sleeping>idle self_wake\n%d w0 "
				 "idle>sleeping rounds\n",
				 t, t + 300);
			feed(line);
		}
		if (i % 8 == 0)
			draw(20 + (int)(seed >> 20) % 100, 4 + (int)(seed >> 8) % 40);
		CU_ASSERT_TRUE_FATAL(scene.view.at.per_cell > 0);
	}
	CU_ASSERT_TRUE(scene.view.selected < scene.now.n_lanes);
}

static void ring_is_bounded(void)
{
	struct tui_ring r = {.item = sizeof(int64_t)};

	for (int64_t i = 0; i < 1000; i++)
		tui_ring_push(&r, &i, 100);
	CU_ASSERT_EQUAL(r.count, 100);
	CU_ASSERT_EQUAL(r.dropped, 900);
	CU_ASSERT_EQUAL(*(int64_t *)tui_ring_at(&r, 0), 900);
	CU_ASSERT_EQUAL(*(int64_t *)tui_ring_at(&r, 99), 999);
	CU_ASSERT_PTR_NULL(tui_ring_at(&r, 100));
	CU_ASSERT_EQUAL(tui_ring_after(&r, 949), 50);
	CU_ASSERT_EQUAL(tui_ring_after(&r, 999), 100);
	tui_ring_push(&r, &(int64_t){1000}, 10); /* a bound that shrank takes effect at once */
	CU_ASSERT_EQUAL(r.count, 10);
	CU_ASSERT_EQUAL(*(int64_t *)tui_ring_at(&r, 9), 1000);
	tui_ring_free(&r);
}

static const struct suite_test tests[] = {
    {"Has every state a glyph of its own?", states_have_glyphs},
    {"Are the glyphs of a UTF-8 locale the documented ones?", glyphs_in_unicode},
    {"Does a cell say that something in it is finer than a cell?", finer_than_a_cell},
    {"Are lost events loud, and their span hatched?", loss_is_loud},
    {"Are wakes marked, by verdict, and can the marks be taken away?", wakes_are_marked},
    {"Do the counters and the JEC come out of the policy's word?", counters_follow_the_word},
    {"Does a pause freeze the picture while events go on being kept?", pause_freezes},
    {"Does a zoom keep the cursor where it is?", zoom_keeps_the_cursor},
    {"Does a resize keep cursor and selection, also through 10x3?", resize_keeps_the_place},
    {"Does the view follow, stand still when scrolled back, and undo?", follow_and_scroll_back},
    {"Can one go through events and transitions, search, and be told why?", steps_through_events},
    {"Does p play the trace, and stop at its end?", plays},
    {"Does the quiz hide what comes, and judge the answer?", lesson_asks},
    {"Are delays and wakers told in the measures pane?", measures_are_told},
    {"Does a late viewer learn states and word from a snapshot?", late_word},
    {"Is a storm told, marked and reached by s?", storm_is_told},
    {"Is an impossible transition a finding, and told?", findings_are_loud},
    {"Does the filter hide workers, and refuse what is no list?", filter_hides},
    {"Is an escape sequence in the trace harmless?", text_cannot_escape},
    {"Is every character of --ascii ASCII?", ascii_is_ascii},
    {"Can it be drawn at any size?", any_size_is_fine},
    {"Can it be drawn, and keys pressed, before the first event?", nothing_yet},
    {"Does it survive any keys while events come in?", any_keys_are_fine},
    {"Is the history bounded, and does it keep the newest?", ring_is_bounded},
};

int main(int argc, char **argv)
{
	int code;

	setlocale(LC_ALL, "C.UTF-8");
	code = suite_main("tui", tests, sizeof tests / sizeof tests[0], argc, argv);
	tui_scene_free(&scene);
	tui_history_free(scene.history);
	tui_grid_free(&grid);
	return code;
}
