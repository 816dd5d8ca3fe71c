/*
 * SPDX-License-Identifier: MIT
 *
 * Deadlock, release and acquire handlers under every policy: they may queue work into their own
 * pool and unblock workers, but must not wait for the pool. Also covers waits for another pool.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

struct scene {
	doze_pool *pool, *other;
	const char *policy;
	long calls, jobs, inside, created;   /* atomic */
	long waiting, blocked, let_go, done; /* atomic */
	int worker;
};

static struct scene scene; /* global, because all handlers get it as their argument */

static void block(void *arg)
{
	struct scene *s = arg;
	s->worker = doze_worker_index();
	help_count(&s->blocked);
	doze_mark_blocked();
	(void)help_reaches(&s->let_go, 1, 20);
	help_count(&s->done);
}

static void unblock(struct scene *s)
{
	doze_mark_unblocked(s->pool, s->worker);
	help_count(&s->let_go);
}

static void rescue(void *arg)
{
	struct scene *s = arg;
	help_count(&s->jobs);
	unblock(s);
}

static void note_inside(struct scene *s)
{
	if (doze_worker_index() != -1 || doze_current_pool() != NULL)
		help_count(&s->inside);
}

static void make(const char *policy, unsigned workers, void (*deadlock)(void *),
		 void (*release)(void *), void (*acquire)(void *))
{
	doze_config config = {.num_threads = workers,
			      .policy = policy,
			      .deadlock_handler = deadlock,
			      .release_handler = release,
			      .acquire_handler = acquire,
			      .deadlock_arg = &scene};
	memset(&scene, 0, sizeof scene);
	scene.policy = policy;
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&scene.pool, &config), 0);
}

static void each_policy(void (*run)(const char *policy))
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		run((*p)->name);
}

static void check(bool right, const char *what)
{
	if (!right)
		fprintf(stderr,
			"\npolicy %s: %s: %ld handler calls, %ld jobs; inside %ld, done %ld\n",
			scene.policy, what, help_read(&scene.calls), help_read(&scene.jobs),
			help_read(&scene.inside), help_read(&scene.done));
	CU_ASSERT_TRUE(right);
}

/* ---- the deadlock handler ---- */

static void spawn_once(void *arg)
{
	struct scene *s = arg;
	note_inside(s);
	if (da_add((DOZE_ATOMIC(long) *)&s->calls, 1, SC) == 0)
		(void)doze_spawn(s->pool, rescue, s);
}

static void rescued_by_a_job(const char *policy)
{
	make(policy, 3, spawn_once, NULL, NULL);
	(void)doze_spawn(scene.pool, block, &scene);
	bool right = help_reaches(&scene.done, 1, 10);
	doze_pool_free(scene.pool);
	check(right && scene.jobs == 1 && scene.inside == 0, "the handler's job");
}

static void handler_may_spawn(void)
{
	each_policy(rescued_by_a_job);
}

static void unblock_once(void *arg)
{
	struct scene *s = arg;
	if (da_add((DOZE_ATOMIC(long) *)&s->calls, 1, SC) == 0)
		unblock(s);
}

static void rescued_by_hand(const char *policy)
{
	make(policy, 1, unblock_once, NULL, NULL); /* the handler runs inside doze_mark_blocked */
	(void)doze_spawn(scene.pool, block, &scene);
	bool right = help_reaches(&scene.done, 1, 10);
	doze_pool_free(scene.pool);
	check(right && scene.calls == 1, "unblocking by hand");
}

static void handler_may_unblock(void)
{
	each_policy(rescued_by_hand);
}

/* While the handler of the first deadlock is delayed, the job is unblocked and blocks again. */
static void slow_handler(void *arg)
{
	struct scene *s = arg;
	static long within;
	if (__atomic_fetch_add(&within, 1, __ATOMIC_SEQ_CST) != 0)
		help_count(&s->inside); /* another call to the handler is in progress */
	if (da_add((DOZE_ATOMIC(long) *)&s->calls, 1, SC) == 0)
		(void)help_reaches(&s->jobs, 1, 10);
	__atomic_fetch_sub(&within, 1, __ATOMIC_SEQ_CST);
}

static void block_twice(void *arg)
{
	struct scene *s = arg;
	s->worker = doze_worker_index();
	doze_mark_blocked();
	(void)help_reaches(&s->let_go, 1, 20);
	doze_mark_blocked();
	help_count(&s->jobs); /* lets the first call return */
	(void)help_reaches(&s->let_go, 2, 20);
}

static void deadlock_during_the_call(const char *policy)
{
	make(policy, 3, slow_handler, NULL, NULL);
	(void)doze_spawn(scene.pool, block_twice, &scene);
	bool right = help_reaches(&scene.calls, 1, 10);
	unblock(&scene);
	right &= help_reaches(&scene.calls, 2, 10);
	unblock(&scene);
	doze_pool_free(scene.pool);
	check(right && scene.inside == 0, "a deadlock during the call");
}

static void one_call_at_a_time(void)
{
	suite_allow_seconds(60);
	each_policy(deadlock_during_the_call);
}

/* ---- release and acquire ---- */

static void spawn_now_and_then(void *arg)
{
	struct scene *s = arg;
	note_inside(s);
	/* The handler is called before doze_pool_create has returned. */
	if (help_read(&s->created) == 0)
		return;
	if (__atomic_fetch_add(&s->calls, 1, __ATOMIC_SEQ_CST) < 50)
		(void)doze_spawn(s->pool, help_count, &s->jobs);
}

static void spawning_handlers(const char *policy)
{
	if (strcmp(policy, "spin") == 0) /* no worker sleeps, so the handlers are never called */
		return;
	make(policy, 2, NULL, spawn_now_and_then, spawn_now_and_then);
	help_count(&scene.created);
	(void)doze_spawn(scene.pool, help_count, &scene.done); /* wakes a worker */
	bool right = help_reaches(&scene.jobs, 50, 10);
	doze_pool_free(scene.pool);
	check(right && scene.jobs == 50 && scene.inside == 0, "jobs of the other handlers");
}

static void release_and_acquire_may_spawn(void)
{
	each_policy(spawning_handlers);
}

/* ---- what a handler may not do ---- */

static void nothing(void *arg)
{
	(void)arg;
}

static void install_from_handler(void *arg)
{
	doze_install(((struct scene *)arg)->pool, nothing, NULL);
}

static void no_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	(void)arg;
}

static void broadcast_from_handler(void *arg)
{
	(void)doze_broadcast(((struct scene *)arg)->pool, no_turn, NULL);
}

static void no_body(doze_scope *scope, void *arg)
{
	(void)scope;
	(void)arg;
}

static void scope_from_handler(void *arg)
{
	(void)doze_scope_in_place(((struct scene *)arg)->pool, no_body, NULL);
}

static void *no_task(void *arg)
{
	return arg;
}

static void get_from_handler(void *arg)
{
	doze_future *f;
	if (doze_submit(&f, ((struct scene *)arg)->pool, no_task, NULL) == 0)
		(void)doze_future_get(f);
}

static void free_from_handler(void *arg)
{
	doze_pool_free(((struct scene *)arg)->pool);
}

static void (*forbidden)(void *);

static void in_a_handler(void)
{
	make("jec", 1, forbidden, NULL, NULL);
	doze_install(scene.pool, block, &scene);
}

static void expect_abort(void (*handler)(void *), const char *name)
{
	char text[512], wanted[256];
	forbidden = handler;
	int status = help_in_child(in_a_handler, text, sizeof text);
	(void)snprintf(wanted, sizeof wanted,
		       "doze: %s: must not be called from this pool's deadlock, release or acquire "
		       "handler, because it would wait for the pool; a handler may queue work in "
		       "its pool but must not wait for it\n",
		       name);
	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, wanted));
}

static void handler_may_not_wait(void)
{
	expect_abort(install_from_handler, "doze_install");
	expect_abort(broadcast_from_handler, "doze_broadcast");
	expect_abort(scope_from_handler, "doze_scope_in_place");
	expect_abort(get_from_handler, "doze_future_get");
	expect_abort(free_from_handler, "doze_pool_free");
}

/* ---- another pool ---- */

static void until_still(void *arg)
{
	struct scene *s = arg;
	/* While this job runs, the worker that waits for it sleeps. */
	if (strcmp(s->policy, "spin") == 0)
		help_sleep_us(20000);
	else
		(void)help_all_still(s->pool);
	help_count(&s->jobs);
}

static void install_elsewhere(void *arg)
{
	struct scene *s = arg;
	(void)help_reaches(&s->blocked, 1, 10);
	doze_install(s->other, until_still, s);
	unblock(s);
}

static void in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	until_still(arg);
}

static void spawn_elsewhere(doze_scope *scope, void *arg)
{
	(void)doze_scope_spawn(scope, in_scope, arg);
}

static void scope_elsewhere(void *arg)
{
	struct scene *s = arg;
	(void)help_reaches(&s->blocked, 1, 10);
	(void)doze_scope_in_place(s->other, spawn_elsewhere, s);
	unblock(s);
}

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	until_still(arg);
}

static void broadcast_elsewhere(void *arg)
{
	struct scene *s = arg;
	(void)help_reaches(&s->blocked, 1, 10);
	(void)doze_broadcast(s->other, turn, s);
	unblock(s);
}

static void *task(void *arg)
{
	until_still(arg);
	return NULL;
}

static void get_elsewhere(void *arg)
{
	struct scene *s = arg;
	doze_future *f;
	(void)help_reaches(&s->blocked, 1, 10);
	if (doze_submit(&f, s->other, task, s) == 0)
		(void)doze_future_get(f);
	doze_future_free(f);
	unblock(s);
}

static void (*waits)(void *);

/* Runs as a broadcast, one turn per worker: under some policies, posting two jobs may wake only one
 * of two sleepers. Worker 1 blocks only once worker 0 runs: a broadcast wakes the sleepers after it
 * has queued their turns, so worker 1, if awake, could otherwise block while worker 0 still sleeps,
 * and that is a deadlock until worker 0 is woken. */
static void wait_or_block(unsigned worker, unsigned workers, void *arg)
{
	struct scene *s = arg;
	(void)workers;
	if (worker == 0) {
		help_count(&s->waiting);
		waits(s);
		return;
	}
	(void)help_reaches(&s->waiting, 1, 10);
	block(s);
}

static void count_call(void *arg)
{
	help_count(&((struct scene *)arg)->calls);
}

static void wait_elsewhere(const char *policy)
{
	make(policy, 2, count_call, NULL, NULL);
	scene.other = help_pool(1, "jec");
	(void)doze_spawn_broadcast(scene.pool, wait_or_block, &scene);
	bool right = help_reaches(&scene.done, 1, 15);
	doze_pool_free(scene.pool);
	doze_pool_free(scene.other);
	check(right && scene.jobs == 1 && scene.calls == 0, "a wait for another pool");
}

static void another_pool_is_no_deadlock(void)
{
	static void (*const all[])(void *) = {install_elsewhere, scope_elsewhere,
					      broadcast_elsewhere, get_elsewhere};
	suite_allow_seconds(60);
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		waits = all[i];
		each_policy(wait_elsewhere);
	}
}

static const struct suite_test tests[] = {
    {"a deadlock handler may spawn the job that ends the deadlock", handler_may_spawn},
    {"a deadlock handler may unblock the worker that it runs on", handler_may_unblock},
    {"a deadlock that arises during a handler call is reported after it", one_call_at_a_time},
    {"release and acquire handlers may spawn jobs", release_and_acquire_may_spawn},
    {"a handler that waits for its own pool aborts the program", handler_may_not_wait},
    {"a worker that waits for another pool is not part of a deadlock", another_pool_is_no_deadlock},
};
SUITE_MAIN("handlers", tests)
