/* SPDX-License-Identifier: MIT
 *
 * no_memory.c - a worker or an outside thread queues jobs until memory is exhausted. The queued
 * jobs must run. argv[2] selects how the jobs are queued.
 */
#include "corner_cases.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

static long queued, ran; /* not atomic, because there is only one worker */
static int held, filled;
static char how;

static void job(void *arg)
{
	(void)arg;
	ran++;
}

static void scoped(doze_scope *scope, void *arg)
{
	(void)scope;
	job(arg);
}

static void *task(void *arg)
{
	job(arg);
	return arg;
}

static int queue_one(doze_scope *scope)
{
	doze_future *f;
	switch (how) {
	case 'f':
		return doze_spawn_fifo(NULL, job, NULL);
	case 's':
		return doze_scope_spawn(scope, scoped, NULL);
	case 't': {
		int error = doze_submit(&f, NULL, task, NULL);
		if (error == 0)
			doze_future_free(f);
		return error;
	}
	default:
		return doze_spawn(NULL, job, NULL);
	}
}

static void fill(doze_scope *scope, void *arg)
{
	int error;
	while ((error = queue_one(scope)) == 0)
		queued++;
	*(int *)arg = error;
	/* A join that cannot offer its second half runs both halves itself. */
	doze_join(job, NULL, job, NULL);
	queued += 2;
}

static void run(void *arg)
{
	(void)doze_scope_run(NULL, fill, arg);
}

static void hold(void *arg)
{
	(void)arg;
	corner_count(&held);
	(void)corner_reaches(&filled, 1);
	ran++;
}

/* Limits the address space to less than a queue of FULL jobs needs to grow, but more than a few
 * jobs need. */
static int leave_little(void)
{
	enum { LITTLE = 256 << 10 };
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	int read = f != NULL && fscanf(f, "%lu", &pages) == 1;
	if (f != NULL)
		(void)fclose(f);
	rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + LITTLE;
	const struct rlimit limit = {bytes, bytes};
	return read && setrlimit(RLIMIT_AS, &limit) == 0;
}

/* Fills the shared queue while the only worker runs a job. A ring must grow when its length reaches
 * a power of two. */
static int fill_outside(doze_pool *pool)
{
	enum { FULL = 1 << 17 };
	int error = 0;
	for (; error == 0 && queued < FULL; queued += error == 0)
		error = doze_spawn(pool, job, NULL);
	if (error != 0 || !leave_little())
		return 0;
	while ((error = doze_spawn(pool, job, NULL)) == 0)
		queued++;
	queued++; /* counts the job that keeps the worker busy */
	corner_count(&filled);
	return error;
}

int main(int argc, char **argv)
{
	const struct rlimit limit = {300u << 20, 300u << 20};
	doze_config config = DOZE_CONFIG_DEFAULT;
	int error = 0;
	how = argc > 2 ? argv[2][0] : 'l';
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 1;
	config.stack_size = 1 << 20;
	doze_pool *pool = corner_pool(&config);
	if (how == 'o' && (doze_spawn(pool, hold, NULL) != 0 || !corner_reaches(&held, 1)))
		return corner_verdict(0, "the worker did not start");
	if (how == 'o')
		error = fill_outside(pool);
	else if (setrlimit(RLIMIT_AS, &limit) == 0)
		doze_install(pool, run, &error);
	doze_pool_free(pool);
	if (error != ENOMEM)
		return corner_verdict(0, "no call returned ENOMEM");
	return corner_verdict(queued == ran, "a job was lost, or run twice");
}
