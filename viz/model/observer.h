/*
 * SPDX-License-Identifier: MIT
 *
 * observer.h - the hooks through which an analysis with its own state, such as the checker or
 * the critical path, follows a model.
 *
 * The model calls the hooks while it processes an event, and depends on its observers in no other
 * way. Hooks read pools and workers through their views (model.h) and may keep these pointers:
 * views stay valid until the model is freed. A hook must not feed or finish the model.
 *
 * An observer stores notes on a waiting post, or on a wake without a target, under the slot number
 * that the hook passes. Slots are dense numbers per pool. A slot is reused only after the hook that
 * ends its use.
 */
#ifndef DOZE_VIZ_OBSERVER_H
#define DOZE_VIZ_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#include "../trace/grow.h"
#include "model.h"

/** Slots for a pool's wakes without a target: 0 to DOZE_SIGNAL_SLOTS - 1. */
#define DOZE_SIGNAL_SLOTS 1024
/** Slots for the posts of one queue: first the injector's, then those of each worker's deque. Slot
 * / DOZE_POST_SLOTS is 0 for the injector, and the worker's index + 1 for a deque. */
#define DOZE_POST_SLOTS 16

/** A job that a worker takes from a queue. */
struct doze_taken_job {
	int64_t slot;        /* slot of the job's post; -1: unknown */
	int32_t poster_vtid; /* vtid of the outside thread that posted the job; -1: posted by a
			      * worker, or unknown */
};

#define DOZE_KIND(kind) (UINT32_C(1) << DOZE_EV_##kind)

/** Any hook may be null. */
struct doze_observer {
	/** Called before the model is freed; frees ctx. Views are still valid. */
	void (*free)(void *ctx);

	/** Called before and after the model processes an event other than a snapshot. w: the
	 * acting worker; null: an outside thread. */
	void (*event)(void *ctx, const struct doze_pool_view *, const struct doze_worker_view *w,
		      const struct doze_event *);
	void (*folded)(void *ctx, const struct doze_pool_view *, const struct doze_worker_view *w,
		       const struct doze_event *);
	/** The kinds of events for which `event` and `folded` are called: the sum of
	 * DOZE_KIND(kind); 0: all kinds. */
	uint32_t event_kinds, folded_kinds;
	/** Called after the model processes a snapshot. w: the worker that it describes; null: it
	 * describes no worker of the pool. */
	void (*snapshot)(void *ctx, const struct doze_pool_view *, const struct doze_worker_view *w,
			 const struct doze_event *);
	/** Called before a worker changes its state, while its view still has the old state, but
	 * after the verdict on its wake and after job_taken. */
	void (*state)(void *ctx, const struct doze_worker_view *, enum doze_state to,
		      enum doze_reason, int64_t ts);
	/** Called for a mark, before and after the model's listener. */
	void (*mark)(void *ctx, const struct doze_event *);
	void (*marked)(void *ctx, const struct doze_event *);

	/** Called when events were lost, possibly events of any pool. to: the end of the loss. */
	void (*lost)(void *ctx, int64_t to);
	/** Called when a new pool takes over this pool's number, because its process executed
	 * another program or the number was reused. */
	void (*replaced)(void *ctx, const struct doze_pool_view *);
	/** Called for each finding in the selection, like the listener's on_finding. */
	void (*finding)(void *ctx, const struct doze_finding *);
	/** Called when the pool has had no event for more than options.long_quiet_ns. */
	void (*long_quiet)(void *ctx, const struct doze_pool_view *, int64_t ts);
	/** Called when the trace ends. */
	void (*finish)(void *ctx, const struct doze_pool_view *, int64_t ts);

	/** Called for the wake that ends the target's sleep. */
	void (*wake)(void *ctx, const struct doze_worker_view *target, const struct doze_event *);
	/** Called for a wake without a target. Later, signal_met is called if a worker reports that
	 * this wake woke it, or signal_missed once the wake can no longer wake any worker. */
	void (*signal)(void *ctx, const struct doze_pool_view *, uint32_t slot,
		       const struct doze_event *);
	void (*signal_met)(void *ctx, const struct doze_worker_view *target, uint32_t slot);
	void (*signal_missed)(void *ctx, const struct doze_pool_view *, uint32_t slot);

	/** Called when jobs of a post begin to wait, and when the last of them is taken. */
	void (*post_waits)(void *ctx, const struct doze_pool_view *, uint32_t slot,
			   const struct doze_event *);
	void (*post_done)(void *ctx, const struct doze_pool_view *, uint32_t slot);
	/** Called when a worker takes a job from a queue. */
	void (*job_taken)(void *ctx, const struct doze_worker_view *, struct doze_taken_job);
	/** Called for a post if a worker took one of its jobs before the post was reported. taker:
	 * that worker; null if unknown. */
	void (*job_was_taken)(void *ctx, const struct doze_pool_view *,
			      const struct doze_worker_view *taker, const struct doze_event *post);
};

/** Attaches an observer; the model owns neither pointer. Returns false if the model has no room for
 * it. */
bool doze_model_observe(struct doze_model *, const struct doze_observer *, void *ctx);
/** Returns the ctx of an attached observer, or null if it is not attached. */
void *doze_model_observed_by(const struct doze_model *, const struct doze_observer *);

/** Returns the worker with the given index, or null if the model has not seen it. */
const struct doze_worker_view *doze_pool_worker(const struct doze_pool_view *, int32_t index);
/** Returns the key of a worker, whether it was seen or not. Index -1: an outside thread. */
struct doze_worker_key doze_pool_key(const struct doze_pool_view *, int32_t index);
/** Returns the wake that ends the worker's sleep. Valid unless wake_phase is none. */
const struct doze_wake *doze_worker_wake(const struct doze_worker_view *);
/** Returns the time (ns) of the wake with the given id if it has no target and no worker has
 * reacted to it yet, else 0. */
int64_t doze_pool_signalled(const struct doze_pool_view *, uint64_t wake_id);
/** Returns the latest time at which events were lost, ns, or INT64_MIN if none were. */
int64_t doze_model_lost_until(const struct doze_model *);
/** Adds one to totals.evicted, because the observer ran out of memory for an entry. */
void doze_model_evicted(struct doze_model *);

/** Reports a violation of a rule at ts. The _about variant also takes the time of an earlier event
 * that the violation is about. doze_model_ambiguous reports a violation that lost events or the
 * order of timestamps may explain. The text calls the worker "this worker". */
#define doze_model_finding(m, rule, who, ts, ...)                                                  \
	doze_model_finding_about(m, rule, who, ts, ts, __VA_ARGS__)
void doze_model_finding_about(struct doze_model *, const char *rule, struct doze_worker_key,
			      int64_t ts, int64_t about, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
void doze_model_ambiguous(struct doze_model *, const char *rule, struct doze_worker_key, int64_t ts,
			  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/*
 * ---- An observer's notes: the data that it keeps per pool or per worker.
 * Notes are created on first use, and are found by the row of the pool or the index of the worker.
 */

/** Initialize with zeros. Indices run from 0 to capacity - 1. */
struct doze_notes {
	void **at; /* owned array of owned notes; null: none yet */
	size_t capacity;
};

/** Returns the notes with the given index, or null if there are none. */
static inline void *doze_notes_find(const struct doze_notes *n, uint32_t index)
{
	return index < n->capacity ? n->at[index] : NULL;
}

/** Creates notes of `size` zero bytes where there are none yet. If out of memory, returns null and
 * counts that in the model's totals.evicted. */
void *doze_notes_create(struct doze_notes *, uint32_t index, size_t size, struct doze_model *);
/** Returns the notes with the given index, and creates them if there are none. */
static inline void *doze_notes_of(struct doze_notes *n, uint32_t index, size_t size,
				  struct doze_model *m)
{
	void *notes = doze_notes_find(n, index);

	return notes ? notes : doze_notes_create(n, index, size, m);
}

/** Frees all notes and the array, but nothing that the notes own. */
void doze_notes_free(struct doze_notes *);

#endif
