/*
 * SPDX-License-Identifier: MIT
 *
 * trigger_test.c - viz/viewer: the conditions of --on, on synthetic decisions.
 */
#include <string.h>

#include "tests/fixtures/suite.h"
#include "viz/viewer/store/trigger.h"

enum { MS = 1000000 };

static void refuses(void)
{
	static const char *const bad[] = {"",
					  "futile",
					  "futile<0.5",
					  "futile>",
					  "futile>x",
					  "futile>-1",
					  "futile>1.5",
					  "futile>150%",
					  "futile >0.5 for",
					  "futile>0.5 for 0",
					  "futile>0.5 for 31s",
					  "futility>0.5",
					  "hang>1",
					  "hang for",
					  "p99>1ms 2"};
	struct doze_triggers t = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CU_ASSERT_PTR_NOT_NULL(doze_check_trigger(bad[i], &t));
	CU_ASSERT_EQUAL(t.count, 0);
	for (int i = 0; i < DOZE_TRIGGERS_MAX; i++)
		CU_ASSERT_PTR_NULL(doze_check_trigger("hang", &t));
	CU_ASSERT_PTR_NOT_NULL(doze_check_trigger("hang", &t));
}

static void understands(void)
{
	struct doze_triggers t = {0};

	CU_ASSERT_PTR_NULL(doze_check_trigger("futile>0.5 for 1s", &t));
	CU_ASSERT_PTR_NULL(doze_check_trigger(" p99 >= 2ms for 300ms ", &t));
	CU_ASSERT_PTR_NULL(doze_check_trigger("asleep>10%", &t));
	CU_ASSERT_PTR_NULL(doze_check_trigger("hang for 2.5", &t));
	CU_ASSERT_EQUAL(t.count, 4);
	CU_ASSERT_EQUAL(t.at[0].span, 1000 * INT64_C(1000000));
	CU_ASSERT(!t.at[0].reaches && t.at[0].limit > 0.49 && t.at[0].limit < 0.51);
	CU_ASSERT_EQUAL(t.at[1].span, 300 * INT64_C(1000000));
	CU_ASSERT(t.at[1].reaches && t.at[1].limit > 0.0019 && t.at[1].limit < 0.0021);
	CU_ASSERT(t.at[2].limit > 0.09 && t.at[2].limit < 0.11);
	CU_ASSERT_EQUAL(t.at[3].span, 2500 * INT64_C(1000000));
}

/* Returns a history whose clock is at `ms`. */
static struct tui_history *history_at(int64_t ms)
{
	const struct doze_event mark = {
	    .kind = DOZE_EV_mark, .ts = MS, .worker = -1, .u.mark.text = "begin"};
	struct tui_history *h = tui_history_new();

	tui_history_feed(h, &mark);
	tui_history_quiet(h, ms * MS);
	return h;
}

static void decide(struct tui_history *h, int64_t ms, uint32_t useful, uint32_t futile)
{
	struct tui_decision d = {.at = ms * MS, .posted = true, .wakes = useful + futile};

	d.verdicts[DOZE_VERDICT_useful] = useful;
	d.verdicts[DOZE_VERDICT_futile] = futile;
	d.targets = 1;
	d.target[0] =
	    (struct tui_target){.verdict = DOZE_VERDICT_useful, .first_job = (ms + 3) * MS};
	tui_ring_push(&h->decisions.ring, &d, TUI_DECISIONS_MAX);
}

/* Returns whether the condition fires at this time. */
static bool fires(struct tui_watch *w, struct tui_history *h, int64_t ms)
{
	char what[TUI_TRIGGER_TEXT] = "";

	tui_history_quiet(h, ms * MS);
	return tui_watch_step(w, h, what) && strstr(what, ": it is ");
}

static void in_vain(void)
{
	struct doze_triggers t = {0};
	struct tui_watch w = {.triggers = &t};
	struct tui_history *h = history_at(2);

	CU_ASSERT_PTR_NULL(doze_check_trigger("futile>0.5 for 1s", &t));
	decide(h, 300, 0, 3);
	CU_ASSERT(!fires(&w, h, 900));  /* less than a second has passed */
	CU_ASSERT(!fires(&w, h, 1250)); /* three wakes are too few */
	decide(h, 1300, 2, 3);
	CU_ASSERT(fires(&w, h, 1400));
	CU_ASSERT(!fires(&w, h, 1600)); /* the condition fires only once */
	decide(h, 2000, 10, 0);
	CU_ASSERT(!fires(&w, h, 2400)); /* the trouble has ended */
	decide(h, 3100, 0, 20);
	CU_ASSERT(!fires(&w, h, 3500)); /* less than 30 s have passed since the last incident */
	CU_ASSERT(!fires(&w, h, 5000));
	decide(h, 40000, 0, 20);
	CU_ASSERT(fires(&w, h, 40100));
	tui_history_free(h);
}

static void late(void)
{
	struct doze_triggers t = {0};
	struct tui_watch w = {.triggers = &t};
	struct tui_history *h = history_at(2);

	CU_ASSERT_PTR_NULL(doze_check_trigger("p99>2ms for 500ms", &t));
	CU_ASSERT(!fires(&w, h, 1000)); /* there is nothing to measure */
	decide(h, 1200, 1, 0);
	CU_ASSERT(fires(&w, h, 1300));
	tui_history_free(h);
	t.count = 0;
	w = (struct tui_watch){.triggers = &t};
	CU_ASSERT_PTR_NULL(doze_check_trigger("p99>4ms for 500ms", &t));
	h = history_at(2);
	decide(h, 1200, 1, 0);
	CU_ASSERT(!fires(&w, h, 1300)); /* the measured value is 3 ms */
	tui_history_free(h);
}

static const struct suite_test tests[] = {
    {"malformed conditions are rejected", refuses},
    {"measures, limits and spans are parsed", understands},
    {"`futile` fires only after its span, only with enough wakes, and only once per incident",
     in_vain},
    {"`p99` measures the delay of jobs that a woken worker ran", late},
};

int main(int argc, char **argv)
{
	return suite_main("tui triggers", tests, sizeof tests / sizeof tests[0], argc, argv);
}
