/*
 * SPDX-License-Identifier: MIT
 *
 * Threads that the library does not make: those of a spawn handler, and the thread that creates the
 * pool, as worker 0 (use_current_thread).
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

/* ---- a spawn handler: threads made now, or kept to be made later ---- */

static struct {
	pthread_t thread[MOST];
	doze_new_thread asked[MOST];
	char name[MOST][32];
	unsigned made, fails_at; /* fails_at: the call that fails, from 1; 0: none */
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
	/* All have left: their last handler has run. They are ours to join. */
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
		CU_ASSERT_EQUAL(help_read(&h.starts) + help_read(&h.exits), 0); /* nobody began */
		join_all();
	}
}

static void free_it(void *pool)
{
	doze_pool_free(pool);
}

/* The threads are made when the pool is there, has a job, and is being freed. */
static void late_under(const char *policy)
{
	doze_config config = handler_config(policy, 3);
	doze_pool *pool;
	long ran = 0;

	h.later = true;
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	CU_ASSERT_EQUAL(doze_spawn(pool, help_count, &ran), 0);
	make(1);
	if (strcmp(policy, "forkjoin") != 0) /* which starts when all are there */
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
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "make a new thread for each worker"));
}

/* ---- use_current_thread ---- */

static doze_pool *guest_pool(const char *policy, unsigned workers)
{
	doze_config config = {.num_threads = workers,
			      .policy = policy,
			      .start_handler = on_start,
			      .exit_handler = on_exit_,
			      .use_current_thread = true};
	doze_pool *pool;
	memset(&h, 0, sizeof h);
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config), 0);
	return pool;
}

static void set_index(void *arg)
{
	da_store((DOZE_ATOMIC(long) *)arg, doze_worker_index() + 1, SC);
}

/* Rayon's own test: what this thread spawns runs elsewhere while it blocks outside the library.
 * Many rounds, so that the other one is found in each state on its way to sleep. */
static void basic_under(const char *policy)
{
	doze_pool *pool = guest_pool(policy, 2);
	CU_ASSERT_EQUAL(doze_worker_index(), 0);
	CU_ASSERT_PTR_EQUAL(doze_current_pool(), pool);
	CU_ASSERT_EQUAL(doze_num_threads(pool), 2);
	for (int i = 0; i < 300; i++) {
		long index = 0;
		CU_ASSERT_EQUAL((i % 2 ? doze_spawn : doze_spawn_fifo)(NULL, set_index, &index), 0);
		CU_ASSERT_TRUE_FATAL(help_reaches(&index, 2, 10));
		help_sleep_us((unsigned)i % 30 * 5);
	}
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(doze_worker_index(), -1);
	CU_ASSERT_PTR_NULL(doze_current_pool());
	CU_ASSERT_EQUAL(h.starts, 1);
	CU_ASSERT_EQUAL(h.exits, 1);
}

static void current_thread_basic(void)
{
	for_all_policies(basic_under);
}

struct fib {
	int n;
	long result;
};

static void fib(void *arg)
{
	struct fib *f = arg;
	struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};
	if (f->n >= 2)
		doze_join(fib, &a, fib, &b);
	f->result = f->n < 2 ? f->n : a.result + b.result;
}

static void grow(doze_scope *scope, void *arg)
{
	help_count(arg);
	if (help_read(arg) < 50)
		(void)doze_scope_spawn(scope, grow, arg);
}

static void *task(void *arg)
{
	help_count(arg);
	return arg;
}

static void count_range(size_t begin, size_t end, void *arg)
{
	while (begin++ < end)
		help_count(arg);
}

static void count_turn(unsigned worker, unsigned workers, void *arg)
{
	(void)workers;
	if (doze_worker_index() == (int)worker)
		help_count(arg);
}

/* Each construct from the guest; with one worker there is nobody else. */
static void constructs_on(doze_pool *pool, unsigned workers)
{
	struct fib f = {14, 0};
	long n = 0;
	doze_future *future;

	fib(&f);
	CU_ASSERT_EQUAL(f.result, 377);
	CU_ASSERT_EQUAL(doze_scope_run(pool, grow, &n), 0);
	CU_ASSERT_EQUAL(n, 50);
	n = 0;
	CU_ASSERT_EQUAL(doze_scope_run_fifo(pool, grow, &n), 0);
	CU_ASSERT_EQUAL(n, 50);
	CU_ASSERT_EQUAL(doze_submit(&future, pool, task, &n), 0);
	CU_ASSERT_PTR_EQUAL(doze_future_get(future), &n);
	doze_future_free(future);
	doze_install(pool, help_count, &n);
	CU_ASSERT_EQUAL(n, 52);
	n = 0;
	doze_for(pool, 0, 1000, 1, count_range, &n);
	CU_ASSERT_EQUAL(n, 1000);
	n = 0;
	CU_ASSERT_EQUAL(doze_broadcast(pool, count_turn, &n), 0);
	CU_ASSERT_EQUAL(n, (long)workers);
}

static void constructs_under(const char *policy)
{
	for (unsigned workers = 1; workers <= 3; workers += 2) {
		doze_pool *pool = guest_pool(policy, workers);
		for (int i = 0; i < 5; i++)
			constructs_on(pool, workers);
		doze_pool_free(pool);
	}
}

static void current_thread_constructs(void)
{
	for_all_policies(constructs_under);
}

/* The only worker: nothing runs until it yields, and what is left runs when it frees the pool. */
static void alone_under(const char *policy)
{
	long n = 0;
	doze_pool *other = help_pool(1, policy);
	doze_pool *pool = guest_pool(policy, 1);
	doze_install(other, help_count, &n); /* it waits before it has run a job */
	doze_pool_free(other);
	n = 0;
	(void)doze_spawn(pool, help_count, &n);
	(void)doze_spawn(pool, help_count, &n);
	(void)doze_spawn_broadcast(pool, count_turn, &n);
	CU_ASSERT_EQUAL(n, 0);
	CU_ASSERT_EQUAL(doze_yield_local(), 1); /* the turn */
	CU_ASSERT_EQUAL(doze_yield_now(), 1);
	CU_ASSERT_EQUAL(n, 2);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(n, 3);
	CU_ASSERT_EQUAL(h.starts + h.exits, 0);
}

static void current_thread_alone(void)
{
	for_all_policies(alone_under);
}

/* ---- what an outside thread wants of such a pool ---- */

static struct {
	doze_pool *pool;
	long done; /* atomic */
} out;

static void broadcast_from_outside(void *arg)
{
	long n = 0;
	(void)arg;
	(void)doze_broadcast(out.pool, count_turn, &n);
	da_store((DOZE_ATOMIC(long) *)&out.done, n, SC);
}

static void spawn_broadcast_from_outside(void *n)
{
	(void)doze_spawn_broadcast(out.pool, count_turn, n);
}

static void turn_of_guest_under(const char *policy)
{
	long n = 0;
	out.pool = guest_pool(policy, 2);
	for (int i = 0; i < 20; i++) {
		out.done = 0;
		struct help_thread *other = help_thread_start(broadcast_from_outside, NULL);
		while (help_read(&out.done) == 0)
			(void)doze_yield_now();
		help_thread_join(other);
		CU_ASSERT_EQUAL(out.done, 2);
	}
	help_thread_join(help_thread_start(spawn_broadcast_from_outside, &n));
	doze_pool_free(out.pool);
	CU_ASSERT_EQUAL(n, 2);
}

static void current_thread_turn(void)
{
	for_all_policies(turn_of_guest_under);
}

/* ---- refusals ---- */

static void free_from_elsewhere(void)
{
	help_thread_join(help_thread_start(free_it, guest_pool(NULL, 2)));
}

static void create_again(void *result)
{
	doze_config config = {.num_threads = 1, .use_current_thread = true};
	doze_pool *pool;
	*(int *)result = doze_pool_create(&pool, &config);
}

static void current_thread_refusals(void)
{
	char text[300];
	int result = 0;
	CU_ASSERT_NOT_EQUAL(help_in_child(free_from_elsewhere, text, sizeof text), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "the thread that created the pool frees it"));
	doze_pool *pool = guest_pool(NULL, 1);
	create_again(&result);
	CU_ASSERT_EQUAL(result, EBUSY);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "use_current_thread"));
	doze_pool_free(pool);
	pool = help_pool(1, NULL);
	result = 0;
	doze_install(pool, create_again, &result);
	CU_ASSERT_EQUAL(result, EBUSY);
	doze_pool_free(pool);
}

static void current_thread_fails(void)
{
	doze_config config = handler_config(NULL, 4);
	doze_pool *pool;
	config.use_current_thread = true;
	h.fails_at = 3; /* the handler makes workers 1 to 3 */
	CU_ASSERT_EQUAL(doze_pool_create(&pool, &config), EPERM);
	CU_ASSERT_EQUAL(doze_worker_index(), -1);
	CU_ASSERT_EQUAL(h.made, 2);
	CU_ASSERT_EQUAL(h.asked[0].worker, 1);
	join_all();
}

static const struct suite_test tests[] = {
    {"the pool uses the spawn handler's threads, which the handler joins", handler_makes_threads},
    {"creation fails with the handler's error and leaves nothing behind", handler_fails},
    {"threads may arrive after jobs, or while the pool is being freed", threads_come_late},
    {"a thread that is already a worker is refused", one_worker_a_thread},
    {"jobs of the current thread run while it blocks elsewhere", current_thread_basic},
    {"every construct works from the current thread", current_thread_constructs},
    {"a lone current thread runs jobs when it yields and frees the pool", current_thread_alone},
    {"the current thread takes its turns when it yields and at the end", current_thread_turn},
    {"a worker cannot join as current thread, nor another thread end the pool",
     current_thread_refusals},
    {"the caller is a plain thread again when creation fails", current_thread_fails},
};
SUITE_MAIN("threads", tests)
