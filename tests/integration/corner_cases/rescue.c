/* SPDX-License-Identifier: MIT
 *
 * rescue.c - a deadlock handler queues the job that ends the deadlock.
 */
#include "corner_cases.h"

static doze_pool *pool;
static int worker, called, let_go, done;

static void rescue(void *arg)
{
	(void)arg;
	doze_mark_unblocked(pool, worker);
	corner_count(&let_go);
}

static void handler(void *arg)
{
	if (__atomic_exchange_n(&called, 1, __ATOMIC_SEQ_CST) == 0)
		(void)doze_spawn(pool, rescue, arg);
}

static void block(void *arg)
{
	(void)arg;
	worker = doze_worker_index();
	doze_mark_blocked();
	if (corner_reaches(&let_go, 1))
		corner_count(&done);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 2;
	config.deadlock_handler = handler;
	pool = corner_pool(&config);
	(void)doze_spawn(pool, block, NULL);
	int right = corner_reaches(&done, 1);
	if (right)
		doze_pool_free(pool);
	return corner_verdict(right, "the handler's job did not run");
}
