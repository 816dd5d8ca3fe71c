/*
 * SPDX-License-Identifier: MIT
 *
 * model_fn.h - the functions of each file of viz/model, for the others (model_int.h lists them).
 */
#ifndef DOZE_VIZ_MODEL_FN_H
#define DOZE_VIZ_MODEL_FN_H

#include "model_int.h"

/* observer.c */
void model_observers_free(struct doze_model *);

/* missing.c. Each worker_state, before it changes the worker. */
void model_missing_state(struct doze_model *, const struct worker *, const struct doze_event *);
void model_missing_wake(struct pool *, uint64_t id);
void model_missing_woken(struct doze_model *, const struct pool *, uint64_t id);
/* The pool will report no more: the trace ends, or another takes its number. */
void model_missing_finish(struct doze_model *, struct pool *);

/* entities.c. Null when memory is short or a bound is reached (counted in totals.evicted). */
struct pool *model_pool_of(struct doze_model *, const struct doze_event *);
struct worker *model_worker_of(struct doze_model *, struct pool *, int32_t index);
/* Null when it was never seen. */
struct worker *model_worker_seen(const struct pool *, int32_t index);
bool model_same_process(const struct pool *, const struct pool *);
void model_entities_free(struct doze_model *);
void model_pool_policy_set(struct pool *, const char *policy);
/* Copies text from the trace so that it cannot steer a terminal: control characters become '?'. */
void model_text_copy(char *to, size_t size, const char *from);

/* latch_names.c. A latch event: names the latch if it has no name yet. */
void model_latch_seen(struct pool *, uint64_t id);
void model_latch_names_free(struct latch_names *);

/* restart.c. A pool_start of a pool that is known already. True: its word is 0 again. */
bool model_pool_restart(struct doze_model *, struct pool *, int64_t ts);

/* states.c */
void model_state_event(struct doze_model *, struct worker *, const struct doze_event *);
void model_state_snapshot(struct doze_model *, struct worker *, const struct doze_event *);
void model_state_stop(struct doze_model *, struct worker *, int64_t ts);
void model_state_lost(struct worker *);
void model_state_finish(struct doze_model *, struct worker *, int64_t ts);

/* ledger.c */
void model_ledger_wake(struct doze_model *, struct pool *, const struct doze_event *);
void model_ledger_woken(struct doze_model *, struct worker *, const struct doze_event *);
/* A line that is decided without waiting; the fan-out of its decision loses it. */
void model_ledger_close(struct doze_model *, struct pool *, struct doze_wake *, enum doze_verdict);
/* The target's open wake is a link of a chain, or the root of one. */
void model_ledger_chain(struct doze_model *, const struct worker *by, struct worker *target);
/* A wake, as soon as its target is known. */
void model_ledger_count_sent(struct doze_model *, struct pool *, const struct doze_wake *,
			     const struct worker *by);
/* Before the worker's state changes from `from` to `to`. */
void model_ledger_state(struct doze_model *, struct worker *, enum doze_state from,
			enum doze_state to, enum doze_reason, int64_t ts);
void model_ledger_lost(struct worker *);
void model_ledger_finish(struct doze_model *, struct worker *, int64_t ts);

/* ledger_untargeted.c */
void model_untargeted_add(struct doze_model *, struct pool *, struct doze_wake *, struct worker *by,
			  const struct doze_event *);
/* Makes the wake of that number the worker's open wake. False when there is none. */
bool model_untargeted_adopt(struct doze_model *, struct worker *, uint64_t wake_id);
void model_untargeted_lost(struct pool *);
void model_untargeted_finish(struct doze_model *, struct pool *, int64_t ts);

/* outside.c. Wakes of threads from outside. */
void model_outside_sent(struct doze_model *, struct pool *, const struct doze_wake *);
void model_outside_futile(struct doze_model *, struct pool *, const struct doze_wake *);

/* storms.c */
/* Fills the line's `published`. */
void model_decision_wake(struct doze_model *, struct pool *, const struct doze_event *,
			 struct doze_wake *);
void model_decision_post(struct doze_model *, struct pool *, const struct doze_event *);
/* `counted` is false for wakes that woke nobody: they leave the fan-out. */
void model_decision_verdict(struct doze_model *, struct pool *, const struct doze_wake *,
			    bool counted);
/* No more will be heard of the pool's decisions; their numbers may come again. */
void model_decisions_end(struct doze_model *, const struct pool *);
void model_storms_advance(struct doze_model *, int64_t now);
void model_storms_finish(struct doze_model *);

/* chain.c */
void model_chain_step(struct doze_model *, struct pool *, const struct doze_event *);
/* The pool is new: its word is 0. */
void model_chain_begin(struct pool *);
void model_chain_snapshot(struct pool *, uint64_t word);
/* Nothing has happened in the pool for options.quiet_ns; for options.long_quiet_ns. */
void model_chain_quiet(struct doze_model *, struct pool *, int64_t ts);
void model_chain_long_quiet(struct doze_model *, struct pool *, int64_t ts);
void model_chain_lost(struct pool *);

/* jobs.c */
void model_jobs_post(struct doze_model *, struct pool *, struct worker *,
		     const struct doze_event *);
/* Before any event of the pool: a poster that has gone on is not about to wake any more. */
void model_jobs_any(struct pool *, const struct doze_event *);
void model_jobs_start(struct doze_model *, struct pool *, struct worker *,
		      const struct doze_event *);
/* A searcher becomes active. */
void model_jobs_found(struct doze_model *, struct worker *, enum doze_reason);
/* After a worker of the pool changed state: opens or closes an under-wake. */
void model_jobs_state(struct doze_model *, struct pool *, int64_t ts);
void model_jobs_lost(struct pool *);

/* waiting_posts.c. After v.jobs_waiting has changed. */
void model_posts_add(struct doze_model *, struct pool *, struct worker *,
		     const struct doze_event *);
void model_posts_take(struct doze_model *, struct pool *, struct worker *, enum doze_source);
/* The oldest post whose job waits; not known: none was seen. */
struct doze_waiting_post model_posts_oldest(const struct pool *);
/* Nothing is known of the queues any more. */
void model_posts_lost(struct pool *);

#endif
