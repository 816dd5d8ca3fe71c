/*
 * SPDX-License-Identifier: MIT
 *
 * thread.c - the life of a worker's thread: named, start handler, works until its terminate latch
 * is set, exit handler, gone. And what a thread can ask about itself.
 */
#include "thread.h"

#include <stdio.h>

#include "os.h"
#include "pool.h"

static void report_start(struct doze_worker *worker)
{
	const struct doze_pool *pool = worker->pool;
	char name[16]; /* 15 bytes is what Linux keeps */

	(void)snprintf(name, sizeof name, "%.10s-%u", pool->settings.name,
		       (unsigned)worker->index % 10000u);
	doze_os_thread_name(name);
	doze_trace_worker_start(pool->id, worker->index, doze_os_thread_id(), name);
}

void *doze_worker_main(void *arg)
{
	struct doze_worker *worker = arg;
	struct doze_pool *pool = worker->pool;
	const doze_config *user = &pool->settings.user;
	unsigned index = (unsigned)worker->index;

	doze_self = worker;
	doze_hold_begin(worker);
	report_start(worker);
	uint64_t word = doze_pool_word(pool);
	doze_worker_transition(worker, DOZE_STATE_active, DOZE_REASON_start, word, word);

	if (user->start_handler != NULL)
		user->start_handler(index, user->handler_arg);
	if (pool->sleep.policy->starts != NULL)
		pool->sleep.policy->starts(worker);
	doze_hold_until_end(worker);
	if (user->exit_handler != NULL)
		user->exit_handler(index, user->handler_arg);

	word = doze_pool_word(pool);
	doze_worker_transition(worker, DOZE_STATE_stopped, DOZE_REASON_terminate, word, word);
	doze_trace_worker_stop(pool->id, worker->index);
	doze_self = NULL;
	return NULL;
}

int doze_worker_index(void)
{
	return doze_self != NULL ? doze_self->index : -1;
}

doze_pool *doze_current_pool(void)
{
	return doze_self != NULL ? doze_self->pool : NULL;
}

void doze_mark(const char *text)
{
	const struct doze_worker *worker = doze_self;
	char kept[64];

	if (!doze_trace_mark_on())
		return;
	(void)snprintf(kept, sizeof kept, "%s", text != NULL ? text : "");
	doze_trace_mark(worker != NULL ? worker->pool->id : 0, worker != NULL ? worker->index : -1,
			kept);
}
