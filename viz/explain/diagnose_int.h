/*
 * SPDX-License-Identifier: MIT
 *
 * diagnose_int.h - the data of a diagnosis, and the functions that its files share.
 *
 *	diag_observer.c receives the model's events
 *	moments.c       the time between two events: which workers sleep, which jobs wait
 *	stretches.c     one worker's time from waking up to its next sleep; futile wakes
 *	off_cpu.c       how long jobs were without a CPU; affinity masks and quotas
 *	hang.c          hangs and standstills
 *	diag_notes.c    costs over time, and facts for the texts: the worst instances, ...
 *	rank.c          turns costs into a list of causes
 *	cause_words.c   describes the causes in words, and writes the verdict
 *	diagnosis.c     puts the list and the words together, and prints them
 */
#ifndef DOZE_VIZ_DIAGNOSE_INT_H
#define DOZE_VIZ_DIAGNOSE_INT_H

#include "../model/model.h"
#include "../model/observer.h"
#include "../trace/policies.h"
#include "diagnose.h"

/*
 * ---- Facts that the text about a cause mentions, for any part of a trace ----
 *
 * The facts are kept per period. All periods have the same length. When the trace outgrows them,
 * pairs of periods are merged, so memory does not grow. The costs below are kept in the same way,
 * in shorter slots.
 */

struct diag_pool;

enum {
	PERIODS = 64,
	PERIOD_NS = 524288, /* initial length of a period */
	OUTSIDERS = 16,     /* maximum number of outside threads distinguished */
};

/* One instance of a kind of trouble. */
struct instance {
	int64_t at, end;
	double cost;
	int32_t worker, vtid;
	uint32_t n, m; /* meaning depends on the kind: for example, how many workers were woken, and
			* how many of them in vain */
	struct doze_waiting_post post;
	enum doze_cause why;
};

/* Length of the profile: entry k is the time with k active workers, and the last entry the time
 * with at least that many. */
enum { PROFILE = 17 };

/* What happened in one period. */
struct period {
	uint64_t times[DOZE_TROUBLE_COUNT]; /* number of instances that began in the period */
	struct instance worst[DOZE_TROUBLE_COUNT]; /* the worst of these instances, if any */
	/* How long the pool waited for each outside thread, and the number of such waits. */
	struct {
		int64_t ns;
		uint64_t times;
	} waited[OUTSIDERS];
	int64_t profile[PROFILE]; /* time by number of active workers, ns */
};

struct periods {
	int64_t base, width; /* start of period 0; length of each period */
	unsigned last;       /* the period that was used last, and its bounds */
	int64_t last_from, last_to;
	struct period of[PERIODS];
};

/* An outside thread for which the pool waited. vtid -1: unknown thread. */
struct outsider {
	int32_t vtid;
	int64_t ns;
	uint64_t times;
};

/* What happened in a part of the trace. Periods that are only partly inside count in proportion. */
struct diag_part {
	uint64_t times[DOZE_TROUBLE_COUNT]; /* number of instances */
	struct outsider outsider[OUTSIDERS];
	uint32_t outsiders;
	int64_t profile[PROFILE]; /* ns */
};

void diag_periods_begin(struct periods *, int64_t ts);
void diag_instance(struct diag_pool *, enum doze_trouble, const struct instance *);
void diag_forget_instances(struct diag_pool *, enum doze_trouble);
/* Counts a gap (a time without an active worker) that this outside thread ended. */
void diag_waited(struct diag_pool *, unsigned outsider, int64_t from, int64_t to);
/* Counts time with this number of active workers (at most PROFILE - 1). */
void diag_profile(struct diag_pool *, unsigned active, int64_t from, int64_t to);
/* Returns the worst of the kept instances that overlap the part, or null. Each period keeps only
 * its worst instance, so a part shorter than a period may contain instances that are not kept. */
const struct instance *diag_worst(const struct diag_pool *, enum doze_trouble, int64_t from,
				  int64_t to);
struct diag_part diag_part(const struct diag_pool *, int64_t from, int64_t to);
/* Returns the outside thread for which the pool waited longest, or null if unknown. */
const struct outsider *diag_slowest(const struct diag_part *);
/* Returns the outside thread for which the pool waited longest, and how long and how often the pool
 * waited for it. The vtid is -1 if most posts that ended a gap are not recorded. If only one
 * outside thread is known to post, these posts are attributed to it. */
struct outsider diag_waited_for(const struct diag_part *);

/* ---- The accounts ---- */

/* Cost columns in addition to the kinds of trouble. */
enum {
	COST_all = DOZE_TROUBLE_COUNT,
	COST_awake,
	COST_active,
	COST_search,
	COST_usable, /* time that the CPUs could have given the workers */
	/* Search time without a CPU: while another worker was active, and while the pool waited for
	 * an outside thread. */
	COST_yielded_serial,
	COST_yielded_outside,
	COST_COLUMNS
};

enum {
	SLOTS = 512,
	SLOT_NS = 65536, /* initial width of a slot */
	DECISIONS = 64,  /* number of recent wake decisions that are kept */
	JOBS = 4096,     /* number of waiting jobs whose post times are kept */
	DIAG_CPUS = 1024,
};

struct costs {
	int64_t base, width; /* start of slot 0; width of each slot */
	int64_t end;         /* end of the latest cost */
	/* The slot of the latest cost and its bounds: most costs are short and fall into the same
	 * slot as the previous one. If both bounds are equal, no slot is remembered. */
	int64_t last, last_from, last_to;
	double slot[SLOTS][COST_COLUMNS];
};

/* A worker's time from waking up to its next sleep. */
struct stretch {
	bool open, woken, found, latch, cpu_known, leaving;
	int64_t since, segment; /* when the worker woke up; when its present state began */
	int64_t search, active; /* time spent, ns */
	double usual; /* search time, where each search counts at most USUAL_NS for each of its
		       * rounds, ns */
	int64_t last_search;         /* search time since the worker was last active, ns */
	int64_t longest_at, longest; /* start and length of the worker's longest search */
	uint32_t searches;           /* number of times the worker was idle */
	int64_t beside_active;       /* search time during which another worker was active, ns */
	int64_t for_outside;         /* search time during which the pool waited for an outside
				      * thread, ns */
	/* The values of active_clock and outside_clock of the pool when the worker's present state
	 * began. */
	int64_t active_clock, outside_clock;
	uint64_t cpu_from;
	uint64_t decision;
	enum doze_cause cause;
	int32_t waker, waker_vtid;
	int64_t notified;
};

/* The CPU time that a worker's thread last reported, and how long its jobs were without
 * a CPU. */
struct off_cpu {
	bool known;      /* `cpu` was reported by the worker's present thread */
	bool passed;     /* another thread has taken over the worker, so `delay` covers only one of
			  * its threads */
	int64_t since;   /* when `cpu` was reported */
	int64_t segment; /* when the worker's present state began; 0: unknown */
	int64_t active;  /* time that the worker was active since then, ns */
	uint64_t cpu;    /* CPU time last reported, ns */
	double off;      /* total time that the worker's jobs spent without a CPU, ns */
	/* The latest reports between which the worker was active and hardly used a CPU: when they
	 * began (0: none), and the time without a CPU, ns. */
	int64_t nap_since;
	double nap;
	uint64_t jobs_run; /* in the latest snapshot */
	double yielded;    /* total time that the worker searched without a CPU, ns */
	uint64_t delay;    /* total time the thread waited for a CPU, ns; 0: unknown */
};

/* The times of a pool's jobs, as far as they are known. */
struct off_cpu_sums {
	double active, cpu; /* active time and CPU time of workers whose CPU time is known, ns */
	double off;         /* the part of `active` without a CPU, ns */
	double waited;      /* minimum part of `off` in which jobs waited for something other than a
			     * CPU, ns */
	double delay;       /* total time that workers waited for a CPU, in any state, ns */
	bool delay_is_known; /* `delay` is known for almost all of `off` */
};

struct decision {
	uint64_t id; /* 0: unused */
	int64_t from, to;
	uint32_t woken, futile, jobs;
	double cost;
	int32_t waker, vtid, worker;
	enum doze_cause cause;
	uint64_t caller; /* code address of the post that led to the decision; 0: unknown */
};

struct queued {
	int64_t low, high;              /* bounds on the number of waiting jobs */
	struct doze_waiting_post first; /* the post that began the present period in which at least
					 * one job has been waiting */
	struct waiting {
		uint64_t id; /* 0: free */
		int64_t ts;
	} job[JOBS];
	struct doze_hist delay; /* time from post to start of recorded jobs, ns */
	uint64_t unknown;       /* number of starts without a recorded post */
};

/* A span of time that may still be open. */
struct span {
	bool open;
	int64_t since;
	double cost;
	uint32_t most;   /* the largest number of jobs or workers during the span */
	uint32_t others; /* the largest number of active workers of other pools */
	int32_t worker, vtid;
	struct doze_waiting_post post;
};

/* The workers with the same affinity mask. */
enum { CPU_GROUPS = 16 };
struct cpu_group {
	struct doze_cpu_set cpus;
	uint32_t workers;
	int64_t active; /* number of these workers that are active or have suspended a job */
};

struct diag_pool {
	struct diag_pool *next_live;    /* not owned */
	const struct doze_pool_view *v; /* not owned */
	bool begun, ended;
	/* ns: time of the first event; time up to which everything is accounted for. */
	int64_t start, last;
	int64_t lost_until;
	int64_t active_clock; /* time with at least one active worker, ns */
	/* Time in which workers only searched, because an outside thread had not posted a job, ns.
	 * Searching workers beyond the number of CPUs do not count. */
	int64_t outside_clock;
	/* How much the present gap (a time without an active worker) has added to outside_clock,
	 * and how long workers searched in it. */
	int64_t gap_clock, gap_search;
	/* Sum of the indices of the active workers. If only one worker is active, this is its
	 * index. */
	int64_t active_index;
	struct costs costs;
	struct periods periods;
	int64_t rest_since; /* when the last worker stopped running or searching; 0: a worker is
			     * running or searching */
	uint32_t leaving;   /* workers that have reported `woken`, but not their next state */
	struct span asleep, lone, gap, crowd, pinned;
	struct cpu_group group[CPU_GROUPS];
	uint32_t groups;
	struct {
		bool known;
		uint64_t milli; /* thousandths of a CPU; 0: none */
		uint64_t total; /* throttled time last reported, ns */
		int64_t since;  /* when it was reported */
	} quota;
	/* Largest number of simultaneously active workers since all workers last slept, and the
	 * span in which only one worker was active. */
	uint32_t peak;
	struct span alone;
	int64_t alone_to, alone_longest;
	struct decision decision[DECISIONS];
	/* The latest post. Under tickle, a post has no decision id, but its thread's wakes follow
	 * it directly. */
	int32_t post_vtid;
	uint64_t post_caller;
	struct queued queued;
	int32_t outsider[OUTSIDERS]; /* vtids of the outside threads; -1: an unknown thread */
	uint32_t outsiders;
	/* The latest gap, as long as no event has shown which thread ended it. Both are 0 once the
	 * thread is known. */
	int64_t unnamed_from, unnamed_to;
	/* Total CPU time and total length of the stretches whose CPU time is known, ns. */
	double cpu_ns, cpu_wall;
	double job_wall, job_cpu; /* active time and CPU time that off_cpu.c has compared, ns */
	uint64_t deadlocks;
	/* Bounds on the time integral of the number of sleepers for which jobs wait, ns. */
	double missed_low, missed_high;
};

/* What waits in a hang: a job, the owner of a set latch, the pool's termination, or a
 * blocked worker. Stored in member m of struct instance. */
enum { DIAG_HANG_job, DIAG_HANG_latch, DIAG_HANG_end, DIAG_HANG_blocked };

/* Per worker: the latch that was set while the worker slept on it, if the worker is still
 * asleep. */
struct unserved {
	int64_t ts; /* 0: none */
	uint64_t id;
	enum doze_latch_kind kind;
	int32_t by, by_vtid;
};

struct diag_finding {
	bool any;
	struct doze_finding first;
};

struct diagnosis {
	struct doze_model *model;       /* not owned */
	const struct doze_event *event; /* the event that is being processed */
	struct diag_pool **pool;        /* owned, by row */
	struct diag_pool *live;         /* the pools that have begun and not ended; not owned */
	size_t pools;
	struct diag_worker {
		struct stretch stretch;
		struct unserved latch;
		int64_t blocked_since; /* ns; meaningful while the worker is blocked */
		struct off_cpu off;
		uint32_t group; /* index plus 1 in the pool's groups; 0: the mask is unknown */
		bool counted;   /* the group counts the worker as active */
		struct running {
			uint64_t id;    /* the latest recorded start of a job; 0: none */
			int64_t ts;     /* its time */
			uint32_t depth; /* number of recorded jobs on the worker's stack */
		} running;
	} * worker; /* owned, indexed by row */
	size_t workers;
	uint64_t cpu_seen[DIAG_CPUS / 64];
	uint32_t cpus, cpus_told;
	uint32_t cpus_online; /* number of CPUs of the traced machine; 0: unknown */
	struct diag_finding finding;
	bool failed;
};

const struct diagnosis *diagnosis_of(const struct doze_model *);
struct diagnosis *diagnosis_for(const struct doze_model *);
struct diag_pool *diag_pool_new(struct diagnosis *, size_t row);
struct diag_worker *diag_worker_new(struct diagnosis *, size_t row);
/* Return the diagnosis's data on a pool or a worker, which they create if necessary, or null if out
 * of memory. */
static inline struct diag_pool *diag_pool_at(struct diagnosis *d, size_t row)
{
	return row < d->pools && d->pool[row] ? d->pool[row] : diag_pool_new(d, row);
}

static inline struct diag_worker *diag_notes_at(struct diagnosis *d, size_t row)
{
	return row < d->workers ? &d->worker[row] : diag_worker_new(d, row);
}

static inline struct stretch *diag_worker_at(struct diagnosis *d, size_t row)
{
	struct diag_worker *w = diag_notes_at(d, row);

	return w ? &w->stretch : 0;
}

static inline struct unserved *diag_latch_at(struct diagnosis *d, size_t row)
{
	struct diag_worker *w = diag_notes_at(d, row);

	return w ? &w->latch : 0;
}

static inline struct off_cpu *diag_off_at(struct diagnosis *d, size_t row)
{
	struct diag_worker *w = diag_notes_at(d, row);

	return w ? &w->off : 0;
}

static inline uint32_t diag_cpus(const struct diagnosis *d)
{
	return d->cpus_told ? d->cpus_told : d->cpus_online ? d->cpus_online : d->cpus;
}
static inline uint32_t diag_workers(const struct doze_pool_view *v)
{
	return v->workers ? v->workers : v->known_workers;
}

/* Returns the number of workers that run jobs or have suspended one. */
static inline int64_t diag_active(const struct doze_pool_view *v)
{
	return (int64_t)v->in_state[DOZE_STATE_active] + v->in_state[DOZE_STATE_suspended];
}

/* ---- diag_notes.c: costs ---- */

void diag_cost_spread(struct costs *, unsigned column, int64_t from, int64_t to, double cost);
/* Returns the slot of the latest cost if the slot contains the whole time from `from` to `to`,
 * otherwise null. The caller adds the cost to the returned slot. */
static inline double *diag_cost_slot(struct costs *c, int64_t from, int64_t to)
{
	if (from < c->last_from || to >= c->last_to || to < from)
		return 0;
	c->end = to > c->end ? to : c->end;
	return c->slot[c->last];
}
/* Adds a cost, spread evenly over the time from `from` to `to`. */
static inline void diag_cost(struct costs *c, unsigned column, int64_t from, int64_t to,
			     double cost)
{
	double *slot;

	if (cost <= 0)
		return;
	slot = diag_cost_slot(c, from, to);
	if (slot)
		slot[column] += cost;
	else
		diag_cost_spread(c, column, from, to, cost);
}
/* Adds a cost, distributed over the time in proportion to the cost in column `like`. */
void diag_cost_like(struct costs *, unsigned column, unsigned like, int64_t from, int64_t to,
		    double cost);
double diag_cost_in(const struct costs *, unsigned column, int64_t from, int64_t to);
/* Returns the cost without the share that `part` has of `all` in each slot, times `scale`. */
double diag_cost_without(const struct costs *, unsigned column, unsigned part, unsigned all,
			 double scale, int64_t from, int64_t to);
/* Removes the cost in this time. */
void diag_cost_remove(struct costs *, unsigned column, int64_t from, int64_t to);

/* ---- moments.c ---- */

/* Called before the model processes the event. */
void diag_queued_event(struct diag_pool *, const struct doze_event *);
/* Return the minimum and the maximum number of waiting jobs. */
static inline int64_t diag_queued(const struct diag_pool *p)
{
	if (!p->v->in_state[DOZE_STATE_sleeping])
		return 0;
	return p->v->jobs_level ? p->v->jobs_waiting : p->queued.low;
}

static inline int64_t diag_queued_most(const struct diag_pool *p)
{
	int64_t low = diag_queued(p);

	if (!p->v->in_state[DOZE_STATE_sleeping] || p->v->jobs_level)
		return low;
	return p->queued.high > low ? p->queued.high : low;
}

void diag_queued_lost(struct diag_pool *);

/* Accounts for the time from p->last to ts, during which no worker of the pool changed its
 * state. */
void diag_spend(struct diagnosis *, struct diag_pool *, int64_t ts);
/* Attributes the latest gap to an outside thread, unless it is already attributed. */
void diag_gap_named(struct diag_pool *, int32_t vtid);
/* Called when a worker becomes active while no other worker is active, which ends a gap. */
void diag_gap_found(struct diag_pool *);
/* Ends all spans, because the pool or the trace has ended. */
void diag_spans_end(struct diagnosis *, struct diag_pool *);

/* ---- stretches.c ---- */

void diag_state(struct diagnosis *, struct diag_pool *, const struct doze_worker_view *,
		enum doze_state to, enum doze_reason, int64_t ts);
void diag_woken(struct diagnosis *, struct diag_pool *, const struct doze_worker_view *,
		const struct doze_event *);
/* Called when the trace ends. */
void diag_stretch_end(struct diagnosis *, struct diag_pool *, const struct doze_worker_view *,
		      int64_t ts);
void diag_wake(struct diagnosis *, struct diag_pool *, const struct doze_event *);
void diag_decision_post(struct diagnosis *, struct diag_pool *, const struct doze_event *);
void diag_decisions_end(struct diagnosis *, struct diag_pool *);

/* ---- off_cpu.c ---- */

/* Called before the worker changes its state. cpu: the CPU time that the event reports, or 0. */
void diag_off_state(struct diagnosis *, struct diag_pool *, const struct doze_worker_view *,
		    enum doze_reason, int64_t ts, uint64_t cpu);
void diag_off_event(struct diagnosis *, struct diag_pool *, const struct doze_worker_view *,
		    const struct doze_event *);
void diag_off_lost(struct diagnosis *);
/* Called when the trace ends. */
void diag_off_end(struct diagnosis *, struct diag_pool *, const struct doze_worker_view *);
struct off_cpu_sums diag_off_sums(const struct diagnosis *, const struct diag_pool *);
/* Searching workers were off the CPU for some time. Returns the share of that time which they
 * certainly did not spend waiting for a CPU; 1 if the trace does not show how long they waited for
 * one. */
double diag_off_yielded(const struct diagnosis *, const struct diag_pool *);

/* Called with each event that reports masks or quotas; w may be null. */
void diag_allowed_event(struct diagnosis *, struct diag_pool *, const struct doze_worker_view *,
			const struct doze_event *);
/* Called before the worker changes its state. */
void diag_allowed_state(struct diagnosis *, struct diag_pool *, const struct doze_worker_view *,
			enum doze_state to);
/* Returns how many active workers must wait because their masks do not contain enough CPUs, and
 * stores the group with the largest number of these. */
int64_t diag_pinned(const struct diagnosis *, const struct diag_pool *, uint32_t *group);
/* Returns the number of CPUs that the pool's workers may use. */
int64_t diag_pool_cpus(const struct diagnosis *, const struct diag_pool *);
/* Writes the CPUs as a list such as "0-2,5". Returns text. */
const char *diag_cpu_list(const struct doze_cpu_set *, char *text, size_t size);

/* ---- hang.c ---- */

void diag_latch_event(struct diagnosis *, struct diag_pool *, const struct doze_event *);
void diag_served(struct diagnosis *, const struct doze_worker_view *);
/* Called before the worker becomes blocked. */
void diag_blocked(struct diagnosis *, const struct doze_worker_view *, int64_t ts);
/* Adds a hang if a job, a set latch or a blocked worker waits until the trace ends, because no
 * worker runs. */
void diag_hang(struct diagnosis *, struct diag_pool *, int64_t ts);

/* Called with each event of a worker, before the model processes it. */
void diag_running(struct diagnosis *, const struct doze_worker_view *, const struct doze_event *);
/* Adds a standstill if all jobs that run are off the CPU until the trace ends, and nothing begins
 * or ends in that time. */
void diag_standstill(struct diagnosis *, struct diag_pool *, int64_t ts);

/* ---- rank.c ---- */

/* Fills in the costs of the part and the list of causes, without their texts. */
void diag_rank(const struct diagnosis *, struct doze_diagnosis *);

/* ---- cause_words.c ---- */

/* Describes a cause. The instance is the worst one in the part; null: none is known. */
void diag_words(const struct diagnosis *, const struct doze_diagnosis *, struct doze_cause_entry *,
		const struct instance *);
/* Writes the verdict, once the causes are described. */
void diag_verdict(const struct diagnosis *, struct doze_diagnosis *);

#endif
