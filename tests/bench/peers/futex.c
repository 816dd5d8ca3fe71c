/*
 * SPDX-License-Identifier: MIT
 *
 * futex.c - the workloads of peer_wakes.c on as little of a pool as possible: threads that wait on
 * one futex, and one thread that posts. The floor of what a wake costs: the thread that is woken is
 * the one that takes the job, nobody searches before it sleeps, and each post wakes.
 */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "peer.h"

enum { CAPACITY = 1024 };

static struct {
	void (*fn)(void *);
	void *arg;
} ring[CAPACITY];
static _Alignas(128) _Atomic uint32_t posted;
static _Alignas(128) _Atomic uint32_t taken;
static _Alignas(128) atomic_bool ends;
static pthread_t *threads;
static unsigned count;

static void wait_for_change(uint32_t seen)
{
	syscall(SYS_futex, &posted, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void wake(int n)
{
	syscall(SYS_futex, &posted, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

static void *loop(void *none)
{
	(void)none;
	for (;;) {
		/* acquire: orders this load before that of `ends`, and before the ring's entry */
		uint32_t seen = atomic_load_explicit(&posted, memory_order_acquire);
		uint32_t next = atomic_load(&taken);

		if (atomic_load(&ends))
			return NULL;
		if (next == seen) {
			wait_for_change(seen);
			continue;
		}
		void (*fn)(void *) = ring[next % CAPACITY].fn;
		void *arg = ring[next % CAPACITY].arg;
		if (atomic_compare_exchange_strong(&taken, &next, next + 1))
			fn(arg);
	}
}

/* Called by one thread only. */
static void post(void (*fn)(void *), void *arg)
{
	uint32_t at = atomic_load_explicit(&posted, memory_order_relaxed);

	if (at - atomic_load(&taken) >= CAPACITY)
		abort(); /* the workloads do not post that many */
	ring[at % CAPACITY].fn = fn;
	ring[at % CAPACITY].arg = arg;
	/* release: orders the entry before its number */
	atomic_store_explicit(&posted, at + 1, memory_order_release);
	wake(1);
}

static void nothing(void *none)
{
	(void)none;
}

static int start(unsigned n)
{
	count = n;
	threads = calloc(n, sizeof(*threads));
	for (unsigned i = 0; i < n; i++)
		if (!threads || pthread_create(&threads[i], NULL, loop, NULL) != 0)
			abort();
	return 0;
}

static void stop(void)
{
	atomic_store(&ends, true);
	post(nothing, NULL); /* so that nobody begins to wait any more */
	wake(INT_MAX);
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

int main(int argc, char **argv)
{
	static const struct peer_workload workloads[] = {{0}};
	const struct peer peer = {
	    .workloads = workloads, .start = start, .stop = stop, .post = post};

	return peer_main(argc, argv, &peer);
}
