/*
 * SPDX-License-Identifier: MIT
 *
 * Freeing a pool: with a deadline, while the call that queued its last job is in progress, and with
 * jobs that exit their thread.
 */
#include "help.h"
#include "lib/pool.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define MS UINT64_C(1000000)

static void each_policy(void (*run)(const char *policy))
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		run((*p)->name);
}

/* ---- with a deadline ---- */

static void quick_end(const char *policy)
{
	long done = 0;
	size_t discarded = 7;
	doze_pool *pool = help_pool(2, policy);
	for (int i = 0; i < 100; i++)
		(void)doze_spawn(pool, help_count, &done);
	CU_ASSERT_EQUAL(doze_pool_free_timed(pool, 20000 * MS, 0, &discarded), 0);
	CU_ASSERT_EQUAL(done, 100);
	CU_ASSERT_EQUAL(discarded, 0);
}

static void ends_in_time(void)
{
	each_policy(quick_end);
	CU_ASSERT_EQUAL(doze_pool_free_timed(NULL, 0, 0, NULL), 0);
}

static void flags_are_checked(void)
{
	doze_pool *pool = help_pool(1, NULL);
	CU_ASSERT_EQUAL(doze_pool_free_timed(pool, 0, 6, NULL), EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "flags are 0x6"));
	CU_ASSERT_EQUAL(doze_pool_free_timed(pool, UINT64_MAX, 0, NULL), 0);
}

struct chain {
	long links, stop; /* atomic */
};

/* Job function: spawns itself again until `stop` is set. */
static void link_of_chain(void *arg)
{
	struct chain *c = arg;
	help_count(&c->links);
	if (help_read(&c->stop) == 0)
		(void)doze_spawn(NULL, link_of_chain, c);
}

static void endless(const char *policy)
{
	struct chain c = {0, 0};
	long done = 0;
	size_t discarded = 7;
	doze_pool *pool = help_pool(2, policy);
	(void)doze_spawn(pool, link_of_chain, &c);
	CU_ASSERT_EQUAL(doze_pool_free_timed(pool, 20 * MS, 0, &discarded), ETIMEDOUT);
	CU_ASSERT_EQUAL(discarded, 0);
	long before = help_read(&c.links);
	CU_ASSERT_TRUE(help_reaches(&c.links, before + 100, 10)); /* the pool still works */
	doze_install(pool, help_count, &done);
	CU_ASSERT_EQUAL(done, 1);
	CU_ASSERT_EQUAL(doze_pool_free_timed(pool, 0, 0, NULL), ETIMEDOUT);
	CU_ASSERT_EQUAL(doze_pool_free_timed(pool, 20000 * MS, DOZE_FREE_DISCARD, &discarded), 0);
	CU_ASSERT_EQUAL(discarded, 1); /* only the link that was still queued */
}

static void endless_chains_time_out(void)
{
	each_policy(endless);
}

static void hold_up(void *arg)
{
	struct chain *c = arg;
	help_count(&c->links);
	(void)help_reaches(&c->stop, 1, 20);
}

static void count_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	help_count(arg);
}

static void *count_task(void *arg)
{
	help_count(arg);
	return NULL;
}

static void count_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	help_count(arg);
}

struct promised {
	struct chain hold;
	doze_pool *pool;
	long spawned, turns, tasks, scoped; /* atomic */
};

/* Runs on the only worker. Queues jobs of each kind, and waits until the pool is being freed. */
static void promise(doze_scope *scope, void *arg)
{
	struct promised *p = arg;
	doze_future *f;
	(void)doze_spawn(NULL, help_count, &p->spawned);
	(void)doze_spawn_fifo(NULL, help_count, &p->spawned);
	(void)doze_spawn_broadcast(NULL, count_turn, &p->turns);
	(void)doze_submit(&f, NULL, count_task, &p->tasks);
	doze_future_free(f);
	(void)doze_scope_spawn(scope, count_in_scope, &p->scoped);
	hold_up(&p->hold);
}

static void promise_in_scope(void *arg)
{
	(void)doze_scope_run(NULL, promise, arg);
}

static void let_go_soon(void *arg)
{
	struct promised *p = arg;
	while (!da_load(&p->pool->discards, RLX)) /* nothing is discarded before this flag is set */
		help_sleep_us(200);
	help_count(&p->hold.stop);
}

static void discards_only_unawaited_jobs(void)
{
	struct promised p;
	size_t discarded = 0;
	doze_pool *pool = help_pool(1, NULL);
	memset(&p, 0, sizeof p);
	p.pool = pool;
	(void)doze_spawn(pool, promise_in_scope, &p);
	CU_ASSERT_TRUE(help_reaches(&p.hold.links, 1, 10));
	CU_ASSERT_EQUAL(doze_pool_free_timed(pool, 0, DOZE_FREE_DISCARD, &discarded), ETIMEDOUT);
	CU_ASSERT_EQUAL(discarded, 0); /* the worker has not reached the queued jobs yet */
	struct help_thread *thread = help_thread_start(let_go_soon, &p);
	CU_ASSERT_EQUAL(doze_pool_free_timed(pool, 20000 * MS, DOZE_FREE_DISCARD, &discarded), 0);
	help_thread_join(thread);
	CU_ASSERT_EQUAL(discarded, 3);
	CU_ASSERT_EQUAL(p.spawned + p.turns, 0);
	CU_ASSERT_EQUAL(p.tasks, 1);
	CU_ASSERT_EQUAL(p.scoped, 1);
}

/* The last job ends at about the time of the deadline. The pool must stay consistent, whichever
 * comes first. */
static void races_with_the_deadline(void)
{
	for (int i = 0; i < 300; i++) {
		long done = 0;
		doze_pool *pool = help_pool(2, NULL);
		for (int j = 0; j < 1 + i % 20; j++)
			(void)doze_spawn(pool, help_count, &done);
		while (doze_pool_free_timed(pool, (uint64_t)(i % 7) * 1000, 0, NULL) == ETIMEDOUT)
			continue;
		CU_ASSERT_EQUAL(done, 1 + i % 20);
	}
}

/* ---- a pool freed while the call that queued its last job is in progress ---- */

static _Thread_local bool stops_at_locks;
static atomic_bool freed, freed_during_the_call;

/* Replaces the C library's function in this program. */
int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*real)(pthread_mutex_t *);
	if (real == NULL)
		*(void **)(void *)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	for (int i = 0; stops_at_locks && i < 1000 && !atomic_load(&freed); i++)
		help_sleep_us(200);
	if (stops_at_locks && atomic_load(&freed))
		atomic_store(&freed_during_the_call, true);
	return real(mutex);
}

static void spawn_slowly(void *arg)
{
	static long done;
	struct {
		doze_pool *pool;
		long *ran;
	} *s = arg;
	(void)done;
	stops_at_locks = true;
	(void)doze_spawn(s->pool, help_count, s->ran);
	stops_at_locks = false;
}

/* Under condvar, a post pushes the job and then takes the policy's lock. This poster pauses before
 * it takes the lock; meanwhile, the job signals this thread, which frees the pool. */
static void freed_by_a_signalled_thread(void)
{
	long ran = 0;
	struct {
		doze_pool *pool;
		long *ran;
	} s = {help_pool(1, "condvar"), &ran};
	atomic_store(&freed, false);
	atomic_store(&freed_during_the_call, false);
	struct help_thread *thread = help_thread_start(spawn_slowly, &s);
	CU_ASSERT_TRUE(help_reaches(&ran, 1, 10));
	doze_pool_free(s.pool);
	atomic_store(&freed, true);
	help_thread_join(thread);
	CU_ASSERT_FALSE(atomic_load(&freed_during_the_call));
}

/* ---- jobs that do not return ---- */

static void exit_thread(void *arg)
{
	(void)arg;
	pthread_exit(NULL);
}

static void *exit_task(void *arg)
{
	pthread_exit(arg);
}

static void exit_in_spawn(void)
{
	doze_pool *pool = help_pool(2, NULL);
	(void)doze_spawn(pool, exit_thread, NULL);
	doze_pool_free(pool);
}

static void exit_in_half(void *arg)
{
	doze_join(exit_thread, arg, help_count, arg);
}

static void exit_in_join(void)
{
	long done = 0;
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, exit_in_half, &done);
}

static void exit_in_task(void)
{
	doze_future *f;
	doze_pool *pool = help_pool(1, NULL);
	(void)doze_submit(&f, pool, exit_task, NULL);
	(void)doze_future_get(f);
}

static void exit_at_start(unsigned worker, void *arg)
{
	(void)worker;
	exit_thread(arg);
}

static void exit_in_handler(void)
{
	doze_config config = {.num_threads = 1, .start_handler = exit_at_start};
	doze_pool *pool;
	(void)doze_pool_create(&pool, &config);
	doze_pool_free(pool);
}

static void cancel_self(void *arg)
{
	(void)arg;
	(void)pthread_cancel(pthread_self());
	for (;;)
		pthread_testcancel();
}

static void exit_by_cancel(void)
{
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, cancel_self, NULL);
}

static void a_job_must_return(void)
{
	static void (*const all[])(void) = {exit_in_spawn, exit_in_join, exit_in_task,
					    exit_in_handler, exit_by_cancel};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		char text[512];
		int status = help_in_child(all[i], text, sizeof text);
		CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "doze: pthread_exit or thread cancellation"));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "a job must return"));
	}
}

static const struct suite_test tests[] = {
    {"freeing a pool with a deadline succeeds once all its jobs have run", ends_in_time},
    {"unknown flags are rejected", flags_are_checked},
    {"freeing a pool with an endless chain times out, leaves the pool usable, and succeeds once "
     "the chain is discarded",
     endless_chains_time_out},
    {"only jobs that no call waits for are discarded", discards_only_unawaited_jobs},
    {"every job runs even if the last one finishes right at the deadline", races_with_the_deadline},
    {"a thread signalled by the last job may free the pool during the spawner's call",
     freed_by_a_signalled_thread},
    {"a job that exits its thread aborts the program with a message", a_job_must_return},
};
SUITE_MAIN("end", tests)
