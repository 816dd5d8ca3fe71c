/*
 * SPDX-License-Identifier: MIT
 *
 * The injector, alone.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/injector.h"
#include "tests/fixtures/suite.h"

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

/* The two halves of a push, as a producer makes them that is interrupted between them. */
static struct doze_job *half_push(struct doze_injector *q, struct doze_job *job)
{
	da_store(&job->next, NULL, RLX);
	return da_swap(&q->last, job, AR);
}

static void half_a_push_is_nothing_yet(void)
{
	struct doze_injector q;
	doze_injector_init(&q);
	struct doze_job *before = half_push(&q, &jobs[0]);
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	CU_ASSERT_FALSE(doze_injector_has_jobs(&q));
	doze_injector_push(&q, &jobs[1]); /* a whole push behind the half one: hidden with it */
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	da_store(&before->next, &jobs[0], REL);
	CU_ASSERT_TRUE(doze_injector_has_jobs(&q));
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[0]);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[1]);
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	doze_injector_fini(&q);
}

static void job_before_half_a_push_is_seen(void)
{
	struct doze_injector q;
	doze_injector_init(&q);
	doze_injector_push(&q, &jobs[0]);
	struct doze_job *before = half_push(&q, &jobs[1]);
	/* Not given out, its link is still to be written, but a worker may not sleep over it. */
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	CU_ASSERT_TRUE(doze_injector_has_jobs(&q));
	da_store(&before->next, &jobs[1], REL);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[0]);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[1]);
	doze_injector_fini(&q);
}

/* The only job, and a producer that has swapped itself in behind it: the consumer may not put the
 * stub there, or the stub would be last with jobs in front of it, and the queue would look empty.
 * Two racing broadcasts showed that, and the explorer. */
static void stub_is_never_behind_jobs(void)
{
	struct doze_injector q;
	doze_injector_init(&q);
	doze_injector_push(&q, &jobs[2]);
	doze_injector_push(&q, &jobs[0]);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[2]); /* the stub is out of the list now */
	struct doze_job *before = half_push(&q, &jobs[1]);
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	CU_ASSERT_PTR_EQUAL(da_load(&q.last, SC), &jobs[1]);
	CU_ASSERT_FALSE(doze_injector_empty_hint(&q));
	da_store(&before->next, &jobs[1], REL);
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[0]);
	CU_ASSERT_FALSE(doze_injector_empty_hint(&q));
	CU_ASSERT_PTR_EQUAL(doze_injector_pop(&q), &jobs[1]);
	CU_ASSERT_TRUE(doze_injector_empty_hint(&q));
	CU_ASSERT_PTR_NULL(doze_injector_pop(&q));
	doze_injector_fini(&q);
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
		/* What one consumer gets of one producer comes in that producer's order. */
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
    {"Does it give out jobs in the order they came?", first_in_first_out},
    {"Does it know when it is empty?", knows_when_it_is_empty},
    {"Is a push that is half done invisible, and whole again later?", half_a_push_is_nothing_yet},
    {"Is a job in front of a half-done push seen by the last look?",
     job_before_half_a_push_is_seen},
    {"Does the stub never end up behind jobs, where it would hide them?",
     stub_is_never_behind_jobs},
    {"Does each of 90,000 jobs come out once, each producer's in order?", each_job_once},
};
SUITE_MAIN("injector", tests)
