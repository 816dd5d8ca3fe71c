/*
 * SPDX-License-Identifier: MIT
 *
 * queues.c - scenarios that use only the queues, and check that each job is taken exactly once and
 * in the right order.
 */
#include "labs/explorer/explore.h"

#include <stddef.h>

#include "lib/deque.h"
#include "lib/injector.h"
#include "lib/park.h"

#define JOBS 4

static struct doze_deque deque;
static struct doze_injector injector;
static struct doze_job job[JOBS];
static DOZE_ATOMIC(int) taken[JOBS];
/* A job's payload, written relaxed before the job is published, so that in the weak mode only the
 * queue's memory orders make it visible to the thread that takes the job. */
static DOZE_ATOMIC(int) load[JOBS];

/* Whether to simulate a system without heavy fences, on which all entries of a deque are public. */
static bool public_only;

static void init(size_t capacity)
{
	EX_CHECK(doze_deque_init(&deque, capacity) == 0);
	if (!public_only)
		return;
	deque.all_public = true;
	da_init(&deque.split, DOZE_DEQUE_PUBLIC);
}

static void take(const struct doze_job *j)
{
	EX_CHECK(j >= job && j < job + JOBS);
	EX_CHECK(da_load(&load[j - job], RLX) == (int)(j - job) + 1);
	EX_CHECK(da_add(&taken[j - job], 1, RLX) == 0);
}

static void push(int i)
{
	da_store(&load[i], i + 1, RLX);
	doze_deque_push(&deque, &job[i]);
}

static void pop(void)
{
	const struct doze_job *j = doze_deque_pop(&deque);
	if (j)
		take(j);
}

static void *thief(void *arg)
{
	struct doze_job *j;
	for (int i = 0; i < (int)(intptr_t)arg; i++)
		if (doze_deque_steal(&deque, &j) == DOZE_STEAL_success)
			take(j);
	return NULL;
}

static doze_thread start(void *(*fn)(void *), int arg)
{
	doze_thread t;
	(void)doze_thread_create(&t, fn, (void *)(intptr_t)arg);
	return t;
}

/** Called by the owner. Takes the remaining jobs, and checks that each of the n jobs was taken
 * once. */
static void drain(int n)
{
	const struct doze_job *j;
	while ((j = doze_deque_pop(&deque)))
		take(j);
	for (int i = 0; i < n; i++)
		EX_CHECK(da_load(&taken[i], RLX) == 1);
	doze_deque_fini(&deque);
}

static void last_job(void)
{
	init(2);
	doze_thread t = start(thief, 1);
	push(0);
	pop();
	doze_thread_join(t);
	drain(1);
}

static void two_jobs(void)
{
	init(2);
	push(0);
	doze_thread t = start(thief, 2);
	push(1);
	pop();
	pop();
	doze_thread_join(t);
	drain(2);
}

static void growth(void)
{
	init(1);
	push(0);
	doze_thread t = start(thief, 2);
	push(1);
	push(2);
	pop();
	doze_thread_join(t);
	drain(3);
}

/* The owner pushes, pops and pushes again, so it may rewrite the only slot while the thief
 * reads. */
static void recycled(void)
{
	init(1);
	doze_thread t = start(thief, 2);
	push(0);
	pop();
	push(1);
	pop();
	doze_thread_join(t);
	drain(2);
}

/* A thief requests private entries, and the owner answers and makes some of them public. */
static void border(void)
{
	init(4);
	push(0);
	doze_thread t = start(thief, 3);
	push(1);
	push(2);
	pop();
	push(3);
	pop();
	pop();
	doze_thread_join(t);
	drain(4);
}

/* Two pops lower the deque's `split` while a thief may still use the old value. */
static void lowered(void)
{
	init(4);
	for (int i = 0; i < 4; i++)
		push(i);
	da_store(&deque.split, 4, REL); /* all entries are public */
	doze_thread t = start(thief, 3);
	pop();
	pop();
	doze_thread_join(t);
	drain(4);
}

/* Scenario deque-border with a second thief, which may use an old value of `split` or have seen the
 * deque open. */
static void border_thieves(void)
{
	init(4);
	push(0);
	doze_thread a = start(thief, 2), b = start(thief, 1);
	push(1);
	pop();
	push(2);
	pop();
	doze_thread_join(a);
	doze_thread_join(b);
	drain(3);
}

static void two_thieves(void)
{
	init(2);
	push(0);
	push(1);
	doze_thread a = start(thief, 1), b = start(thief, 1);
	pop();
	doze_thread_join(a);
	doze_thread_join(b);
	drain(2);
}

/* One job at a time passes through the only slot. Each push writes the slot again or grows the
 * deque, and each pop competes for the last entry with two thieves, one of which may have read an
 * old top. */
static void laps(void)
{
	init(1);
	push(0);
	doze_thread a = start(thief, 1), b = start(thief, 1);
	pop();
	push(1);
	pop();
	doze_thread_join(a);
	doze_thread_join(b);
	drain(2);
}

/* The scenarios above on a system without heavy fences. */
static void public_last(void)
{
	public_only = true;
	last_job();
}
static void public_two(void)
{
	public_only = true;
	two_jobs();
}
static void public_growth(void)
{
	public_only = true;
	growth();
}
static void public_recycled(void)
{
	public_only = true;
	recycled();
}

/* Returns the jobs from `from` to `to` - 1 as a batch. */
static struct doze_batch batch_of(int from, int to)
{
	struct doze_batch batch = {.count = 0};
	for (int i = from; i < to; i++) {
		da_store(&load[i], i + 1, RLX);
		doze_batch_add(&batch, &job[i]);
	}
	return batch;
}

/* Pushes a batch into a deque of capacity 2 that already has a job, so that the deque grows while
 * the thief steals. */
static void batch_pushed(void)
{
	init(2);
	push(0);
	doze_thread t = start(thief, 2);
	struct doze_batch batch = batch_of(1, 4);
	EX_CHECK(doze_deque_reserve(&deque, batch.count) == 0);
	doze_deque_push_many(&deque, &batch);
	pop();
	doze_thread_join(t);
	drain(4);
}

/* Makes each job public right after its push, while a thief may be asking for it, as a loop does
 * with the half of a piece. */
static void published(void)
{
	init(4);
	push(0);
	doze_thread t = start(thief, 3);
	push(1);
	doze_deque_publish(&deque);
	pop();
	push(2);
	doze_deque_publish(&deque);
	pop();
	pop();
	doze_thread_join(t);
	drain(3);
}

static void inject(int i)
{
	da_store(&load[i], i + 1, RLX);
	doze_injector_push(&injector, &job[i]);
}
static void *producer(void *arg)
{
	inject((int)(intptr_t)arg);
	return NULL;
}
static void *consumer(void *arg)
{
	struct doze_job *j;
	for (int i = 0; i < (int)(intptr_t)arg; i++)
		if ((j = doze_injector_pop(&injector)))
			take(j);
	return NULL;
}
static void injector_drain(int n)
{
	const struct doze_job *j;
	/* No other thread is active, so has_jobs, the hint and pop are exact. */
	EX_CHECK(doze_injector_has_jobs(&injector) == !doze_injector_empty_hint(&injector));
	while ((j = doze_injector_pop(&injector)))
		take(j);
	EX_CHECK(!doze_injector_has_jobs(&injector));
	EX_CHECK(doze_injector_empty_hint(&injector));
	for (int i = 0; i < n; i++)
		EX_CHECK(da_load(&taken[i], RLX) == 1);
	doze_injector_fini(&injector);
}
static void injector_one(void)
{
	doze_injector_init(&injector);
	doze_thread t = start(consumer, 2);
	inject(0);
	inject(1);
	doze_thread_join(t);
	injector_drain(2);
}
static void injector_two(void)
{
	doze_injector_init(&injector);
	doze_thread a = start(producer, 0), b = start(producer, 1);
	(void)consumer((void *)2);
	doze_thread_join(a);
	doze_thread_join(b);
	injector_drain(2);
}
static void injector_consumers(void)
{
	doze_injector_init(&injector);
	inject(0);
	doze_thread a = start(producer, 1), b = start(consumer, 1);
	(void)consumer((void *)1);
	doze_thread_join(a);
	doze_thread_join(b);
	injector_drain(2);
}
/* Pushes a batch while another producer pushes a job. The jobs of the batch must come out in order,
 * with no other job between them. */
static void injector_batch(void)
{
	doze_injector_init(&injector);
	doze_thread a = start(producer, 3), b = start(consumer, 1);
	struct doze_batch batch = batch_of(0, 3);
	doze_injector_push_many(&injector, &batch);
	doze_thread_join(a);
	doze_thread_join(b);
	const struct doze_job *j, *before = NULL;
	while ((j = doze_injector_pop(&injector))) {
		bool alone = j == &job[3];
		EX_CHECK(before == NULL || before == (alone ? &job[2] : &job[3]) ||
			 (!alone && j == before + 1));
		take(j);
		before = j;
	}
	injector_drain(4);
}
/* A producer may stop anywhere in its push for any length of time: pop still returns the earlier
 * job, and returns a job whenever has_jobs reports one. */
static void injector_stopped(void)
{
	doze_injector_init(&injector);
	inject(0);
	doze_thread t = start(producer, 1);
	const struct doze_job *j = doze_injector_pop(&injector);
	EX_CHECK(j == &job[0]);
	take(j);
	if (doze_injector_has_jobs(&injector)) {
		j = doze_injector_pop(&injector);
		EX_CHECK(j == &job[1]);
		take(j);
	}
	doze_thread_join(t);
	injector_drain(2);
}

/* The second of two jobs must stay visible while another consumer moves both jobs and takes the
 * first. */
static void *first_consumer(void *arg)
{
	const struct doze_job *j = doze_injector_pop(&injector);
	(void)arg;
	EX_CHECK(j == &job[0]);
	take(j);
	return NULL;
}
static void injector_hint(void)
{
	doze_injector_init(&injector);
	inject(0);
	inject(1);
	doze_thread t = start(first_consumer, 0);
	EX_CHECK(!doze_injector_empty_hint(&injector));
	doze_thread_join(t);
	injector_drain(2);
}

const struct ex_scenario ex_scenarios[] = {
    {"deque-last", "a pop and a steal race for one job", last_job, 2, NULL, NULL, 0},
    {"deque-two", "pops and steals race for two jobs", two_jobs, 2, NULL, NULL, 0},
    {"deque-growth", "the deque grows while a thief steals", growth, 2, NULL, NULL, 0},
    {"deque-recycled", "a slot is rewritten while a thief reads it", recycled, 2, NULL, NULL, 0},
    {"deque-thieves", "owner and two thieves, two jobs", two_thieves, 3, NULL, NULL, 0},
    {"deque-laps", "owner and two thieves, one slot written twice", laps, 3, NULL, NULL, 0},
    {"deque-border", "the owner answers a request, or the thief opens the deque", border, 2, NULL,
     NULL, 0},
    {"deque-lowered", "the split is lowered while a thief steals", lowered, 2, NULL, NULL, 0},
    {"deque-border-thieves", "deque-border with two thieves", border_thieves, 3, NULL, NULL, 0},
    {"deque-public-last", "deque-last without heavy fences", public_last, 2, NULL, NULL, 0},
    {"deque-public-two", "deque-two without heavy fences", public_two, 2, NULL, NULL, 0},
    {"deque-public-growth", "deque-growth without heavy fences", public_growth, 2, NULL, NULL, 0},
    {"deque-public-recycled", "deque-recycled without heavy fences", public_recycled, 2, NULL, NULL,
     0},
    {"deque-batch", "a batch is pushed while a thief steals", batch_pushed, 2, NULL, NULL, 0},
    {"deque-published", "jobs are made public while a thief steals", published, 2, NULL, NULL, 0},
    {"injector-batch", "a batch is pushed during another push and pops", injector_batch, 3, NULL,
     NULL, 0},
    {"injector", "one producer, one consumer", injector_one, 2, NULL, NULL, 0},
    {"injector-stopped", "a producer stops halfway through a push, after another producer's push",
     injector_stopped, 2, NULL, NULL, 0},
    {"injector-hint", "the emptiness hint while jobs are moved", injector_hint, 2, NULL, NULL, 0},
    {"injector-producers", "two producers, one consumer", injector_two, 3, NULL, NULL, 0},
    {"injector-consumers", "one producer, two consumers", injector_consumers, 3, NULL, NULL, 0},
    {.name = NULL},
};
