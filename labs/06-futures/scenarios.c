/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 6: one thread calls the queue operations for two
 * workers that do not run; other scenarios use whole pools.
 */
#include "labs/scenarios/common.h"

#include "lib/queues.h"

static struct doze_pool pool;
static struct doze_worker workers[2];
static struct doze_job jobs[8];
static const struct doze_queue_ops *ops;

#define W0 (&workers[0])
#define W1 (&workers[1])

/* Sets up two workers with empty queues and without threads. */
static void begin(void)
{
	pool.id = 1;
	pool.num_workers = 2;
	pool.workers = workers;
	pool.sleep.policy = doze_policy_find("forkjoin");
	ops = pool.sleep.policy->queues;
	for (int i = 0; i < 2; i++) {
		workers[i].pool = &pool;
		workers[i].index = i;
		workers[i].queues = ops;
	}
	EX_CHECK(ops->init(&pool) == 0);
	EX_CHECK(pool.sleep.policy->init(&pool) == 0);
}
static void end(void)
{
	pool.sleep.policy->fini(&pool);
	ops->fini(&pool);
}
static bool push(struct doze_worker *worker, int job)
{
	return ops->push(worker, &jobs[job]);
}
static void pops(struct doze_worker *worker, int job)
{
	EX_CHECK(ops->pop(worker) == &jobs[job]);
}
static void steals_job(struct doze_worker *thief, struct doze_worker *victim, int job)
{
	struct doze_job *found = NULL;
	EX_CHECK(ops->steal(thief, victim, &found) == DOZE_STEAL_success);
	EX_CHECK(found == &jobs[job]);
}
static void has_none(struct doze_worker *worker, struct doze_worker *other)
{
	struct doze_job *found = NULL;
	EX_CHECK(ops->empty(worker));
	EX_CHECK(ops->pop(worker) == NULL);
	EX_CHECK(ops->steal(other, worker, &found) == DOZE_STEAL_empty);
}
/* Calls the operation as the library does, with the pool's lock held. */
static uint64_t left(struct doze_worker *worker, bool *injected)
{
	struct forkjoin *fj = forkjoin_of(&pool);
	doze_mutex_lock(&fj->pool_lock);
	uint64_t jobs_left = ops->left(worker, injected);
	doze_mutex_unlock(&fj->pool_lock);
	return jobs_left;
}

static void order(void)
{
	begin();
	EX_CHECK(push(W0, 0));
	EX_CHECK(!push(W0, 1));
	EX_CHECK(!push(W0, 2));
	has_none(W1, W0);
	EX_CHECK(!ops->empty(W0));
	pops(W0, 2);
	steals_job(W1, W0, 0);
	pops(W0, 1);
	has_none(W0, W1);
	EX_CHECK(push(W1, 3));
	steals_job(W0, W1, 3);
	end();
}

static struct doze_batch three(void)
{
	struct doze_batch batch = {0};
	for (int i = 0; i < 3; i++)
		doze_batch_add(&batch, &jobs[i]);
	return batch;
}

/* More jobs than a new deque has room for. */
#define BATCHES 40
static void many(void)
{
	begin();
	for (int i = 0; i < BATCHES; i++) {
		struct doze_batch batch = three();
		EX_CHECK(ops->reserve(W0, 3) == 0);
		EX_CHECK(ops->push_many(W0, &batch) == (i == 0));
	}
	for (int i = 0; i < 3 * BATCHES; i++)
		steals_job(W1, W0, i % 3);
	has_none(W0, W1);
	end();
}

static void batches(void)
{
	begin();
	bool was_empty = false, injected = false;
	struct doze_batch batch = three();
	EX_CHECK(ops->reserve(W0, 100) == 0);
	EX_CHECK(ops->push_many(W0, &batch));
	pops(W0, 2);
	steals_job(W1, W0, 0);
	EX_CHECK(left(W0, &injected) == 1 && !injected);
	EX_CHECK(left(W1, &injected) == 1 && !injected); /* both workers must get the same answer */
	pops(W0, 1);
	batch = three();
	EX_CHECK(ops->inject_many(&pool, -1, &batch, &was_empty) == 0 && was_empty);
	EX_CHECK(!ops->inject(&pool, -1, &jobs[3]));
	EX_CHECK(ops->has_injected(&pool, 0));
	EX_CHECK(ops->empty(W0) && ops->empty(W1)); /* the shared queue is not theirs */
	EX_CHECK(left(W0, &injected) == 0 && injected);
	for (int i = 0; i < 4; i++)
		EX_CHECK(ops->uninject(i % 2 ? W0 : W1) == &jobs[i]);
	EX_CHECK(ops->uninject(W0) == NULL && !ops->has_injected(&pool, 0));
	end();
}

static void take_out(void)
{
	begin();
	for (int i = 0; i < 4; i++)
		push(W0, i);
	EX_CHECK(ops->remove(W0, &jobs[1])); /* from the middle */
	EX_CHECK(!ops->remove(W0, &jobs[1]));
	EX_CHECK(ops->remove(W0, &jobs[3])); /* the newest */
	steals_job(W1, W0, 0);
	EX_CHECK(!ops->remove(W0, &jobs[0])); /* taken by the thief */
	pops(W0, 2);
	has_none(W0, W1);
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
	EX_CHECK(all >= 50);            /* each operation takes a lock */
	EX_CHECK(10 * most <= 6 * all); /* at most 60 % of them on one lock */
	end();
}

/* One worker pushes while the other checks all deques. */
static void *pusher(void *arg)
{
	push(W1, 0);
	return arg;
}
static void looks(void)
{
	bool injected;
	doze_thread thread;
	begin();
	EX_CHECK(doze_thread_create(&thread, pusher, NULL) == 0);
	(void)ops->empty(W1);
	EX_CHECK(left(W0, &injected) <= 1);
	doze_thread_join(thread);
	EX_CHECK(!ops->empty(W1));
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
	EX_CHECK(doze_future_get(left_half) == arg); /* not the newest entry */
	EX_CHECK(doze_future_get(right_half) == arg);
	doze_future_free(left_half);
	doze_future_free(right_half);
	bool injected;
	EX_CHECK(doze_self->queues->left(doze_self, &injected) == 0);
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
	EX_CHECK(ran(&leaves) == 2);
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
	ex_begin_play();
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
    {"take-out", "a job is removed from the middle of a deque", take_out, 1, NULL, NULL, 0},
    {"locks", "how many acquisitions each lock gets", locks, 1, NULL, NULL, 0},
    {"looks", "a worker checks the deques while another pushes a job", looks, 2, NULL, NULL, 0},
    {"alone", "fork-join on one worker", fork_join_alone, 2, "forkjoin", NULL, 0},
    {"stolen", "the second half of a join is stolen", stolen, 3, "forkjoin", NULL, 0},
    {.name = NULL},
};
