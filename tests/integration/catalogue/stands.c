/*
 * SPDX-License-Identifier: MIT
 *
 * stands.c - the shapes of workload.c that never end: their jobs wait for each other. The value
 * `dies` ends them.
 */
#include <link.h>
#include <pthread.h>
#include <stdbool.h>

#include "lib/doze.h"
#include "work.h"
#include "workload.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void set(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_SEQ_CST);
}

static void await(const bool *flag)
{
	while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
		pause_us(1000);
}

/* Jobs that end, so that the recording does not consist of the standstill only. */
static void warm_up(void)
{
	shape_sleeps();
}

/* ---- a lock held across a wait of the pool ---- */

static bool stolen, held;

static void until_stolen(void *arg)
{
	(void)arg;
	await(&stolen);
	set(&held);
}

static void long_half(void *arg)
{
	(void)arg;
	set(&stolen);
	work_us(value("job", 200000));
}

static void holds_across_join(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&one);
	doze_join(until_stolen, NULL, long_half, NULL);
	pthread_mutex_unlock(&one);
}

static void needs_lock(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&one);
	pthread_mutex_unlock(&one);
}

/* A job holds a mutex while it waits for the other half of its join. Meanwhile its worker runs
 * another job, which needs that mutex. */
void shape_nested(void)
{
	warm_up();
	doze_spawn(pool, holds_across_join, NULL);
	await(&held);
	doze_spawn(pool, needs_lock, NULL);
}

/* ---- two locks in opposite order ---- */

static void locks_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void one_two(void *arg)
{
	(void)arg;
	locks_both(&one, &two);
}

static void two_one(void *arg)
{
	(void)arg;
	locks_both(&two, &one);
}

/* Two jobs lock two mutexes in opposite order. */
void shape_crossed(void)
{
	warm_up();
	pthread_barrier_init(&barrier, NULL, 2);
	doze_spawn(pool, one_two, NULL);
	doze_spawn(pool, two_one, NULL);
}

/* ---- jobs that wait for jobs behind them ---- */

static void nothing(void *arg)
{
	set(arg);
}

static void waits_for_child(unsigned worker, unsigned workers, void *arg)
{
	static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
	static bool done[64];

	(void)workers;
	(void)arg;
	if (worker >= sizeof done / sizeof done[0])
		return;
	doze_spawn(NULL, nothing, &done[worker]);
	pthread_mutex_lock(&never);
	while (!done[worker])
		pthread_cond_wait(&changed, &never);
	pthread_mutex_unlock(&never);
}

/* Each worker's job waits, on a condition variable, for a job that it has queued behind itself. */
void shape_selfwait(void)
{
	warm_up();
	doze_spawn_broadcast(pool, waits_for_child, NULL);
}

/* ---- the loader's lock ---- */

static int each_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)info;
	(void)size;
	(void)arg;
	return 1;
}

static void needs_loader(size_t from, size_t to, void *arg)
{
	for (; from < to; from++)
		(void)dl_iterate_phdr(each_object, arg);
}

static int loops_inside(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)info;
	(void)size;
	doze_for(pool, 0, (size_t)value("width", 1), 1, needs_loader, arg);
	return 1;
}

/* The outside thread waits for a loop while it holds a lock of glibc's loader, as a shared object's
 * constructor does; the pieces of the loop need that lock. */
void shape_loader(void)
{
	warm_up();
	(void)dl_iterate_phdr(loops_inside, NULL);
}
