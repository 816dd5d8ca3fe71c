/*
 * SPDX-License-Identifier: MIT
 *
 * Worker threads that a spawn handler creates.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

static void for_all_policies(void (*test)(const char *policy))
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		test((*p)->name);
}

/* ---- a spawn handler that creates the threads at once or later ---- */

static struct {
	pthread_t thread[MOST];
	doze_new_thread asked[MOST];
	char name[MOST][32];
	/* fails_at: number of the failing call, counted from 1; 0: none fails. */
	unsigned made, fails_at;
	bool later;
	long starts, exits; /* atomic */
} h;

static void make(unsigned i)
{
	if (pthread_create(&h.thread[i], NULL, h.asked[i].run, h.asked[i].run_arg) != 0)
		exit(3);
}

static int handler(const doze_new_thread *thread, void *arg)
{
	CU_ASSERT_PTR_EQUAL(arg, &h);
	if (h.made + 1 == h.fails_at)
		return EPERM;
	h.asked[h.made] = *thread;
	(void)strncpy(h.name[h.made], thread->name, sizeof h.name[0] - 1);
	if (!h.later)
		make(h.made);
	h.made++;
	return 0;
}

static void join_all(void)
{
	for (unsigned i = 0; i < h.made; i++)
		CU_ASSERT_EQUAL(pthread_join(h.thread[i], NULL), 0);
}

static void on_start(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	help_count(&h.starts);
}

static void on_exit_(unsigned worker, void *arg)
{
	(void)worker;
	(void)arg;
	help_count(&h.exits);
}

static doze_config handler_config(const char *policy, unsigned workers)
{
	memset(&h, 0, sizeof h);
	return (doze_config){.num_threads = workers,
			     .policy = policy,
			     .name = "mine",
			     .stack_size = 262144,
			     .start_handler = on_start,
			     .exit_handler = on_exit_,
			     .handler_arg = &h,
			     .spawn_handler = handler};
}

static void note_thread(unsigned worker, unsigned workers, void *arg)
{
	pthread_t *thread = arg;
	(void)workers;
	thread[worker] = pthread_self();
}

static void handler_under(const char *policy)
{
	doze_config config = handler_config(policy, 4);
	pthread_t ran_on[MOST];
	doze_pool *pool;

	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	CU_ASSERT_EQUAL(h.made, 4);
	CU_ASSERT_EQUAL(doze_broadcast(pool, note_thread, ran_on), 0);
	doze_pool_free(pool);
	/* All threads have left the library: their exit handlers have run, and the test may join
	 * them. */
	CU_ASSERT_EQUAL(help_read(&h.starts), 4);
	CU_ASSERT_EQUAL(help_read(&h.exits), 4);
	for (unsigned i = 0; i < 4; i++) {
		CU_ASSERT_TRUE(pthread_equal(ran_on[i], h.thread[i]));
		CU_ASSERT_EQUAL(h.asked[i].worker, i);
		CU_ASSERT_EQUAL(h.asked[i].stack_size, 262144);
		CU_ASSERT_EQUAL(strncmp(h.name[i], "mine-", 5), 0);
	}
	join_all();
}

static void handler_makes_threads(void)
{
	for_all_policies(handler_under);
}

static void handler_fails(void)
{
	for (unsigned at = 1; at <= 3; at++) {
		doze_config config = handler_config(NULL, 3);
		doze_pool *pool;
		h.fails_at = at;
		CU_ASSERT_EQUAL(doze_pool_create(&pool, &config), EPERM);
		CU_ASSERT_PTR_NULL(pool);
		CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "by the spawn handler"));
		CU_ASSERT_EQUAL(h.made, at - 1);
		CU_ASSERT_EQUAL(help_read(&h.starts) + help_read(&h.exits),
				0); /* no worker started */
		join_all();
	}
}

static void free_it(void *pool)
{
	doze_pool_free(pool);
}

/* The threads start when the pool already exists, has a job, and is being freed. */
static void late_under(const char *policy)
{
	doze_config config = handler_config(policy, 3);
	doze_pool *pool;
	long ran = 0;

	h.later = true;
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	CU_ASSERT_EQUAL(doze_spawn(pool, help_count, &ran), 0);
	make(1);
	if (strcmp(policy, "forkjoin") != 0) /* forkjoin starts only after all threads exist */
		CU_ASSERT_TRUE(help_reaches(&ran, 1, 10));
	struct help_thread *frees = help_thread_start(free_it, pool);
	make(0);
	make(2);
	help_thread_join(frees);
	CU_ASSERT_EQUAL(ran, 1);
	CU_ASSERT_EQUAL(help_read(&h.exits), 3);
	join_all();
}

static void threads_come_late(void)
{
	for_all_policies(late_under);
}

static int run_here(const doze_new_thread *thread, void *arg)
{
	(void)arg;
	(void)thread->run(thread->run_arg);
	return 0;
}

static void take_a_workers_thread(unsigned worker, void *arg)
{
	doze_config config = {.num_threads = 2, .spawn_handler = run_here};
	doze_pool *pool;
	(void)worker;
	(void)arg;
	(void)doze_pool_create(&pool, &config);
}

static void thread_is_taken(void)
{
	doze_config config = {.num_threads = 1, .start_handler = take_a_workers_thread};
	doze_pool *pool;
	(void)doze_pool_create(&pool, &config);
	doze_pool_free(pool);
}

static void one_worker_a_thread(void)
{
	char text[300];
	int status = help_in_child(thread_is_taken, text, sizeof text);
	CU_ASSERT_NOT_EQUAL(status, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "create a new thread for each worker"));
}

static void current_thread_fails(void)
{
	doze_config config = handler_config(NULL, 4);
	doze_pool *pool;
	config.use_current_thread = true;
	h.fails_at = 3; /* the handler creates workers 1 to 3 */
	CU_ASSERT_EQUAL(doze_pool_create(&pool, &config), EPERM);
	CU_ASSERT_EQUAL(doze_worker_index(), -1);
	CU_ASSERT_EQUAL(h.made, 2);
	CU_ASSERT_EQUAL(h.asked[0].worker, 1);
	join_all();
}

static const struct suite_test tests[] = {
    {"a pool uses the threads of its spawn handler and joins them when it is freed",
     handler_makes_threads},
    {"a failing spawn handler makes pool creation fail and leaves nothing behind", handler_fails},
    {"threads may start after jobs have been queued, or while the pool is being freed",
     threads_come_late},
    {"a thread that is already a worker is rejected", one_worker_a_thread},
    {"the current thread is a plain thread again after pool creation fails", current_thread_fails},
};
SUITE_MAIN("threads", tests)
