/* SPDX-License-Identifier: MIT
 *
 * stopped.c - a signal stops a thread at an arbitrary point of its pushes into a pool's injector.
 * While the thread is stopped, a job that was queued earlier must run, and no worker may keep a CPU
 * busy. If the policy has its own shared queue with a lock (forkjoin), the thread may be stopped
 * while it holds the lock; then the earlier job may have to wait until the thread continues.
 */
#include "corner_cases.h"

#include "lib/queues.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

enum { JOBS = 1 << 20 };

static doze_pool *pool;
static struct doze_job job[JOBS];
static int busy, gate, earlier, stopped, go_on, pushed, ran;

static void count_job(struct doze_job *j, struct doze_worker *worker, enum doze_source source)
{
	(void)j;
	(void)worker;
	(void)source;
	corner_count(&ran);
}

static void stand_still(int number)
{
	(void)number;
	corner_count(&stopped);
	while (__atomic_load_n(&go_on, __ATOMIC_SEQ_CST) == 0)
		corner_pause();
}

static int has_lock(void)
{
	return pool->sleep.policy->queues != NULL;
}

/* Pushes jobs without calling the policy, which may take its own locks. */
static void *produce(void *arg)
{
	for (int i = 0; i < JOBS && __atomic_load_n(&stopped, __ATOMIC_SEQ_CST) == 0; i++) {
		job[i].run = count_job;
		(void)doze_queue_inject(pool, -1, &job[i]);
		corner_count(&pushed);
	}
	return arg;
}

static void hold(void *arg)
{
	(void)arg;
	corner_count(&busy);
	(void)corner_reaches(&gate, 1);
}

static void count_earlier(void *arg)
{
	corner_count(arg);
}

static double cpu_seconds(void)
{
	struct rusage r;
	(void)getrusage(RUSAGE_SELF, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
	       1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* Returns the CPU seconds that the process uses in 100 ms after its workers have found nothing more
 * to do. */
static double burnt(void)
{
	doze_stats stats;
	for (int i = 0; i < 1000; i++) {
		doze_pool_stats(pool, &stats);
		if (stats.sleeping == stats.workers)
			break;
		corner_pause();
	}
	double before = cpu_seconds();
	for (int i = 0; i < 100; i++)
		corner_pause();
	return cpu_seconds() - before;
}

static int while_stopped(pthread_t producer)
{
	if (!corner_reaches(&pushed, 1) || pthread_kill(producer, SIGUSR1) != 0 ||
	    !corner_reaches(&stopped, 1))
		return corner_verdict(0, "the producer was not stopped");
	corner_count(&gate);
	if (!has_lock() &&
	    corner_verdict(corner_reaches(&earlier, 1), "an earlier job did not run"))
		return 1;
	/* Under `spin`, idle workers use the CPUs by design. */
	if (strcmp(pool->sleep.policy->name, "spin") == 0)
		return 0;
	return corner_verdict(burnt() < 0.05, "the workers do not sleep");
}

/* Checks that the producer's jobs run. The policy was not notified of these jobs, so posts other
 * jobs to make the pool search. */
static int all_ran(void)
{
	for (int i = 0; i < 5000 && ran < pushed; i++) {
		doze_install(pool, count_earlier, &earlier);
		corner_pause();
	}
	return corner_verdict(ran == pushed, "a job of the stopped producer was lost");
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	pthread_t producer;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 2;
	pool = corner_pool(&config);
	(void)signal(SIGUSR1, stand_still);
	/* Wait after each post: under `rfc`, two posts in a row may notify the same worker. */
	for (int i = 1; i <= 2; i++) {
		(void)doze_spawn(pool, hold, NULL);
		corner_needs(&busy, i, "the workers did not start");
	}
	(void)doze_spawn(pool, count_earlier, &earlier);
	if (pthread_create(&producer, NULL, produce, NULL) != 0)
		return 2;
	int wrong = while_stopped(producer);
	corner_count(&go_on);
	(void)pthread_join(producer, NULL);
	wrong |= all_ran();
	doze_pool_free(pool);
	return wrong;
}
