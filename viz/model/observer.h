/*
 * SPDX-License-Identifier: MIT
 *
 * observer.h - how an analysis with state of its own follows a model: viz/check, viz/path.
 *
 * The model calls the hooks while it folds an event; it knows nothing else of its observers. Hooks
 * read pools and workers by their views (model.h) and may keep these pointers: views stay where
 * they are until the model is freed. A hook must not call doze_model_feed and its like.
 *
 * An observer that keeps notes on a waiting post or on a wake without a target files them under the
 * slot that the hook names. Slots are dense numbers, per pool, and a slot is used again only after
 * the hook that ends its use.
 */
#ifndef DOZE_VIZ_OBSERVER_H
#define DOZE_VIZ_OBSERVER_H

#include "model.h"

/** Slots of a pool's wakes without a target: 0 to DOZE_SIGNAL_SLOTS - 1. */
#define DOZE_SIGNAL_SLOTS 1024
/** Slots of the posts of one queue. The injector has the first ones, then each worker's deque, by
 * index: slot / DOZE_POST_SLOTS is 0 or the worker's index + 1. */
#define DOZE_POST_SLOTS 16

/** A job that a worker takes from a queue. */
struct doze_taken_job {
	int64_t slot; /* of its post; -1: not known */
	int32_t
	    poster_vtid; /* the thread from outside that posted it; -1: a worker, or not known */
};

/** Any hook may be null. */
struct doze_observer {
	/** The model is being freed: free ctx. Views are still valid. */
	void (*free)(void *ctx);

	/** Before an event is folded in, and after. Neither is called for snapshots. w: the acting
	 * worker; null: a thread from outside. */
	void (*event)(void *ctx, const struct doze_pool_view *, const struct doze_worker_view *w,
		      const struct doze_event *);
	void (*folded)(void *ctx, const struct doze_pool_view *, const struct doze_worker_view *w,
		       const struct doze_event *);
	/** Before a worker changes its state: the view has the old one. The verdict on its wake has
	 * fallen and the job that it found is taken. */
	void (*state)(void *ctx, const struct doze_worker_view *, enum doze_state to,
		      enum doze_reason, int64_t ts);
	/** A mark: before the model's listener hears of it, and after. */
	void (*mark)(void *ctx, const struct doze_event *);
	void (*marked)(void *ctx, const struct doze_event *);

	/** Events of all pools were lost, until `to`. */
	void (*lost)(void *ctx, int64_t to);
	/** The pool starts anew: its process runs another program, or its number was reused. */
	void (*replaced)(void *ctx, const struct doze_pool_view *);
	/** Nothing has happened in the pool for options.long_quiet_ns. */
	void (*long_quiet)(void *ctx, const struct doze_pool_view *, int64_t ts);
	/** The trace ends. */
	void (*finish)(void *ctx, const struct doze_pool_view *, int64_t ts);

	/** This wake owns the target's sleep. */
	void (*wake)(void *ctx, const struct doze_worker_view *target, const struct doze_event *);
	/** A wake without a target; a worker reports that it was woken by it, or nobody will. */
	void (*signal)(void *ctx, const struct doze_pool_view *, uint32_t slot,
		       const struct doze_event *);
	void (*signal_met)(void *ctx, const struct doze_worker_view *target, uint32_t slot);
	void (*signal_missed)(void *ctx, const struct doze_pool_view *, uint32_t slot);

	/** Jobs of this post wait; none of them waits any more. */
	void (*post_waits)(void *ctx, const struct doze_pool_view *, uint32_t slot,
			   const struct doze_event *);
	void (*post_done)(void *ctx, const struct doze_pool_view *, uint32_t slot);
	/** A worker takes a job from a queue. */
	void (*job_taken)(void *ctx, const struct doze_worker_view *, struct doze_taken_job);
	/** One job of this post was taken before the post was reported. taker null: not known. */
	void (*job_was_taken)(void *ctx, const struct doze_pool_view *,
			      const struct doze_worker_view *taker, const struct doze_event *post);
};

/** Attaches an observer; both pointers are weak. False: no more fit. */
bool doze_model_observe(struct doze_model *, const struct doze_observer *, void *ctx);
/** The ctx with which that observer was attached; null: it was not. */
void *doze_model_observed_by(const struct doze_model *, const struct doze_observer *);

/** The worker with that index; null: it was not seen. */
const struct doze_worker_view *doze_pool_worker(const struct doze_pool_view *, int32_t index);
/** The key of a worker, seen or not; -1: of a thread from outside. */
struct doze_worker_key doze_pool_key(const struct doze_pool_view *, int32_t index);
/** The wake aimed at the worker's sleep; valid unless wake_phase is none. */
const struct doze_wake *doze_worker_wake(const struct doze_worker_view *);
/** When the wake of that number, which names no target, was made; 0: none is under way. */
int64_t doze_pool_signalled(const struct doze_pool_view *, uint64_t wake_id);
/** Latest time of a loss, ns; INT64_MIN: nothing was lost. */
int64_t doze_model_lost_until(const struct doze_model *);
/** Counts an entry for which the observer had no memory, in totals.evicted. */
void doze_model_evicted(struct doze_model *);

/** Reports what cannot be. The finding is about the event at ts; _about: about an earlier one.
 * ambiguous: could also be the order of timestamps, or lost events. */
void doze_model_finding(struct doze_model *, const char *rule, struct doze_worker_key, int64_t ts,
			const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void doze_model_finding_about(struct doze_model *, const char *rule, struct doze_worker_key,
			      int64_t ts, int64_t about, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
void doze_model_ambiguous(struct doze_model *, const char *rule, struct doze_worker_key, int64_t ts,
			  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif
