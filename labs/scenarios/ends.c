/*
 * SPDX-License-Identifier: MIT
 *
 * ends.c - scenarios on whole pools, continued: how a pool begins and ends. In these scenarios a
 * pool is freed with a deadline (which may pass at any moment, because the explorer has no clock),
 * is freed while the thread that queued its last job is still in that call, or cannot create all of
 * its threads.
 */
#include "flags.h"

#include <errno.h>

static DOZE_ATOMIC(int) runs, later_runs;

/* ---- freeing a pool with a deadline ---- */

/* Frees the pool with a deadline. If the deadline passes first, checks that the pool still works
 * and then frees it. Returns whether the pool was freed in time. */
static bool free_or_use(doze_pool *pool, unsigned flags, size_t *discarded)
{
	int error = doze_pool_free_timed(pool, 1, flags, discarded);
	EX_CHECK(error == 0 || error == ETIMEDOUT);
	ex_note(error == 0 ? "freed in time" : "too late");
	if (error == 0)
		return true;
	EX_CHECK(doze_spawn(pool, count_run, &later_runs) == 0);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(ran(&later_runs) == 1);
	return false;
}

static void must_end_both_ways(void)
{
	ex_must_note("freed in time");
	ex_must_note("too late");
}

static void timed_free(void)
{
	doze_pool *pool = small_pool(1);
	must_end_both_ways();
	EX_CHECK(doze_spawn(pool, count_run, &runs) == 0);
	(void)free_or_use(pool, 0, NULL);
	EX_CHECK(ran(&runs) == 1);
}

/* Two calls free the pool with a deadline. Each may time out or end the pool. */
static void timed_free_twice(void)
{
	doze_pool *pool = small_pool(1);
	must_end_both_ways();
	EX_CHECK(doze_spawn(pool, count_run, &runs) == 0);
	if (doze_pool_free_timed(pool, 1, 0, NULL) != 0)
		(void)free_or_use(pool, 0, NULL);
	EX_CHECK(ran(&runs) == 1);
}

static void discard(void)
{
	size_t discarded = 0;
	doze_pool *pool = small_pool(1);
	must_end_both_ways();
	ex_must_note("discarded");
	ex_must_note("ran");
	EX_CHECK(doze_spawn(pool, count_run, &runs) == 0);
	EX_CHECK(doze_spawn(pool, count_run, &runs) == 0);
	(void)free_or_use(pool, DOZE_FREE_DISCARD, &discarded);
	ex_note(discarded == 2 ? "discarded" : discarded == 0 ? "ran" : "one of each");
	EX_CHECK((size_t)ran(&runs) + discarded == 2);
}

static bool may_free, may_return; /* protected by lock */
static doze_pool *shared;

/* ---- freeing a pool with a deadline while another thread waits for a function in it ---- */

static void returns_when_allowed(void *arg)
{
	count_run(arg);
	announce(&may_free);
	await(&may_return);
}

static void turn_returns_when_allowed(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	returns_when_allowed(arg);
}

static void job_returns_when_allowed(doze_scope *scope, void *arg)
{
	(void)scope;
	returns_when_allowed(arg);
}

static void spawns_one(doze_scope *scope, void *arg)
{
	EX_CHECK(doze_scope_spawn(scope, job_returns_when_allowed, arg) == 0);
}

static void installs(void)
{
	doze_install(shared, returns_when_allowed, &runs);
}

static void broadcasts(void)
{
	EX_CHECK(doze_broadcast(shared, turn_returns_when_allowed, &runs) == 0);
}

static void scopes(void)
{
	EX_CHECK(doze_scope_in_place(shared, spawns_one, &runs) == 0);
}

static void (*call)(void);

static void *caller(void *arg)
{
	ex_name_thread("caller");
	call();
	return arg;
}

/* The awaited function returns only after the deadline has passed, so doze_pool_free_timed must
 * time out rather than wait for it. */
static void timed_free_during(void (*what)(void))
{
	doze_thread thread;
	init_flags();
	call = what;
	shared = small_pool(1);
	EX_CHECK(doze_thread_create(&thread, caller, NULL) == 0);
	await(&may_free);
	ex_expect("the deadline");
	EX_CHECK(doze_pool_free_timed(shared, 1, 0, NULL) == ETIMEDOUT);
	announce(&may_return);
	ex_expect("the termination");
	doze_pool_free(shared);
	doze_thread_join(thread);
	EX_CHECK(ran(&runs) == 1);
}

static void timed_free_install(void)
{
	timed_free_during(installs);
}

static void timed_free_broadcast(void)
{
	timed_free_during(broadcasts);
}

static void timed_free_scope(void)
{
	timed_free_during(scopes);
}

/* ---- a pool ends while the thread that queued its last job is still in the call ---- */

static void let_free(void *arg)
{
	count_run(arg);
	announce(&may_free);
}

static void turn_lets_free(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	let_free(arg);
}

static void *poster(void *arg)
{
	ex_name_thread("poster");
	if (arg != NULL)
		EX_CHECK(doze_spawn_broadcast(shared, turn_lets_free, &runs) == 0);
	else
		EX_CHECK(doze_spawn(shared, let_free, &runs) == 0);
	return NULL;
}

static void free_when_allowed(void *how)
{
	doze_thread thread;
	init_flags();
	shared = small_pool(1);
	EX_CHECK(doze_thread_create(&thread, poster, how) == 0);
	ex_expect("the job that allows it");
	await(&may_free);
	ex_expect("the termination");
	doze_pool_free(shared);
	doze_thread_join(thread);
	EX_CHECK(ran(&runs) == 1);
}

static void last_spawn(void)
{
	free_when_allowed(NULL);
}

static void last_broadcast(void)
{
	free_when_allowed(&runs);
}

/* ---- a pool's start fails ---- */

/* The pool's first thread is created, but creating the second fails. The first worker must not
 * begin, because its start handler might wait for all workers. */
static doze_thread made;
static DOZE_ATOMIC(int) starts;

static int make_one(const doze_new_thread *thread, void *arg)
{
	(void)arg;
	if (thread->worker != 0)
		return EAGAIN;
	return doze_thread_create(&made, thread->run, thread->run_arg);
}

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	EX_CHECK(workers == 2);
	da_add((DOZE_ATOMIC(int) *)arg, 1, RLX);
}

static void counts_start(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	da_add(&starts, 1, RLX);
}

static void uses_pool(unsigned worker, void *arg)
{
	counts_start(worker, arg);
	if (worker == 0)
		EX_CHECK(doze_broadcast(NULL, turn, &runs) == 0);
}

static doze_config two_workers(int (*make)(const doze_new_thread *, void *),
			       void (*start)(unsigned, void *))
{
	return (doze_config){.num_threads = 2,
			     .policy = ex_policy(),
			     .rounds_until_sleepy = 1,
			     .rounds_until_sleeping = 2,
			     .start_handler = start,
			     .spawn_handler = make};
}

static void half_made(void)
{
	doze_config config = two_workers(make_one, counts_start);
	doze_pool *pool;
	ex_expect("the failed creation");
	EX_CHECK(doze_pool_create(&pool, &config) == EAGAIN);
	EX_CHECK(pool == NULL);
	doze_thread_join(made);
	EX_CHECK(da_load(&starts, RLX) == 0 && da_load(&runs, RLX) == 0);
}

static void start_handlers(void)
{
	doze_config config = two_workers(NULL, uses_pool);
	doze_pool *pool;
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(da_load(&starts, RLX) == 2 && da_load(&runs, RLX) == 2);
}

/* ---- exit handlers ---- */

/* A future whose task runs in another pool and ends after the pool of the exit handler. */
static doze_future *unfinished;

static void *task_returns_when_allowed(void *arg)
{
	returns_when_allowed(arg);
	return arg;
}

static void gets_with_deadline(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	EX_CHECK(doze_future_get_timed(unfinished, 1, NULL) == ETIMEDOUT);
	da_add(&starts, 1, RLX);
}

/* While a worker runs its exit handler, no spare thread can take over the worker, because the
 * worker's own thread, which would get the worker back, is in the handler. */
static void exit_handler(void)
{
	doze_config config = {.num_threads = 1,
			      .policy = ex_policy(),
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2,
			      .exit_handler = gets_with_deadline};
	doze_pool *pool, *other;
	init_flags();
	other = small_pool(1);
	EX_CHECK(doze_submit(&unfinished, other, task_returns_when_allowed, &runs) == 0);
	EX_CHECK(doze_pool_create(&pool, &config) == 0);
	ignore_names(pool);
	ex_expect("the termination");
	doze_pool_free(pool);
	EX_CHECK(da_load(&starts, RLX) == 1);
	announce(&may_return);
	EX_CHECK(doze_future_get(unfinished) == &runs);
	doze_future_free(unfinished);
	doze_pool_free(other);
}

const struct ex_scenario ex_scenarios[] = {
    {"timed-free", "a pool freed with a deadline, and used again if the deadline passes",
     timed_free, 2, ALL_POLICIES, NULL, 0},
    {"timed-free-twice", "a pool freed with a deadline twice in a row", timed_free_twice, 2,
     ALL_POLICIES, NULL, 0},
    {"discard", "a pool freed with a deadline, discarding jobs: each job is run or counted",
     discard, 2, ALL_POLICIES, NULL, 0},
    {"timed-free-install",
     "a pool freed with a deadline while another thread waits for its installed function",
     timed_free_install, 3, ALL_POLICIES, NULL, 0},
    {"timed-free-broadcast",
     "a pool freed with a deadline while another thread waits for its broadcast",
     timed_free_broadcast, 3, ALL_POLICIES, NULL, 0},
    {"timed-free-scope", "a pool freed with a deadline while another thread waits for its scope",
     timed_free_scope, 3, ALL_POLICIES, NULL, 0},
    {"last-spawn", "a pool freed after its last job, while the job's poster is still in the call",
     last_spawn, 3, ALL_POLICIES, NULL, 0},
    {"last-broadcast",
     "a pool freed after its last broadcast, while the broadcast's poster is still in the call",
     last_broadcast, 3, ALL_POLICIES, NULL, 0},
    {"half-made", "a pool whose second thread cannot be created", half_made, 2, ALL_POLICIES, NULL,
     0},
    {"start-handlers", "a start handler that waits for the other worker", start_handlers, 3,
     ALL_POLICIES, NULL, 0},
    {"exit-handler", "a timed get in an exit handler", exit_handler, 3, ALL_POLICIES, NULL, 0},
    {.name = NULL},
};
