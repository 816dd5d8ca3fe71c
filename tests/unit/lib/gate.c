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
