/*
 * SPDX-License-Identifier: MIT
 *
 * create.c - creates pools from a doze_config, and the default pool; their counterpart is end.c.
 * All that a pool consists of is in pool.c, which reads no configuration and knows no policy by
 * name.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "join.h"
#include "pool.h"
#include "trace_load.h"

static doze_mutex default_lock = DOZE_MUTEX_INIT;
static DOZE_ATOMIC(doze_pool *) default_pool; /* written under default_lock, once; owned */

/* An ELF note in each program and shared object that contains libdoze. tracepoints/any looks for
 * it, because the crews that it numbers must not have the numbers of pools. */
static const struct {
	uint32_t name_size, content_size, type;
	char name[8];
} note __attribute__((section(".note.doze"), used, aligned(4))) = {sizeof "doze", 0, 1, "doze"};

static void report_start(const struct doze_pool *pool)
{
	bool counters = pool->sleep.policy->word_kind == DOZE_WORD_counters;
	const struct doze_trace_pool_info info = {
	    .policy = pool->sleep.policy->name,
	    .version = DOZE_VERSION,
	    .name = pool->settings.name,
	    .workers = pool->num_workers,
	    .schema_major = DOZE_SCHEMA_MAJOR,
	    .schema_minor = DOZE_SCHEMA_MINOR,
	    .rounds_until_sleepy = pool->sleep.rounds_until_sleepy,
	    .rounds_until_sleeping = pool->sleep.rounds_until_sleeping,
	    .word_kind = pool->sleep.policy->word_kind,
	    .bits_sleeping = counters ? DOZE_BITS_SLEEPING : 0,
	    .bits_inactive = counters ? DOZE_BITS_INACTIVE : 0,
	    .bits_jec = counters ? DOZE_BITS_JEC : 0,
	    .level = doze_trace_level(),
	};
	doze_trace_pool_start(pool->id, &info);
}

/* Undoes the creation of a pool whose worker `started` could not be started. */
static void give_up(struct doze_pool *pool, uint32_t started, int error)
{
	uint32_t wanted = pool->num_workers;
	const char *by = pool->settings.user.spawn_handler != NULL ? " by the spawn handler" : "";

	doze_pool_end(pool, started);
	(void)doze_error_set(error, "worker thread %u of %u could not be created%s: %s",
			     started + 1, wanted, by, strerror(error));
}

int doze_pool_create_sized(doze_pool **out, const doze_config *config, size_t size)
{
	struct doze_settings settings;
	struct doze_pool *pool;
	doze_config known;

	*out = NULL;
	int error = doze_config_import(&known, config, size);
	if (error == 0)
		error = doze_settings_read(&settings, &known);
	if (error != 0)
		return error;
	if (settings.user.use_current_thread && doze_self != NULL)
		return doze_error_set(
		    EBUSY,
		    "doze_config.use_current_thread: this thread is already worker %d of a pool",
		    doze_self->index);
	error = doze_pool_build(&pool, &settings);
	if (error != 0)
		return doze_error_set(error, "a pool of %u workers could not be created: %s",
				      settings.num_threads, strerror(error));
	pool->stolen_alone = doze_join_run;
	doze_fork_watch();
	doze_trace_boot();
	report_start(pool);
	doze_pools_add(pool);
	uint32_t started;
	error = doze_threads_start(pool, &started);
	if (error == 0)
		*out = pool;
	else
		give_up(pool, started, error);
	return error;
}

unsigned doze_num_threads(const doze_pool *pool)
{
	doze_pool_must_not_be_inherited(pool->id);
	return pool->num_workers;
}

/* ---- the default pool ---- */

/* Called with default_lock held. */
static int make_default(const doze_config *config, size_t size)
{
	doze_pool *pool;
	int error = doze_pool_create_sized(&pool, config, size);
	if (error != 0)
		return error;
	da_edge_out(&default_pool);
	/* Release: orders the pool's fields before the pointer to it. */
	da_store(&default_pool, pool, REL);
	return 0;
}

int doze_default_pool_init_sized(const doze_config *config, size_t size)
{
	int error = EBUSY;
	doze_mutex_lock(&default_lock);
	if (da_load(&default_pool, RLX) == NULL)
		error = make_default(config, size);
	else
		(void)doze_error_set(EBUSY,
				     "doze_default_pool_init: the default pool already "
				     "exists; call this function before the pool's first use");
	doze_mutex_unlock(&default_lock);
	return error;
}

doze_pool *doze_default_pool(void)
{
	doze_pool *pool = da_load(&default_pool, ACQ); /* acquire: pairs with make_default */
	if (doze_likely(pool != NULL)) {
		da_edge_in(&default_pool);
		return pool;
	}
	int error = 0;
	doze_mutex_lock(&default_lock);
	if (da_load(&default_pool, RLX) == NULL)
		error = make_default(NULL, 0);
	doze_mutex_unlock(&default_lock);
	if (error != 0) {
		fprintf(stderr, "doze: cannot create the default pool: %s\n", doze_last_error());
		abort();
	}
	return da_load(&default_pool, ACQ);
}

void doze_default_pool_free(void)
{
	doze_mutex_lock(&default_lock);
	doze_pool *pool = da_swap(&default_pool, NULL, AR);
	doze_mutex_unlock(&default_lock);
	doze_pool_free(pool);
}

struct doze_pool *doze_pool_or_default(struct doze_pool *pool)
{
	if (pool != NULL) {
		doze_pool_must_not_be_inherited(pool->id);
		return pool;
	}
	return doze_self != NULL ? doze_self->pool : doze_default_pool();
}

/* default_lock needs no handler before the fork: a thread that creates a pool under it does not
 * fork, and the child gets a new lock. */
void doze_default_pool_fork_child(void)
{
	da_store(&default_pool, NULL, RLX); /* relaxed: the child has no other thread */
	doze_mutex_init(&default_lock);
}
