/* SPDX-License-Identifier: MIT
 *
 * plugin.c - a shared object that contains libdoze.a and uses a pool.
 */
#include "lib/doze.h"

int use(void);

static void count(void *arg)
{
	++*(int *)arg;
}

__attribute__((visibility("default"))) int use(void)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool;
	int ran = 0;
	config.num_threads = 2;
	if (doze_pool_create(&pool, &config) != 0)
		return 0;
	doze_install(pool, count, &ran);
	doze_pool_free(pool);
	return ran;
}
