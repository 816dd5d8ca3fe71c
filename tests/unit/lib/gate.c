/*
 * SPDX-License-Identifier: MIT
 *
 * gate.c - see gate.h.
 */
#include "gate.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/forkjoin/forkjoin.h"
#include "lib/pool.h"
#include "lib/sleep/sleep.h"
#include "sink.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct {
	unsigned held, permits;
	bool open;
} gates[GATES]; /* by lock */

static uint32_t bed_rounds; /* constant while the pool lives */
static _Thread_local bool stops_in_tickle;

static void stop(enum gate gate)
{
	pthread_mutex_lock(&lock);
	gates[gate].held++;
	pthread_cond_broadcast(&changed);
	while (!gates[gate].open && gates[gate].permits == 0)
		pthread_cond_wait(&changed, &lock);
	if (!gates[gate].open)
		gates[gate].permits--;
	gates[gate].held--;
	pthread_mutex_unlock(&lock);
}

static void come_by(enum sink_kind kind, uint32_t rounds)
{
	if (kind == SINK_SEARCH && rounds == bed_rounds)
		stop(GATE_BED);
	else if (kind == SINK_POINT && stops_in_tickle)
		stop(GATE_TICKLE);
}

doze_pool *gate_pool(unsigned workers, const char *policy, void (*on_deadlock)(void *), void *arg)
{
	doze_config config = {.num_threads = workers,
			      .policy = policy,
			      .deadlock_handler = on_deadlock,
			      .deadlock_arg = arg};
	doze_pool *pool;

	sink_reset();
	memset(gates, 0, sizeof gates);
	/* `forkjoin` counts the round before it asks whether it is to sleep, the others after. */
	bed_rounds = doze_policy_find(policy)->rounds_until_sleeping;
	if (strcmp(policy, "forkjoin") == 0)
		bed_rounds--;
	sink_gate = come_by;
	if (doze_pool_create(&pool, &config) != 0) {
		fprintf(stderr, "no pool of %u workers: %s\n", workers, doze_last_error());
		exit(3);
	}
	return pool;
}

void gate_pool_free(doze_pool *pool)
{
	for (int i = 0; i < GATES; i++)
		gate_open((enum gate)i);
	doze_pool_free(pool);
	sink_gate = NULL;
}

void gate_wait(enum gate gate, unsigned n)
{
	pthread_mutex_lock(&lock);
	while (gates[gate].held < n)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

void gate_let(enum gate gate, unsigned n)
{
	pthread_mutex_lock(&lock);
	gates[gate].permits += n;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void gate_open(enum gate gate)
{
	pthread_mutex_lock(&lock);
	gates[gate].open = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void gate_me(void)
{
	stops_in_tickle = true;
}

/* ---- beds ---- */

struct bed {
	doze_mutex *lock; /* held from before the report that one sleeps until the wait */
	doze_cond *cond;
	bool shared; /* by all workers */
};

/* How the private structs of `tickle` and `condvar` begin. */
struct lock_and_cond {
	doze_mutex lock;
	doze_cond cond;
};

static struct bed bed_of(struct doze_pool *pool, unsigned i)
{
	const char *name = pool->sleep.policy->name;
	if (strcmp(name, "forkjoin") == 0) {
		struct forkjoin *fj = forkjoin_of(pool);
		return (struct bed){&fj->pool_lock, &fj->work_avail, true};
	}
	if (strcmp(name, "tickle") == 0 || strcmp(name, "condvar") == 0) {
		struct lock_and_cond *shared = pool->sleep.data;
		return (struct bed){&shared->lock, &shared->cond, true};
	}
	struct doze_worker_sleep *own = &pool->workers[i].sleep;
	return (struct bed){&own->lock, &own->cond, false};
}

void *gate_bed_lock(doze_pool *pool, unsigned i)
{
	return bed_of(pool, i).lock;
}

void gate_in_bed(doze_pool *pool, unsigned i)
{
	struct bed bed = bed_of(pool, i);
	doze_mutex_lock(bed.lock);
	doze_mutex_unlock(bed.lock);
}

void gate_wake_spuriously(doze_pool *pool)
{
	for (unsigned i = 0; i < pool->num_workers; i++) {
		struct bed bed = bed_of(pool, i);
		doze_mutex_lock(bed.lock);
		doze_cond_broadcast(bed.cond);
		doze_mutex_unlock(bed.lock);
		if (bed.shared)
			break; /* once more would wake those who have gone back to sleep */
	}
}
