/*
 * SPDX-License-Identifier: MIT
 *
 * event_text_test.c - viz/words: an event as one line of text, and the names of latches.
 */
#include <stdio.h>
#include <string.h>

#include "tests/fixtures/suite.h"
#include "viz/words/event_text.h"

static struct doze_model *model;

static struct doze_event latch_of(uint32_t pool, uint64_t id)
{
	return (struct doze_event){
	    .ts = 1,
	    .kind = DOZE_EV_latch,
	    .pool = pool,
	    .u.latch = {.id = id, .owner = 2, .from = DOZE_LATCH_sleeping, .to = DOZE_LATCH_set}};
}

static void feed_latch(uint32_t pool, uint64_t id)
{
	struct doze_event e = latch_of(pool, id);

	doze_model_feed(model, &e);
}

static void start(bool raw_ids)
{
	struct doze_model_options opt = DOZE_MODEL_DEFAULTS;

	opt.raw_ids = raw_ids;
	doze_model_free(model);
	model = doze_model_new_with(&opt, NULL, NULL);
}

static const char *name_of(size_t pool, uint64_t id)
{
	static char name[DOZE_LATCH_NAME];

	return doze_model_latch_name(model, doze_model_pool(model, pool), id, name);
}

static void names_in_order(void)
{
	start(false);
	feed_latch(1, 0x700);
	feed_latch(1, 0x500);
	feed_latch(2, 0x500);
	feed_latch(1, 0x700);
	CU_ASSERT_STRING_EQUAL(name_of(0, 0x700), "L1");
	CU_ASSERT_STRING_EQUAL(name_of(0, 0x500), "L2");
	CU_ASSERT_STRING_EQUAL(name_of(1, 0x500), "L1");
	CU_ASSERT_STRING_EQUAL(name_of(1, 0x700), "0x700");
}

static void names_on_request_by_id(void)
{
	start(true);
	feed_latch(1, 0x700);
	CU_ASSERT_STRING_EQUAL(name_of(0, 0x700), "0x700");
}

/* Returns ids that differ only in their high bits, like the ids of different workers. */
static uint64_t id_of(uint64_t i)
{
	return (i % 7 + 1) << 44 | i;
}

static void keeps_newest_names(void)
{
	enum { MANY = 600000, KEPT = 1 << 18 };
	char want[DOZE_LATCH_NAME];
	unsigned wrong = 0;

	start(false);
	for (uint64_t i = 1; i <= MANY; i++) {
		feed_latch(1, id_of(i));
		snprintf(want, sizeof want, "L%u", (unsigned)i);
		wrong += strcmp(name_of(0, id_of(i)), want) != 0;
	}
	for (uint64_t i = 1; i <= MANY; i++) {
		snprintf(want, sizeof want, i > MANY - KEPT ? "L%llu" : "%#llx",
			 (unsigned long long)(i > MANY - KEPT ? i : id_of(i)));
		wrong += strcmp(name_of(0, id_of(i)), want) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static const char *line_of(const struct doze_event *e, struct doze_wording as)
{
	static char line[DOZE_EVENT_LINE];

	return doze_event_text(line, sizeof line, e, &as, NULL);
}

static void writes_latches(void)
{
	struct doze_event e = latch_of(1, 0x700);
	struct doze_wording as = {.utf8 = true};

	start(false);
	feed_latch(1, 0x700);
	CU_ASSERT_STRING_EQUAL(line_of(&e, as), "latch 0x700 of w2: sleeping → set");
	as = (struct doze_wording){.model = model, .pool = doze_model_pool(model, 0)};
	CU_ASSERT_STRING_EQUAL(line_of(&e, as), "latch L1 of w2: sleeping -> set");
	as.latch_ids = true;
	CU_ASSERT_STRING_EQUAL(line_of(&e, as), "latch L1 (id 0x700) of w2: sleeping -> set");
}

static void writes_posts_and_wakes(void)
{
	struct doze_event e = {.kind = DOZE_EV_post,
			       .u.post = {.queue = DOZE_QUEUE_injector,
					  .jobs = 1,
					  .was_empty = true,
					  .idle = 0,
					  .sleeping = 7,
					  .wakes = 1,
					  .decision_id = 5}};
	struct doze_wording as = {.decisions = false};

	CU_ASSERT_STRING_EQUAL(
	    line_of(&e, as),
	    "post 1 job, injector queue (was empty), sees idle 0 sleeping 7 -> wake 1");
	as.decisions = true;
	CU_ASSERT_PTR_NOT_NULL(strstr(line_of(&e, as), " -> wake 1, decision 5"));
	e = (struct doze_event){
	    .kind = DOZE_EV_wake,
	    .u.wake = {.target = -1, .wake_id = 9, .cause = DOZE_CAUSE_push, .decision_id = 5}};
	CU_ASSERT_STRING_EQUAL(line_of(&e, as), "wake -> a sleeper (push) #9, decision 5");
}

static void writes_starts_ends_and_cancelled_jobs(void)
{
	struct doze_event e = {.kind = DOZE_EV_job_taken, .u.job = {.id = 7}};
	struct doze_wording as = {.decisions = false};

	CU_ASSERT_STRING_EQUAL(line_of(&e, as), "job 7 starts");
	e.worker = -1;
	CU_ASSERT_STRING_EQUAL(line_of(&e, as), "job 7 is cancelled");
	e.u.job.id = 0;
	CU_ASSERT_STRING_EQUAL(line_of(&e, as), "a job is cancelled");
	e = (struct doze_event){.kind = DOZE_EV_job_end, .u.job = {.id = 7}};
	CU_ASSERT_STRING_EQUAL(line_of(&e, as), "job 7 ends");
}

/* Writes every kind of event with values out of range, as they occur in a damaged trace. */
static void writes_anything(void)
{
	for (int kind = 0; kind <= DOZE_EV_COUNT; kind++) {
		struct doze_event e;

		memset(&e, 1, sizeof e); /* a bool must stay 0 or 1, which the reader ensures */
		e.kind = (enum doze_event_kind)kind;
		CU_ASSERT_TRUE(strlen(line_of(&e, (struct doze_wording){0})) > 0);
	}
	doze_model_free(model);
	model = NULL;
}

static const struct suite_test tests[] = {
    {"the latches of a pool are named in the order of their first appearance", names_in_order},
    {"latches are shown by id on request", names_on_request_by_id},
    {"the newest latches keep their names", keeps_newest_names},
    {"a latch can be shown by name, id or both", writes_latches},
    {"a post's line shows its counts and its choice, and a wake's line shows its target",
     writes_posts_and_wakes},
    {"a job starts, ends or is cancelled", writes_starts_ends_and_cancelled_jobs},
    {"an event with values out of range still gets a line", writes_anything},
};

SUITE_MAIN("event_text", tests)
