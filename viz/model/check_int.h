/*
 * SPDX-License-Identifier: MIT
 *
 * check_int.h - the checker's notes (what it remembers about pools, workers and threads), and the
 * declarations of its rules. check.md lists the files and explains how to add a rule.
 *
 * viz/trace/policies.h describes what a policy allows. A policy without a descriptor is checked
 * only against the rules for every pool.
 *
 * A rule uses the payload of one event, the order of one thread's events, or the order of events
 * that were emitted under one lock. No rule compares other timestamps of two CPUs, because they do
 * not show the order of the atomic steps.
 */
#ifndef DOZE_VIZ_CHECK_INT_H
#define DOZE_VIZ_CHECK_INT_H

#include "../trace/policies.h"
#include "observer.h"

/* Maximum number of outside threads (threads that are not workers) to remember per pool. */
enum { CHECK_ACTORS = 16 };

/* A wake that a worker must still receive, because its latch was set while it slept on that latch,
 * or because a thread that woke all sleepers left it out (rules_latch.c). */
struct wake_due {
	bool set;
	bool patient;     /* report a missing wake only after a long quiet period at the end of the
			   * trace */
	int64_t ts, seen; /* times of the step that made the wake necessary, and of the next event
			   * of the thread that made the step */
	int32_t by, by_vtid;
	uint64_t latch; /* 0: a thread woke all workers, so it must also wake this one */
};

/* The decision that a thread is carrying out by waking workers (rules_wake.c). */
enum carry {
	CARRY_NONE,
	CARRY_POST,  /* the thread has posted jobs and must wake as many workers as it chose */
	CARRY_FOUND, /* the thread is a worker that found work and may wake up to `chosen` others */
	CARRY_ALL,   /* the thread holds the pool's lock and must send one signal per sleeper */
	CARRY_TICKLE, /* the thread has cleared the sleepers' bit and must wake every sleeper */
};

/* What the checker remembers about a thread: the latch that it set last, and its latest
 * decision. */
struct actor {
	int32_t vtid;
	/* For rules_latch.c. */
	int32_t owner;
	uint64_t latch; /* 0 = none yet */
	int64_t set_ts;
	bool wake_due; /* the thread must wake the latch's owner, but has not done so yet */
	/* For rules_wake.c. */
	enum carry carry;
	uint64_t decision; /* 0 = not yet known */
	int64_t carry_ts;
	uint32_t chosen, made; /* number of wakes chosen; number made so far */
};

/* What the checker remembers about a worker. */
struct check_worker {
	const struct doze_worker_view *v;
	bool has_sleepy_jec;     /* rules_word.c */
	uint64_t sleepy_jec;     /* the JEC that the worker read when it became sleepy */
	uint64_t slept_on;       /* rules_latch.c: the last latch that the worker set to SLEEPING; 0
				  * = none */
	uint64_t run, published; /* rules_word.c: the job totals that the worker last reported */
	struct wake_due due;
	struct actor actor;
};

/* What the checker remembers about a pool. */
struct check_pool {
	const struct doze_pool_view *v;
	struct doze_model *model;          /* not owned; receives the findings */
	struct doze_notes workers;         /* struct check_worker, by index */
	struct actor actors[CHECK_ACTORS]; /* outside threads, hashed by vtid */
	struct check_job *jobs;            /* owned; see rules_job.c; null: no job yet */
	bool after_stop; /* rules_word.c: the finding about an event after the pool's stop has been
			  * reported */
	/* checker.c: termination has begun */
	bool terminating;
	/* Times of the first terminate wake, and of the last post to the injector. */
	int64_t terminate_ts, inject_ts;
	int64_t wake_ts, broadcast_ts; /* times of the last wake and the last broadcast */
};

struct checker {
	struct doze_model *model; /* not owned */
	struct doze_notes pools;  /* struct check_pool, by row */
};

/* ---- the checker's notes ---- */

/* Returns null if out of memory, or if the model has not seen that worker. */
struct check_worker *check_worker_new(struct check_pool *, int32_t index);

/* Returns null if out of memory (counted in totals.evicted). */
static inline struct check_pool *check_pool_of(struct checker *c, const struct doze_pool_view *v)
{
	struct check_pool *p = doze_notes_of(&c->pools, v->row, sizeof *p, c->model);

	if (p && !p->v) {
		p->v = v;
		p->model = c->model;
	}
	return p;
}

static inline struct check_worker *check_worker_of(struct check_pool *p, int32_t index)
{
	struct check_worker *w = index < 0 ? 0 : doze_notes_find(&p->workers, (uint32_t)index);

	return w || index < 0 ? w : check_worker_new(p, index);
}

/* Returns the first worker of the pool for null, otherwise the next one; null after the last. */
static inline struct check_worker *check_next(struct check_pool *p, struct check_worker *w)
{
	int32_t i = w ? w->v->key.index + 1 : 0;

	for (w = 0; !w && (uint32_t)i < p->v->index_end; i++)
		w = check_worker_of(p, i);
	return w;
}

/* Reports that the thread of an event breaks a rule. */
#define check_report(p, e, rule, ...)                                                              \
	doze_model_finding((p)->model, rule, doze_pool_key((p)->v, (e)->worker), (e)->ts,          \
			   __VA_ARGS__)

/* ---- the rules ----
 * Each rule reports its findings before the model processes the event. w may be null. */

void check_rule_word(struct check_pool *, struct check_worker *, const struct doze_event *);
void check_rule_jec(struct check_pool *, struct check_worker *, const struct doze_event *);
void check_rule_post(struct check_pool *, const struct doze_event *);
void check_rule_wake(struct check_pool *, const struct doze_event *);
void check_rule_latch(struct check_pool *, struct check_worker *, struct actor *,
		      const struct doze_event *);
/* Called for each event for which may_carry is true, or whose thread still has wakes to make. */
void check_rule_carry(struct check_pool *, struct actor *, const struct doze_event *);
/* Called for job_taken, job_start, job_end and steal. */
void check_rule_job(struct check_pool *, struct check_worker *, const struct doze_event *);
/* Called for pool_stop. */
void check_rule_job_stop(struct check_pool *, int64_t ts);
void check_rule_job_forget(struct check_pool *);
/* Also called for events with an unknown label. */
void check_rule_range(struct check_pool *, struct check_worker *, const struct doze_event *);
/* Called at the end of the trace. Reports that the wakes still missing were never made, unless the
 * trace was cut off less than long_quiet_ns after the decision. */
void check_rule_carry_end(struct check_pool *, int64_t ts);
/* Called after a long quiet period. Reports workers that have not been woken although the setter of
 * their latch has since reported something else. */
void check_rule_latch_quiet(struct check_pool *, int64_t ts);
void check_rule_latch_end(struct check_pool *, int64_t ts);

/* ---- conditions that several rules use ---- */

/* Returns whether all events of a step made at `since` must have been reported by the trace's end,
 * ts. */
static inline bool is_over(const struct check_pool *p, int64_t since, int64_t ts)
{
	return p->v->stopped || ts - since > doze_model_limits(p->model)->long_quiet_ns;
}

static inline bool is_asleep(const struct check_worker *w)
{
	return w->v->known && w->v->state == DOZE_STATE_sleeping;
}

/* Returns whether the worker sleeps and has received no wake. */
static inline bool sleeps_unwoken(const struct check_worker *w)
{
	return is_asleep(w) && !w->v->unknown && !w->v->counted_out && !w->v->leaving &&
	       w->v->wake_phase == DOZE_WAKE_none;
}

/* Returns whether every worker's state is certain, so that the workers in a state can be
 * counted. */
static inline bool all_known(const struct check_pool *p)
{
	return p->v->workers && p->v->known_workers == p->v->workers && !p->v->uncertain_workers;
}

/* Returns whether the event may report a decision that its thread carries out by waking workers. */
static inline bool may_carry(const struct doze_event *e)
{
	return e->kind == DOZE_EV_wake || e->kind == DOZE_EV_post || e->kind == DOZE_EV_jec;
}

/* Returns the number of sleepers minus the signals that no worker has received yet. */
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
