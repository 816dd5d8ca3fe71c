/*
 * SPDX-License-Identifier: MIT
 *
 * duel_test.c - viz/viewer: two runs, aligned at their marks, with a score.
 */
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/screen.h"
#include "viz/viewer/terminal/duel.h"

static struct tui_duel duel;

#define POOL(policy) "0 x pool " policy " 2\n0 w0 none>active start\n1 w1 none>active start\n"
#define SLEEPS(t0, t1, t2)                                                                         \
	t0 " w1 active>idle no_work\n" t1 " w1 idle>sleepy rounds\n" t2                            \
	   " w1 sleepy>sleeping rounds\n"

/* Feeds the script to the second side. */
static void feed_second(const char *script)
{
	struct tui_history *first = scene.history;

	scene.history = duel.second.history;
	feed(script);
	scene.history = first;
}

/* Starts a duel between two recordings. */
static void begin_duel(const char *a, const char *b)
{
	begin(a, false, true);
	tui_duel_free(&duel);
	duel = (struct tui_duel){
	    .side = {&scene, &duel.second}, .label = {"one", "two"}, .how = "recorded"};
	duel.second.glyphs = scene.glyphs;
	duel.second.history = tui_history_new();
	CU_ASSERT_PTR_NOT_NULL_FATAL(duel.second.history);
	tui_view_init(&duel.second.view, false);
	feed_second(b);
	scene.status.ended = true;
	tui_grid_resize(&grid, 80, 24);
	for (int i = 0; i < 2; i++) {
		tui_duel_update(&duel);
		tui_duel_draw(&duel, &grid);
	}
}

static void press_duel(const char *keys)
{
	for (; *keys; keys++) {
		tui_duel_key(&duel, *keys);
		tui_duel_update(&duel);
		tui_duel_draw(&duel, &grid);
	}
}

static void aligned_at_marks(void)
{
	char where[64];

	begin_duel(POOL("jec") "100 x mark go\n300 x mark go\n400 x mark end\n",
		   POOL("tickle") "150 x mark go\n900 x mark go\n950 x mark other\n");
	CU_ASSERT_EQUAL(tui_duel_shift(&scene, &duel.second, where, sizeof where), 600000);
	CU_ASSERT_STRING_EQUAL(where, "aligned at mark 'go'");
	tui_view_goto(&scene.view, scene.view.origin + 200000);
	CU_ASSERT_EQUAL(tui_duel_shift(&scene, &duel.second, where, sizeof where), 50000);
	tui_view_goto(&scene.view, scene.view.origin + 50000);
	CU_ASSERT_EQUAL(tui_duel_shift(&scene, &duel.second, where, sizeof where),
			duel.second.view.origin - scene.view.origin);
	CU_ASSERT_STRING_EQUAL(where, "aligned at their first events");
}

static void views_move_together(void)
{
	begin_duel(POOL("jec") "100 x mark go\n400 x mark end\n",
		   POOL("tickle") "150 x mark go\n900 x mark end\n");
	press_duel("g'");
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 100000);
	CU_ASSERT_EQUAL(duel.second.view.at.cursor - duel.second.view.origin, 150000);
	CU_ASSERT_EQUAL(duel.second.view.at.per_cell, scene.view.at.per_cell);
	press_duel("\t'");
	CU_ASSERT_EQUAL(duel.active, 1);
	CU_ASSERT_EQUAL(duel.second.view.at.cursor - duel.second.view.origin, 900000);
	CU_ASSERT_EQUAL(scene.view.at.cursor - scene.view.origin, 400000);
}

static const char woken_in_vain[] =
    "30 x post injector 1 empty wakes 1 d1\n30 x wake w1 id1 d1 inject\n31 w1 woken 1\n"
    "31 w1 sleeping>idle woken\n40 w1 idle>sleepy rounds\n50 w1 sleepy>sleeping rounds\n"
    "200 x mark end\n";

static void score_runs(void)
{
	char both[2048];
	struct tui_score score;

	snprintf(both, sizeof both, "%s%s%s", POOL("jec"), SLEEPS("10", "12", "14"), woken_in_vain);
	begin_duel(both, POOL("tickle") "100 x mark end\n");
	tui_score_take(&scene, scene.now.clock, &score);
	CU_ASSERT_EQUAL(score.wakes, 1);
	CU_ASSERT_EQUAL(score.futile, 1);
	tui_score_take(&scene, scene.view.origin + 45000, &score);
	CU_ASSERT_EQUAL(score.wakes, 1);
	CU_ASSERT_EQUAL(score.futile, 0); /* the cost is not known yet */
	tui_score_take(&scene, scene.view.origin + 20000, &score);
	CU_ASSERT_EQUAL(score.wakes, 0);
	CU_ASSERT_TRUE(shows("jec: 1 wake, 1 in vain; tickle: 0, 0 in vain"));
	CU_ASSERT_TRUE(shows("tickle wins on wakes"));
	CU_ASSERT_TRUE(shows("0 (0 %) best"));
	CU_ASSERT_TRUE(shows("whole run"));
	press_duel("g");
	CU_ASSERT_TRUE(shows("up to cursor"));
	CU_ASSERT_FALSE(shows("best"));
}

/* A run with a useful wake, a futile one and one that ends the pool. */
static const char useful_futile_terminate[] =
    "0 x pool jec 2\n0 w0 none>active start\n1 w1 none>active start\n"
    "10 w1 active>idle no_work\n12 w1 idle>sleepy rounds\n14 w1 sleepy>sleeping rounds\n"
    "20 w0 post local 1 empty wakes 1 d1\n21 w0 wake w1 id1 d1 push\n25 w1 woken 1\n"
    "25 w1 sleeping>idle woken\n28 w1 idle>active found_stolen\n29 w1 job stolen id7\n"
    "40 w1 active>idle no_work\n42 w1 idle>sleepy rounds\n44 w1 sleepy>sleeping rounds\n"
    "50 x post injector 1 empty wakes 1 d2\n51 x wake w1 id2 d2 inject\n52 w1 woken 2\n"
    "52 w1 sleeping>idle woken\n60 w1 idle>sleepy rounds\n62 w1 sleepy>sleeping rounds\n"
    "71 x wake w1 id3 d3 terminate\n73 w1 woken 3\n73 w1 sleeping>idle woken\n"
    "74 w1 idle>stopped terminate\n80 x mark end\n";

/* The score is the same whether it is counted from the stored wakes or, because the history has
 * dropped some, taken from the model. The delay is the one that the tables show. */
static void scores_and_tables_agree(void)
{
	struct tui_score stored, totals;
	const struct doze_measures *tables;

	begin_duel(useful_futile_terminate, POOL("tickle") "100 x mark end\n");
	tables = doze_model_measures(scene.history->model);
	tui_score_take(&scene, scene.now.clock, &stored);
	CU_ASSERT_EQUAL(stored.wakes, 2);
	CU_ASSERT_EQUAL(stored.futile, 1);
	CU_ASSERT_EQUAL(stored.measured, tables->publish_job.n);
	CU_ASSERT_EQUAL(stored.p99, doze_hist_percentile(&tables->publish_job, 0.99));
	CU_ASSERT_EQUAL(scene.now.totals.verdicts[DOZE_VERDICT_terminate], 1);
	scene.history->lanes[1].wakes.dropped++;
	tui_score_take(&scene, scene.now.clock, &totals);
	CU_ASSERT_FALSE(totals.forgotten);
	CU_ASSERT_EQUAL(totals.wakes, stored.wakes);
	CU_ASSERT_EQUAL(totals.futile, stored.futile);
}

static const struct tui_contest_names names = {.label = {"jec", "tickle"}, .dash = "-"};
static const struct tui_score good = {.wakes = 12,
				      .futile = 3,
				      .cpu = 40000000,
				      .has_cpu = true,
				      .p99 = 30000,
				      .measured = 100,
				      .jobs_run = 200},
			      bad = {.wakes = 198,
				     .futile = 170,
				     .cpu = 50000000,
				     .has_cpu = true,
				     .p99 = 90000,
				     .measured = 100,
				     .jobs_run = 200};

/* Returns the sentence that compares two scores. */
static const char *sentence(const struct tui_score *a, const struct tui_score *b, int room)
{
	static char text[320];
	const struct tui_score both[2] = {*a, *b};

	return tui_contest_text(both, &names, room, text, sizeof text);
}

static void winners(void)
{
	struct tui_score other = bad;

	CU_ASSERT_STRING_EQUAL(sentence(&good, &bad, 200),
			       "jec: 12 wakes, 3 in vain; tickle: 198, 170 in vain - "
			       "jec wins on wakes, CPU and p99");
	CU_ASSERT_STRING_EQUAL(sentence(&good, &bad, 78), "jec wins on wakes, CPU and p99");
	CU_ASSERT_STRING_EQUAL(sentence(&bad, &good, 78), "tickle wins on wakes, CPU and p99");
	other.cpu = 41000000; /* 2.5 % apart counts as even */
	CU_ASSERT_STRING_EQUAL(sentence(&good, &other, 78),
			       "jec wins on wakes and p99, even on CPU");
	other.cpu = 30000000;
	other.measured = 5; /* too few jobs for a percentile */
	CU_ASSERT_STRING_EQUAL(sentence(&good, &other, 78), "jec wins on wakes, tickle on CPU");
	other.wakes = 6; /* fewer wakes, but more futile ones */
	other.futile = 5;
	other.has_cpu = false;
	CU_ASSERT_STRING_EQUAL(sentence(&good, &other, 78),
			       "jec wins on wakes in vain, tickle on wakes");
	CU_ASSERT_STRING_EQUAL(sentence(&good, &good, 78), "no winner, even on wakes, CPU and p99");
}

static void unfair_contests(void)
{
	struct tui_score early = good;

	early.jobs_run = 179;
	CU_ASSERT_STRING_EQUAL(sentence(&bad, &early, 78),
			       "no winner: jec has run 200 jobs, tickle 179");
	early.jobs_run = 180;
	CU_ASSERT_STRING_EQUAL(sentence(&bad, &early, 78), "tickle wins on wakes, CPU and p99");
}

static void split_by_policy(void)
{
	struct doze_event e = {.kind = DOZE_EV_post, .vpid = 7};
	struct tui_history *a = tui_history_new(), *b = tui_history_new();
	struct tui_policy_split split = {.policy = {"jec", "tickle"}, .to = {a, b}};

	CU_ASSERT_PTR_NULL(tui_policy_split_route(&split, &e));
	e.kind = DOZE_EV_pool_start;
	e.u.pool_start.policy = "tickle";
	CU_ASSERT_PTR_EQUAL(tui_policy_split_route(&split, &e), b);
	e.kind = DOZE_EV_post;
	CU_ASSERT_PTR_EQUAL(tui_policy_split_route(&split, &e), b);
	e.vpid = 8;
	e.kind = DOZE_EV_snapshot; /* a viewer that attached late sees only snapshots */
	e.u.snapshot.policy = "jec";
	CU_ASSERT_PTR_EQUAL(tui_policy_split_route(&split, &e), a);
	e.vpid = 9;
	e.u.snapshot.policy = "rfc";
	CU_ASSERT_PTR_NULL(tui_policy_split_route(&split, &e));
	tui_history_free(a);
	tui_history_free(b);
}

static void enter_and_back(void)
{
	begin_duel(POOL("jec") "100 x mark end\n", POOL("tickle") "100 x mark end\n");
	CU_ASSERT_TRUE(shows("duel  jec | tickle"));
	press_duel("\n");
	CU_ASSERT_TRUE(shows("[story]"));
	CU_ASSERT_FALSE(shows("duel  jec"));
	tui_duel_key(&duel, TUI_KEY_BACKSPACE);
	press_duel("/E3"); /* ignored: a duel has neither panes nor prompts */
	CU_ASSERT_TRUE(shows("duel  jec | tickle"));
	CU_ASSERT_PTR_NULL(scene.prompt);
}

static const struct suite_test tests[] = {
    {"times are aligned at the last mark that both runs have", aligned_at_marks},
    {"both views move together, whichever side has the focus", views_move_together},
    {"the score counts only what was known at the given time", score_runs},
    {"a score and the tables of the same run agree", scores_and_tables_agree},
    {"a run wins a measure that is at least 5 % lower", winners},
    {"no run wins if one has run at least 10 % fewer jobs than the other", unfair_contests},
    {"a live trace is split by the policies of its processes", split_by_policy},
    {"Enter shows one run alone, and Backspace shows the duel", enter_and_back},
};

int main(int argc, char **argv)
{
	int rc = screen_main("duel", tests, sizeof tests / sizeof *tests, argc, argv);

	tui_duel_free(&duel);
	return rc;
}
