/*
 * SPDX-License-Identifier: MIT
 *
 * model_fn.h - the functions that the files of viz/model share (model_int.h lists the files).
 */
#ifndef DOZE_VIZ_MODEL_FN_H
#define DOZE_VIZ_MODEL_FN_H

#include "model_int.h"

/* observer.c */
void model_observers_free(struct doze_model *);

/* missing.c */
/* Called for each worker_state event, before it changes the worker. */
void model_missing_state(struct doze_model *, const struct worker *, const struct doze_event *);
void model_missing_wake(struct pool *, uint64_t id);
void model_missing_woken(struct doze_model *, const struct pool *, uint64_t id);
/* Called when the trace ends, or when another pool takes over this pool's number. */
void model_missing_finish(struct doze_model *, struct pool *);

/* entities.c. Returns null if out of memory or if a bound is reached (counted in
 * totals.evicted). */
struct pool *model_pool_look_up(struct doze_model *, const struct doze_event *);
struct worker *model_worker_new(struct doze_model *, struct pool *, int32_t index);
static inline bool model_is_pool(const struct pool *p, const struct doze_event *e)
{
	return p->v.pool == e->pool && p->v.vpid == e->vpid && p->v.host == e->host;
}

static inline struct pool *model_pool_of(struct doze_model *m, const struct doze_event *e)
{
	struct pool *p = m->entities.last_pool;

	return p && model_is_pool(p, e) ? p : model_pool_look_up(m, e);
}

/* Returns null if the worker was never seen. */
static inline struct worker *model_worker_seen(const struct pool *p, int32_t index)
{
	return index >= 0 && (uint32_t)index < p->v.index_end ? p->by_index[index] : 0;
}

static inline struct worker *model_worker_of(struct doze_model *m, struct pool *p, int32_t index)
{
	struct worker *w = model_worker_seen(p, index);

	return w || index < 0 ? w : model_worker_new(m, p, index);
}

bool model_same_process(const struct pool *, const struct pool *);
void model_entities_free(struct doze_model *);
void model_pool_policy_set(struct pool *, const char *policy);

/* level.c */
void model_level_new_pool(struct doze_model *, struct pool *);
void model_level_start(struct doze_model *, struct pool *, const struct doze_event *);
void model_level_snapshot(struct doze_model *, struct pool *, const struct doze_event *);
/* Returns whether only some job starts are recorded. The recorded starts then do not show how many
 * jobs wait. */
static inline bool model_level_is_partial(const struct pool *p)
{
	return p->v.level == DOZE_LEVEL_jobs;
}
/* Called for an event of level `jobs` or finer. */
void model_level_job(struct doze_model *, struct pool *);

/* latch_names.c */
/* Gives the latch a short name, if it has none. */
void model_latch_seen(struct pool *, uint64_t id);
void model_latch_names_free(struct latch_names *);

/* restart.c */
/* Handles a pool_start event of a known pool. Returns true if a new pool has started, whose
 * counters word is 0. */
bool model_pool_restart(struct doze_model *, struct pool *, int64_t ts);

/* states.c */
/* Called when a worker reports a state that does not exist. Its state is unknown until its next
 * event. */
void model_state_strange(struct doze_model *, struct worker *);
void model_state_event(struct doze_model *, struct worker *, const struct doze_event *);
void model_state_snapshot(struct doze_model *, struct worker *, const struct doze_event *);
void model_state_stop(struct doze_model *, struct worker *, int64_t ts);
void model_state_lost(struct worker *);
/* Called when a thread of a crew waits too often to be recorded: its state is unknown from now on.
 */
void model_state_paused(struct doze_model *, struct worker *, int64_t ts);
void model_state_finish(struct doze_model *, struct worker *, int64_t ts);

/* ledger.c */
void model_ledger_wake(struct doze_model *, struct pool *, const struct doze_event *);
void model_ledger_woken(struct doze_model *, struct worker *, const struct doze_event *);
/* Counts the target's open wake as the root or as a link of a chain of wakes. */
void model_ledger_chain(struct doze_model *, const struct worker *by, struct worker *target);
/* Counts a wake as soon as its target is known. */
void model_ledger_count_sent(struct doze_model *, struct pool *, const struct doze_wake *,
			     const struct worker *by);
/* Called before the worker's state changes. */
void model_ledger_state(struct doze_model *, struct worker *, enum doze_state from,
			enum doze_state to, enum doze_reason, int64_t ts);
/* Records the kind of latch that was set for its owner. */
void model_ledger_latch(struct pool *, const struct doze_event *);
void model_ledger_lost(struct doze_model *, struct worker *);
/* Called when a snapshot shows the state of a worker that was not known. */
void model_ledger_snapshot(struct doze_model *, struct worker *, const struct doze_event *);
void model_ledger_finish(struct doze_model *, struct worker *, int64_t ts);

/* verdict.c */
/* Gives the worker's open wake its verdict. */
void model_verdict(struct doze_model *, struct worker *, enum doze_verdict, int64_t ts);
/* Called when the target of the open wake has found a job, which makes the wake useful. */
void model_verdict_found(struct doze_model *, struct worker *, enum doze_reason, int64_t ts);
/* Called when a job starts: job_start or job_taken. */
void model_verdict_start(struct doze_model *, struct worker *, const struct doze_event *);
/* Measures a useful wake, and passes it to the listener, if the start of its job can no longer be
 * recorded. */
void model_verdict_settle(struct doze_model *, struct worker *);
/* Closes a ledger entry that was never an open wake, and removes it from its decision's fan-out. */
void model_ledger_close(struct doze_model *, struct pool *, struct doze_wake *, enum doze_verdict);

/* ledger_untargeted.c */
void model_untargeted_add(struct doze_model *, struct pool *, struct doze_wake *, struct worker *by,
			  const struct doze_event *);
/* Makes the wake with the given id the worker's open wake. Returns false if there is no such
 * wake. */
bool model_untargeted_adopt(struct doze_model *, struct worker *, uint64_t wake_id);
/* Closes the oldest wakes of a crew, made before ts, that no thread can take any more. */
void model_untargeted_withdrawn(struct doze_model *, struct pool *, int64_t ts);
void model_untargeted_lost(struct pool *);
void model_untargeted_finish(struct doze_model *, struct pool *, int64_t ts);

/* outside.c */
void model_outside_sent(struct doze_model *, struct pool *, const struct doze_wake *);
void model_outside_futile(struct doze_model *, struct pool *, const struct doze_wake *);

/* waits.c */
/* Called for each event of a crew's thread. A crew grows with its threads. */
void model_waits_seen(struct pool *, const struct doze_event *);
void model_waits_crew(struct pool *, const struct doze_event *);
void model_waits_begin(struct worker *, const struct doze_event *);
void model_waits_totals(struct worker *, const struct doze_event *);
/* Called when a thread of a crew starts, possibly with the index of one that has ended. */
void model_waits_new_thread(struct doze_model *, struct worker *, int64_t ts);
/* Called when the program exits or executes another one. Its threads need not report that they end.
 */
void model_waits_exit(struct pool *, int64_t ts);
/* Called before the thread's state changes. */
void model_waits_state(struct doze_model *, struct worker *, enum doze_state from,
		       enum doze_state to, enum doze_reason, int64_t ts);
/* Returns the verdict on the wake of a thread that now enters another state. */
enum doze_verdict model_waits_verdict(const struct worker *, enum doze_state to, enum doze_reason);
/* Returns whether a thread may still report that a wake of the given time woke it. */
bool model_waits_may_take(const struct pool *, int64_t notified);

/* wake_sites.c */
void model_site_event(struct doze_model *, const struct doze_event *);
void model_site_wake(struct doze_model *, const struct pool *, const struct doze_wake *);
void model_site_futile(struct doze_model *, const struct pool *, const struct doze_wake *);
/* Replaces the table by a copy of another. If out of memory, leaves it empty. */
void model_sites_copy(struct wake_sites *, const struct wake_sites *);
void model_sites_free(struct wake_sites *);

/* storms.c */
/* Adds a wake to its decision, and sets the `published` time of its ledger entry. */
void model_decision_wake(struct doze_model *, struct pool *, const struct doze_event *,
			 struct doze_wake *);
void model_decision_post(struct doze_model *, struct pool *, const struct doze_event *);
/* counted: false for wakes that woke no worker, which are not part of the fan-out. */
void model_decision_verdict(struct doze_model *, struct pool *, const struct doze_wake *,
			    bool counted);
/* Judges the pool's open decisions now, because a new pool may reuse their ids. */
void model_decisions_end(struct doze_model *, const struct pool *);
void model_storms_advance(struct doze_model *, int64_t now);
void model_storms_finish(struct doze_model *);

/* posts.c */
void model_recent_post(struct pool *, const struct doze_event *);
/* Returns the post that led to a wake. Its ts is 0 if the post is unknown. */
struct post_slot model_post_of(struct pool *, const struct doze_event *wake);
/* Empties the table of recent posts and frees its memory. */
void model_posts_forget(struct pool *);

/* findings.c */
/* Called when the counters word and the workers' states agree again. Later findings are then not
 * consequences of earlier ones. */
void model_findings_settled(struct pool *);

/* word_chain.c */
void model_chain_step(struct doze_model *, struct pool *, const struct doze_event *);
/* Called for a new pool, whose counters word is 0. */
void model_chain_begin(struct pool *);
void model_chain_snapshot(struct pool *, uint64_t word);
/* Called after options.quiet_ns without an event of the pool. */
void model_chain_quiet(struct doze_model *, struct pool *, int64_t ts);
/* Called when the pool stops, and when the trace ends. */
void model_chain_end(struct doze_model *, struct pool *, int64_t ts);
void model_chain_lost(struct pool *);

/* jobs.c */
void model_jobs_post(struct doze_model *, struct pool *, struct worker *,
		     const struct doze_event *);
/* Called before each event of the pool: once a poster reports something else, it will wake no more
 * workers for its post. */
void model_jobs_any(struct pool *, const struct doze_event *);
void model_jobs_start(struct doze_model *, struct pool *, struct worker *,
		      const struct doze_event *);
/* Called when a searching worker becomes active. */
void model_jobs_found(struct doze_model *, struct worker *, enum doze_reason);
/* Opens or closes an under-wake after a worker of the pool has changed state. */
void model_jobs_state(struct doze_model *, struct pool *, int64_t ts);
void model_jobs_lost(struct pool *);

/* waiting_posts.c. Called after v.jobs_waiting has changed. */
void model_posts_add(struct doze_model *, struct pool *, struct worker *,
		     const struct doze_event *);
void model_posts_take(struct doze_model *, struct pool *, struct worker *, enum doze_source);
/* Returns the oldest post with a waiting job. Its `known` is false if no such post was seen. */
struct doze_waiting_post model_posts_oldest(const struct pool *);
/* Empties all lists of waiting posts, because the contents of the queues are unknown. */
void model_posts_lost(struct pool *);

/* thread_names.c. Called for an event of an outside thread, and for the start of a worker. */
void model_thread_outside(struct doze_model *, const struct doze_event *);
void model_thread_worker(struct doze_model *, const struct doze_event *, const struct worker *);

#endif
