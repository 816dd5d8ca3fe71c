/*
 * SPDX-License-Identifier: MIT
 *
 * model_int.h - the data of a model: a struct for each file of viz/model, and what they share.
 *
 *	entities.c           pools and workers by key
 *	states.c             worker states -> intervals
 *	ledger.c             wakes -> verdicts
 *	ledger_untargeted.c  wakes that name no target
 *	outside.c            threads from outside that woke
 *	storms.c             verdicts -> decisions -> storms
 *	chain.c              steps on the counters word, quiet moments
 *	jobs.c               publishes, under-wakes
 *	waiting_posts.c      the posts whose jobs wait
 *	missing.c            missing events that no loss report covers
 *	restart.c            a pool that takes the number of another
 *	findings.c           reports of what cannot be
 *	model.c              one event in: finds pool and worker, calls the files above and
 *observers queries.c            the questions of model.h and measures.h
 *
 * The functions of each file are declared in model_fn.h. Each file writes only its own struct and
 * the views.
 *
 * Memory: everything below is per worker, per pool, or a table of fixed size. A full table drops
 *its oldest entry and counts it in totals.evicted.
 */
#ifndef DOZE_VIZ_MODEL_INT_H
#define DOZE_VIZ_MODEL_INT_H

#include "../event/policies.h"
#include "measures.h"
#include "model.h"
#include "observer.h"

enum {
	MAX_WORKERS = 4096, /* per pool, as in the library; a trace that claims more is damaged */
	MAX_ROWS = 1 << 14, /* workers of all pools */
	MAX_POOLS = 4096,
	MAX_OBSERVERS = 4,
	NAMELESS_POSTS = 8,    /* latest posts without a decision's number, per pool */
	POST_SLOTS = 64,       /* recent publishes by decision, per pool */
	DECISION_SLOTS = 8192, /* open decisions, all pools */
	GAP_WORDS = 32,        /* words seen since a step was missing */
	WAKE_IDS = 4096,       /* latest numbers of wakes, per pool */
	REDUNDANT_IDS = 4,     /* recent redundant wakes of one sleep */
	POLICY_NAME = 24,
	MARK_TEXT = 256,
};

/* ---- of a worker ---- */

/* states.c: the sums that it reported last. */
struct job_sums {
	uint64_t run, published;
};

/* ledger.c: the one open wake (v.wake_phase). */
struct open_wake {
	struct doze_wake line;
	bool lost;      /* events were lost since the notification */
	bool woken_due; /* left its sleep as woken; the woken event is still to come */
	enum doze_scope_kind scope;
	struct worker *by; /* weak; null = outside */
	uint64_t redundant_ids[REDUNDANT_IDS];
	unsigned redundant_count;
	uint32_t chain_depth; /* links from the root of the wake that last woke it */
};

struct worker {
	struct doze_worker_view v; /* first: doze_pool_worker */
	struct pool *pool;
	struct job_sums reported;
	uint64_t starts; /* missing.c: job_start events */
	struct open_wake wake;
	int32_t victim;              /* waiting_posts.c: of its last successful steal */
	struct waiting_posts *posts; /* owned; of its deque; null = none yet */
};

/* ---- of a pool ---- */

/* model.c: this quiet moment was judged. */
struct quiet {
	bool done, long_done;
};

/* missing.c: which of the latest WAKE_IDS numbers of wakes were seen, a bit each by number %
 * WAKE_IDS. */
struct wake_ids {
	uint64_t max, first; /* highest and lowest number yet; max 0 = none */
	uint64_t holes;      /* below those that the bits stand for */
	uint64_t bits[WAKE_IDS / 64];
};

/* chain.c: the counters word. */
struct chain {
	bool based;    /* `sum` rests on a word that was seen */
	bool tolerate; /* events were missed: the next gap is no fault */
	uint64_t sum;  /* base + all (new - old) seen: independent of the order of events */
	uint64_t last; /* the word of the latest event */
	bool gap;      /* the latest event did not join up with `sum` */
	int64_t gap_ts;
	uint64_t gap_wanted, gap_found; /* the words that did not join */
	uint32_t gap_steps;
	uint64_t gap_words[GAP_WORDS];
	bool mismatch; /* counters and states disagree; not reported again until they agree */
};

/* jobs.c: under-wakes, level jobs. */
struct jobs {
	bool under; /* an under-wake is open */
	int64_t under_ts;
	struct doze_waiting_post under_post; /* the post whose job waits */
	bool waking; /* a post chose to wake; its thread has not yet done so, nor gone on */
	int32_t waking_vtid;
};

/* waiting_posts.c */
struct post_queues {
	uint64_t round; /* increases whenever no job waits: all lists are empty then */
	uint32_t early; /* jobs taken before their posts were seen */
	struct waiting_posts *injector; /* owned; null = none yet */
};

/* storms.c */
struct post_slot {
	uint64_t decision_id; /* 0 = empty, or a post that did not know its decision's number */
	int64_t ts;           /* 0 = empty */
	uint32_t jobs;
	int32_t vtid;
};

struct recent_posts {
	struct post_slot by_decision[POST_SLOTS], nameless[NAMELESS_POSTS];
	unsigned nameless_next;
};

struct open_storm {
	bool open;           /* more decisions may join it */
	bool concerns_scope; /* a worker of the scope caused it, or was woken in it */
	int64_t last_wake;
	struct doze_storm storm;
};

/* The names of a pool's latches (latch_names.c). */
struct latch_name {
	uint64_t id;
	uint32_t number, next; /* next: slot + 1 of the chain */
};

struct latch_names {
	struct latch_name *slot; /* owned */
	uint32_t *head;          /* owned; slot + 1, by hash */
	uint32_t room, count;    /* slots, a power of two; latches named so far */
};

struct pool {
	struct doze_pool_view v; /* first: doze_pool_worker */
	char policy[POLICY_NAME];
	struct worker **by_index; /* owned array of owned workers, null where unseen */
	size_t index_capacity;
	uint32_t leaving; /* states.c: workers between their woken and their next state */
	struct quiet quiet;
	struct wake_ids ids;
	struct untargeted *untargeted; /* owned; ledger_untargeted.c; null = none yet */
	struct outside *outside;       /* owned; outside.c; null = nobody from outside woke */
	struct chain chain;
	struct latch_names latches;
	struct jobs jobs;
	struct post_queues queues;
	struct recent_posts posts;
	struct open_storm storm;
};

/* ---- of the model ---- */

struct entities {
	struct pool *last_pool; /* the result of the last look-up */
	struct pool **pools;    /* owned, in order of appearance */
	size_t pool_count, pool_capacity;
	uint32_t *hash; /* index + 1 into pools, open addressing; its size is a power of two */
	size_t hash_size;
	struct worker **rows; /* owned by their pools; index is the row */
	size_t row_count, row_capacity;
};

struct observers {
	unsigned count;
	const struct doze_observer *of[MAX_OBSERVERS]; /* weak */
	void *ctx[MAX_OBSERVERS];
};

struct doze_model {
	struct doze_model_options opt;
	struct doze_model_listener on;
	void *ctx;
	struct observers observers;
	struct doze_totals totals;
	struct doze_measures measures;
	int64_t now;
	int64_t lost_to; /* spans that begin before this time rest on lost events */
	bool finished;
	struct entities entities;
	struct decisions *decisions; /* owned; storms.c; made with the first wake */
	size_t storms_open;          /* pools with an open storm */
};

/* Calls a hook of each observer that has it. */
#define notify_observers(m, hook, ...)                                                             \
	do {                                                                                       \
		const struct observers *all_ = &(m)->observers;                                    \
		for (unsigned i_ = 0; i_ < all_->count; i_++)                                      \
			if (all_->of[i_]->hook)                                                    \
				all_->of[i_]->hook(all_->ctx[i_], __VA_ARGS__);                    \
	} while (0)

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
	return w->v.known && w->v.state == s;
}

#endif
