/*
 * SPDX-License-Identifier: MIT
 *
 * why_int.h - the data of a question, shared by why.c and why_words.c.
 *
 *	why.c       the question, the steps, the effect and its chain
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

struct step {
	step_no no;
	struct doze_event e; /* a copy, without the strings */
	uint32_t row;        /* row of the step's pool */
	step_no cause[2];    /* 0: none */
	uint32_t active;     /* number of the pool's workers that were active at this step */
	int64_t since;       /* when the acting worker entered its state */
};

/* An entry of a table that maps an id to the latest step with that id. In the table of jobs, no is
 * 0 once the job has started. */
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
	size_t count;
	struct step chain[DOZE_WHY_STEPS]; /* steps of the chain, the effect first */
};

/* The states of the workers at the time that a question refers to. */
struct moment {
	bool taken;
	uint32_t row, in_state[DOZE_STATE_COUNT];
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
	uint64_t cpu_seen[WHY_CPUS / 64];
	uint32_t cpus;
	bool failed;
};

const struct why *why_of(const struct doze_model *);

/* Returns a kept step, or null. */
const struct step *why_at(const struct why *, step_no);

/* Returns the chain's first step of a kind, or null. */
const struct step *why_link(const struct effect *, enum doze_event_kind);

#endif
