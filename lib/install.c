/*
 * SPDX-License-Identifier: MIT
 *
 * install.c - runs a function in a pool and waits for it.
 *
 * An installed function holds a share of the pool's terminate_count, so that doze_pool_free_timed
 * can time out while the function runs, and no worker exits before it has returned.
 */
#include "deadlock.h"
#include "guard.h"
#include "pool.h"

/* The job of a doze_install. It is stored in the caller's frame, which may be gone once `done` is
 * set. */
struct install_job {
	struct doze_job job;
	doze_fn fn;
	void *arg;
	union {
		/* the caller's latch if the caller is not a worker */
		struct doze_lock_latch *outside;
		/* the caller's latch if the caller is a worker of another pool */
		struct doze_core_latch cross;
	} done;
};

static void run_body(struct install_job *install, struct doze_worker *worker,
		     enum doze_source source)
{
	uint64_t id = install->job.id;
	doze_job_begin(worker, id, source);
	DOZE_GUARDED(install->fn(install->arg));
	doze_job_end(worker, id);
}

static void run_for_outside(struct doze_job *job, struct doze_worker *worker,
			    enum doze_source source)
{
	struct install_job *install = (struct install_job *)job;
	run_body(install, worker, source);
	doze_pool_terminate_drop(worker->pool, worker);
	doze_lock_latch_set(install->done.outside); /* last access to the caller's frame */
}

static void run_for_worker(struct doze_job *job, struct doze_worker *worker,
			   enum doze_source source)
{
	struct install_job *install = (struct install_job *)job;
	run_body(install, worker, source);
	doze_pool_terminate_drop(worker->pool, worker);
	doze_spin_latch_set(&install->done.cross, worker); /* last access to the caller's frame */
}

static void install_from_outside(struct doze_pool *pool, struct install_job *install)
{
	doze_handler_must_not_wait(pool, "doze_install");
	install->job.run = run_for_outside;
	install->done.outside = doze_thread_latch();
	doze_pool_inject(pool, NULL, &install->job);
	doze_lock_latch_wait_and_reset(install->done.outside);
}

static void install_from_worker(struct doze_pool *pool, struct doze_worker *worker,
				struct install_job *install)
{
	install->job.run = run_for_worker;
	doze_spin_latch_init(&install->done.cross, worker, true);
	install->done.cross.elsewhere = true;
	doze_pool_inject(pool, worker, &install->job);
	/* While it waits, this worker runs its own pool's jobs. */
	doze_worker_wait_until(worker, &install->done.cross);
}

void doze_install_for(doze_pool *pool, doze_fn fn, void *arg, const void *caller)
{
	struct doze_worker *worker = doze_self;

	pool = doze_pool_or_default(pool);
	if (worker != NULL && worker->pool == pool) {
		DOZE_GUARDED(fn(arg));
		return;
	}
	struct install_job install = {.fn = fn, .arg = arg};
	install.job.id = doze_pool_next_job(pool, worker);
	install.job.caller = caller;
	install.job.root = worker != NULL ? worker->root : NULL;
	doze_pool_terminate_hold_many(pool, 1);
	if (worker == NULL)
		install_from_outside(pool, &install);
	else
		install_from_worker(pool, worker, &install);
}

void doze_install(doze_pool *pool, doze_fn fn, void *arg)
{
	doze_install_for(pool, fn, arg, DOZE_CALLER);
}
