/*
 * SPDX-License-Identifier: MIT
 *
 * model.h - the one state machine of the pool outside the pool.
 *
 * Events go in, in timestamp order (the muxer's order); closed facts come out through a listener,
 * and the present state can be asked for at any time. The viewer, the timeline, the storm report,
 * the checker, the graders and the exports all consume this; none of them has a second one. The
 * measures (ratios, histograms, under-wakes, bias …) are asked for through measures.h. What each of
 * them means, and where the definition comes from, is in README.md beside this file.
 *
 * The model never asserts on input. What cannot be is counted and handed to on_finding. Discarded
 * events make spans unknown. Memory is bounded by the number of workers and of open wakes, never
 * by the length of the trace.
 *
 * One thread at a time per model; no call blocks.
 */
#ifndef DOZE_VIZ_MODEL_H
#define DOZE_VIZ_MODEL_H

#include <stddef.h>

#include "../event/event.h"
#include "../event/selection.h"

struct doze_model;
struct doze_policy_descriptor;

/** Key of a worker: (host, vpid, pool, index). `row` is a dense number from 0 in order of first
 * appearance and never changes; use it to index arrays. */
struct doze_worker_key {
	uint32_t host;
	int32_t vpid;
	uint32_t pool;
	int32_t index;
	uint32_t row;
};

/** A closed span of one state. unknown: an event loss, or the end of the trace, lies in it. */
struct doze_interval {
	struct doze_worker_key who;
	enum doze_state state;
	enum doze_reason why; /* the reason that began it */
	int64_t from, to;     /* ns */
	bool unknown;
};

enum doze_verdict {
	DOZE_VERDICT_open, /* not yet known */
	DOZE_VERDICT_unresolved,
	DOZE_VERDICT_redundant,
	DOZE_VERDICT_self,
	DOZE_VERDICT_terminate,
	DOZE_VERDICT_latch,
	DOZE_VERDICT_useful,
	DOZE_VERDICT_futile,
	DOZE_VERDICT_COUNT
};
const char *doze_verdict_name(enum doze_verdict v);

/** One line of the wake ledger, handed over when its verdict is known. Times in ns, 0 = not seen.
 */
struct doze_wake {
	struct doze_worker_key target;
	int32_t waker;      /* acting worker, -1 outside */
	int32_t waker_vtid; /* -1 unknown */
	uint64_t wake_id, decision_id;
	enum doze_cause cause;
	enum doze_verdict verdict;
	int64_t published; /* the post of this decision */
	int64_t notified;  /* wake */
	int64_t awake;     /* woken */
	int64_t first_job; /* idle -> active by a found job */
	int64_t ended;     /* when the verdict fell */
};

/** One wakeup storm (README.md, "Storms"): handed over when all its wakes have verdicts. Decisions
 * closer than doze_model_options.storm_merge_ns are one storm; the trigger is the first one's. */
struct doze_storm {
	uint32_t host;
	int32_t vpid;
	uint32_t pool;
	uint32_t pool_row;  /* index for doze_model_pool */
	int32_t waker;      /* the trigger: acting worker, -1 outside */
	int32_t waker_vtid; /* -1 unknown */
	uint64_t decision_id;
	enum doze_cause cause;
	int64_t from, to;   /* ns: first notification, last verdict */
	uint32_t decisions; /* merged into this storm */
	uint32_t jobs;      /* published by them */
	uint32_t woken;     /* fan-out: wakes, the redundant ones left out */
	uint32_t useful, futile, latch, unresolved;
	int64_t burnt; /* wall time, ns, that the futile wakees searched in vain; no CPU time */
};

/** Something that the protocol does not allow, or that the trace contradicts. */
struct doze_finding {
	const char *rule; /* short stable id, e.g. "transition", "wake-pair", "counters" */
	bool ambiguous;   /* could also be the order of timestamps, or lost events: no verdict */
	struct doze_worker_key who;
	int64_t ts;    /* when it was certain */
	int64_t about; /* ns: the event that it is about; before ts where nothing came of that */
	char text[160];
};

struct doze_pool_view;

/** Called from doze_model_feed and doze_model_finish; any may be null. Pointers are borrowed. */
struct doze_model_listener {
	void (*on_interval)(void *ctx, const struct doze_interval *);
	void (*on_wake)(void *ctx, const struct doze_wake *);    /* the waker's side was seen */
	void (*on_verdict)(void *ctx, const struct doze_wake *); /* the verdict fell */
	void (*on_finding)(void *ctx, const struct doze_finding *);
	/* Control characters of the text have become '?'. */
	void (*on_mark)(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text);
	void (*on_counters)(void *ctx, int64_t ts, uint32_t pool, uint64_t word,
			    const struct doze_word_layout *);
	/* The same with the pool's view, which also tells processes and hosts apart. */
	void (*on_word)(void *ctx, int64_t ts, const struct doze_pool_view *, uint64_t word);
	void (*on_lost)(void *ctx, int64_t from, int64_t to, uint64_t count);
	void (*on_storm)(void *ctx, const struct doze_storm *);
};

/** Every number that a verdict depends on. Start from DOZE_MODEL_DEFAULTS. */
struct doze_model_options {
	/* The part of the trace that is counted and reported. The whole trace is folded all the
	 * same, so that states and verdicts are right from the part's beginning on; on_storm,
	 * on_finding, the totals and the measures keep to the part (README.md, "Scope"). */
	struct doze_selection selection;
	uint32_t storm_min_wakes; /* at least so many woken by one decision, and … */
	double storm_min_share;   /* … at least this share of the pool's workers, and … */
	double storm_min_futile;  /* … at least this share of them futile */
	int64_t storm_merge_ns;   /* decisions closer than this are one storm */
	int64_t quiet_ns;         /* no event for so long: counters and states must agree */
	int64_t long_quiet_ns;    /* no event for so long: what is due now will not come any more */
	bool raw_ids;             /* latches go by their ids in findings and names, not by L1, L2 */
};
#define DOZE_MODEL_DEFAULTS                                                                        \
	{                                                                                          \
		.storm_min_wakes = 4, .storm_min_share = 0.5, .storm_min_futile = 0.5,             \
		.storm_merge_ns = 1000000, .quiet_ns = 5000000, .long_quiet_ns = 200000000,        \
		.selection = DOZE_SELECT_ALL,                                                      \
	}

/** Returns an owned model, or null when memory is short. The listener is copied, ctx is weak. */
struct doze_model *doze_model_new(const struct doze_model_listener *, void *ctx);
/** The same with options (copied; null = defaults). The listener may be null. */
struct doze_model *doze_model_new_with(const struct doze_model_options *,
				       const struct doze_model_listener *, void *ctx);
void doze_model_free(struct doze_model *);

/** Folds one event in. */
void doze_model_feed(struct doze_model *, const struct doze_event *);
/** Events were discarded between from and to (ns); count 0 = unknown how many. */
void doze_model_discarded(struct doze_model *, int64_t from, int64_t to, uint64_t count);
/** It is known from elsewhere that events are missing (a file of the trace is gone):
 * totals.missing. */
void doze_model_incomplete(struct doze_model *);
/** Live only: nothing came, and the clock has reached ts (ns) at least. Lets quiet moments be seen.
 */
void doze_model_clock(struct doze_model *, int64_t ts);
/** The trace ends at ts: closes what is open (as unknown where the pool did not stop). */
void doze_model_finish(struct doze_model *, int64_t ts);

/* ---- the present ---- */

struct doze_pool_view {
	uint32_t host;
	int32_t vpid;
	uint32_t pool;
	uint32_t row;                               /* index for doze_model_pool */
	const char *policy;                         /* borrowed from the model; "?" until known */
	const struct doze_policy_descriptor *rules; /* of that policy; never null */
	uint32_t workers;                           /* as announced; 0 until known */
	uint32_t rounds_until_sleepy, rounds_until_sleeping; /* as configured; 0 until known */
	struct doze_word_layout layout;
	uint64_t word; /* last known */
	bool started, stopped;
	bool jobs_level; /* an event of level `jobs` or finer was seen of its process */
	/* The workers, counted */
	uint32_t index_end; /* above the highest index that was seen */
	uint32_t in_state[DOZE_STATE_COUNT];
	uint32_t known_workers, uncertain_workers; /* with a state; of these `unknown` */
	/* Wakes and jobs under way */
	uint32_t notified;    /* wakes whose target is not awake yet */
	uint32_t untargeted;  /* of these: wakes of a condition variable, which name no target */
	int64_t jobs_waiting; /* published and not yet started; needs the level `jobs` */
	int64_t last_ts;      /* of the latest event, snapshots left out */
};

enum { DOZE_LATCH_NAME = 24 };
/** Writes a latch's name into out, which has room for DOZE_LATCH_NAME bytes, and returns out: "L3"
 * is the third latch that the trace mentions in this pool. A latch that it has not mentioned, or
 * that 262144 others followed, goes by its id. The pool may be null: not known. */
char *doze_model_latch_name(const struct doze_model *, const struct doze_pool_view *, uint64_t id,
			    char *out);

/** Whether the pool's policy keeps a JEC in its word; a word may have room for one all the same. Of
 * a policy that is not known: whether it has room. */
bool doze_pool_has_jec(const struct doze_pool_view *);

/** Where the one open wake of a worker stands. */
enum doze_wake_phase {
	DOZE_WAKE_none,
	DOZE_WAKE_early, /* notified; the target's last report is sleepy, so its sleep may be late
			  */
	DOZE_WAKE_notified, /* notified; it owns the target's sleep */
	DOZE_WAKE_awake,    /* the target woke; what it does next is the verdict */
};

struct doze_worker_view {
	struct doze_worker_key key;
	uint32_t pool_row; /* index for doze_model_pool */
	enum doze_state state;
	enum doze_reason why; /* the reason that began the state */
	int64_t since;        /* ns, when it entered the state */
	bool known;           /* a state was seen */
	bool unknown;         /* events were lost since it entered the state, or it began unseen */
	bool leaving;         /* reported its wake and has not yet reported that it searches */
	bool counted_out; /* left the count of sleepers and has not yet reported that it searches */
	bool job_in_hand; /* found a job in a queue and has not yet reported its start */
	enum doze_wake_phase wake_phase;    /* of the one wake aimed at its sleep */
	int64_t total[DOZE_STATE_COUNT];    /* ns of closed intervals, unknown spans excluded */
	uint64_t entered[DOZE_STATE_COUNT]; /* how often */
	uint64_t jobs_run, jobs_published;
	uint64_t wakes;                   /* woken events of this worker */
	uint64_t wakes_sent, futile_sent; /* wake events by this worker; of these futile */
};

/** A thread from outside that woke workers of a pool. vtid -1: all whose number is not known, or
 * that came after the first 64. */
struct doze_outside_view {
	int32_t vtid;
	uint64_t wakes_sent, futile_sent;
};

struct doze_totals {
	uint64_t events, unknown_events, discarded;
	uint64_t findings, ambiguous; /* on_finding calls, by their `ambiguous` */
	uint64_t elsewhere;           /* findings of both kinds outside of the scope: not told */
	uint64_t storms;
	uint64_t wakes;                        /* wake events */
	uint64_t woken;                        /* woken events */
	uint64_t verdicts[DOZE_VERDICT_COUNT]; /* wakes by verdict */
	uint64_t posts, jobs_published, jobs_run;
	uint64_t jec_toggles, sleep_aborts[DOZE_ABORT_COUNT];
	int64_t first_ts, last_ts;
	uint64_t outside_wakes; /* wake events by threads from outside */
	uint64_t evicted; /* entries that did not fit a bounded table: their verdicts are lost */
	/* Signs that events are missing which nobody reported lost: findings then prove nothing,
	 * and nothing found proves nothing (missing.c). Complete after doze_model_finish. */
	uint64_t missing;
	bool truncated;  /* a pool started and did not stop: set by doze_model_finish */
	bool jobs_level; /* an event of level `jobs` or finer was seen, of any pool */
};

/** What it judges by: the options that it was made with. Borrowed. */
const struct doze_model_options *doze_model_limits(const struct doze_model *);
size_t doze_model_pools(const struct doze_model *);
const struct doze_pool_view *doze_model_pool(const struct doze_model *, size_t i);
/** The pool that an event is of; null: it was not seen. */
const struct doze_pool_view *doze_model_pool_of(const struct doze_model *,
						const struct doze_event *);
size_t doze_model_workers(const struct doze_model *);
const struct doze_worker_view *doze_model_worker(const struct doze_model *, size_t row);
/** The i-th such thread of a pool, in order of appearance; null behind the last. */
const struct doze_outside_view *doze_model_outside(const struct doze_model *, size_t pool,
						   size_t i);
const struct doze_totals *doze_model_totals(const struct doze_model *);
/** futile / resolved wakes, 0 when there is none. Resolved: every wake with a verdict other than
 * unresolved; a self-wake is nobody's wake and does not count. */
double doze_model_futile_ratio(const struct doze_model *);

/* ---- packed words ---- */
uint32_t doze_word_sleeping(const struct doze_word_layout *, uint64_t word);
uint32_t doze_word_inactive(const struct doze_word_layout *, uint64_t word);
uint64_t doze_word_jec(const struct doze_word_layout *, uint64_t word);

#endif
