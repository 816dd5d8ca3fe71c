/*
 * SPDX-License-Identifier: MIT
 *
 * path_int.h - the notes of the critical path on pools and workers, and the functions of path.c
 * with which path_observer.c fills them (path.md).
 *
 * Key invariant: the items of an account add up to the time from the phase's beginning to the
 * account's `ts`.
 */
#ifndef DOZE_VIZ_PATH_INT_H
#define DOZE_VIZ_PATH_INT_H

#include "observer.h"
#include "path.h"

enum {
	PATH_OUTSIDE = 16, /* maximum number of outside threads with an account, per pool; the
			    * threads with the latest events keep theirs */
	PATH_NESTED = 4,   /* number of nested jobs from outside kept per worker */
};

/* The account of one thread at one moment: a node with the sums of the chain so far, immutable
 * while shared, plus what the thread has added since. */
struct path_ref {
	/* If this differs from the current phase of the accounts, the account is invalid: it is
	 * empty, or belongs to an earlier phase. */
	uint64_t phase;
	int64_t ts;                          /* the account covers the time up to ts */
	uint32_t node;                       /* 0: the account has no earlier part */
	int32_t who;                         /* a worker's index, or path_outside(vtid) */
	int64_t work, part[DOZE_PATH_PARTS]; /* ns */
};

/* Returns `who` for an outside thread; -1 (unknown) if vtid is -1. */
static inline int32_t path_outside(int32_t vtid)
{
	return vtid < 0 || vtid == INT32_MAX ? -1 : -2 - vtid;
}

static inline int32_t path_vtid(int32_t who)
{
	return -2 - who;
}

/* The latest job that a worker took from a queue. */
struct path_job {
	struct path_ref by; /* the poster's account at the post; none if unknown */
	int32_t vtid;       /* vtid of the outside thread that posted the job; -1: posted by a
			     * worker, or unknown */
};

/* What the path analysis remembers about a worker in the current phase. */
struct lane {
	struct path_ref now;
	/* Accounts of the thread that set the worker's latch, and of its waker. */
	struct path_ref latch, wake;
	int64_t free;   /* when the worker became free and began to search */
	uint32_t depth; /* number of nested jobs that the worker is running (level `all`) */
	int64_t unpaid; /* start of a job whose post is not reported yet; 0: no such job */
	uint32_t nested;
	struct {
		uint64_t job;
		int32_t vtid; /* vtid of the outside thread that posted the job; -1: posted by a
			       * worker, or unknown */
	} running[PATH_NESTED];
};

/* What the path analysis remembers about an outside thread. */
struct out_lane {
	bool used;
	int32_t vtid;
	/* Number of jobs that the thread posted and that have not ended (level `all`). */
	int64_t open;
	struct path_ref now;
	struct path_ref ended; /* account at the end of the most recent job */
};

struct path {
	size_t bytes;
	uint64_t phase;
	int64_t begin;
	uint32_t workers;
	struct accounts *accounts;           /* owned */
	struct path_ref last;                /* account at the end of the most recent work */
	struct path_ref injected, broadcast; /* accounts at the latest post of each kind */
	uint32_t injected_jobs;        /* number of jobs of the latest injection that no worker has
					* found yet (below level `all`) */
	int32_t injector, broadcaster; /* vtids of the posters of `injected` and `broadcast`; -1:
					* not an outside thread */
	struct out_lane out[PATH_OUTSIDE];
	struct lane lane[];
};

/* What the path analysis remembers about a worker even while its pool has no path. */
struct path_worker {
	struct path_job took;
	struct path_ref post[DOZE_POST_SLOTS]; /* by slot: posts with jobs in its deque */
};

struct path_pool {
	const struct doze_pool_view *v;
	struct path *path;         /* owned; null = no phase yet, or out of memory */
	uint32_t asked;            /* number of workers when `path` was last allocated, or when the
				    * allocation failed */
	struct doze_notes workers; /* struct path_worker, by index */
	struct path_ref
	    injector[DOZE_POST_SLOTS]; /* by slot: posts whose jobs wait in the injector */
	struct path_ref *signals;      /* owned; by slot; null = none yet */
};

struct paths {
	struct doze_model *model;      /* not owned */
	struct doze_notes pools;       /* struct path_pool, by row */
	size_t bytes;                  /* memory used by the accounts of all pools */
	uint64_t phases;               /* number of phases begun so far, in all pools */
	uint64_t missing;              /* number of pools whose path did not fit into memory */
	const struct doze_event *mark; /* not owned; set while the model's listener handles a
					* mark */
};

/* Begins a phase of this pool. */
void path_begin(struct paths *, struct path_pool *, int64_t ts);
bool path_find(const struct paths *, struct path_pool *, int64_t ts, struct doze_path *);

/* Frees a struct paths with all notes. */
void path_notes_free(void *paths);

/* Returns the notes on a pool, or null if out of memory (counted in totals.evicted). */
static inline struct path_pool *path_pool_of(struct paths *all, const struct doze_pool_view *v)
{
	struct path_pool *p = doze_notes_of(&all->pools, v->row, sizeof *p, all->model);

	if (p)
		p->v = v;
	return p;
}

/* Returns the notes on a worker, or null if it has neither taken nor posted a job. */
static inline struct path_worker *path_worker_of(const struct path_pool *p, int32_t index)
{
	return index < 0 ? 0 : doze_notes_find(&p->workers, (uint32_t)index);
}

/* Copies the account of the event's thread, if it has one, to *to. */
void path_note(struct path_pool *, const struct doze_event *, struct path_ref *to);
/* Make *to refer to the account of *from instead of its previous account, or to none. The pool may
 * have no path. */
void path_copy(struct path_pool *, struct path_ref *to, const struct path_ref *from);
void path_forget(struct path_pool *, struct path_ref *);
void path_post(struct path_pool *, const struct doze_event *);
void path_latch(struct path_pool *, const struct doze_event *);
/* Records the account of the thread whose wake ends the worker's sleep. */
void path_owe(struct path_pool *, const struct doze_worker_view *, const struct path_ref *by);
/* Called before the worker's state changes, and after job_taken for its new job. */
void path_state(struct path_pool *, const struct doze_worker_view *, enum doze_state to,
		enum doze_reason, int64_t ts);
/* Called when the worker has taken a job of this post before the post was reported. worker: null if
 * unknown. */
void path_taken_before(struct path_pool *, const struct doze_worker_view *,
		       const struct doze_event *);
void path_job_start(struct path_pool *, const struct doze_worker_view *, const struct doze_event *);
void path_job_end(struct path_pool *, const struct doze_worker_view *, const struct doze_event *);
/* Called when events were lost, because it is then unknown which jobs are in progress. */
void path_lost(struct path_pool *);

#endif
