/*
 * SPDX-License-Identifier: MIT
 *
 * The injector on its own.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/injector.h"
#include "lib/pool.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/policies.h"

#include <stdlib.h>
#include <string.h>

static struct doze_job jobs[8];

static void first_in_first_out(void)
{
	struct doze_injector q;
	doze_injector_init(&q);
	for (int round = 0; round < 3; round++) {
		CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
		for (int i = 0; i < 4; i++)
			doze_injector_push(&q, &jobs[i]);
		for (int i = 0; i < 4; i++)
			CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[i]);
	}
	doze_injector_fini(&q);
}

static void knows_when_it_is_empty(void)
{
	struct doze_injector q;
	doze_injector_init(&q);
	CU_ASSERT_TRUE(doze_injector_empty_hint(&q));
	CU_ASSERT_FALSE(doze_injector_has_jobs(&q));
	doze_injector_push(&q, &jobs[0]);
	CU_ASSERT_FALSE(doze_injector_empty_hint(&q));
	CU_ASSERT_TRUE(doze_injector_has_jobs(&q));
	doze_injector_push(&q, &jobs[1]);
	(void)doze_injector_pop(&q);
	CU_ASSERT_TRUE(doze_injector_has_jobs(&q));
	(void)doze_injector_pop(&q);
	CU_ASSERT_FALSE(doze_injector_has_jobs(&q));
	CU_ASSERT_TRUE(doze_injector_empty_hint(&q));
	doze_injector_fini(&q);
}

/* ---- a producer that stops halfway ---- */

/* Does the part of a push before its one atomic step, like a producer that is interrupted there. */
static struct doze_job *half_push(struct doze_injector *q, struct doze_job *job)
{
	struct doze_job *before = da_load(&q->newest, RLX);
	da_store(&job->next, before, RLX);
	return before;
}

/* Does the rest of the push: the atomic step, and the retry if it fails. */
static void go_on(struct doze_injector *q, struct doze_job *job, struct doze_job *before)
{
	if (!da_cas(&q->newest, &before, job, REL, RLX))
		doze_injector_push(q, job);
}

static void half_a_push_hides_nothing(void)
{
	struct doze_injector q;
	doze_injector_init(&q);
	doze_injector_push(&q, &jobs[0]);
	struct doze_job *before = half_push(&q, &jobs[1]);
	doze_injector_push(&q, &jobs[2]);
	/* Pushed before the interrupted push began. */
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[0]);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[2]); /* pushed during the interruption */
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	/* A job that pop does not return yet must not keep a worker from sleeping. */
	CU_ASSERT_FALSE(doze_injector_has_jobs(&q));
	CU_ASSERT_TRUE(doze_injector_empty_hint(&q));
	go_on(&q, &jobs[1], before);
	CU_ASSERT_TRUE(doze_injector_has_jobs(&q));
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[1]);
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	doze_injector_fini(&q);
}

/* ABA: while a producer is stopped, the job that it will link to is taken and pushed again. Its
 * address is the same, but the queue has changed. */
static void same_address_again(void)
{
	struct doze_injector q;
	doze_injector_init(&q);
	doze_injector_push(&q, &jobs[0]);
	struct doze_job *before = half_push(&q, &jobs[1]);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[0]);
	doze_injector_push(&q, &jobs[2]);
	doze_injector_push(&q, &jobs[0]);
	go_on(&q, &jobs[1], before);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[2]);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[0]);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[1]);
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	doze_injector_fini(&q);
}

/* Later jobs are never popped before earlier ones, no matter when the stack was taken. */
static void order_across_takes(void)
{
	struct doze_injector q;
	int in = 0, out = 0;
	doze_injector_init(&q);
	for (int round = 1; round <= 4; round++) {
		for (int i = 0; i < round; i++)
			doze_injector_push(&q, &jobs[in++ % 8]);
		CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[out++ % 8]);
		CU_ASSERT_FALSE(round > 1 && doze_injector_empty_hint(&q));
	}
	while (out < in)
		CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[out++ % 8]);
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	doze_injector_fini(&q);
}

/* A whole pool with a stopped producer: an earlier job runs, all workers fall asleep and do not
 * search. When the producer continues, its job runs. */
static long ran_before, ran_half; /* atomic */

static void run_half(struct doze_job *job, struct doze_worker *worker, enum doze_source source)
{
	(void)job;
	(void)worker;
	(void)source;
	help_count(&ran_half);
}

static bool all_sleep(doze_pool *pool)
{
	doze_stats s;
	struct patience limit = patience_of(10000);
	do {
		doze_pool_stats(pool, &s);
		if (s.sleeping == s.workers)
			return true;
		help_sleep_us(200);
	} while (!patience_is_over(&limit));
	return false;
}

static void pool_with_stopped_producer(const char *policy)
{
	static struct doze_job half = {.run = run_half};
	doze_pool *pool = help_pool(2, policy);
	doze_stats before, after;

	ran_before = ran_half = 0;
	CU_ASSERT_TRUE(all_sleep(pool));
	CU_ASSERT_EQUAL(doze_spawn(pool, help_count, &ran_before), 0);
	struct doze_job *under = half_push(&pool->injector, &half);
	CU_ASSERT_TRUE(help_reaches(&ran_before, 1, 10));
	CU_ASSERT_TRUE(all_sleep(pool));
	doze_pool_stats(pool, &before);
	help_sleep_us(50000); /* a worker that keeps searching would fall asleep many times */
	CU_ASSERT_TRUE(all_sleep(pool));
	doze_pool_stats(pool, &after);
	/* A notified worker counts as sleeping until it runs, so the wakes for the first job may
	 * still make each worker fall asleep once more. */
	CU_ASSERT_TRUE(after.sleeps - before.sleeps <= 2);
	go_on(&pool->injector, &half, under);
	da_fence(SC);
	pool->sleep.policy->new_jobs(pool, -1,
				     &(struct doze_publish){DOZE_QUEUE_injector, 1, true, 0, NULL});
	CU_ASSERT_TRUE(help_reaches(&ran_half, 1, 10));
	doze_pool_free(pool);
}

static void no_worker_burns_cpu(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		bool sleeps =
		    doze_policy_has_state(doze_policy_descriptor((*p)->name), DOZE_STATE_sleeping);
		if (sleeps && (*p)->queues == NULL) /* the injector is the shared queue */
			pool_with_stopped_producer((*p)->name);
	}
}

/* ---- stress ---- */

enum { PRODUCERS = 3, CONSUMERS = 3, EACH = 30000 };

struct stress_job {
	struct doze_job job;
	int producer, number;
};

struct stress {
	struct doze_injector q;
	struct stress_job *jobs;
	DOZE_ATOMIC(unsigned char) * taken;
	DOZE_ATOMIC(long) left;
	DOZE_ATOMIC(long) out_of_order;
};

struct producer {
	struct stress *s;
	int index;
};

static void produce(void *arg)
{
	const struct producer *p = arg;
	for (int i = 0; i < EACH; i++) {
		struct stress_job *job = &p->s->jobs[p->index * EACH + i];
		job->producer = p->index;
		job->number = i;
		doze_injector_push(&p->s->q, &job->job);
	}
}

static void consume(void *arg)
{
	struct stress *s = arg;
	int last[PRODUCERS] = {-1, -1, -1};
	while (da_load(&s->left, ACQ) > 0) {
		struct stress_job *job = (struct stress_job *)doze_injector_pop(&s->q);
		if (job == NULL)
			continue;
		/* Each consumer must get the jobs of one producer in the order in which they were
		 * pushed. */
		if (job->number <= last[job->producer])
			(void)da_add(&s->out_of_order, 1, RLX);
		last[job->producer] = job->number;
		(void)da_add(&s->taken[job - s->jobs], 1, RLX);
		(void)da_sub(&s->left, 1, AR);
	}
}

static void each_job_once(void)
{
	static struct stress s;
	struct help_thread *threads[PRODUCERS + CONSUMERS];
	struct producer producers[PRODUCERS];
	int wrong = 0;

	memset(&s, 0, sizeof s);
	doze_injector_init(&s.q);
	s.jobs = calloc(PRODUCERS * EACH, sizeof *s.jobs);
	s.taken = calloc(PRODUCERS * EACH, 1);
	s.left = PRODUCERS * EACH;
	for (int i = 0; i < CONSUMERS; i++)
		threads[i] = help_thread_start(consume, &s);
	for (int i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){&s, i};
		threads[CONSUMERS + i] = help_thread_start(produce, &producers[i]);
	}
	for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
		help_thread_join(threads[i]);
	for (int i = 0; i < PRODUCERS * EACH; i++)
		wrong += s.taken[i] != 1;
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(s.out_of_order, 0);
	CU_ASSERT_FALSE(doze_injector_has_jobs(&s.q));
	doze_injector_fini(&s.q);
	free(s.taken);
	free(s.jobs);
}

static const struct suite_test tests[] = {
    {"jobs leave the queue in the order of arrival", first_in_first_out},
    {"an empty queue reports that it is empty", knows_when_it_is_empty},
    {"an interrupted push hides no job that was pushed before or after it",
     half_a_push_hides_nothing},
    {"an interrupted push is correct even if the same job is on top again (ABA)",
     same_address_again},
    {"jobs keep their order no matter how often the consumers' list runs empty",
     order_across_takes},
    {"workers run the job queued before an interrupted push, and then sleep", no_worker_burns_cpu},
    {"each of 90,000 jobs is taken once, in the order in which its producer pushed them",
     each_job_once},
};
SUITE_MAIN("injector", tests)
