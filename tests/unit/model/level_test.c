/*
 * SPDX-License-Identifier: MIT
 *
 * level_test.c - viz/model: which recordings contain every job, judged by schema and level of
 * detail, and what the model omits for the other recordings.
 */
#include <stdio.h>
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

/* w0 posts a job that waits while w1 sleeps and no worker searches: an under-wake. */
#define WAITS                                                                                      \
	"1 w0 none>active start\n1 w1 none>active start\n2 w1 active>idle no_work 0.0.1>0.1.1\n"   \
	"2 w0 job inline id1\n3 w1 idle>sleepy rounds 0.1.1>0.1.1\n5 w1 sleepy>sleeping rounds "   \
	"0.1.1>1.1.1\n"                                                                            \
	"10 w0 post local 1 empty wakes 0 d0 1.1.1>1.1.1\n40 w0 job local id7\n"                   \
	"45 w0 ended id7\n46 w0 ended id1\n"

struct begin {
	uint32_t minor;
	enum doze_level level;
	bool complete;
};

static void feed_start(struct doze_model *m, const struct begin *b)
{
	struct doze_event e;

	CU_ASSERT_TRUE_FATAL(script_parse("0 x pool jec 2", &e));
	e.u.pool_start.schema_minor = b->minor;
	e.u.pool_start.level = b->level;
	doze_model_feed(m, &e);
}

static void feed_lines(struct doze_model *m, const char *text)
{
	char line[128];

	for (size_t n; *text; text += n + 1) {
		n = strcspn(text, "\n");
		(void)snprintf(line, sizeof line, "%.*s", (int)n, text);
		script_feed_line(m, line);
	}
}

static void schema_and_level_decide(void)
{
	static const struct begin begins[] = {
	    {0, DOZE_LEVEL_none, true},    {1, DOZE_LEVEL_none, true},  {2, DOZE_LEVEL_none, false},
	    {2, DOZE_LEVEL_states, false}, {2, DOZE_LEVEL_jobs, false}, {2, DOZE_LEVEL_all, true},
	};

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		struct doze_model *m = doze_model_new(0, 0);

		feed_start(m, &begins[i]);
		CU_ASSERT_FALSE(doze_model_totals(m)->jobs_level);
		feed_lines(m, WAITS);
		CU_ASSERT_EQUAL(doze_model_totals(m)->jobs_level, begins[i].complete);
		CU_ASSERT_EQUAL(doze_model_pool(m, 0)->jobs_level, begins[i].complete);
		CU_ASSERT_EQUAL(doze_model_measures(m)->underwake.spans, begins[i].complete);
		doze_model_free(m);
	}
}

/* Another session may record the process at a lower level than the library reports. */
static void the_level_alone_is_not_enough(void)
{
	static const struct begin all = {2, DOZE_LEVEL_all, true};
	struct doze_model *m = doze_model_new(0, 0);

	feed_start(m, &all);
	feed_lines(m, "1 w0 none>active start\n5 w0 active>idle no_work 0.0.1>0.1.1\n");
	CU_ASSERT_FALSE(doze_model_totals(m)->jobs_level);
	doze_model_free(m);
}

static void names(void)
{
	static const struct {
		struct begin begin;
		const char *name;
	} cases[] = {{{1, DOZE_LEVEL_none, true}, "jobs"},
		     {{2, DOZE_LEVEL_states, false}, "states"},
		     {{2, DOZE_LEVEL_jobs, false}, "jobs"},
		     {{2, DOZE_LEVEL_all, true}, "all"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct doze_model *m = doze_model_new(0, 0);

		feed_start(m, &cases[i].begin);
		feed_lines(m, WAITS);
		CU_ASSERT_STRING_EQUAL(doze_pool_level(doze_model_pool(m, 0)), cases[i].name);
		CU_ASSERT_STRING_EQUAL(doze_model_level(m), cases[i].name);
		doze_model_free(m);
	}
}

/* Without a pool_start, the schema is taken from the first snapshot. */
static void late_recordings_wait_for_a_snapshot(void)
{
	static const struct begin of[] = {
	    {0, DOZE_LEVEL_none, true}, {0, DOZE_LEVEL_jobs, false}, {0, DOZE_LEVEL_all, true}};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct doze_model *m = doze_model_new(0, 0);
		struct doze_event e;

		feed_lines(m, "5 w0 job local id7\n");
		CU_ASSERT_FALSE(doze_model_totals(m)->jobs_level);
		CU_ASSERT_TRUE_FATAL(script_parse("10 w0 snapshot active jec 2 0.0.1>0.0.1", &e));
		e.u.snapshot.level = of[i].level;
		doze_model_feed(m, &e);
		CU_ASSERT_EQUAL(doze_model_totals(m)->jobs_level, of[i].complete);
		doze_model_free(m);
	}
}

static void a_level_may_fall_but_not_rise(void)
{
	static const struct begin jobs = {2, DOZE_LEVEL_jobs, false},
				  all = {2, DOZE_LEVEL_all, true};
	struct doze_event e;

	for (int up = 0; up < 2; up++) {
		struct doze_model *m = doze_model_new(0, 0);

		feed_start(m, up ? &jobs : &all);
		feed_lines(m, WAITS);
		CU_ASSERT_TRUE_FATAL(script_parse("50 w0 snapshot active jec 2 1.1.1>1.1.1", &e));
		e.u.snapshot.level = up ? DOZE_LEVEL_all : DOZE_LEVEL_jobs;
		doze_model_feed(m, &e);
		CU_ASSERT_FALSE(doze_model_pool(m, 0)->jobs_level);
		doze_model_free(m);
	}
}

/* A recording with job starts but without their posts does not prove that no job waits. */
static void some_starts_do_not_count_waiting_jobs(void)
{
	static const struct begin jobs = {2, DOZE_LEVEL_jobs, false};
	struct doze_model *m = doze_model_new(0, 0);

	feed_start(m, &jobs);
	feed_lines(m, "1 w0 none>active start\n1 w1 none>active start\n"
		      "10 w1 steal w0\n11 w1 job stolen id7\n12 w1 ended id7\n");
	CU_ASSERT_EQUAL(doze_model_pool(m, 0)->jobs_waiting, 0);
	doze_model_free(m);
}

static const struct suite_test tests[] = {
    {"the schema version and the level decide whether every job is recorded",
     schema_and_level_decide},
    {"a recorded level takes effect when its first events appear", the_level_alone_is_not_enough},
    {"each level of detail has a name", names},
    {"the level of a recording that begins late is unknown until a snapshot",
     late_recordings_wait_for_a_snapshot},
    {"a change to a higher level does not take effect, but a change to a lower one does",
     a_level_may_fall_but_not_rise},
    {"waiting jobs are not counted if only some starts are recorded",
     some_starts_do_not_count_waiting_jobs},
};
SUITE_MAIN("model: level", tests)
