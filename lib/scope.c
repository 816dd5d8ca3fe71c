/*
 * SPDX-License-Identifier: MIT
 *
 * scope.c - scopes: when the call returns, the scope's body and everything spawned in it have run.
 *
 * The count latch has one share for the body and one for each spawned job. A job drops its share
 * after its function has returned, so the scope outlives every job, although it is stored in the
 * caller's frame. The worker that ran the job may give the share back a little later, together
 * with others (owed.h).
 */
#include "scope.h"

#include <errno.h>
#include <stdlib.h>

#include "guard.h"
#include "pool.h"

struct scope_job {
	struct doze_job job;
	doze_scope *scope;
	doze_scope_fn fn;
	void *arg;
	struct doze_slab *from;
};

static void scope_job_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source)
{
	struct scope_job s = *(struct scope_job *)job;

	/* Free the block before running the job, so that a chain of spawns needs the memory of only
	 * one. */
	doze_slab_free(job, s.from, worker);
	doze_job_begin_in(worker, s.job.id, source, &s.scope->latch);
	DOZE_GUARDED(s.fn(s.scope, s.arg));
	doze_job_end(worker, s.job.id);
	doze_owed_add_share(&worker->owed, &s.scope->latch);
}

/* Number of latch shares that the body's worker takes at once for its next spawns. */
#define SHARES 64

/* Makes the scope wait for one more job. */
static void hold(doze_scope *scope, const struct doze_worker *worker)
{
	/* Relaxed: a worker can read its own address here only if it stored the address itself. */
	if (worker == NULL || da_load(&scope->spawner, RLX) != worker) {
		doze_count_latch_increment(&scope->latch);
		return;
	}
	if (scope->shares == 0) {
		doze_count_latch_add(&scope->latch, SHARES);
		scope->shares = SHARES;
	}
	scope->shares--;
}

/* Called by the thread that ran the body. Gives back the unused shares. */
static void end_of_body(doze_scope *scope)
{
	/* Relaxed, as in hold. From now on this worker increments the latch for each spawn, like
	 * any other thread. */
	da_store(&scope->spawner, NULL, RLX);
	if (scope->shares != 0)
		doze_count_latch_take_back(&scope->latch, scope->shares);
}

int doze_scope_spawn(doze_scope *scope, doze_scope_fn fn, void *arg)
{
	struct doze_worker *worker = doze_self;
	struct doze_pool *pool = scope->pool;
	struct doze_slab *from;
	struct scope_job *s = doze_slab_alloc(worker, sizeof *s, &from);

	if (s == NULL)
		return doze_error_set(ENOMEM, "doze_scope_spawn: no memory for a job");
	s->job.run = scope_job_run;
	s->job.id = doze_pool_next_job(pool, worker);
	s->job.caller = DOZE_CALLER;
	s->job.root = scope->root;
	s->scope = scope;
	s->fn = fn;
	s->arg = arg;
	s->from = from;
	hold(scope, worker);
	bool own_fifo = scope->fifos != NULL && doze_pool_own_deque(pool, worker);
	struct doze_fifo *queue = own_fifo ? &scope->fifos[worker->index] : NULL;
	int error = doze_pool_queue(pool, worker, queue, &s->job);
	if (error == 0)
		return 0;
	doze_count_latch_take_back(&scope->latch, 1);
	doze_slab_free(s, from, worker);
	return doze_error_set(error, "doze_scope_spawn: no memory to queue a job");
}

/* Creates the queues of a FIFO scope, one per worker of the pool. */
static struct doze_fifo *fifos_new(const struct doze_pool *pool, struct doze_future *root)
{
	struct doze_fifo *fifos = aligned_alloc(DOZE_CACHE_LINE, pool->num_workers * sizeof *fifos);
	for (uint32_t i = 0; fifos != NULL && i < pool->num_workers; i++)
		doze_fifo_init(&fifos[i], root);
	return fifos;
}

static void fifos_free(struct doze_fifo *fifos, const struct doze_pool *pool)
{
	for (uint32_t i = 0; fifos != NULL && i < pool->num_workers; i++)
		doze_fifo_fini(&fifos[i]);
	free(fifos);
}

/* If the scope's owner is not a worker of the pool, takes a share of the pool's terminate_count for
 * the scope, so that doze_pool_free_timed can time out while the scope runs. */
static void hold_pool(struct doze_pool *pool, const struct doze_worker *owner)
{
	if (doze_acting_index(owner, pool) < 0)
		doze_pool_terminate_hold_many(pool, 1);
}

static void let_pool_go(struct doze_pool *pool, struct doze_worker *owner)
{
	int32_t by = doze_acting_index(owner, pool);

	if (by >= 0)
		return;
	doze_pool_enter(pool, by); /* the dropped share may be the last one */
	doze_pool_terminate_drop(pool, owner);
	doze_pool_leave(pool, by);
}

/* Runs a scope on the calling thread. `owner` is the calling worker, of any pool, or null. */
static int scope_here(struct doze_pool *pool, struct doze_worker *owner, doze_scope_fn body,
		      void *arg, bool fifo)
{
	doze_scope scope = {.pool = pool, .root = owner != NULL ? owner->root : NULL};

	da_init(&scope.spawner, owner);

	if (fifo && (scope.fifos = fifos_new(pool, scope.root)) == NULL)
		return doze_error_set(ENOMEM, "no memory for a FIFO scope");
	doze_count_latch_init(&scope.latch, owner, DOZE_LATCH_KIND_count);
	doze_count_latch_shared_by(&scope.latch, pool, "doze_scope_in_place");
	hold_pool(pool, owner);
	DOZE_GUARDED(body(&scope, arg));
	end_of_body(&scope);
	doze_count_latch_wait(&scope.latch, owner);
	doze_count_latch_fini(&scope.latch);
	fifos_free(scope.fifos, pool);
	let_pool_go(pool, owner);
	return 0;
}

struct scope_call {
	struct doze_pool *pool;
	doze_scope_fn body;
	void *arg;
	bool fifo;
	int error;
};

static void scope_on_worker(void *arg)
{
	struct scope_call *call = arg;
	call->error = scope_here(call->pool, doze_self, call->body, call->arg, call->fifo);
}

static int scope_inside(doze_pool *pool, doze_scope_fn body, void *arg, bool fifo,
			const void *caller)
{
	pool = doze_pool_or_default(pool);
	struct scope_call call = {pool, body, arg, fifo, 0};
	doze_install_for(pool, scope_on_worker, &call, caller);
	return call.error;
}

int doze_scope_run(doze_pool *pool, doze_scope_fn body, void *arg)
{
	return scope_inside(pool, body, arg, false, DOZE_CALLER);
}

int doze_scope_run_fifo(doze_pool *pool, doze_scope_fn body, void *arg)
{
	return scope_inside(pool, body, arg, true, DOZE_CALLER);
}

int doze_scope_in_place(doze_pool *pool, doze_scope_fn body, void *arg)
{
	return scope_here(doze_pool_or_default(pool), doze_self, body, arg, false);
}

int doze_scope_in_place_fifo(doze_pool *pool, doze_scope_fn body, void *arg)
{
	return scope_here(doze_pool_or_default(pool), doze_self, body, arg, true);
}
