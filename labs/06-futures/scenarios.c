/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 6: one thread calls the queue operations for three
 * workers that do not run; other scenarios use whole pools.
 */
#include "labs/scenarios/operations.h"

#include <errno.h>
#include <inttypes.h>

static void order(void)
{
	begin();
	push_says(W0, 0, true);
	push_says(W0, 1, false);
	push_says(W0, 2, false);
	has_none(W1, W0);
	EX_REQUIRE(!ops->empty(W0), "fj_empty returns true for a queue with three jobs");
	pops(W0, 2);
	steals_job(W1, W0, 0);
	pops(W0, 1);
	has_none(W0, W1);
	push_says(W1, 3, true);
	push_says(W2, 4, true);
	steals_job(W0, W2, 4);
	steals_job(W2, W1, 3);
	end();
}

/* More jobs than a new deque has room for. */
#define BATCHES 40
static void many(void)
{
	begin();
	for (int i = 0; i < BATCHES; i++) {
		struct doze_batch batch = three();
		EX_REQUIRE(ops->reserve(W0, 3) == 0, "fj_reserve fails");
		EX_REQUIRE(ops->push_many(W0, &batch) == (i == 0),
			   "fj_push_many returns %s for %s queue", i == 0 ? "false" : "true",
			   i == 0 ? "an empty" : "a non-empty");
	}
	for (int i = 0; i < 3 * BATCHES; i++)
		steals_job(W1, W0, i % 3);
	has_none(W0, W1);
	end();
}

static void batches(void)
{
	begin();
	bool was_empty = false;
	struct doze_job *found;
	struct doze_batch batch = three();
	EX_REQUIRE(ops->reserve(W0, 100) == 0, "fj_reserve fails");
	EX_REQUIRE(ops->push_many(W0, &batch), "fj_push_many to an empty queue returns false");
	pops(W0, 2);
	steals_job(W1, W0, 0);
	has_left(W0, 1, false);
	has_left(W1, 1, false);
	pops(W0, 1);
	batch = three();
	EX_CHECK(ops->inject_many(&pool, -1, &batch, &was_empty) == 0 && was_empty);
	EX_CHECK(!ops->inject(&pool, -1, &jobs[3]));
	EX_CHECK(ops->has_injected(&pool, 0));
	EX_REQUIRE(ops->empty(W0) && ops->empty(W1),
		   "fj_empty counts jobs of the shared queue as a worker's own");
	EX_REQUIRE(ops->pop(W0) == NULL, "fj_pop returns a job of the shared queue");
	EX_REQUIRE(ops->steal(W1, W0, &found) == DOZE_STEAL_empty,
		   "fj_steal takes a job of the shared queue");
	has_left(W0, 0, true);
	for (int i = 0; i < 4; i++)
		is_job("fj_uninject", ops->uninject(i % 2 ? W0 : W1), i);
	EX_CHECK(ops->uninject(W0) == NULL && !ops->has_injected(&pool, 0));
	end();
}

static void no_memory(void)
{
	begin();
	push(W0, 0);
	ex_refuse_memory(true);
	int error = ops->reserve(W0, 100);
	ex_refuse_memory(false);
	EX_REQUIRE(error == ENOMEM,
		   "fj_reserve returns %d although there is no memory for a larger queue", error);
	pops(W0, 0);
	has_none(W0, W1);
	end();
}

/* Removes one of five jobs, steals the oldest, and pops the rest. */
#define FIVE 5
static void remove_from_five(int removed)
{
	int oldest = removed == 0;
	for (int i = 0; i < FIVE; i++)
		push(W0, i);
	removes(removed, true, "which is in the queue");
	steals_job(W1, W0, oldest);
	for (int i = FIVE - 1; i > oldest; i--)
		if (i != removed)
			pops(W0, i);
}

static void take_out(void)
{
	begin();
	for (int i = 0; i < 4; i++)
		push(W0, i);
	removes(1, true, "in the middle");
	removes(1, false, "which has been removed before");
	removes(3, true, "the newest");
	steals_job(W1, W0, 0);
	removes(0, false, "which a thief has taken");
	pops(W0, 2);
	has_none(W0, W1);
	end();
}

/* Each round advances the deque's oldest end by one slot, so every removal also happens where the
 * ring of 64 slots wraps around. */
static void any_place(void)
{
	begin();
	for (int i = 0; i < 64 * FIVE; i++)
		remove_from_five(i % FIVE);
	end();
}

/* Both workers mostly use their own queues, so their operations must not share one lock. */
static void locks(void)
{
	uint64_t all, most;
	begin();
	ex_count_locks();
	for (int i = 0; i < 10; i++) {
		push(W0, 0);
		push(W1, 1);
		pops(W0, 0);
		pops(W1, 1);
	}
	for (int i = 0; i < 5; i++) {
		ops->inject(&pool, -1, &jobs[2]);
		EX_CHECK(ops->uninject(W0) == &jobs[2]);
	}
	all = ex_locks_counted(&most);
	EX_REQUIRE(all >= 50, "50 operations take only %" PRIu64 " locks", all);
	EX_REQUIRE(10 * most <= 6 * all,
		   "one lock gets %" PRIu64 " of all %" PRIu64 " acquisitions", most, all);
	end();
}

static void once(void)
{
	begin();
	struct doze_batch batch = three();
	struct doze_job *found;
	ex_count_locks();
	push(W0, 3);
	took_one("fj_push", 0, 0);
	EX_CHECK(ops->reserve(W0, 3) == 0);
	took_one("fj_reserve", 0, 0);
	ops->push_many(W0, &batch);
	took_one("fj_push_many", 0, 0);
	ops->pop(W0);
	took_one("fj_pop", 0, 0);
	(void)ops->steal(W2, W0, &found);
	took_one("fj_steal", 2, 0);
	(void)ops->steal(W0, W1, &found);
	took_one("fj_steal from an empty deque", 0, 1);
	removes(1, true, "the newest");
	took_one("fj_remove", 0, 0);
	removes(1, false, "which has been removed before");
	took_one("fj_remove of a job that is gone", 0, 0);
	(void)ops->empty(W0);
	took_one("fj_empty", -1, 0);
	(void)ops->pop(W1);
	took_one("fj_pop from an empty deque", 1, 1);
	(void)ops->empty(W1);
	took_one("fj_empty of an empty deque", -1, 1);
	left_takes_each();
	end();
}

/* A worker pushes to its empty queue while a thief may take the job at once. */
static void *may_steal(void *arg)
{
	struct doze_job *found;
	ex_name_thread("thief");
	if (ops->steal(W1, W0, &found) == DOZE_STEAL_success)
		is_job("fj_steal", found, 0);
	return arg;
}
static void handover(void)
{
	doze_thread thread;
	begin();
	EX_CHECK(doze_thread_create(&thread, may_steal, NULL) == 0);
	EX_REQUIRE(
	    push(W0, 0),
	    "fj_push to an empty queue returns false, because a thief has taken the job before "
	    "fj_push looks");
	doze_thread_join(thread);
	end();
}

/* A thief takes a worker's only job while that worker pushes the next one. */
static void *steal_first(void *arg)
{
	ex_name_thread("thief");
	steals_job(W1, W0, 0);
	return arg;
}
static void meets(void)
{
	doze_thread thread;
	begin();
	push(W0, 0);
	EX_CHECK(doze_thread_create(&thread, steal_first, NULL) == 0);
	(void)push(W0, 1); /* may return true or false, but must look under the lock */
	doze_thread_join(thread);
	pops(W0, 1);
	has_none(W0, W1);
	end();
}

/* A worker's deque grows and receives a batch while a thief takes the two jobs already in it. */
static void *steal_two(void *arg)
{
	ex_name_thread("thief");
	steals_job(W1, W0, 0);
	steals_job(W1, W0, 1);
	return arg;
}
static void grows(void)
{
	doze_thread thread;
	struct doze_batch batch = {0};
	begin();
	push(W0, 0);
	push(W0, 1);
	for (int i = 2; i < 5; i++)
		doze_batch_add(&batch, &jobs[i]);
	EX_CHECK(doze_thread_create(&thread, steal_two, NULL) == 0);
	EX_CHECK(ops->reserve(W0, 100) == 0);
	ops->push_many(W0, &batch);
	EX_REQUIRE(!ops->empty(W0), "fj_empty returns true although three jobs are in the queue");
	doze_thread_join(thread);
	for (int i = 4; i > 1; i--)
		pops(W0, i);
	end();
}

/* Worker 1 pushes a job and steals one from worker 0, while another thread checks the deques. */
static void *push_and_steal(void *arg)
{
	ex_name_thread("other");
	push(W1, 0);
	steals_job(W1, W0, 1);
	return arg;
}
static void looks(void)
{
	bool injected;
	doze_thread thread;
	begin();
	push(W0, 1);
	EX_CHECK(doze_thread_create(&thread, push_and_steal, NULL) == 0);
	(void)ops->empty(W1);
	EX_REQUIRE(left(W0, &injected) <= 2, "fj_left counts more jobs than there are");
	doze_thread_join(thread);
	EX_REQUIRE(!ops->empty(W1), "fj_empty returns true for a queue with a job");
	end();
}

/* A job is injected while a worker checks the shared queue. */
static void *injects(void *arg)
{
	ex_name_thread("other");
	ops->inject(&pool, -1, &jobs[0]);
	return arg;
}
static void shared(void)
{
	doze_thread thread;
	begin();
	EX_CHECK(doze_thread_create(&thread, injects, NULL) == 0);
	(void)ops->has_injected(&pool, 0);
	doze_thread_join(thread);
	is_job("fj_uninject", ops->uninject(W0), 0);
	end();
}

/* In a pool of one worker, a task waits for two others, so the worker must run all three. */
static DOZE_ATOMIC(int) leaves;
static void *leaf(void *arg)
{
	count_run(&leaves);
	return arg;
}
static void *node(void *arg)
{
	doze_future *left_half, *right_half;
	EX_CHECK(doze_submit(&left_half, NULL, leaf, arg) == 0);
	EX_CHECK(doze_submit(&right_half, NULL, leaf, arg) == 0);
	EX_CHECK(doze_future_get(left_half) == arg); /* not the newest job in the deque */
	EX_CHECK(doze_future_get(right_half) == arg);
	doze_future_free(left_half);
	doze_future_free(right_half);
	bool injected;
	EX_REQUIRE(doze_self->queues->left(doze_self, &injected) == 0,
		   "a task is still in the queue after the worker that called get has run it");
	return arg;
}
static void fork_join_alone(void)
{
	doze_pool *real = small_pool(1);
	doze_future *root;
	EX_CHECK(doze_submit(&root, real, node, &leaves) == 0);
	ex_expect("the root of the tree");
	EX_CHECK(doze_future_get(root) == &leaves);
	doze_future_free(root);
	EX_REQUIRE(ran(&leaves) == 2, "%d of 2 tasks ran", ran(&leaves));
	ex_expect("the termination");
	doze_pool_free(real);
}

/* For the game: the second half of a join is stolen, and the joining worker sleeps until it is
 * done. */
static void second_half(void *arg)
{
	if (doze_self != arg && ex_worker_sleeps(1, 1 - (int)doze_self->index))
		ex_note("stolen while its owner sleeps");
}
static void join_halves(void *arg)
{
	(void)arg;
	doze_join(nothing, NULL, second_half, doze_self);
}
static void stolen(void)
{
	doze_pool *real = small_pool(2);
	EX_CHECK(doze_spawn(real, join_halves, NULL) == 0);
	ex_wait_quiet();
	ex_expect("the termination");
	doze_pool_free(real);
}

const struct ex_scenario ex_scenarios[] = {
    {"order", "the owner takes the newest job, a thief the oldest", order, 1, NULL, NULL, 0},
    {"batches", "several jobs at once, and the shared queue", batches, 1, NULL, NULL, 0},
    {"many", "more jobs than a new queue has room for", many, 1, NULL, NULL, 0},
    {"no-memory", "there is no memory for a larger queue", no_memory, 1, NULL, NULL, 0},
    {"take-out", "a job is removed from the middle of a deque", take_out, 1, NULL, NULL, 0},
    {"any-place", "jobs are removed wherever they are in the ring", any_place, 1, NULL, NULL, 0},
    {"locks", "how many acquisitions each lock gets", locks, 1, NULL, NULL, 0},
    {"once", "each operation takes one lock, once", once, 1, NULL, NULL, 0},
    {"handover", "a job is stolen as soon as it is pushed", handover, 2, NULL, NULL, 0},
    {"meets", "a thief takes the only job during the next push", meets, 2, NULL, NULL, 0},
    {"grows", "a deque grows while a thief takes jobs", grows, 2, NULL, NULL, 0},
    {"looks", "a worker checks the deques while another pushes a job", looks, 2, NULL, NULL, 0},
    {"shared", "a worker checks the shared queue during an inject", shared, 2, NULL, NULL, 0},
    {"alone", "fork-join on one worker", fork_join_alone, 2, "forkjoin", NULL, 0},
    {"stolen", "the second half of a join is stolen", stolen, 3, "forkjoin", NULL, 0},
    {.name = NULL},
};
