/*
 * SPDX-License-Identifier: MIT
 *
 * picture_test.c - viz/viewer: what the screen shows, and how it withstands unusual input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/screen.h"
#include "viz/viewer/panes/panes.h"

/* ---- lanes ---- */

static void states_have_glyphs(void)
{
	begin(four_states, false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "##########~~~~~~~~~~??????????....."));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "w0  sleeps"));
}

static void glyphs_in_unicode(void)
{
	begin(four_states, false, false);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "█▒▒"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "━··"));
}

static void finer_than_a_cell(void)
{
	begin("0 x pool jec 1\n0 w0 none>active start\n100 w0 active>idle no_work\n"
	      "101 w0 idle>active found_local\n102 w0 active>idle no_work\n650 x mark end\n",
	      false, true);
	draw(80, 24);
	/* The cell from 100 to 110 us contains 1 us of activity between two idle spans. */
	CU_ASSERT_PTR_NOT_NULL(strstr(row("w0"), "##########%~~~~"));
}

/* The legend has one entry for such cells, so they have one style whichever state is longest. */
static void partly_has_one_style(void)
{
	uint32_t partly = tui_glyphs(true)->partly;
	unsigned n = 0;

	begin("0 x pool jec 1\n0 w0 none>active start\n100 w0 active>idle no_work\n"
	      "101 w0 idle>active found_local\n102 w0 active>idle no_work\n650 x mark end\n",
	      false, true);
	draw(80, 24);
	for (int i = 3 * grid.w; i < 8 * grid.w; i++) {
		if (grid.cells[i].ch != partly)
			continue;
		CU_ASSERT_EQUAL(grid.cells[i].style, TUI_ACTIVE);
		n++;
	}
	CU_ASSERT_TRUE(n > 0);
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
	CU_ASSERT_TRUE(shows("no events lost"));
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
	CU_ASSERT_PTR_NOT_NULL(strstr(row("wakes"), "   !1 ")); /* a futile wake */
	press("w");
	draw(80, 24);
	CU_ASSERT_PTR_NULL(strchr(row("wakes"), '!'));
	scene.view.pane = TUI_PANE_wakes;
	draw(80, 24);
	CU_ASSERT_TRUE(shows("! thread 99       w0    push       in vain"));
}

/* Shades of one colour are hard to distinguish, so at most one glyph is a shade. */
static void states_have_shapes(void)
{
	const struct tui_glyphs *k = tui_glyphs(false);
	int shades = 0;

	for (int st = 0; st < DOZE_STATE_COUNT; st++)
		shades += k->state[st] >= 0x2591 && k->state[st] <= 0x2593;
	CU_ASSERT(shades <= 1);
	CU_ASSERT(k->partly < 0x2591 || k->partly > 0x2593);
}

/* Two wakes in neighbouring columns share an entry. The two at the right edge move to the left. */
static void wakes_add_up(void)
{
	begin("0 x pool jec 2\n0 w0 none>active start\n0 w1 none>active start\n"
	      "1 w0 active>idle no_work\n2 w0 idle>sleepy rounds\n3 w0 sleepy>sleeping rounds\n"
	      "1 w1 active>idle no_work\n2 w1 idle>sleepy rounds\n3 w1 sleepy>sleeping rounds\n"
	      "30 x wake w0 id1 d1 push\n31 w0 woken 1\n31 w0 sleeping>idle woken\n"
	      "31 x wake w1 id2 d2 push\n32 w1 woken 2\n32 w1 sleeping>idle woken\n"
	      "33 w0 idle>sleepy rounds\n35 w0 sleepy>sleeping rounds\n"
	      "34 w1 idle>active found_injected\n40 w1 active>idle no_work\n"
	      "41 w1 idle>sleepy rounds\n42 w1 sleepy>sleeping rounds\n"
	      "64 x wake w0 id3 d3 push\n64 x wake w1 id4 d4 push\n65 x mark end\n",
	      false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("wakes"), "wakes 4, 1! "));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("wakes"), "   ^1!1   "));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("wakes"), "   o2"));
}

static void rare_words_are_explained(void)
{
	static const char meaning[] = "in vain: the worker was woken, found no job and slept again";

	begin("0 x pool jec 2\n0 w0 none>active start\n1 w0 active>idle no_work\n"
	      "2 w0 idle>sleepy rounds\n3 w0 sleepy>sleeping rounds\n"
	      "30 x wake w0 id1 d1 push\n31 w0 woken 1\n31 w0 sleeping>idle woken\n"
	      "33 w0 idle>sleepy rounds\n35 w0 sleepy>sleeping rounds\n65 x mark end\n",
	      false, true);
	draw(80, 24);
	CU_ASSERT_TRUE(shows(meaning));
	draw(240, 40);
	CU_ASSERT_TRUE(shows(meaning));
	CU_ASSERT_TRUE(shows("jec: the policy that counts posts"));
	scene.message[0] = 'm';
	draw(80, 24);
	CU_ASSERT_FALSE(shows(meaning));
}

static void outside_threads_have_names(void)
{
	struct doze_event post;

	begin("0 x pool jec 1\n0 w0 none>active start\n", false, true);
	CU_ASSERT_TRUE_FATAL(script_parse("10 x post injector 1 empty wakes 0 d1", &post));
	post.procname = "feeder";
	tui_history_feed(scene.history, &post);
	feed("20 x mark end\n");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("thread 'feeder' posts 1 job"));
}

static void counters_follow_the_word(void)
{
	begin(four_states, false, true);
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("sleep  "), "sleep      1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("search  "), "1111111111"));
	CU_ASSERT_PTR_NOT_NULL(strstr(row("jec"), "        2 "));
	CU_ASSERT_PTR_NOT_NULL(strchr(row("jec"), ':')); /* the JEC toggles once, from 1 to 2 */
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
	press("8");
	draw(80, 24);
	CU_ASSERT_TRUE(shows("?[31mred"));
}

static void ascii_is_ascii(void)
{
	begin(four_states, false, true);
	feed("70 x mark \303\244\n");
	for (int pane = 0; pane < TUI_PANE_COUNT * 2; pane++) {
		scene.view.pane = (pane % TUI_PANE_COUNT);
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
			scene.view.pane = (w % TUI_PANE_COUNT);
			draw(w, h);
		}
	draw(10, 3);
	CU_ASSERT_TRUE(shows("too small"));
}

static void nothing_yet(void)
{
	begin("", true, true);
	for (int pane = 0; pane < TUI_PANE_COUNT; pane++) {
		scene.view.pane = pane;
		draw(80, 24);
	}
	press("+-0hl,.[]gGfmu'sSnN e");
	CU_ASSERT_TRUE(shows("totals"));
}

/* Presses random keys while events arrive. */
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

/* Items 36 to 99 begin in the middle of the ring's memory. */
static void wrapped_ring_grows(void)
{
	for (size_t max = 65; max <= 200; max++) {
		struct tui_ring r = {.item = sizeof(int64_t)};
		size_t wrong = 0;

		for (int64_t i = 0; i < 100; i++)
			tui_ring_push(&r, &i, 64);
		for (int64_t i = 100; i < 150; i++)
			tui_ring_push(&r, &i, max);
		CU_ASSERT_EQUAL(r.count, max < 114 ? max : 114);
		for (size_t i = 0; i < r.count; i++)
			wrong += *(int64_t *)tui_ring_at(&r, i) != (int64_t)(150 - r.count + i);
		CU_ASSERT_EQUAL(wrong, 0);
		tui_ring_free(&r);
	}
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
	tui_ring_push(&r, &(int64_t){1000}, 10); /* a smaller limit takes effect immediately */
	CU_ASSERT_EQUAL(r.count, 10);
	CU_ASSERT_EQUAL(*(int64_t *)tui_ring_at(&r, 9), 1000);
	tui_ring_free(&r);
}

static void title_has_the_progress(void)
{
	begin(four_states, false, true);
	scene.status.loading = true;
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("reading  "), "jec"));
	strcpy(scene.status.progress, "34 %, about 35 s left");
	draw(80, 24);
	CU_ASSERT_PTR_NOT_NULL(strstr(row("reading: 34 %, about 35 s left  "), "no events lost"));
	draw(40, 12); /* too narrow for the time left */
	CU_ASSERT_PTR_NOT_NULL(strstr(row("reading: 34 %  "), "no events lost"));
	scene.view.paused = true;
	draw(80, 24);
	CU_ASSERT_FALSE(shows("34 %"));
	scene.view.paused = scene.status.loading = false;
	draw(80, 24);
	CU_ASSERT_FALSE(shows("34 %"));
	CU_ASSERT_STRING_NOT_EQUAL(row("replay"), "");
}

static const struct suite_test tests[] = {
    {"every state has its own glyph", states_have_glyphs},
    {"a UTF-8 locale gets the documented glyphs", glyphs_in_unicode},
    {"a mark shows that a cell contains shorter intervals", finer_than_a_cell},
    {"all cells that show partial work have the style of their legend entry", partly_has_one_style},
    {"lost events are reported, and their span is hatched", loss_is_loud},
    {"wakes are marked by verdict, and the marks can be hidden", wakes_are_marked},
    {"states and partial work differ in shape, not only in shade", states_have_shapes},
    {"the numbers in the row of wakes add up to the total next to the row's name", wakes_add_up},
    {"unusual words on the screen are explained while there is no message",
     rare_words_are_explained},
    {"counters and JEC are unpacked from the policy's word", counters_follow_the_word},
    {"outside threads are shown with their names", outside_threads_have_names},
    {"an escape sequence in the trace is harmless", text_cannot_escape},
    {"--ascii draws only ASCII characters", ascii_is_ascii},
    {"the screen can be drawn at any size", any_size_is_fine},
    {"the title shows how far a recording has been read", title_has_the_progress},
    {"the screen and all keys work before the first event", nothing_yet},
    {"no key crashes the viewer while events arrive", any_keys_are_fine},
    {"the history is bounded and keeps the newest events", ring_is_bounded},
    {"a ring that has wrapped around keeps its order when it grows", wrapped_ring_grows},
};

int main(int argc, char **argv)
{
	return screen_main("tui picture", tests, sizeof tests / sizeof tests[0], argc, argv);
}
