/*
 * SPDX-License-Identifier: MIT
 *
 * constructs_threads.c - the constructs on pools with threads that the library did not create.
 */
#include "constructs.h"
#include "constructs_int.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- the current thread as worker 0 ---- */

const char *contract_current_thread(const char *policy, unsigned workers)
{
	doze_config config = {.num_threads = workers, .policy = policy, .use_current_thread = true};
	/* Static, because a job may still use it after a failed test. */
	static _Thread_local DOZE_ATOMIC(int) n;
	doze_pool *pool;
	const char *wrong = NULL;

	n = 0;
	if (doze_pool_create(&pool, &config) != 0)
		return doze_last_error();
	/* Each spawn finds the other workers asleep or falling asleep. */
	for (int i = 0; i < 8; i++) {
		if (doze_spawn(NULL, constructs_add_one, &n) != 0)
			return doze_last_error();
		constructs_pause(i * 50);
	}
	if (workers > 1) /* this thread blocks, so another worker must run the job */
		wrong = constructs_wait(&n, 8, "a job of the current thread was lost");
	doze_join(constructs_add_one, &n, constructs_add_one, &n);
	doze_broadcast(pool, constructs_take_turn, &n);
	doze_spawn_broadcast(pool, constructs_take_turn, &n);
	doze_pool_free(pool);
	if (wrong == NULL && n != 10 + 2 * (int)workers)
		wrong = "work in a pool with the current thread was lost, or was done twice";
	return doze_worker_index() == -1 ? wrong : "the current thread is still a worker";
}

/* ---- threads of a spawn handler ---- */

struct made {
	pthread_t *threads;
	unsigned count;
};

static int make(const doze_new_thread *thread, void *arg)
{
	struct made *made = arg;
	int error = pthread_create(&made->threads[made->count], NULL, thread->run, thread->run_arg);
	made->count += error == 0;
	return error;
}

const char *contract_spawn_handler(const char *policy, unsigned workers)
{
	struct made made = {calloc(workers, sizeof(pthread_t)), 0};
	doze_config config = {
	    .num_threads = workers, .policy = policy, .handler_arg = &made, .spawn_handler = make};
	DOZE_ATOMIC(int) n = 0;
	doze_pool *pool;

	if (made.threads == NULL || doze_pool_create(&pool, &config) != 0)
		return "cannot create a pool with a spawn handler";
	doze_install(pool, constructs_add_one, &n);
	doze_broadcast(pool, constructs_take_turn, &n);
	doze_spawn(pool, constructs_add_one, &n);
	doze_pool_free(pool);
	for (unsigned i = 0; i < made.count; i++)
		pthread_join(made.threads[i], NULL);
	free(made.threads);
	return made.count == workers && n == 2 + (int)workers
		   ? NULL
		   : "work on a spawn handler's threads was lost";
}
