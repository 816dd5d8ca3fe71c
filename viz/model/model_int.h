/*
 * SPDX-License-Identifier: MIT
 *
 * model_int.h - the data of a model: a struct for each file of viz/model, and the data that the
 * files share.
 *
 *	entities.c           pools and workers by key
 *	states.c             turns worker states into intervals
 *	ledger.c             follows each wake from its notification to its verdict
 *	verdict.c            gives wakes their verdicts, and measures latencies
 *	ledger_untargeted.c  wakes without a target
 *	outside.c            outside threads that woke workers
 *	waits.c              crews of programs without libdoze: their waits, and loops around them
 *	wake_sites.c         the places in such programs that wake threads
 *	storms.c             collects wakes by decision, and finds storms
 *	posts.c              recent posts by decision
 *	word_chain.c         steps on the counters word, quiet periods
 *	level.c              the level of detail
 *	jobs.c               published jobs, under-wakes
 *	waiting_posts.c      posts whose jobs wait
 *	missing.c            missing events that no loss report covers
 *	restart.c            handles a new pool that reuses the number of an old one
 *	findings.c           reports findings
 *	latch_names.c        short names of latches
 *	thread_names.c       names of threads
 *	checkpoint.c         saves and restores the state of a model
 *	notes.c              growing arrays, for the model and its observers
 *	hist.c               histograms of durations
 *	observer.c           attaches observers, and answers their questions
 *	model.c              dispatches each event to the files above and to observers
 *	queries.c            answers the questions of model.h and measures.h
 *
 * The functions of each file are declared in model_fn.h. Each file writes only its own
 * struct and the views.
 *
 * Memory: all data is per worker, per pool, or in a table of limited size. totals.evicted counts
 * the pools, workers and decisions for which a table had no room.
 */
#ifndef DOZE_VIZ_MODEL_INT_H
#define DOZE_VIZ_MODEL_INT_H

#include "../trace/policies.h"
#include "measures.h"
#include "model.h"
#include "observer.h"

enum {
	MAX_WORKERS = 4096, /* per pool, as in the library; a trace with more is damaged */
	MAX_ROWS = 1 << 14, /* number of workers of all pools */
	MAX_POOLS = 4096,
	MAX_OBSERVERS = 6,
	WAIT_LOOPS = 64,       /* number of places with a loop around a wait remembered, per pool */
	WAKE_SITES = 1024,     /* number of places that wake remembered, in all programs */
	NAMELESS_POSTS = 8,    /* number of posts without a decision id remembered, per pool */
	DECISION_SLOTS = 8192, /* number of open decisions, in all pools */
	GAP_WORDS = 32,        /* number of counters words remembered in a gap (word_chain.c) */
	WAKE_IDS = 4096,       /* number of latest wake ids remembered, per pool */
	REDUNDANT_IDS = 4,     /* number of recent redundant wakes remembered per sleep */
	FINDING_UPSETS = 3,    /* parts of the model that a finding may make wrong (findings.c) */
	POLICY_NAME = 24,
	MARK_TEXT = 256,
};

/* ---- per worker ---- */

/* states.c: the job totals that the worker last reported. */
struct job_sums {
	uint64_t run, published;
	bool begun; /* the worker's start or first report was seen */
};

/* ledger.c: the worker's one open wake; its phase is v.wake_phase. */
struct open_wake {
	struct doze_wake line;
	bool lost;      /* events were lost since the notification */
	bool woken_due; /* the worker reported that it was woken from its sleep, but its `woken`
			 * event has not arrived */
	bool held;      /* the target found a latch set, which may be its terminate latch */
	bool start_due; /* the wake is useful, but the start of the found job is not recorded yet
			 * (verdict.c) */
	enum doze_reason found_by;
	enum doze_scope_kind scope;
	struct worker *by; /* not owned; null: outside thread */
	uint64_t redundant_ids[REDUNDANT_IDS];
	unsigned redundant_count;
	uint32_t chain_depth; /* number of links from the root of the chain to the worker's latest
			       * wake */
};

/* waits.c: what a thread of a crew has reported about its waits. The wait in progress is v.wait. */
struct thread_waits {
	struct doze_wait woken_from;     /* the wait that its latest wake ended */
	int64_t woken_at;                /* when that wake ended it; 0: no wake, or waits again */
	struct doze_wait_counts counted; /* the totals that the thread reported last */
};

struct worker {
	/* Must be the first member: doze_pool_worker casts a pointer to it. */
	struct doze_worker_view v;
	struct pool *pool;
	struct job_sums reported;
	uint64_t starts;   /* missing.c: number of job_start events */
	int64_t confirmed; /* states.c: time of the latest snapshot that agrees with v.state */
	enum doze_latch_kind latch_set; /* kind of the latest latch set since the worker was last
					 * active; none: unknown */
	struct open_wake wake;
	struct thread_waits waits;
	int32_t victim; /* the victim of the worker's last successful steal, for waiting_posts.c */
	struct waiting_posts *posts; /* owned; posts to the worker's deque; null = none yet */
};

/* ---- per pool ---- */

/* level.c: the events that show a pool's level of detail. */
struct level_signs {
	bool job_events; /* the pool's process has reported an event of level `jobs` or finer */
	bool snapshot;   /* a snapshot was seen */
};

/* model.c: whether the checks after quiet_ns and after long_quiet_ns without an event have been
 * made. */
struct quiet {
	bool done, long_done;
};

/* missing.c: which of the latest WAKE_IDS wake ids were seen (bit id % WAKE_IDS). */
struct wake_ids {
	uint64_t max, first; /* highest and lowest id seen; max 0 = none */
	uint64_t holes;      /* number of missing ids below the range of `bits` */
	uint64_t bits[WAKE_IDS / 64];
};

/* word_chain.c: the counters word, reconstructed from the steps that events report. */
struct chain {
	bool based;    /* `sum` starts from a known word */
	bool tolerate; /* events were missed, which explains the next gap */
	/* A known word plus (new - old) of every event since; independent of the order of
	 * events. */
	uint64_t sum;
	uint64_t last; /* the new word of the latest event */
	bool gap;      /* an event's old word differed from `sum`, so a step is missing or late */
	int64_t gap_ts;
	uint64_t gap_wanted, gap_found; /* `sum` and the event's old word when the gap opened */
	uint32_t gap_steps;
	uint64_t gap_words[GAP_WORDS];
	bool mismatch; /* the mismatch of counters and states has been reported */
};

/* jobs.c: under-wakes, detected only if every job is recorded. */
struct jobs {
	bool under; /* an under-wake is open */
	int64_t under_ts;
	struct doze_waiting_post under_post; /* the oldest post with a waiting job */
	bool waking; /* a poster has decided to wake workers, and has since reported nothing but
		      * these wakes */
	int32_t waking_vtid;
};

/* waiting_posts.c */
struct post_queues {
	uint64_t round;                 /* incremented when no job waits, which empties all lists */
	uint32_t early;                 /* number of jobs taken before their posts were seen */
	struct waiting_posts *injector; /* owned; null = none yet */
};

/* posts.c */
struct post_slot {
	uint64_t decision_id; /* 0 = empty, or a post without a decision id */
	int64_t ts;           /* 0 = empty */
	uint64_t caller, caller2;
	uint32_t jobs;
	int32_t vtid;
	bool met; /* at least one of the post's wakes was seen */
};

struct recent_posts {
	struct post_slot *slot; /* owned; by decision id % size */
	uint32_t size;          /* a power of two; 0 = none yet */
	struct post_slot nameless[NAMELESS_POSTS];
	unsigned nameless_next;
};

/* waits.c: waits that a thread made again after a wake, by hash. */
struct wait_loops {
	struct {
		uint64_t address, caller; /* 0 = empty */
	} at[WAIT_LOOPS];
};

/* wake_sites.c */
struct wake_sites {
	struct doze_wake_site *site; /* owned */
	struct {
		uint64_t calls, nobody; /* as reported last */
	} * reported;                   /* owned; by index of the site */
	size_t count, room, last;       /* last: the site used last */
};

/* storms.c */
struct open_storm {
	bool open;           /* further decisions may join the storm */
	bool concerns_scope; /* a selected worker caused the storm or was woken in it */
	int64_t last_wake;
	struct doze_storm storm;
};

/* findings.c: the latest findings that may cause others, indexed by the part of the model that they
 * make wrong. */
struct causes {
	uint64_t number[FINDING_UPSETS]; /* 0 = none since the counters word and the states last
					  * agreed */
	uint64_t event, of_event;        /* the event of the latest finding; the finding's number */
};

/* latch_names.c: the names of a pool's latches. */
struct latch_name {
	uint64_t id;
	uint32_t number, next; /* next: slot + 1 of the next latch in the same chain */
};

struct latch_names {
	struct latch_name *slot; /* owned */
	uint32_t *head;          /* owned; slot + 1, by hash */
	uint32_t room, count;    /* room: number of slots, a power of two; count: latches named so
				  * far */
};

enum { THREAD_NAMES_MAX = 4096 };

/* thread_names.c */
struct thread_names {
	struct doze_thread_view *row; /* owned */
	size_t capacity;
	uint32_t count;
	uint32_t last; /* the row used last */
};

struct pool {
	/* Must be the first member: doze_pool_worker casts a pointer to it. */
	struct doze_pool_view v;
	char policy[POLICY_NAME];
	struct worker **by_index; /* owned array of owned workers; null for workers not seen */
	size_t index_capacity;
	uint32_t leaving; /* states.c: number of workers that have reported `woken`, but not their
			   * next state */
	struct level_signs level;
	struct quiet quiet;
	struct wake_ids ids;
	struct untargeted *untargeted; /* owned; ledger_untargeted.c; null = none yet */
	struct outside *outside; /* owned; outside.c; null = no outside thread has woken a worker
				  * yet */
	struct chain chain;
	struct latch_names latches;
	struct jobs jobs;
	struct post_queues queues;
	struct recent_posts posts;
	struct wait_loops loops;
	struct open_storm storm;
	struct causes causes;
};

/* ---- per model ---- */

struct entities {
	struct pool *last_pool; /* the result of the last look-up */
	struct pool **pools;    /* owned, in order of appearance */
	size_t pool_count, pool_capacity;
	uint32_t *hash; /* hash table with open addressing: index + 1 into pools; its size is a
			 * power of two */
	size_t hash_size;
	struct worker **rows; /* owned by their pools; index is the row */
	size_t row_count, row_capacity;
	uint64_t fed; /* number of pool events fed so far */
};

struct observers {
	unsigned count;
	const struct doze_observer *of[MAX_OBSERVERS]; /* not owned */
	void *ctx[MAX_OBSERVERS];
	/* For each kind of event, the set of observers whose hook is called: bit i stands for
	 * observer i. */
	uint8_t event[DOZE_EV_COUNT], folded[DOZE_EV_COUNT];
};
_Static_assert(MAX_OBSERVERS <= 8, "a set of observers is stored in a uint8_t");

struct doze_model {
	struct doze_model_options opt;
	struct doze_model_listener on;
	void *ctx;
	struct observers observers;
	struct doze_totals totals;
	struct doze_measures measures;
	int64_t now;
	int64_t event_ts; /* time of the latest event */
	int64_t lost_to;  /* events were lost up to this time, so spans that begin until then are
			   * unknown */
	bool finished;
	bool complete;     /* missing.c: the trace contains all events of the recording */
	uint64_t reported; /* findings.c: the number of the latest finding */
	struct entities entities;
	struct decisions *decisions; /* owned; storms.c; created with the first wake */
	size_t storms_open;          /* pools with an open storm */
	bool begun;                  /* totals.first_ts is set */
	struct thread_names threads;
	struct wake_sites sites;
};

/* Calls a hook on each observer that defines it. */
#define notify_observers(m, hook, ...)                                                             \
	do {                                                                                       \
		const struct observers *all_ = &(m)->observers;                                    \
		for (unsigned i_ = 0; i_ < all_->count; i_++)                                      \
			if (all_->of[i_]->hook)                                                    \
				all_->of[i_]->hook(all_->ctx[i_], __VA_ARGS__);                    \
	} while (0)

/* Calls the hook `event` or `folded` on each observer that wants events of this kind. */
#define notify_of_kind(m, hook, kind, ...)                                                         \
	do {                                                                                       \
		const struct observers *all_ = &(m)->observers;                                    \
		for (unsigned set_ = all_->hook[kind]; set_; set_ &= set_ - 1) {                   \
			int i_ = __builtin_ctz(set_);                                              \
			all_->of[i_]->hook(all_->ctx[i_], __VA_ARGS__);                            \
		}                                                                                  \
	} while (0)

/* in_range, in_choice and in_scope return whether the selection (options.selection) contains a
 * time, a worker, or both. */
static inline bool in_range(const struct doze_model *m, int64_t ts)
{
	int64_t at = ts > m->totals.first_ts ? ts - m->totals.first_ts : 0;

	return at >= m->opt.selection.from && at <= m->opt.selection.to;
}

/* Returns the length of the selected part of a span. */
static inline int64_t in_range_ns(const struct doze_model *m, int64_t from, int64_t to)
{
	const struct doze_selection *s = &m->opt.selection;

	from -= m->totals.first_ts;
	to -= m->totals.first_ts;
	from = from > s->from ? from : s->from;
	to = to < s->to ? to : s->to;
	return to > from ? to - from : 0;
}

static inline bool in_choice(const struct doze_model *m, int32_t worker)
{
	return doze_worker_set_has(&m->opt.selection.workers, worker);
}

static inline bool in_scope(const struct doze_model *m, int64_t ts, int32_t worker)
{
	return in_range(m, ts) && in_choice(m, worker);
}

/* Returns whether a wake is in scope: the selection contains its notification and its target. */
static inline bool wake_in_scope(const struct doze_model *m, const struct doze_wake *k)
{
	return in_scope(m, k->notified ? k->notified : k->awake, k->target.index);
}

/* Returns whether a state in which a worker says that it was agrees with the state that it reported
 * last. A crew's index may be reused once its thread has ended, also by a thread whose start was
 * lost. */
static inline bool joins(const struct doze_model *m, const struct worker *w, enum doze_state from)
{
	if (!w->v.known || w->v.unknown || w->v.state == from)
		return true;
	return w->pool->v.rules->foreign && w->v.state == DOZE_STATE_stopped &&
	       (from == DOZE_STATE_none || w->v.since <= m->lost_to);
}

static inline bool known_state(const struct worker *w, enum doze_state s)
{
	return w->v.known && w->v.state == s;
}

#endif
