/*
 * SPDX-License-Identifier: MIT
 *
 * worker.c - a worker: how it queues and finds jobs, runs them, and waits for a latch. The end of
 * this file is the loop that every thread of a pool is in: work, search and sleep until a latch is
 * set.
 */
#include "worker.h"

#include "job_records.h"
#include "pool.h"
#include "queues.h"
#include "suspend/suspend.h"

DOZE_THREAD_LOCAL_HOT struct doze_worker *doze_self;

#ifndef DOZE_EXPLORE
/* The same for doze_inline.h. doze_self itself is hidden, so that each object that contains the
 * library has its own. */
extern DOZE_THREAD_LOCAL_HOT struct doze_worker *doze_inline_self
    __attribute__((visibility("default")));
DOZE_THREAD_LOCAL_HOT struct doze_worker *doze_inline_self;
#endif

void doze_self_set(struct doze_worker *worker)
{
	doze_self = worker;
#ifndef DOZE_EXPLORE
	doze_inline_self = worker;
#endif
}

int32_t doze_acting_index(const struct doze_worker *worker, const struct doze_pool *pool)
{
	return worker != NULL && worker->pool == pool ? worker->index : -1;
}

void doze_worker_transition(struct doze_worker *worker, enum doze_state to, enum doze_reason reason,
			    uint64_t old_word, uint64_t new_word)
{
	/* Relaxed: only this thread writes it, and a snapshot may be slightly out of date. */
	enum doze_state from = da_load(&worker->state, RLX);
	da_store(&worker->state, to, RLX);
	if (to == DOZE_STATE_sleeping)
		doze_bump(&worker->sleeps, 1);
	struct doze_trace_state_info info = {
	    .from = from,
	    .to = to,
	    .reason = reason,
	    .old_word = old_word,
	    .new_word = new_word,
	    .jobs_run = da_load(&worker->jobs_run, RLX),
	    .jobs_published = da_load(&worker->jobs_published, RLX),
	};
	if (to == DOZE_STATE_sleeping && doze_trace_delays_wanted())
		doze_records_queues_left(worker, &info);
	if (to == DOZE_STATE_idle)
		doze_records_forget(worker);
	doze_worker_heed(worker);
	doze_trace_worker_state(worker->pool->id, worker->index, &info);
}

void doze_worker_heed(struct doze_worker *worker)
{
	worker->quiet_value =
	    doze_trace_every_job() ? DOZE_NEVER_QUIET : worker->pool->sleep.quiet_value;
}

static void begin(struct doze_worker *worker, uint64_t job, enum doze_source source)
{
	doze_bump(&worker->jobs_run, 1);
	if (doze_unlikely(doze_trace_starts_wanted()))
		doze_records_start(worker, job, source);
}

void doze_job_begin(struct doze_worker *worker, uint64_t job, enum doze_source source)
{
	doze_count_latch_pay(worker);
	begin(worker, job, source);
}

void doze_job_begin_in(struct doze_worker *worker, uint64_t job, enum doze_source source,
		       const struct doze_count_latch *scope)
{
	if (worker->owed.latch != scope)
		doze_count_latch_pay(worker);
	begin(worker, job, source);
}

void doze_job_end(struct doze_worker *worker, uint64_t job)
{
	if (doze_unlikely(doze_trace_job_end_on()))
		doze_records_end(worker, job);
}

static void posted(struct doze_worker *worker, const struct doze_publish *jobs)
{
	doze_worker_heed(worker);
	if (!doze_trace_every_job())
		doze_records_sleepers(worker);
	worker->pool->sleep.policy->new_jobs(worker->pool, worker->index, jobs);
}

void doze_worker_push_for(struct doze_worker *worker, struct doze_job *entry, uint64_t id,
			  const void *caller)
{
	struct doze_publish jobs = {DOZE_QUEUE_local, 1, false, id, caller};

	da_edge_out(entry);
	/* afterwards, a thief may already have the job */
	jobs.was_empty = doze_queue_push(worker, entry);
	doze_bump(&worker->jobs_published, 1);
	if (doze_likely(doze_fast_is_quiet(worker)))
		return;
	jobs.was_empty |= doze_queue_was_empty(worker);
	posted(worker, &jobs);
}

void doze_worker_posted(struct doze_worker *worker, uint64_t id, const void *caller, bool was_empty)
{
	const struct doze_publish jobs = {DOZE_QUEUE_local, 1, was_empty, id, caller};

	posted(worker, &jobs);
}

void doze_worker_push(struct doze_worker *worker, struct doze_job *job)
{
	doze_worker_push_for(worker, job, job->id, job->caller);
}

struct doze_job *doze_worker_pop(struct doze_worker *worker)
{
	return doze_queue_pop(worker);
}

int doze_worker_reserve(struct doze_worker *worker, uint32_t n)
{
	return doze_queue_reserve(worker, n);
}

int doze_worker_queue(struct doze_worker *worker, struct doze_fifo *fifo, struct doze_job *job)
{
	if (fifo != NULL)
		return doze_fifo_push(fifo, worker, job);
	int error = doze_worker_reserve(worker, 1);
	if (error == 0)
		doze_worker_push(worker, job);
	return error;
}

void doze_batch_edges(const struct doze_batch *batch)
{
	struct doze_job *job = batch->first;
	for (uint32_t i = 0; da_edges_wanted() && i < batch->count; i++) {
		da_edge_out(job);
		job = da_load(&job->next, RLX); /* no other thread can reach the jobs yet */
	}
}

void doze_worker_push_many(struct doze_worker *worker, const struct doze_batch *batch)
{
	struct doze_publish jobs = {DOZE_QUEUE_local, batch->count, false, batch->id,
				    batch->caller};

	doze_batch_edges(batch);
	/* When this returns, thieves may already have taken the whole batch. */
	jobs.was_empty = doze_queue_push_many(worker, batch);
	doze_bump(&worker->jobs_published, jobs.n);
	if (doze_unlikely(!doze_fast_is_quiet(worker)))
		posted(worker, &jobs);
}

/* ---- the queue of spawn_fifo ---- */

static void token_run(struct doze_job *token, struct doze_worker *worker, enum doze_source source)
{
	struct doze_fifo *fifo =
	    (struct doze_fifo *)((char *)token - offsetof(struct doze_fifo, token));
	/* Not null: each token is pushed after its job, and a push is a single atomic step. */
	struct doze_job *job = doze_injector_pop(&fifo->jobs);
	/* Last access to the FIFO: its scope may end as soon as the job has run. */
	da_edge_in(job);
	job->run(job, worker, source);
}

void doze_fifo_init(struct doze_fifo *fifo, struct doze_future *root)
{
	doze_injector_init(&fifo->jobs);
	fifo->token.run = token_run;
	fifo->token.root = root;
	fifo->token.id = 0; /* no id: the trace names the job that the token represents */
	fifo->token.caller = NULL;
	/* The token is its own successor, so that this one token can form a batch of any length. No
	 * queue writes the link. */
	da_init(&fifo->token.next, &fifo->token);
}

void doze_fifo_fini(struct doze_fifo *fifo)
{
	doze_injector_fini(&fifo->jobs);
}

int doze_fifo_push(struct doze_fifo *fifo, struct doze_worker *worker, struct doze_job *job)
{
	uint64_t id = job->id;
	const void *caller = job->caller;

	/* Reserve first: if the push of the token failed, the job would have to be removed from the
	 * FIFO. */
	int error = doze_worker_reserve(worker, 1);
	if (error != 0)
		return error;

	da_edge_out(job);
	doze_injector_push(&fifo->jobs, job); /* last access to the job: a thief may run it */
	doze_worker_push_for(worker, &fifo->token, id, caller);
	return 0;
}

int doze_fifo_push_many(struct doze_fifo *fifo, struct doze_worker *worker,
			const struct doze_batch *batch)
{
	const struct doze_batch tokens = {&fifo->token, &fifo->token, batch->count, batch->id,
					  batch->caller};

	/* Reserve first, as in doze_fifo_push. */
	int error = doze_worker_reserve(worker, batch->count);
	if (error != 0)
		return error;
	doze_batch_edges(batch);
	doze_injector_push_many(&fifo->jobs, batch);
	doze_worker_push_many(worker, &tokens);
	return 0;
}

/* ---- finding a job ---- */

struct doze_job *doze_worker_take_turn(struct doze_worker *worker, enum doze_source *source)
{
	*source = DOZE_SOURCE_broadcast;
	return doze_injector_empty_hint(&worker->broadcast) ? NULL
							    : doze_injector_pop(&worker->broadcast);
}

struct doze_job *doze_worker_take_local(struct doze_worker *worker, enum doze_source *source)
{
	struct doze_job *job = doze_queue_pop(worker);
	*source = DOZE_SOURCE_local;
	return job != NULL ? job : doze_worker_take_turn(worker, source);
}

/* Returns whether the count has reached fair_every. If there is no limit, the count stays 0 and
 * this returns false. */
static bool overdue(const struct doze_worker *worker, uint32_t count)
{
	return doze_unlikely(count != 0 && count >= worker->pool->settings.fair_every);
}

/* Counts a job for fairness: jobs that spawn jobs keep the worker's own deque full, and the deque
 * comes first. The counts stop at fair_every, and stay 0 if that is 0 ("never"). Turns do not count
 * towards the next turn, nor injected jobs towards the next check of the injector, so that even a
 * flood of either leaves a share to the deque. */
static void count_job(struct doze_worker *worker, enum doze_source source)
{
	uint32_t every = worker->pool->settings.fair_every;

	if (source != DOZE_SOURCE_injected && worker->since_injector < every)
		worker->since_injector++;
	if (doze_injector_empty_hint(&worker->broadcast))
		worker->since_broadcast = 0;
	else if (source != DOZE_SOURCE_broadcast && worker->since_broadcast < every)
		worker->since_broadcast++;
}

static struct doze_job *take_overdue_turn(struct doze_worker *worker, enum doze_source *source)
{
	if (!overdue(worker, worker->since_broadcast))
		return NULL;
	worker->since_broadcast = 0;
	return doze_worker_take_turn(worker, source);
}

static struct doze_job *take_injected(struct doze_worker *worker, enum doze_source *source)
{
	worker->since_injector = 0;
	*source = DOZE_SOURCE_injected;
	return doze_queue_uninject(worker);
}

struct doze_job *doze_worker_take_own(struct doze_worker *worker, enum doze_source *source)
{
	struct doze_job *job = take_overdue_turn(worker, source);
	return job != NULL ? job : doze_worker_take_local(worker, source);
}

struct doze_job *doze_worker_take_next(struct doze_worker *worker, enum doze_source *source)
{
	struct doze_job *job = take_overdue_turn(worker, source);
	if (job == NULL && overdue(worker, worker->since_injector))
		job = take_injected(worker, source);
	return job != NULL ? job : doze_worker_take_local(worker, source);
}

struct doze_job *doze_worker_find_work(struct doze_worker *worker, enum doze_source *source)
{
	struct doze_job *job = doze_worker_take_next(worker, source);
	if (job != NULL)
		return job;
	*source = DOZE_SOURCE_stolen;
	job = doze_worker_steal(worker);
	if (job != NULL)
		return job;
	return take_injected(worker, source);
}

void doze_worker_execute(struct doze_worker *worker, struct doze_job *job, enum doze_source source)
{
	const struct doze_sleep_policy *policy = worker->pool->sleep.policy;
	struct doze_future *root = worker->root;
	worker->root = job->root;
	da_edge_in(job);
	job->run(job, worker, source); /* last access to the job */
	worker->root = root;
	count_job(worker, source);
	if (doze_unlikely(policy->job_done != NULL))
		policy->job_done(worker);
}

/* ---- waiting for a latch ----
 *
 * A worker's main loop uses the terminate latch; each join, scope or install that has to wait uses
 * its own latch. A wait runs the jobs that it finds on top of its own frame, unless that could
 * close a cycle of waits; then it suspends (suspend/README.md). */

/* The policy chooses the memory order of a probe (see core_latch.h). */
static inline bool is_set(const struct doze_worker *worker, struct doze_core_latch *latch)
{
	return worker->pool->sleep.policy->latch_probe_sc ? doze_core_latch_probe(latch, SC)
							  : doze_core_latch_probe(latch, ACQ);
}

static enum doze_reason reason_of(enum doze_source source)
{
	switch (source) {
	case DOZE_SOURCE_stolen:
		return DOZE_REASON_found_stolen;
	case DOZE_SOURCE_injected:
		return DOZE_REASON_found_injected;
	case DOZE_SOURCE_broadcast:
		return DOZE_REASON_found_broadcast;
	default:
		return DOZE_REASON_found_local;
	}
}

/* A worker that has just run out of work looks at its latch and the injector for a while before it
 * yields, in the first rounds of a search. Two workers that send each other messages answer within
 * a microsecond, but a yield takes a quarter of that, during which the answer would have to wait.
 * The looks of all rounds together take about 8 us, as long as the yields of a whole search. They
 * leave the other workers' deques alone: their owners would wait for the cache lines. */
#ifdef DOZE_EXPLORE
enum { GLANCES = 0, LOOKS = 0 };
#else
enum { GLANCES = 16, LOOKS = 8 };
#endif

/* Returns whether there may be something to do, in which case the worker searches again at once.
 * *left is the number of rounds in which it still looks. */
static bool glance(const struct doze_worker *worker, const struct doze_core_latch *latch, int *left)
{
	if (*left == 0)
		return false;
	--*left;
	for (int i = 0; i < LOOKS; i++) {
		da_pause();
		/* Relaxed: only a hint; the search reads both again. */
		if (da_load(&latch->state, RLX) == DOZE_LATCH_set ||
		    !doze_injector_empty_hint(&worker->pool->injector))
			return true;
	}
	return false;
}

/* Searches and sleeps until the worker has a job, and returns the job; or until the latch is set or
 * a suspended wait of this worker can continue, and returns null. The worker is inactive during the
 * call and active before and after it. */
static struct doze_job *look_for_work(struct doze_worker *worker, struct doze_core_latch *latch,
				      enum doze_source *source)
{
	const struct doze_sleep_policy *policy = worker->pool->sleep.policy;
	struct doze_job *job = NULL;
	struct doze_idle idle;
	int glances = GLANCES;

	doze_worker_settle(worker); /* before the search: that may set the latch */
	worker->waits_elsewhere = latch->elsewhere || worker->hold.elsewhere != 0;
	doze_pool_terminate_give_back(worker);
	policy->start_looking(worker, &idle);
	while (!is_set(worker, latch) && !doze_has_ready(worker)) {
		job = doze_worker_find_work(worker, source);
		if (job != NULL)
			break;
		if (glance(worker, latch, &glances))
			continue;
		doze_trace_search(worker->pool->id, worker->index, idle.rounds);
		policy->no_work_found(worker, &idle, latch);
	}
	policy->work_found(worker, &idle, job != NULL ? reason_of(*source) : DOZE_REASON_latch_set);
	return job;
}

/* Takes the worker's own jobs first, without touching the counters (rayon #1058): a worker with
 * jobs of its own is not idle. */
static struct doze_job *next_job(struct doze_worker *worker, struct doze_core_latch *latch,
				 enum doze_source *source)
{
	struct doze_job *job = doze_worker_take_next(worker, source);
	return job != NULL ? job : look_for_work(worker, latch, source);
}

void doze_worker_wait_for(struct doze_worker *worker, struct doze_core_latch *latch,
			  struct doze_future *target)
{
	enum doze_source source = DOZE_SOURCE_none;

	while (!is_set(worker, latch)) {
		if (doze_owed_is_rest(&worker->owed, latch)) {
			doze_count_latch_pay(worker);
			break;
		}
		/* A suspended wait that can continue takes precedence: other threads may wait for
		 * it. */
		bool give_back = doze_has_ready(worker);
		struct doze_job *job = give_back ? NULL : next_job(worker, latch, &source);
		if (job != NULL && doze_may_run(worker, job))
			doze_worker_execute(worker, job, source);
		else if (job != NULL || give_back)
			doze_suspend_wait(worker, latch, target, job, source);
	}
	doze_worker_settle(worker);
}

void doze_worker_wait_until(struct doze_worker *worker, struct doze_core_latch *latch)
{
	doze_worker_wait_for(worker, latch, NULL);
}

void doze_worker_serve(struct doze_worker *worker)
{
	enum doze_source source;

	while (!doze_has_ready(worker) && !is_set(worker, &worker->terminate)) {
		struct doze_job *job = next_job(worker, &worker->terminate, &source);
		if (job != NULL)
			doze_worker_execute(worker, job, source);
	}
	doze_worker_settle(worker);
}
