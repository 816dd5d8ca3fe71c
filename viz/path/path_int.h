/*
 * SPDX-License-Identifier: MIT
 *
 * path_int.h - the notes of viz/path, and what its files share.
 *
 *	path_observer.c      the model's hooks; which job, wake and post the notes belong to
 *	path.c          events -> who goes on after whom
 *	path_phase.c    a phase's beginning and end
 *	path_outside.c  threads from outside: what they posted, and whether they waited for it
 *	account.c       how the time until one moment of one thread was spent
 *
 * Key invariant: the items of an account add up to the time from the phase's beginning to its
 * own moment.
 */
#ifndef DOZE_VIZ_PATH_INT_H
#define DOZE_VIZ_PATH_INT_H

#include "../model/observer.h"
#include "path.h"

enum {
	PATH_OUTSIDE =
	    16,          /* threads from outside with an account, per pool; the oldest gives way */
	PATH_NESTED = 4, /* jobs from outside that one worker runs within each other */
};

/* The account of one thread at one moment: what the chain before it added up to (a node, which
 * others may share, and which does not change while they do), and what it added itself since. */
struct path_ref {
	uint64_t phase; /* other than the accounts': there is none, or it is of an earlier phase */
	int64_t ts;     /* it is complete until then */
	uint32_t node;  /* 0 = nothing before */
	int32_t who;    /* a worker's index; else path_outside */
	int64_t work, part[DOZE_PATH_PARTS]; /* ns */
};

/* The `who` of a thread from outside. Unknown (-1) stays -1. */
static inline int32_t path_outside(int32_t vtid)
{
	return vtid < 0 || vtid == INT32_MAX ? -1 : -2 - vtid;
}

static inline int32_t path_vtid(int32_t who)
{
	return -2 - who;
}

/* The job that a worker took from a queue last. */
struct path_job {
	struct path_ref by; /* its poster, when it posted; none where that is not known */
	int32_t vtid;       /* the thread from outside that posted it; -1 unknown */
};

/* What a worker carries besides its account. */
struct lane {
	struct path_ref now;
	struct path_ref latch, wake; /* of the thread that set its latch, that woke it */
	int64_t free;                /* when it had nothing to do any more, and began to search */
	uint32_t depth;              /* jobs that it runs within each other (level jobs) */
	int64_t unpaid; /* it works since then on a job whose post was not yet reported; 0 = no */
	uint32_t nested;
	struct {
		uint64_t job;
		int32_t vtid; /* the thread from outside that posted it; -1 unknown */
	} running[PATH_NESTED];
};

/* A thread from outside. */
struct out_lane {
	bool used;
	int32_t vtid;
	int64_t open; /* jobs that it posted and that have not ended (level jobs) */
	struct path_ref now;
	struct path_ref ended; /* the end of the one that ended last */
};

struct path {
	size_t bytes;
	uint64_t phase;
	int64_t begin;
	uint32_t workers;
	struct accounts *accounts;           /* owned */
	struct path_ref last;                /* the work that ended last */
	struct path_ref injected, broadcast; /* the latest posts of their kind */
	uint32_t injected_jobs;              /* of that post, and not yet found (level states) */
	int32_t injector, broadcaster;       /* vtids of the threads from outside; -1 = none */
	struct out_lane out[PATH_OUTSIDE];
	struct lane lane[];
};

/* The notes on a worker that it needs before its pool has a path, too. */
struct path_worker {
	struct path_job took;
	struct path_ref post[DOZE_POST_SLOTS]; /* by slot: the posts whose jobs wait in its deque */
};

struct path_pool {
	const struct doze_pool_view *v;
	struct path *path;           /* owned; null = no phase has begun, or it did not fit */
	uint32_t asked;              /* workers, when one was made or did not fit */
	struct path_worker **worker; /* owned array of owned notes, by index */
	uint32_t capacity;
	struct path_ref injector[DOZE_POST_SLOTS]; /* by slot: posts whose jobs wait there */
	struct path_ref *signals;                  /* owned; by slot; null = none yet */
};

struct paths {
	struct doze_model *model; /* weak */
	struct path_pool **pool;  /* owned array of owned notes, by row */
	uint32_t capacity;
	size_t bytes;                  /* of all accounts */
	uint64_t phases;               /* begun so far, in all pools */
	uint64_t missing;              /* pools whose path did not fit */
	const struct doze_event *mark; /* weak; while the model's listener is called for it */
};

/* account.c. The nodes of one pool: memory of fixed size. A phase begins with none in use. */
size_t path_accounts_bytes(uint32_t workers);
struct accounts *path_accounts_new(uint32_t workers);
void path_accounts_begin(struct accounts *, uint64_t phase);
bool path_account_valid(const struct accounts *, const struct path_ref *);
/* *to = *from, and what *to was is given up. */
void path_account_set(struct accounts *, struct path_ref *to, const struct path_ref *from);
void path_account_drop(struct accounts *, struct path_ref *);
/* `who` goes on after *from, from its moment on. False, and nothing has changed, when no node is
 * free or *from is none. */
bool path_account_follow(struct accounts *, struct path_ref *now, const struct path_ref *from,
			 int32_t who);
/* Fills out's items, in no order. */
void path_account_items(const struct accounts *, const struct path_ref *, struct doze_path *out);

/* path_outside.c. The thread's account, complete until ts; null when there is none. */
struct path_ref *path_out_now(struct path_pool *, int32_t vtid, int64_t ts);
void path_out_posted(struct path_pool *, const struct doze_event *);
/* A job of that thread ended; null: some time ago. */
void path_out_ended(struct path_pool *, int32_t vtid, const struct path_ref *);

/* path_phase.c. A phase begins, for this pool. */
void path_begin(struct paths *, struct path_pool *, int64_t ts);
void path_free(struct path_pool *);
bool path_find(const struct paths *, struct path_pool *, int64_t ts, struct doze_path *);

/* path_notes.c. Null when memory is short (counted in totals.evicted). */
struct path_pool *path_pool_new(struct paths *, const struct doze_pool_view *);
struct path_worker *path_worker_new(struct paths *, struct path_pool *, int32_t index);
void path_notes_free(struct paths *);

static inline struct path_pool *path_pool_of(struct paths *all, const struct doze_pool_view *v)
{
	if (v->row < all->capacity && all->pool[v->row])
		return all->pool[v->row];
	return path_pool_new(all, v);
}

/* Null: the worker has taken no job and has had no post. */
static inline struct path_worker *path_worker_of(const struct path_pool *p, int32_t index)
{
	return index >= 0 && (uint32_t)index < p->capacity ? p->worker[index] : 0;
}

/* path.c. Null when the worker has none. */
struct lane *path_lane(const struct path_pool *, int32_t worker);
/* Keeps the account of the thread that made the event in *to; none where it has none. */
void path_note(struct path_pool *, const struct doze_event *, struct path_ref *to);
/* For references that others keep: as path_account_set, path_account_drop. */
void path_copy(struct path_pool *, struct path_ref *to, const struct path_ref *from);
void path_forget(struct path_pool *, struct path_ref *);
void path_post(struct path_pool *, const struct doze_event *);
void path_latch(struct path_pool *, const struct doze_event *);
/* *by made the wake that owns the worker's sleep. */
void path_owe(struct path_pool *, const struct doze_worker_view *, const struct path_ref *by);
/* Before the worker's state changes, after it took the job that it found. */
void path_state(struct path_pool *, const struct doze_worker_view *, enum doze_state to,
		enum doze_reason, int64_t ts);
/* The worker took the job of this post before the post was reported. Null: not known which. */
void path_taken_before(struct path_pool *, const struct doze_worker_view *,
		       const struct doze_event *);
void path_job_start(struct path_pool *, const struct doze_worker_view *, const struct doze_event *);
void path_job_end(struct path_pool *, const struct doze_worker_view *, const struct doze_event *);
/* Events were lost: which jobs are in progress is not known any more. */
void path_lost(struct path_pool *);

#endif
