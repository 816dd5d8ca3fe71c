/*
 * SPDX-License-Identifier: MIT
 *
 * The limit on the job events that level `states` records while a worker sleeps, which starts a
 * worker reports at all, and the jobs left in the queues when a worker falls asleep.
 */
#include "lib/pool.h"
#include "lib/queues.h"
#include "tests/fixtures/suite.h"

#define SECOND INT64_C(1000000000)

static void records_up_to_the_limit_in_a_second(void)
{
	struct doze_records_quota quota = {0};
	uint32_t skipped = 99, recorded = 0;

	for (int i = 0; i < DOZE_RECORDS_PER_SECOND + 5; i++)
		recorded += doze_records_allowed(&quota, 7 * SECOND + i, &skipped);
	CU_ASSERT_EQUAL(recorded, DOZE_RECORDS_PER_SECOND);
	CU_ASSERT_EQUAL(skipped, 0);
}

static void the_next_record_counts_skipped_jobs(void)
{
	struct doze_records_quota quota = {0};
	uint32_t skipped = 99;

	for (int i = 0; i < DOZE_RECORDS_PER_SECOND + 5; i++)
		(void)doze_records_allowed(&quota, 7 * SECOND + i, &skipped);
	CU_ASSERT_TRUE(doze_records_allowed(&quota, 8 * SECOND, &skipped));
	CU_ASSERT_EQUAL(skipped, 5);
	CU_ASSERT_TRUE(doze_records_allowed(&quota, 8 * SECOND + 1, &skipped));
	CU_ASSERT_EQUAL(skipped, 0);
}

/* Leaves two queued jobs and an injected one in a pool without threads. */
static void leave_jobs(const char *policy)
{
	struct doze_job jobs[3] = {{.run = NULL}};
	struct doze_settings settings;
	struct doze_pool *pool;
	doze_config config = {.num_threads = 3, .policy = policy};

	CU_ASSERT_EQUAL_FATAL(doze_settings_read(&settings, &config), 0);
	CU_ASSERT_EQUAL_FATAL(doze_pool_build(&pool, &settings), 0);
	struct doze_worker *w = pool->workers;
	struct doze_trace_state_info info = {.left_in_deques = 7, .left_injected = true};
	doze_records_queues_left(&w[0], &info);
	CU_ASSERT_EQUAL(info.left_in_deques, 0);
	CU_ASSERT_FALSE(info.left_injected);
	(void)doze_queue_push(&w[0], &jobs[0]);
	(void)doze_queue_push(&w[2], &jobs[1]);
	(void)doze_queue_inject(pool, -1, &jobs[2]);
	doze_records_queues_left(&w[1], &info);
	CU_ASSERT_EQUAL(info.left_in_deques, 2);
	CU_ASSERT_TRUE(info.left_injected);
	if (w->queues == NULL) { /* the owners of the deques will report the starts */
		CU_ASSERT_PTR_EQUAL(w[0].starts_on, doze_trace_starts_state());
		CU_ASSERT_PTR_EQUAL(w[1].starts_on, doze_trace_every_job_state());
		CU_ASSERT_PTR_EQUAL(w[2].starts_on, doze_trace_starts_state());
	}
	CU_ASSERT_PTR_EQUAL(doze_queue_pop(&w[0]), &jobs[0]);
	CU_ASSERT_PTR_EQUAL(doze_queue_uninject(&w[1]), &jobs[2]);
	doze_records_queues_left(&w[1], &info);
	CU_ASSERT_EQUAL(info.left_in_deques, 1);
	CU_ASSERT_FALSE(info.left_injected);
	CU_ASSERT_PTR_EQUAL(doze_queue_pop(&w[2]), &jobs[1]);
	doze_pool_unref(pool);
}

static void a_sleeper_counts_the_jobs_left(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		leave_jobs((*p)->name);
}

/* Builds a pool without threads of one worker, and returns the worker. */
static struct doze_worker *lone_worker(void)
{
	struct doze_settings settings;
	struct doze_pool *pool;
	doze_config config = {.num_threads = 1};

	CU_ASSERT_EQUAL_FATAL(doze_settings_read(&settings, &config), 0);
	CU_ASSERT_EQUAL_FATAL(doze_pool_build(&pool, &settings), 0);
	return pool->workers;
}

/* Queues three jobs in a worker's FIFO, notes that the last one's post woke a worker, and takes the
 * first job. */
static void a_job_in_a_fifo_stays_noted(void)
{
	struct doze_job jobs[3] = {{.id = 1}, {.id = 2}, {.id = 3}};
	const struct doze_trace_post_info last = {.job = 3, .jobs = 1, .wakes = 1},
					  none = {.jobs = 1};
	struct doze_worker *w = lone_worker();

	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(doze_fifo_push(&w->fifo, w, &jobs[i]), 0);
	doze_records_note(w, &last);
	CU_ASSERT_PTR_EQUAL(doze_queue_pop(w), &w->fifo.token); /* the last job's token */
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&w->fifo.jobs), &jobs[0]);
	doze_records_note(w, &none); /* drops the notes of jobs that were taken */
	CU_ASSERT_EQUAL(w->noted.count, 1);
	(void)doze_queue_pop(w);
	(void)doze_queue_pop(w);
	doze_pool_unref(w->pool);
}

/* Starts the job while the pool's word is `word`. */
static void start_while(struct doze_worker *w, uint64_t word)
{
	da_store(&w->pool->sleep.word, word, RLX);
	doze_records_start(w, 1, DOZE_SOURCE_local);
}

/* After a post while a worker slept, until a start finds that none sleeps any more. */
static void a_post_to_sleepers_makes_starts_report(void)
{
	struct doze_worker *w = lone_worker();
	struct doze_job job = {.id = 1};

	doze_worker_push(w, &job); /* the event counter is odd now: nothing to do for the policy */
	uint64_t awake = doze_pool_word(w->pool), asleep = awake + 1;
	CU_ASSERT_EQUAL_FATAL(doze_counters_sleeping(asleep), 1);
	start_while(w, awake);
	CU_ASSERT_PTR_EQUAL(w->starts_on, doze_trace_every_job_state());
	da_store(&w->pool->sleep.word, asleep, RLX);
	doze_worker_push(w, &job);
	CU_ASSERT_PTR_EQUAL(w->starts_on, doze_trace_starts_state());
	start_while(w, asleep);
	CU_ASSERT_PTR_EQUAL(w->starts_on, doze_trace_starts_state());
	start_while(w, awake);
	CU_ASSERT_PTR_EQUAL(w->starts_on, doze_trace_every_job_state());
	(void)doze_queue_pop(w);
	(void)doze_queue_pop(w);
	doze_pool_unref(w->pool);
}

static void a_noted_job_makes_starts_report(void)
{
	struct doze_worker *w = lone_worker();
	const struct doze_trace_post_info post = {.job = 1, .jobs = 1, .wakes = 1};
	struct doze_job job = {.id = 3};

	doze_worker_push(w, &job); /* as above */
	doze_records_note(w, &post);
	CU_ASSERT_PTR_EQUAL(w->starts_on, doze_trace_starts_state());
	doze_records_start(w, 2, DOZE_SOURCE_local);
	CU_ASSERT_PTR_EQUAL(w->starts_on, doze_trace_starts_state());
	doze_records_forget(w);
	doze_records_start(w, 2, DOZE_SOURCE_local);
	CU_ASSERT_PTR_EQUAL(w->starts_on, doze_trace_every_job_state());
	(void)doze_queue_pop(w);
	doze_pool_unref(w->pool);
}

static const struct suite_test tests[] = {
    {"only a limited number of jobs per second are recorded", records_up_to_the_limit_in_a_second},
    {"the next recorded job counts the skipped ones", the_next_record_counts_skipped_jobs},
    {"a worker that falls asleep counts the jobs that it leaves, under every policy",
     a_sleeper_counts_the_jobs_left},
    {"the note on a queued FIFO job is kept when its token is popped", a_job_in_a_fifo_stays_noted},
    {"starts are reported after a post while a worker slept, and until none sleeps",
     a_post_to_sleepers_makes_starts_report},
    {"starts are reported while a job is noted", a_noted_job_makes_starts_report},
};
SUITE_MAIN("job_records", tests)
