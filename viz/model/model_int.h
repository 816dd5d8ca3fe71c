/*
 * SPDX-License-Identifier: MIT
 *
 * model_int.h - what the files of viz/model share and nobody else sees.
 *
 *	model.c     one event in: find the pool and the worker, hand it to the files below
 *	keys.c      pools and workers by key
 *	restart.c   a pool that starts where another was
 *	states.c    worker states -> intervals
 *	ledger.c    wakes -> verdicts
 *	outside.c   threads from outside that woke
 *	storms.c    verdicts -> decisions -> storms
 *	chain.c     steps on the counters word, quiet moments
 *	jobs.c      publishes, under-wakes
 *	left.c      the posts whose jobs wait
 *	path.h      the critical path of a phase
 *	findings.c  what cannot be
 *	missing.c   events that nobody reported lost, and that are not there
 *
 * Invariant of memory: everything below is per worker, per pool, or a table of fixed size. A table
 * that is full drops its oldest entry and counts it in totals.evicted.
 */
#ifndef DOZE_VIZ_MODEL_INT_H
#define DOZE_VIZ_MODEL_INT_H

#include "../event/policies.h"
#include "../path/path.h"
#include "measures.h"
#include "model.h"

enum {
	MAX_WORKERS = 4096, /* per pool, as in the library; a trace that claims more is damaged */
	MAX_ROWS = 1 << 14, /* workers of all pools */
	MAX_POOLS = 4096,
	NAMELESS_POSTS = 8,    /* latest posts without a decision's number, per pool */
	POST_SLOTS = 64,       /* recent publishes by decision, per pool */
	DECISION_SLOTS = 8192, /* open decisions, all pools */
	GAP_WORDS = 32,        /* words seen since a step was missing */
	TOLD_IDS = 4096,       /* latest numbers of wakes, per pool */
	ACTORS = 16,           /* threads from outside that set latches or post, per pool */
	LOOSE_WAKES = 1024,    /* wakes under way that name no target, per pool */
	REDUNDANT_IDS = 4,     /* recent redundant wakes of one sleep */
	POLICY_NAME = 24,
	MARK_TEXT = 256,
};

/* Where the one open wake of a worker stands. */
enum wake_phase {
	WAKE_NONE,
	WAKE_EARLY,    /* notified; the target was last seen sleepy, so its sleep may be late */
	WAKE_NOTIFIED, /* notified; it owns the target's sleep */
	WAKE_AWAKE,    /* the target woke; what it does next is the verdict */
};

/* Somebody set a latch on which this worker slept, or woke all others: its wake is due
 * (rules_latch.c). */
struct wake_due {
	bool set;
	bool patient;     /* only a long quiet moment proves it */
	int64_t ts, seen; /* of the set; when whoever owed the wake had gone on */
	int32_t by, by_vtid;
	uint64_t latch; /* 0: somebody woke all */
};

/* What a thread carries out (rules_carry.c). */
enum carry {
	CARRY_NONE,
	CARRY_POST,   /* the wakes that its post chose */
	CARRY_FOUND,  /* those for work found */
	CARRY_ALL,    /* one signal for each sleeper, under the pool's lock */
	CARRY_TICKLE, /* a wake for each sleeper: it took the sleepers' bit */
};

/* The notes on one thread: what it set last, what it decided last, and what is still to come. */
struct actor {
	int32_t vtid;
	/* a latch (rules_latch.c) */
	int32_t owner;
	uint64_t latch; /* 0 = none yet */
	int64_t set_ts;
	bool wake_due; /* the wake of its owner is still to come */
	/* a decision (rules_carry.c) */
	enum carry carry;
	uint64_t decision; /* 0 = not yet known */
	int64_t carry_ts;
	uint32_t chosen, made; /* wakes */
};

struct worker {
	struct doze_worker_view v;
	struct pool *pool;
	enum doze_reason why; /* the reason that began the state */
	bool known;           /* a state was seen */
	bool span_lost;       /* events were lost in the present span, or it began unseen */
	bool taken_back;      /* counted itself out of `sleeping` and has not said so yet */
	bool leaving;         /* said that it was woken and has not yet said that it searches */
	uint64_t told_run, told_published; /* jobs, as it last told */
	uint64_t starts;                   /* job_start events (missing.c) */
	/* ledger */
	enum wake_phase phase;
	bool wake_lost; /* events were lost since the notification */
	bool woken_due; /* left its sleep as woken; the woken event is still to come */
	enum doze_scope_kind wake_scope;
	struct worker *wake_by; /* weak; null = outside */
	struct doze_wake wake;
	uint64_t redundant_ids[REDUNDANT_IDS];
	unsigned redundant_n;
	uint32_t chain_depth; /* links from the root of the wake that last woke it */
	struct left *left;    /* owned; the posts whose jobs wait in its deque; null = none yet */
	int32_t victim;       /* of its last successful steal */
	bool has_found; /* a job that left its queue when it said so, and has not yet started */
	struct path_job took; /* the job that it took last */
	/* rules */
	bool has_sleepy_jec;
	uint64_t sleepy_jec; /* the JEC that it remembered when it got sleepy */
	uint64_t slept_on;   /* the latch that it made SLEEPING last; 0 = not any more */
	struct wake_due due;
	struct actor actor;
};

struct post_slot {
	uint64_t decision_id; /* 0 = empty, or a post that did not know its decision's number */
	int64_t ts;           /* 0 = empty */
	uint32_t jobs;
	int32_t vtid;
};

/* One wake decision, from its first wake until all its wakes have verdicts. */
struct decision {
	struct pool *pool; /* null = free slot */
	uint64_t id, seq;
	int32_t waker, waker_vtid;
	enum doze_cause cause;
	int64_t first_wake, last_wake, last_verdict;
	uint32_t jobs, woken, open, useful, futile, latch, unresolved;
	int64_t burnt;
	bool concerned; /* it woke a worker of the scope */
};

struct storm_queue {
	uint64_t head, tail; /* sequence numbers of decisions, oldest first */
	struct {
		uint64_t seq;
		uint32_t slot;
	} at[DECISION_SLOTS];
	struct decision slot[DECISION_SLOTS];
};

/* Which of the latest TOLD_IDS numbers of wakes were told, a bit each by number % TOLD_IDS. */
struct told {
	uint64_t max, first; /* highest and lowest number yet; max 0 = none */
	uint64_t holes;      /* below those that the bits stand for */
	uint64_t bits[TOLD_IDS / 64];
};

/* The counters word of a pool (chain.c). */
struct chain {
	bool based;    /* `sum` rests on a word that was seen */
	bool tolerate; /* events were missed: the next gap is no fault */
	uint64_t sum;  /* base + all (new - old) seen: independent of the order of events */
	uint64_t last; /* the word of the latest event */
	bool gap;      /* the latest event did not join up with `sum` */
	int64_t gap_ts;
	uint64_t gap_left, gap_found; /* the words that did not join */
	uint32_t gap_steps;
	uint64_t gap_words[GAP_WORDS];
};

/* Publishes and what became of them, level jobs (jobs.c). */
struct jobs {
	int64_t waiting; /* published, not yet started */
	bool under;      /* an under-wake is open */
	int64_t under_ts;
	struct doze_post_left under_left; /* the post that left it */
	/* left.c: one more whenever no job waits; taken before their posts were seen */
	uint64_t round;
	uint32_t ahead;
	bool waking; /* a post chose to wake; its thread has not yet done so, nor gone on */
	int32_t waking_vtid;
};

/* A wake whose target nobody knows: a condition variable chose. Until somebody says woken. */
struct loose_wake {
	struct doze_wake line;
	struct worker *by; /* weak; null = outside */
	enum doze_scope_kind scope;
	bool lost; /* events were lost since */
	struct path_ref path;
};

struct pool {
	struct doze_pool_view v;
	char policy[POLICY_NAME];
	const struct doze_policy_descriptor *rules; /* never null */
	size_t row;
	struct worker **by_index; /* owned array of owned workers, null where unseen */
	uint32_t room;
	uint32_t in_state[DOZE_STATE_COUNT]; /* workers now in each state */
	uint32_t seen_workers, unsure;       /* known at all; of these with span_lost */
	struct told told;                    /* numbers of wakes, by wake events (missing.c) */
	uint32_t notified;                   /* wakes under way: notified, target not yet awake */
	uint32_t leaving;                    /* workers between their woken and their next state */
	struct loose_wake *loose;          /* owned ring of LOOSE_WAKES; made with the first one */
	uint32_t loose_first, loose_count; /* counted in notified, too */
	int64_t last_ts;                   /* latest event, snapshots left out */
	bool quiet_done, long_quiet_done;  /* this quiet moment was judged */
	bool counters_bad;                 /* reported; not again until they agree */
	bool terminating;
	int64_t terminate_ts, inject_ts; /* first terminate wake; last post to the injector */
	int64_t wake_ts, broadcast_ts;   /* last wake; last broadcast */
	struct actor actors[ACTORS];     /* threads from outside, by vtid */
	struct post_slot posts[POST_SLOTS], nameless[NAMELESS_POSTS];
	unsigned nameless_n;
	struct chain chain;
	struct jobs jobs;
	struct left *left;                /* owned; the same of the injector */
	struct outside *outside;          /* owned; null = nobody from outside woke */
	struct path *path;                /* owned; null = no phase has begun, or it did not fit */
	uint32_t path_asked;              /* workers, when one was made or did not fit */
	struct doze_storm storm;          /* open while storm_open: more decisions may join it */
	bool storm_open, storm_concerned; /* a worker of the scope caused it, or was woken in it */
	int64_t storm_last_wake;
};

struct doze_model {
	struct doze_model_options opt;
	struct doze_model_listener on;
	void *ctx;
	struct doze_totals totals;
	struct doze_measures measures;
	int64_t now;
	int64_t lost_to; /* spans that begin before this time rest on lost events */
	bool finished;
	struct pool *last_pool; /* cache of the last look-up */
	struct pool **pools;    /* owned, in order of appearance */
	size_t pool_count, pool_room;
	uint32_t *pool_hash; /* index + 1 into pools, open addressing; size is a power of two */
	size_t hash_room;
	struct worker **rows; /* owned by their pools; index is the row */
	size_t row_count, row_room;
	struct storm_queue *queue;     /* owned; made with the first wake */
	size_t path_bytes;             /* of all accounts (path.c) */
	uint64_t path_phases;          /* so many have begun, in all pools */
	const struct doze_event *mark; /* weak; while its listener is told */
	size_t storms_open;            /* pools with storm_open */
};

/* Copies text from the trace so that it cannot steer a terminal: control characters become '?'. */
void text_copy(char *to, size_t size, const char *from);

/* missing.c. Each worker_state, before it changes the worker. */
void missing_state(struct doze_model *, const struct worker *, const struct doze_event *);
void missing_wake(struct pool *, uint64_t id);
void missing_woken(struct doze_model *, const struct pool *, uint64_t id);
/* The pool will say no more: the trace ends, or another takes its number. */
void missing_finish(struct doze_model *, struct pool *);

/* keys.c. Null when memory is short or a bound is reached (counted in totals.evicted). */
struct pool *pool_of(struct doze_model *, const struct doze_event *);
struct worker *worker_of(struct doze_model *, struct pool *, int32_t index);
/* Null when it was never seen. */
struct worker *worker_seen(const struct pool *, int32_t index);
bool same_process(const struct pool *, const struct pool *);
void keys_free(struct doze_model *);
void pool_policy_set(struct pool *, const char *policy);
struct doze_worker_key pool_key(const struct pool *, int32_t index);

/* restart.c. A pool_start of a pool that is known already. True: its word is 0 again. */
bool pool_restart(struct doze_model *, struct pool *, int64_t ts);

/* states.c */
void state_event(struct doze_model *, struct worker *, const struct doze_event *);
void state_snapshot(struct doze_model *, struct worker *, const struct doze_event *);
void state_stop(struct doze_model *, struct worker *, int64_t ts);
void state_lost(struct worker *);
void state_finish(struct doze_model *, struct worker *, int64_t ts);

/* ledger.c */
void ledger_wake(struct doze_model *, struct pool *, const struct doze_event *);
void ledger_woken(struct doze_model *, struct worker *, const struct doze_event *);
/* A line that is decided without waiting; the fan-out of its decision loses it. */
void ledger_close(struct doze_model *, struct pool *, struct doze_wake *, enum doze_verdict);
/* ledger_loose.c: wakes without a target. */
void loose_add(struct doze_model *, struct pool *, struct doze_wake *, struct worker *by,
	       const struct doze_event *);
/* Makes the loose wake of that id the worker's open wake. False when there is none. */
bool loose_adopt(struct doze_model *, struct worker *, uint64_t wake_id);
/* When the loose wake of that id was made; 0 when there is none. */
int64_t loose_notified(const struct pool *, uint64_t wake_id);
void loose_lost(struct pool *);
void loose_finish(struct doze_model *, struct pool *, int64_t ts);
/* The target's open wake is a link of a chain, or the root of one. */
void ledger_chain(struct doze_model *, const struct worker *by, struct worker *target);

/* A wake, as soon as it is known whose. */
void ledger_count_sent(struct doze_model *, struct pool *, const struct doze_wake *,
		       const struct worker *by);
/* Before the worker's state changes from `from` to `to`. */
void ledger_state(struct doze_model *, struct worker *, enum doze_state from, enum doze_state to,
		  enum doze_reason, int64_t ts);
void ledger_lost(struct worker *);
void ledger_finish(struct doze_model *, struct worker *, int64_t ts);

/* outside.c. Wakes of threads from outside. */
void outside_sent(struct doze_model *, struct pool *, const struct doze_wake *);
void outside_futile(struct doze_model *, struct pool *, const struct doze_wake *);

/* storms.c */
/* Fills the line's `published`. */
void decision_wake(struct doze_model *, struct pool *, const struct doze_event *,
		   struct doze_wake *);
void decision_post(struct doze_model *, struct pool *, const struct doze_event *);
void decision_verdict(struct doze_model *, struct pool *, const struct doze_wake *, bool counted);
/* No more will be heard of the pool's decisions; their numbers may come again. */
void decisions_end(struct doze_model *, const struct pool *);
void storms_advance(struct doze_model *, int64_t now);
void storms_finish(struct doze_model *);

/* chain.c */
void chain_step(struct doze_model *, struct pool *, const struct doze_event *);
void chain_begin(struct pool *);
void chain_snapshot(struct pool *, uint64_t word);
void chain_quiet(struct doze_model *, struct pool *, int64_t ts);
/* The same after options.long_quiet_ns. */
void chain_long_quiet(struct doze_model *, struct pool *, int64_t ts);
void chain_lost(struct pool *);

/* jobs.c */
void jobs_post(struct doze_model *, struct pool *, struct worker *, const struct doze_event *);
/* Before any event of the pool: a poster that has gone on is not about to wake any more. */
void jobs_any(struct pool *, const struct doze_event *);
void jobs_start(struct doze_model *, struct pool *, struct worker *, const struct doze_event *);
/* A searcher becomes active. */
void jobs_found(struct worker *, enum doze_reason);
/* After a worker of the pool changed state: opens or closes an under-wake. */
void jobs_state(struct doze_model *, struct pool *, int64_t ts);
void jobs_lost(struct pool *);

/* left.c. After jobs.waiting has changed. */
void left_post(struct pool *, struct worker *, const struct doze_event *);
/* Fills w->took. */
void left_take(struct pool *, struct worker *, enum doze_source);
/* The oldest post whose job waits; not known: none was seen. */
struct doze_post_left left_oldest(const struct pool *);

/* findings.c. A finding is about the event at ts; finding_about: about an earlier one. */
void finding(struct doze_model *, const char *rule, struct doze_worker_key, int64_t ts,
	     const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void finding_about(struct doze_model *, const char *rule, struct doze_worker_key, int64_t ts,
		   int64_t about, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void ambiguous(struct doze_model *, const char *rule, struct doze_worker_key, int64_t ts,
	       const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* viz/check */
/* Everything that options.check adds; before the event is folded in. */
void rules_event(struct doze_model *, struct pool *, struct worker *, const struct doze_event *);
void rules_stopped(struct doze_model *, struct pool *, int64_t ts);
void rules_latch_end(struct doze_model *, struct pool *, int64_t ts);
/* Events were lost: what is due from anybody is not known any more. */
void rules_lost(struct doze_model *);
/* When nothing has moved in the pool for options.long_quiet_ns. */
void rules_quiet(struct doze_model *, struct pool *, int64_t ts);
void rules_finish(struct doze_model *, struct pool *, int64_t ts);

/* The scope (model.h): by time, by worker, by both. */
static inline bool in_range(const struct doze_model *m, int64_t ts)
{
	int64_t at = ts > m->totals.first_ts ? ts - m->totals.first_ts : 0;

	return at >= m->opt.selection.from && at <= m->opt.selection.to;
}

static inline bool in_choice(const struct doze_model *m, int32_t worker)
{
	return doze_worker_set_has(&m->opt.selection.workers, worker);
}

static inline bool in_scope(const struct doze_model *m, int64_t ts, int32_t worker)
{
	return in_range(m, ts) && in_choice(m, worker);
}

/* A wake counts when its notification lies in the scope, and is its wakee's. */
static inline bool wake_in_scope(const struct doze_model *m, const struct doze_wake *k)
{
	return in_scope(m, k->notified ? k->notified : k->awake, k->target.index);
}

static inline bool known_state(const struct worker *w, enum doze_state s)
{
	return w->known && w->v.state == s;
}

#endif
