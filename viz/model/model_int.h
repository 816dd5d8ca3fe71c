/*
 * SPDX-License-Identifier: MIT
 *
 * model_int.h - what the files of viz/model share: their data, and the functions that they call of
 * each other. Everybody else uses model.h; observers also use observer.h. README.md lists the
 * files.
 *
 * The members of struct worker, struct pool and struct doze_model that follow the name of a file
 * belong to that file: no other file writes them or opens the structs in them, except that a whole
 * struct may be copied (checkpoint.c). `.ci/edges` checks this.
 *
 * Memory: all data is per worker, per pool, or in a table of limited size. totals.evicted counts
 * the pools, workers and decisions for which a table had no room.
 */
#ifndef DOZE_VIZ_MODEL_INT_H
#define DOZE_VIZ_MODEL_INT_H

#include "../trace/policies.h"
#include "model.h"
#include "observer.h"
#include "saved.h"

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

/* The job totals that the worker last reported. */
struct job_sums {
	uint64_t run, published;
	bool begun; /* the worker's start or first report was seen */
};

/* The worker's one open wake; its phase is v.wake_phase. */
struct open_wake {
	struct doze_wake line;
	bool lost;      /* events were lost since the notification */
	bool woken_due; /* the worker reported that it was woken from its sleep, but its `woken`
			 * event has not arrived */
	bool held;      /* the target found a latch set, which may be its terminate latch */
	bool start_due; /* the wake is useful, but the start of the found job is not recorded yet
			 * */
	enum doze_reason found_by;
	enum doze_scope_kind scope;
	struct worker *by; /* not owned; null: outside thread */
	uint64_t redundant_ids[REDUNDANT_IDS];
	unsigned redundant_count;
	uint32_t chain_depth; /* number of links from the root of the chain to the worker's latest
			       * wake */
};

/* What a thread of a crew has reported about its waits. The wait in progress is v.wait. */
struct thread_waits {
	struct doze_wait woken_from;     /* the wait that its latest wake ended */
	int64_t woken_at;                /* when that wake ended it; 0: no wake, or waits again */
	struct doze_wait_counts counted; /* the totals that the thread reported last */
};

struct worker {
	/* Must be the first member: doze_pool_worker casts a pointer to it. */
	struct doze_worker_view v;
	struct pool *pool;

	/* states.c */
	struct job_sums reported;
	int64_t confirmed; /* time of the latest snapshot that agrees with v.state */

	/* ledger.c */
	struct open_wake wake;
	enum doze_latch_kind latch_set; /* kind of the latest latch set since the worker was last
					 * active; none: unknown */

	/* jobs.c */
	struct waiting_posts *posts; /* owned; posts to the worker's deque; null = none yet */
	uint32_t stolen_from;        /* index + 1 of the victim of its last successful steal */
	/* Number of jobs in its deque that it has moved there from another worker's, and index + 1
	 * of the worker that they were posted by. They are below its own jobs, and stay in the
	 * poster's list. */
	uint32_t moved, moved_from;

	/* waits.c */
	struct thread_waits waits;

	/* missing.c */
	uint64_t starts; /* number of job_start events */
};

/* ---- per pool ---- */

/* The events that show a pool's level of detail. */
struct level_signs {
	bool job_events; /* the pool's process has reported an event of level `jobs` or finer */
	bool snapshot;   /* a snapshot was seen */
};

/* Whether the checks after quiet_ns and after long_quiet_ns without an event have been
 * made. */
struct quiet {
	bool done, long_done;
};

/* Which of the latest WAKE_IDS wake ids were seen (bit id % WAKE_IDS). */
struct wake_ids {
	uint64_t max, first; /* highest and lowest id seen; max 0 = none */
	uint64_t holes;      /* number of missing ids below the range of `bits` */
	uint64_t bits[WAKE_IDS / 64];
};

/* The counters word, reconstructed from the steps that events report. */
struct chain {
	bool based; /* `sum` starts from a known word */
	bool whole; /* no event was missed that would explain the next gap */
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

/* Under-wakes, detected only if every job is recorded. */
struct underwake {
	bool under; /* an under-wake is open */
	int64_t under_ts;
	struct doze_waiting_post under_post; /* the oldest post with a waiting job */
	bool waking; /* a poster has decided to wake workers, and has since reported nothing but
		      * these wakes */
	int32_t waking_vtid;
};

struct post_queues {
	uint64_t round;                 /* incremented when no job waits, which empties all lists */
	uint32_t early;                 /* number of jobs taken before their posts were seen */
	struct waiting_posts *injector; /* owned; null = none yet */
};

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

/* Waits that a thread made again after a wake, by hash. */
struct wait_loops {
	struct {
		uint64_t address, caller; /* 0 = empty */
	} at[WAIT_LOOPS];
};

struct wake_sites {
	struct {
		struct doze_wake_site v;
		uint64_t calls, nobody; /* as reported last */
	} * site;                       /* owned */
	size_t count, room, last;       /* last: the site used last */
};

struct open_storm {
	bool open;           /* further decisions may join the storm */
	bool concerns_scope; /* a selected worker caused the storm or was woken in it */
	int64_t last_wake;
	struct doze_storm storm;
};

/* The latest findings that may cause others, indexed by the part of the model that they
 * make wrong. */
struct causes {
	uint64_t number[FINDING_UPSETS]; /* 0 = none since the counters word and the states last
					  * agreed */
	uint64_t event, of_event;        /* the event of the latest finding; the finding's number */
};

/* The names of a pool's latches. */
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

struct thread_names {
	struct doze_thread_view *row; /* owned */
	size_t capacity;
	uint32_t count;
	uint32_t last; /* the row used last */
};

struct pool {
	/* Must be the first member: doze_pool_worker casts a pointer to it. */
	struct doze_pool_view v;

	/* pools.c */
	char policy[POLICY_NAME];
	struct worker **by_index; /* owned array of owned workers; null for workers not seen */
	size_t index_capacity;
	struct level_signs level;

	/* states.c */
	uint32_t leaving; /* number of workers that have reported `woken`, but not their next state
			   */

	/* ledger.c */
	struct untargeted *untargeted; /* owned; null = none yet */

	/* storms.c */
	struct outside *outside; /* owned; null = no outside thread has woken a worker yet */
	struct recent_posts recent;
	struct open_storm storm;

	/* jobs.c */
	struct underwake underwake;
	struct post_queues queues;

	/* word_chain.c */
	struct chain word;

	/* waits.c */
	struct wait_loops loops;

	/* missing.c */
	struct wake_ids ids;

	/* findings.c */
	struct causes causes;

	/* names.c */
	struct latch_names latches;

	/* model.c */
	struct quiet quiet;
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
};

struct observers {
	unsigned count;  /* number of observers whose hooks are called */
	unsigned paused; /* their number while no hook is called, and `count` is 0 */
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
	struct doze_totals totals;
	struct doze_measures measures;
	int64_t now;
	int64_t event_ts; /* time of the latest event */
	int64_t lost_to;  /* events were lost up to this time, so spans that begin until then are
			   * unknown */
	uint64_t fed;     /* number of pool events fed so far */
	bool begun;       /* totals.first_ts is set */
	bool finished;

	/* pools.c */
	struct entities entities;

	/* storms.c */
	struct decisions *decisions; /* owned; created with the first wake */
	size_t storms_open;          /* pools with an open storm */

	/* waits.c */
	struct wake_sites sites;

	/* missing.c */
	bool complete; /* the trace contains all events of the recording */

	/* findings.c */
	uint64_t findings; /* the number of the latest finding */

	/* names.c */
	struct thread_names threads;

	/* observer.c */
	struct observers observers;
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

/* ---- The functions of each file ---- */

/* pools.c */
/* These return null if out of memory or if a bound is reached (counted in totals.evicted). */
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

static inline bool model_same_process(const struct pool *a, const struct pool *b)
{
	return a->v.vpid == b->v.vpid && a->v.host == b->v.host;
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

static inline struct pool *model_pool_at(const struct doze_model *m, size_t i)
{
	return m->entities.pools[i];
}

static inline struct worker *model_worker_at(const struct doze_model *m, size_t row)
{
	return m->entities.rows[row];
}

/* Return the first pool or worker for null, otherwise the next one, or null after the last one. */
static inline struct pool *model_next_pool(const struct doze_model *m, const struct pool *p)
{
	size_t i = p ? p->v.row + 1 : 0;

	return i < m->entities.pool_count ? m->entities.pools[i] : 0;
}

static inline struct worker *model_next_row(const struct doze_model *m, const struct worker *w)
{
	size_t i = w ? w->v.key.row + 1 : 0;

	return i < m->entities.row_count ? m->entities.rows[i] : 0;
}

static inline struct worker *model_next_worker(const struct pool *p, const struct worker *w)
{
	uint32_t i = w ? (uint32_t)w->v.key.index + 1 : 0;

	while (i < p->v.index_end && !p->by_index[i])
		i++;
	return i < p->v.index_end ? p->by_index[i] : 0;
}

void model_entities_free(struct doze_model *);
void model_pool_policy_set(struct pool *, const char *policy);
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

/* states.c */
void model_state_event(struct doze_model *, struct worker *, const struct doze_event *);
void model_state_snapshot(struct doze_model *, struct worker *, const struct doze_event *);
void model_state_stop(struct doze_model *, struct worker *, int64_t ts);
/* Called when the worker's state and its wake are unknown until its next event. */
void model_state_lost(struct doze_model *, struct worker *);
/* Called when a thread of a crew waits too often to be recorded: its state is unknown from now on.
 */
void model_state_paused(struct doze_model *, struct worker *, int64_t ts);
/* Notes that the worker has reported that it was woken, and will leave its sleep. */
static inline void model_state_leaving(struct worker *w)
{
	if (!known_state(w, DOZE_STATE_sleeping) || w->v.leaving)
		return;
	w->v.leaving = true;
	w->pool->leaving++;
}

/* Notes that the worker is still in its state at the time ts. */
static inline void model_state_confirm(struct worker *w, int64_t ts)
{
	if (w->v.known && !w->v.unknown)
		w->confirmed = ts;
}

/* Returns the number of jobs that the worker last said it ran. */
static inline uint64_t model_state_jobs_reported(const struct worker *w)
{
	return w->reported.run;
}

void model_state_finish(struct doze_model *, struct worker *, int64_t ts);
/* Closes the worker's span at the end of a part, after which the trace goes on. */
void model_state_end_part(struct doze_model *, struct worker *, int64_t ts);
/* In each file, model_…_forget makes a worker or a pool new, because a new pool has taken its
 * number. */
void model_state_forget(struct worker *);

/* ledger.c */
void model_ledger_wake(struct doze_model *, struct pool *, const struct doze_event *);
void model_ledger_woken(struct doze_model *, struct worker *, const struct doze_event *);
/* Called before the worker's state changes. */
void model_ledger_state(struct doze_model *, struct worker *, enum doze_state from,
			enum doze_state to, enum doze_reason, int64_t ts);
/* Records the kind of latch that was set for its owner. */
void model_ledger_latch(struct pool *, const struct doze_event *);
void model_ledger_lost(struct doze_model *, struct worker *);
/* Called when a snapshot shows the state of a worker that was not known. */
void model_ledger_snapshot(struct doze_model *, struct worker *, const struct doze_event *);
void model_ledger_finish(struct doze_model *, struct worker *, int64_t ts);
/* Called when a job starts: job_start or job_taken. */
void model_verdict_start(struct doze_model *, struct worker *, const struct doze_event *);
/* Closes the oldest wakes of a crew, made before ts, that no thread can take any more. */
void model_untargeted_withdrawn(struct doze_model *, struct pool *, int64_t ts);
void model_untargeted_lost(struct pool *);
void model_untargeted_finish(struct doze_model *, struct pool *, int64_t ts);
/* Returns the worker that made the worker's open wake; null: an outside thread. */
struct worker *model_ledger_waker(const struct worker *);
void model_ledger_waker_set(struct worker *, struct worker *by);
void model_ledger_forget(struct worker *);
void model_ledger_free(struct pool *);
void model_ledger_saved(struct doze_model *, struct pool *, struct doze_saved *);
bool model_ledger_settled(const struct pool *, int64_t to);

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
/* Empties the table of recent posts and frees its memory. */
void model_posts_forget(struct pool *);
/* Adds to the numbers of the outside thread that made the wake. */
void model_outside_count(struct doze_model *, struct pool *, const struct doze_wake *,
			 uint64_t wakes, uint64_t futile);
void model_storms_free(struct pool *);
/* Saves or loads the numbers of the outside threads. */
void model_outside_saved(struct pool *, struct doze_saved *);
/* Takes the numbers of the outside threads out of the pool (null: none), or replaces them. */
struct outside *model_outside_take(struct pool *);
void model_outside_put(struct pool *, struct outside *);
void model_storms_saved(struct doze_model *, struct doze_saved *);
bool model_storms_settled(const struct doze_model *, int64_t to);
/* Reports the open storms that began by the time `to`. The model must be settled. */
void model_storms_end_part(struct doze_model *, int64_t to);

/* jobs.c */
void model_jobs_post(struct doze_model *, struct pool *, struct worker *,
		     const struct doze_event *);
/* Called when a job is taken out of the injector and will not run: a job_taken of no worker. */
void model_jobs_cancelled(struct doze_model *, struct pool *, const struct doze_event *);
/* Called before each event of the pool: once a poster reports something else, it will wake no more
 * workers for its post. */
void model_jobs_any(struct pool *, const struct doze_event *);
void model_jobs_start(struct doze_model *, struct pool *, struct worker *,
		      const struct doze_event *);
/* Returns where a worker found the job for which it became active; none: it found no job. */
static inline enum doze_source model_source_of(enum doze_reason why)
{
	switch (why) {
	case DOZE_REASON_found_local:
		return DOZE_SOURCE_local;
	case DOZE_REASON_found_stolen:
		return DOZE_SOURCE_stolen;
	case DOZE_REASON_found_injected:
		return DOZE_SOURCE_injected;
	case DOZE_REASON_found_broadcast:
		return DOZE_SOURCE_broadcast;
	default:
		return DOZE_SOURCE_none;
	}
}

/* Called when a searching worker becomes active. */
void model_jobs_found(struct doze_model *, struct worker *, enum doze_reason);
/* Opens or closes an under-wake after a worker of the pool has changed state. */
void model_jobs_state(struct doze_model *, struct pool *, int64_t ts);
/* Called when a worker has stolen a job from the worker with this index. */
void model_jobs_stolen(struct worker *, int32_t victim);
/* Called when a worker has moved a job from the victim's deque to its own. */
void model_jobs_moved(struct worker *, int32_t victim);
/* Called when a worker begins to search: its deque is empty. */
void model_jobs_searches(struct worker *);
void model_jobs_lost(struct pool *);
/* Makes a copy of a worker forget the original's posts. */
void model_jobs_drop(struct worker *);
void model_jobs_free(struct pool *);
/* In each file, model_…_saved saves or loads what is in progress (part.c), and model_…_settled
 * returns whether nothing is in progress that began by the time `to`. */
void model_jobs_saved(struct pool *, struct doze_saved *);
bool model_jobs_settled(const struct pool *, int64_t to);

/* word_chain.c */
void model_chain_step(struct doze_model *, struct pool *, const struct doze_event *);
/* Called for a pool that starts, whose counters word is 0. */
void model_chain_begin(struct pool *);
void model_chain_snapshot(struct pool *, uint64_t word);
/* Tells the listener the pool's counters word, if it is known. */
void model_chain_tell(const struct doze_model *, const struct pool *);
/* Called after options.quiet_ns without an event of the pool. */
void model_chain_quiet(struct doze_model *, struct pool *, int64_t ts);
/* Called when the pool stops, and when the trace ends. */
void model_chain_end(struct doze_model *, struct pool *, int64_t ts);
void model_chain_lost(struct pool *);

/* waits.c */
/* Called for each event of a crew's thread. A crew grows with its threads. */
void model_waits_seen(struct pool *, const struct doze_event *);
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
void model_waits_lost(struct worker *);
void model_waits_forget(struct worker *);
void model_waits_forget_loops(struct pool *);
void model_site_event(struct doze_model *, const struct doze_event *);
/* Adds to the numbers of a wake's place, and of the part of it that has the same second caller. */
void model_site_count(struct doze_model *, const struct pool *, const struct doze_wake *,
		      uint64_t wakes, uint64_t futile);
/* Replaces the table by a copy of another. If out of memory, leaves it empty. */
void model_sites_copy(struct wake_sites *, const struct wake_sites *);
void model_sites_free(struct wake_sites *);
void model_sites_saved(struct wake_sites *, struct doze_saved *);

/* missing.c */
/* Called for each worker_state event, before it changes the worker. */
void model_missing_state(struct doze_model *, const struct worker *, const struct doze_event *);
void model_missing_wake(struct pool *, uint64_t id);
void model_missing_woken(struct doze_model *, const struct pool *, uint64_t id);
void model_missing_start(struct worker *);
/* Called when the trace ends, or when another pool takes over this pool's number. */
void model_missing_finish(struct doze_model *, struct pool *);
void model_missing_forget(struct worker *);

/* findings.c */
/* Called when the counters word and the workers' states agree again. Later findings are then not
 * consequences of earlier ones. */
void model_findings_settled(struct pool *);
void model_findings_forget(struct pool *);

/* names.c */
/* Gives the latch a short name, if it has none. */
void model_latch_seen(struct pool *, uint64_t id);
/* Replaces the table by a copy of another. If out of memory, leaves it empty. */
void model_latch_names_copy(struct latch_names *, const struct latch_names *from);
/* Returns whether the table is too large to be copied often. */
bool model_latch_names_are_many(const struct pool *);
void model_latch_names_free(struct latch_names *);
void model_latch_names_saved(struct latch_names *, struct doze_saved *);
/* Called for an event of an outside thread, and for the start of a worker. */
void model_thread_outside(struct doze_model *, const struct doze_event *);
void model_thread_worker(struct doze_model *, const struct doze_event *, const struct worker *);
void model_thread_names_free(struct doze_model *);
void model_thread_names_saved(struct doze_model *, struct doze_saved *);

/* observer.c */
void model_observers_free(struct doze_model *);
/* While observers are paused, none of their hooks is called, and doze_model_observed_by does not
 * find them. */
void model_observers_pause(struct doze_model *, bool pause);

/* checkpoint.c */
/* Saves or loads a checkpoint without the names of latches. */
void model_checkpoint_saved(struct doze_model *, struct doze_saved *);

#endif
