/* SPDX-License-Identifier: MIT
 *
 * half_made.c - the third of four threads cannot be created, while the start handlers of the first
 * two try to use the pool. Linked with --wrap=pthread_create. argv[2] names the construct that the
 * handlers use.
 */
#include "corner_cases.h"

#include <errno.h>
#include <pthread.h>

static int made, limit = 2;
static char what;

int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg)
{
	return made++ < limit ? __real_pthread_create(t, a, fn, arg) : EAGAIN;
}

static void turn(unsigned worker, unsigned workers, void *arg)
{
	(void)worker;
	(void)workers;
	(void)arg;
}

static void start(unsigned worker, void *arg)
{
	(void)worker;
	if (what == '1')
		(void)doze_spawn_broadcast(NULL, turn, arg);
	if (what == '2')
		(void)doze_broadcast(NULL, turn, arg);
	if (what == '3')
		(void)doze_default_pool();
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool = NULL;
	what = argc > 2 ? argv[2][0] : '0';
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 4;
	config.start_handler = start;
	int error =
	    what == '3' ? doze_default_pool_init(&config) : doze_pool_create(&pool, &config);
	if (error != EAGAIN || pool != NULL)
		return corner_verdict(0, "creation did not fail with EAGAIN");
	made = -1000; /* all later threads can be created */
	if (doze_pool_create(&pool, &config) != 0)
		return corner_verdict(0, "creation failed");
	doze_pool_free(pool);
	return 0;
}
