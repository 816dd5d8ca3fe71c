/*
 * SPDX-License-Identifier: MIT
 *
 * check_int.h - the checker's notes, and its rules. See README.md for how to add a rule.
 *
 *	checker.c      hands each event to the rules, and judges what may not last
 *	checker_notes.c        the notes by pool and by worker
 *	rules_word.c   the counters word: which event may make which step
 *	rules_wake.c   posts and wakes: how many, whom, for what
 *	rules_carry.c  decisions: the wakes that must follow them
 *	rules_latch.c  latches: their steps, and the wake of the owner
 *
 * What a policy allows is in viz/event/policies.h. A policy without a descriptor is held to what
 * holds for every pool.
 *
 * Every rule judges by the payload of one event, or by the order of events of one thread, or of
 * events that were emitted under one lock. None compares timestamps of two CPUs otherwise, since
 * those are not the order of the atomic steps.
 */
#ifndef DOZE_VIZ_CHECK_INT_H
#define DOZE_VIZ_CHECK_INT_H

#include "../event/policies.h"
#include "../model/observer.h"

enum { CHECK_ACTORS = 16 }; /* threads from outside with notes, per pool */

/* A worker whose wake is due: its latch was set while it slept on it, or a thread that woke all
 * left it out (rules_latch.c). */
struct wake_due {
	bool set;
	bool patient;     /* only a long quiet moment proves it */
	int64_t ts, seen; /* of the set; when the thread that owed the wake had gone on */
	int32_t by, by_vtid;
	uint64_t latch; /* 0: somebody woke all */
};

/* What a thread must carry out (rules_carry.c). */
enum carry {
	CARRY_NONE,
	CARRY_POST,   /* the wakes that its post chose */
	CARRY_FOUND,  /* those for work found */
	CARRY_ALL,    /* one signal for each sleeper, under the pool's lock */
	CARRY_TICKLE, /* a wake for each sleeper: it took the sleepers' bit */
};

/* The notes on one thread: which latch it set last, and its last decision. */
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

/* The notes on a worker. */
struct check_worker {
	const struct doze_worker_view *v;
	bool has_sleepy_jec; /* rules_word.c */
	uint64_t sleepy_jec; /* the JEC that it remembered when it got sleepy */
	uint64_t slept_on;   /* rules_latch.c: the latch that it made SLEEPING last; 0 = none */
	struct wake_due due;
	struct actor actor;
};

/* The notes on a pool. */
struct check_pool {
	const struct doze_pool_view *v;
	struct doze_model *model;       /* weak; for findings */
	struct check_worker **by_index; /* owned array of owned notes */
	uint32_t capacity;
	struct actor actors[CHECK_ACTORS]; /* threads from outside, by vtid */
	/* checker.c: 0 = none */
	bool terminating;
	int64_t terminate_ts, inject_ts; /* first terminate wake; last post to the injector */
	int64_t wake_ts, broadcast_ts;   /* last wake; last broadcast */
};

struct checker {
	struct doze_model *model; /* weak */
	struct check_pool **pool; /* owned array of owned notes, by row */
	uint32_t capacity;
};

/* ---- checker_notes.c ---- */

void check_free(void *checker);
/* Null when memory is short (counted in totals.evicted). */
struct check_pool *check_pool_new(struct checker *, const struct doze_pool_view *);
/* The same; null, too, when the model has not seen that worker. */
struct check_worker *check_worker_new(struct check_pool *, int32_t index);

static inline struct check_pool *check_pool_of(struct checker *c, const struct doze_pool_view *v)
{
	if (v->row < c->capacity && c->pool[v->row])
		return c->pool[v->row];
	return check_pool_new(c, v);
}

static inline struct check_worker *check_worker_of(struct check_pool *p, int32_t index)
{
	if (index >= 0 && (uint32_t)index < p->capacity && p->by_index[index])
		return p->by_index[index];
	return index < 0 ? 0 : check_worker_new(p, index);
}

/* The notes on whoever made an event. w null: a thread from outside, by its vtid. */
struct actor *check_actor_of(struct check_pool *, struct check_worker *w, int32_t vtid);
/* Forgets what threads must carry out and who is due a wake: events were lost. */
void check_forget_due(struct check_pool *);
/* Forgets everything: another pool has the number now. */
void check_forget_all(struct check_pool *);

/* ---- the rules ----
 * Each returns silently, or reports findings. Before the event is folded in; w may be null. */

void check_rule_word(struct check_pool *, struct check_worker *, const struct doze_event *);
void check_rule_jec(struct check_pool *, struct check_worker *, const struct doze_event *);
void check_rule_post(struct check_pool *, const struct doze_event *);
void check_rule_wake(struct check_pool *, const struct doze_event *);
void check_rule_latch(struct check_pool *, struct actor *, const struct doze_event *);
void check_rule_carry(struct check_pool *, struct actor *, const struct doze_event *);
/* Nothing has moved for long, or the trace ends: what was not carried out by now never will be. */
void check_rule_carry_end(struct check_pool *, int64_t ts);
void check_rule_latch_end(struct check_pool *, int64_t ts);

/* ---- what several rules ask ---- */

static inline bool is_asleep(const struct check_worker *w)
{
	return w->v->known && w->v->state == DOZE_STATE_sleeping;
}

/* Sleeps, and nobody has woken it. */
static inline bool sleeps_unwoken(const struct check_worker *w)
{
	return is_asleep(w) && !w->v->unknown && !w->v->counted_out && !w->v->leaving &&
	       w->v->wake_phase == DOZE_WAKE_none;
}

/* The state of each worker is known for certain, so that they can be counted. */
static inline bool all_known(const struct check_pool *p)
{
	return p->v->workers && p->v->known_workers == p->v->workers && !p->v->uncertain_workers;
}

/* Sleepers for whom no signal is under way. */
static inline uint32_t unsignalled(const struct check_pool *p)
{
	uint32_t asleep = p->v->in_state[DOZE_STATE_sleeping];

	return asleep > p->v->untargeted ? asleep - p->v->untargeted : 0;
}

static inline bool counts_word(const struct check_pool *p, const struct doze_policy_descriptor *r)
{
	return p->v->layout.kind == DOZE_WORD_counters && p->v->layout.bits_inactive &&
	       (r->word == DOZE_WORD_RULE_COUNTS || r->word == DOZE_WORD_RULE_JEC);
}

#endif
