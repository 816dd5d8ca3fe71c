/*
 * SPDX-License-Identifier: MIT
 *
 * Waits that must not run the jobs they find. A pool whose waits ran any job on top of their own
 * frames would hang in each of these cases. Each case must finish under every policy.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/pool.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct shape {
	doze_pool *pool, *other;
	doze_future *f, *g, *h;
	long begun, ready, done; /* atomic */
	int index;
	bool same_thread;
};

static bool wait_for(long *counter)
{
	return help_reaches(counter, 1, 10);
}

static void *count_done(void *arg)
{
	help_count(&((struct shape *)arg)->done);
	return arg;
}

static doze_future *submit(doze_pool *pool, doze_task_fn fn, void *arg)
{
	doze_future *f;
	if (doze_submit(&f, pool, fn, arg) != 0)
		abort();
	return f;
}

/* Runs the case under each policy, with a pool of `workers` workers and another pool with one. */
static void under_every_policy(unsigned workers, void (*run)(struct shape *))
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		struct shape s = {.pool = help_pool(workers, (*p)->name),
				  .other = help_pool(1, (*p)->name)};
		run(&s);
		doze_pool_free(s.pool);
		doze_pool_free(s.other);
	}
}

/* ---- two getters: g waits for f, and the waiting worker finds h, which waits for g ---- */

static void *f_waits_for_h_queued(void *arg)
{
	struct shape *s = arg;
	help_count(&s->begun);
	(void)wait_for(&s->ready);
	return NULL;
}

static void *g_gets_f(void *arg)
{
	struct shape *s = arg;
	s->f = submit(NULL, f_waits_for_h_queued, s);
	(void)wait_for(&s->begun); /* waits until another worker has stolen f */
	pthread_t before = pthread_self();
	s->index = doze_worker_index();
	(void)doze_future_get(s->f);
	s->same_thread = pthread_equal(before, pthread_self()) != 0;
	if (s->index != doze_worker_index())
		s->index = -2;
	doze_future_free(s->f);
	return arg;
}

static void *h_gets_g(void *arg)
{
	struct shape *s = arg;
	help_count(&s->ready); /* allows f to end */
	return doze_future_get(s->g);
}

static void run_two_getters(struct shape *s)
{
	s->g = submit(s->pool, g_gets_f, s);
	(void)wait_for(&s->begun);
	s->h = submit(s->pool, h_gets_g, s);
	CU_ASSERT_PTR_EQUAL(doze_future_get(s->h), s);
	CU_ASSERT_TRUE(s->same_thread);
	CU_ASSERT_TRUE(s->index >= 0);
	doze_future_free(s->g);
	doze_future_free(s->h);
}

static void two_getters(void)
{
	under_every_policy(2, run_two_getters);
}

/* ---- a join pops a task that waits for the frame below it ---- */

static void *get_g(void *arg)
{
	struct shape *s = arg;
	(void)doze_future_get(s->g);
	return count_done(arg);
}

static void submit_h(void *arg)
{
	struct shape *s = arg;
	s->h = submit(NULL, get_g, s);
}

static void nothing(void *arg)
{
	(void)arg;
}

static void *g_joins(void *arg)
{
	(void)wait_for(&((struct shape *)arg)->ready);
	doze_join(submit_h, arg, nothing, arg);
	return arg;
}

static void run_join_pops(struct shape *s)
{
	s->g = submit(s->pool, g_joins, s);
	help_count(&s->ready);
	CU_ASSERT_PTR_EQUAL(doze_future_get(s->g), s);
	CU_ASSERT_PTR_EQUAL(doze_future_get(s->h), s);
	doze_future_free(s->g);
	doze_future_free(s->h);
}

static void join_pops_a_waiter(void)
{
	under_every_policy(1, run_join_pops);
	under_every_policy(3, run_join_pops);
}

/* ---- the same with a waiting scope or install instead of a join ---- */

static void scope_job(doze_scope *scope, void *arg)
{
	(void)scope;
	(void)arg;
}

static void scope_body(doze_scope *scope, void *arg)
{
	if (doze_scope_spawn(scope, scope_job, arg) != 0)
		abort();
	submit_h(arg);
}

static void *g_scopes(void *arg)
{
	struct shape *s = arg;
	(void)wait_for(&s->ready);
	if (doze_scope_run(NULL, scope_body, s) != 0)
		abort();
	return arg;
}

static void *g_installs(void *arg)
{
	struct shape *s = arg;
	(void)wait_for(&s->ready);
	submit_h(s);
	doze_install(s->other, nothing, s);
	return arg;
}

static void run_after(struct shape *s, doze_task_fn g)
{
	s->g = submit(s->pool, g, s);
	help_count(&s->ready);
	CU_ASSERT_PTR_EQUAL(doze_future_get(s->g), s);
	CU_ASSERT_PTR_EQUAL(doze_future_get(s->h), s);
	doze_future_free(s->g);
	doze_future_free(s->h);
}

static void run_scope(struct shape *s)
{
	run_after(s, g_scopes);
}

static void run_install(struct shape *s)
{
	run_after(s, g_installs);
}

static void scope_and_install(void)
{
	under_every_policy(1, run_scope);
	under_every_policy(2, run_scope);
	under_every_policy(1, run_install);
	under_every_policy(2, run_install);
}

/* ---- a broadcast needs a worker that waits, and its turn waits for another task ---- */

static void turn(unsigned worker, unsigned workers, void *arg)
{
	struct shape *s = arg;
	(void)worker;
	(void)workers;
	(void)doze_future_get(s->h);
}

static void *f_broadcasts(void *arg)
{
	struct shape *s = arg;
	help_count(&s->begun);
	(void)wait_for(&s->ready);
	if (doze_broadcast(NULL, turn, s) != 0)
		abort();
	return arg;
}

static void *g_gets_broadcaster(void *arg)
{
	struct shape *s = arg;
	s->f = submit(NULL, f_broadcasts, s);
	(void)wait_for(&s->begun);
	(void)doze_future_get(s->f);
	doze_future_free(s->f);
	return arg;
}

static void run_broadcast(struct shape *s)
{
	s->g = submit(s->pool, g_gets_broadcaster, s);
	(void)wait_for(&s->begun);
	s->h = submit(s->pool, count_done, s);
	help_count(&s->ready);
	CU_ASSERT_PTR_EQUAL(doze_future_get(s->g), s);
	doze_future_free(s->g);
	doze_future_free(s->h);
}

static void broadcasts(void)
{
	under_every_policy(2, run_broadcast);
}

/* ---- 400 tasks that each get up to two earlier ones ---- */

static doze_future *many[400];

static void *get_two(void *arg)
{
	intptr_t k = (intptr_t)arg;
	if (k > 0) {
		(void)doze_future_get(many[(k * 7) % k]);
		(void)doze_future_get(many[k - 1 - (k * 31) % (k < 9 ? k : 9)]);
	}
	return arg;
}

static void submit_many(void *arg)
{
	for (intptr_t i = 0; i < 400; i++)
		many[i] = submit(NULL, get_two, (void *)i);
	(void)arg;
}

static void run_many(struct shape *s)
{
	doze_install(s->pool, submit_many, NULL);
	for (intptr_t i = 400; i-- > 0;) {
		CU_ASSERT_EQUAL((intptr_t)doze_future_get(many[i]), i);
		doze_future_free(many[i]);
	}
}

static void many_tasks(void)
{
	under_every_policy(2, run_many);
	under_every_policy(4, run_many);
}

/* ---- jobs that a suspended wait leaves to other threads ---- */

static void *until_released(void *arg)
{
	struct shape *s = arg;
	help_count(&s->begun);
	(void)wait_for(&s->ready);
	return arg;
}

static void *get_f(void *arg)
{
	return doze_future_get(((struct shape *)arg)->f);
}

/* The only worker sleeps while one of its waits is suspended, and the pool cannot end before that
 * wait. */
static void run_sleeps(struct shape *s)
{
	doze_stats stats;
	s->f = submit(s->other, until_released, s);
	s->g = submit(s->pool, get_f, s);
	(void)wait_for(&s->begun);
	s->h = submit(s->pool, count_done, s);
	CU_ASSERT_PTR_EQUAL(doze_future_get(s->h), s);
	struct patience limit = patience_of(10000);
	do
		doze_pool_stats(s->pool, &stats);
	while (stats.sleeping != 1 && stats.idle != 1 && !patience_is_over(&limit));
	CU_ASSERT_EQUAL(stats.active, 0);
	CU_ASSERT_FALSE(doze_future_ready(s->g));
	CU_ASSERT_EQUAL(stats.suspended, 1);
	help_count(&s->ready);
	CU_ASSERT_PTR_EQUAL(doze_future_get(s->g), s);
	do /* the wait leaves the list only after its thread has taken its worker back */
		doze_pool_stats(s->pool, &stats);
	while (stats.suspended != 0 && !patience_is_over(&limit));
	CU_ASSERT_EQUAL(stats.suspended, 0);
	doze_future_free(s->f);
	doze_future_free(s->g);
	doze_future_free(s->h);
}

static void the_worker_sleeps(void)
{
	under_every_policy(1, run_sleeps);
}

/* ---- fork ---- */

/* ThreadSanitizer does not let a child of a process with threads start threads. */
#ifndef DOZE_TSAN

static int child_gets(void)
{
	struct shape c = {.done = 0};
	doze_pool *pool = help_pool(1, "jec");
	c.f = submit(pool, count_done, &c);
	c.g = submit(pool, get_f, &c);
	bool right = doze_future_get(c.g) == &c;
	doze_future_free(c.f);
	doze_future_free(c.g);
	doze_pool_free(pool);
	return right ? 0 : 1;
}

static void fork_with_a_suspended_wait(void)
{
	struct shape s = {.pool = help_pool(1, NULL), .other = help_pool(1, NULL)};
	int status = -1;

	s.f = submit(s.other, until_released, &s);
	s.g = submit(s.pool, get_f, &s);
	s.h = submit(s.pool, count_done, &s);
	(void)doze_future_get(s.h);
	pid_t child = fork();
	if (child == 0)
		_exit(child_gets());
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	help_count(&s.ready);
	doze_pool_free(s.pool);
	doze_pool_free(s.other);
	doze_future_free(s.f);
	doze_future_free(s.g);
	doze_future_free(s.h);
}

#endif

static const struct suite_test tests[] = {
    {"a task that a waiting worker finds may wait for that worker", two_getters},
    {"a join may pop a task that waits for the joiner", join_pops_a_waiter},
    {"a waiting scope or install may find a task that waits for it", scope_and_install},
    {"a broadcast reaches the worker of a suspended wait", broadcasts},
    {"400 tasks, each of which gets earlier ones, complete on 2 and 4 workers", many_tasks},
    {"a worker sleeps while one of its waits is suspended", the_worker_sleeps},
#ifndef DOZE_TSAN
    {"a forked child can use futures while its parent's waits are suspended",
     fork_with_a_suspended_wait},
#endif
};
SUITE_MAIN("suspend", tests)
