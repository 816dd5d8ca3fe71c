/*
 * SPDX-License-Identifier: MIT
 *
 * why_int.h - the data of a question, shared by why.c and why_words.c.
 *
 *	why.c       the question, the steps, the effect and its chain
 *	why_part.c  whether a part of the trace is enough for the answer
 *	why_words.c describes the answer in words, and prints it
 */
#ifndef DOZE_VIZ_WHY_INT_H
#define DOZE_VIZ_WHY_INT_H

#include "../model/observer.h"
#include "../trace/policies.h"
#include "why.h"

enum {
	STEPS_KEPT = 1 << 16, /* number of steps; limits how far back a chain can reach */
	JOB_SLOTS = 1 << 16,  /* entries for posted jobs, per pool */
	WAKE_SLOTS = 1 << 12, /* entries for wakes and for decisions, per pool */
	WHY_CPUS = 1024,
};

/* The number of a step, counting from 1 in order of appearance. 0: none. */
typedef uint64_t step_no;

/* Stand for the numbers of steps that came before the part of the trace that was read. Steps that
 * let a worker fall asleep are kept for as long as it sleeps, others for STEPS_KEPT steps. */
#define UNSEEN       UINT64_MAX
#define UNSEEN_SLEEP (UINT64_MAX - 1)

struct step {
	step_no no;
	struct doze_event e; /* a copy, without the strings */
	uint32_t row;        /* row of the step's pool */
	step_no cause[2];    /* 0: none */
	uint32_t active;     /* number of the pool's workers that were active at this step */
	int64_t since;       /* when the acting worker entered its state */
};

/* An entry of a table that maps an id to the latest step with that id. In the table of jobs, no is
 * 0 once the job has started, or UNSEEN if that was after the time in question and before its post
 * was seen. */
struct id_slot {
	uint64_t id;
	step_no no;
};

struct why_pool {
	const struct doze_pool_view *v; /* not owned; null: not seen */
	/* tables from a decision's id to its post, and from a wake's id to the wake */
	struct id_slot decision[WAKE_SLOTS], wake[WAKE_SLOTS];
	/* table from a job's id to its post */
	struct id_slot job[JOB_SLOTS];
	step_no post; /* the latest post */
	/* number of jobs that were posted in the part that was read and have not started; jobs of a
	 * broadcast do not count, because they wait in no queue */
	int64_t unstarted;
	int64_t early;   /* number of entries of `job` that are UNSEEN */
	size_t answered; /* earlier entries of `job` no longer matter for the answer */
};

struct why_worker {
	const struct doze_worker_view *v; /* not owned; null: not seen */
	step_no state;                    /* the step by which the worker entered its state */
	step_no job;                      /* the job that the worker is running or ran last */
	bool runs;                        /* this job has not ended */
	int64_t ended; /* when the worker's last job ended; 0: no job has ended */
	step_no woken; /* the worker's latest `woken` */
	/* the step by which the worker fell asleep; asleep.no is 0 while the worker is awake */
	struct step asleep;
	step_no latch;    /* the step that set the worker's latch during this sleep; 0: none */
	bool notified;    /* the worker is asleep, and a wake is in progress */
	uint32_t ignored; /* number of posts during this sleep that woke no worker */
};

enum effect_kind {
	EFFECT_none,
	EFFECT_job,    /* a job started */
	EFFECT_wake,   /* a notified worker began to run */
	EFFECT_missed, /* a job started while the worker slept, and no wake of that worker was in
			* progress */
	EFFECT_unrun,  /* a job was posted and never started */
	EFFECT_sleep,  /* a worker is still asleep when the trace ends */
	EFFECT_gap,    /* no job was waiting; the effect is the next post */
};

struct effect {
	enum effect_kind kind;
	int64_t delay; /* ns */
	int64_t busy;  /* when the job's worker began to run other jobs; 0: the worker ran no other
			* job */
	uint64_t job;  /* EFFECT_unrun: the job; 0: that of the question */
	int32_t slept; /* EFFECT_missed: the worker that was asleep */
	int64_t slept_since;
	uint32_t ignored;
	bool truncated;
	bool unsure; /* the chain depends on steps before the part that was read */
	size_t count;
	struct step chain[DOZE_WHY_STEPS]; /* steps of the chain, the effect first */
};

/* The states of the workers at the time that a question refers to. */
struct moment {
	bool taken;
	uint32_t row, in_state[DOZE_STATE_COUNT];
};

/* The part of the trace that is read for the answer. */
struct why_part {
	bool alone;    /* it does not begin with the trace */
	int64_t after; /* ns, trace time; what happened up to then is not known */
	bool warm;     /* nothing is in progress any more that began by then */
	step_no cold;  /* earlier steps, and this one, may lack causes */
	bool unsure;   /* the answer may depend on what came before the part */
	/* Number of steps that the ring may lack, because it has no copies of those before the
	 * part. */
	step_no fewer;
};

struct why {
	struct doze_model *model; /* not owned */
	struct doze_why_question question;
	struct step *step; /* owned; a ring of STEPS_KEPT */
	step_no last;
	struct doze_notes pools;   /* struct why_pool, by row */
	struct doze_notes workers; /* struct why_worker, by row */
	/* the effect with the longest delay so far; the first step after the time in question */
	struct effect effect, next;
	struct moment moment;
	struct why_part part;
	uint64_t cpu_seen[WHY_CPUS / 64];
	uint32_t cpus;
	bool failed;
};

struct why *why_of(const struct doze_model *);

/* Returns the time in question, ns, trace time. */
int64_t why_asked_time(const struct why *);

/* Called for each pool when the trace ends at ts. */
void why_end(struct why *, const struct doze_pool_view *, int64_t ts);

/* Called before the observer handles an event. */
void why_part_event(struct why *, const struct doze_event *);
/* Returns whether the number is that of a step before the part that a reader of the whole trace may
 * still keep. */
bool why_part_lacks(const struct why *, step_no);
/* Returns whether the chain may differ from the one that the whole trace gives because of this
 * step. */
bool why_part_doubts(const struct why *, const struct step *);
/* Sets what is not known of a worker when its notes are created. */
void why_part_worker(struct why *, struct why_worker *);
void why_part_pool(struct why *, struct why_pool *);
/* Called when a worker wakes up, or starts a job, whose cause is not known. */
void why_part_no_wake(struct why *, const struct doze_event *);
void why_part_no_post(struct why *, struct why_pool *, const struct doze_event *, struct id_slot *);
/* Called for the post of a job that has started. */
void why_part_late_post(struct why_pool *, struct id_slot *);

/* Returns a kept step, or null. */
const struct step *why_at(const struct why *, step_no);

/* Returns the chain's first step of a kind, or null. */
const struct step *why_link(const struct effect *, enum doze_event_kind);

#endif
