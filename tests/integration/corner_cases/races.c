/* SPDX-License-Identifier: MIT
 *
 * races.c - every construct passes plain data in and out. The program is built with
 * ThreadSanitizer, but the library is not. ThreadSanitizer must not report a race. With argv[2]
 * "wrong", two jobs do race, and ThreadSanitizer must report that race.
 */
#include "corner_cases.h"

enum { N = 200 };

static doze_pool *pool;
/* Not atomic: one job writes each cell, and the thread that waits for that job reads it. */
static long cell[N];
static long sum;

static void fill(void *arg)
{
	long *at = arg;
	*at = *at * 2 + 1;
}

static void *fill_task(void *arg)
{
	fill(arg);
	return arg;
}

static void fill_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	fill(arg);
}

/* Checks that the cells have the values 2i + 1, and assigns new ones. */
static int check(void)
{
	int right = 1;
	for (long i = 0; i < N; i++) {
		right &= cell[i] == 2 * i + 1;
		cell[i] = i;
	}
	return right;
}

static void body(doze_scope *scope, void *arg)
{
	(void)arg;
	for (int i = 0; i < N; i++)
		(void)doze_scope_spawn(scope, fill_in_scope, &cell[i]);
}

static void halves(long first, long n);

struct part {
	long first, n;
};

static void half(void *arg)
{
	const struct part *p = arg;
	halves(p->first, p->n);
}

static void halves(long first, long n)
{
	if (n == 1) {
		fill(&cell[first]);
		return;
	}
	struct part a = {first, n / 2}, b = {first + n / 2, n - n / 2};
	doze_join(half, &a, half, &b);
	/* Reads what both halves wrote; only the caller touches sum. */
	for (long i = first; i < first + n; i++)
		sum += cell[i] & 0;
}

static void whole(void *arg)
{
	(void)arg;
	for (long i = 0; i < N; i++)
		(void)cell[i];
	struct part all = {0, N};
	half(&all);
}

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)arg;
	for (long i = worker; i < N; i += workers)
		fill(&cell[i]);
}

static void range(size_t begin, size_t end, void *arg)
{
	(void)arg;
	for (size_t i = begin; i < end; i++)
		fill(&cell[i]);
}

static void zero(void *acc, void *arg)
{
	(void)arg;
	*(long *)acc = 0;
}

static void add(size_t begin, size_t end, void *acc, void *arg)
{
	(void)arg;
	for (size_t i = begin; i < end; i++)
		*(long *)acc += cell[i];
}

static void combine(void *left, const void *right, void *arg)
{
	(void)arg;
	*(long *)left += *(const long *)right;
}

static void get_all(doze_future **f)
{
	for (int i = 0; i < N; i++)
		if (doze_submit(&f[i], pool, fill_task, &cell[i]) != 0)
			exit(2);
	for (int i = 0; i < N; i++) {
		sum += *(long *)doze_future_get(f[i]) & 0;
		doze_future_free(f[i]);
	}
}

static void get_inside(void *arg)
{
	get_all(arg);
}

static void spawn_all(void *arg)
{
	(void)arg;
	for (int i = 0; i < N; i++)
		(void)(i % 2 ? doze_spawn : doze_spawn_fifo)(NULL, fill, &cell[i]);
}

static int every_construct(void)
{
	static const doze_reducer reducer = {sizeof(long), zero, add, combine};
	doze_future *f[N];
	int right = 1;
	(void)doze_scope_run(pool, body, NULL);
	right &= check();
	(void)doze_scope_run_fifo(pool, body, NULL);
	right &= check();
	(void)doze_scope_in_place(pool, body, NULL);
	right &= check();
	doze_install(pool, whole, NULL);
	right &= check();
	(void)doze_broadcast(pool, turn, NULL);
	right &= check();
	doze_for(pool, 0, N, 3, range, NULL);
	right &= check();
	(void)doze_reduce(pool, 0, N, 3, &reducer, &sum, NULL);
	right &= sum == N * (N - 1) / 2;
	get_all(f);
	right &= check();
	doze_install(pool, get_inside, f);
	return right & check();
}

/* Two jobs run at the same time and write the same cell, one after the other. ThreadSanitizer
 * checks an access and then records it, in two steps, so it may miss two simultaneous accesses. It
 * sees nothing here that synchronises the two jobs. */
static void collide(doze_scope *scope, void *arg)
{
	static int here, written;
	(void)scope;
	if (__atomic_add_fetch(&here, 1, __ATOMIC_RELAXED) == 1)
		while (!__atomic_load_n(&written, __ATOMIC_RELAXED))
			corner_pause();
	fill(arg);
	__atomic_store_n(&written, 1, __ATOMIC_RELAXED);
}

static void two(doze_scope *scope, void *arg)
{
	(void)doze_scope_spawn(scope, collide, arg);
	(void)doze_scope_spawn(scope, collide, arg);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	int right = 1;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 3;
	pool = corner_pool(&config);
	for (long i = 0; i < N; i++)
		cell[i] = i;
	for (int i = 0; i < 10; i++)
		right &= every_construct();
	for (int i = 0; i < N; i++)
		(void)doze_spawn(pool, fill, &cell[i]);
	doze_pool_free(pool);
	right &= check();
	pool = corner_pool(&config);
	doze_install(pool, spawn_all, NULL);
	if (argc > 2)
		(void)doze_scope_run(pool, two, &sum);
	doze_pool_free(pool);
	right &= check();
	return corner_verdict(right, "a job was lost");
}
