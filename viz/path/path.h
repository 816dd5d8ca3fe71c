/*
 * SPDX-License-Identifier: MIT
 *
 * path.h - the critical path of a phase, inside viz/model.
 *
 *	path.c          events -> who goes on after whom
 *	path_phase.c    a phase's beginning and end
 *	path_outside.c  threads from outside: what they posted, and whether they waited for it
 *	account.c       how the time until one moment of one thread was spent
 *
 * Key invariant: the items of an account add up to the time from the phase's beginning to its
 * own moment.
 */
#ifndef DOZE_VIZ_PATH_H
#define DOZE_VIZ_PATH_H

#include "../model/measures.h"

struct pool;
struct worker;

enum {
	PATH_OUTSIDE =
	    16,         /* threads from outside with an account, per pool; the oldest gives way */
	PATH_HANDS = 4, /* jobs from outside that one worker runs within each other */
};

/* The account of one thread at one moment: what the chain before it added up to (a node, which
 * others may share, and which does not change while they do), and what it added itself since. */
struct path_ref {
	uint64_t phase; /* other than the accounts': there is none, or it is of an earlier phase */
	int64_t ts;     /* it is complete until then */
	uint32_t node;  /* 0 = nothing before */
	int32_t who;    /* a worker's index; else who_outside */
	int64_t work, part[DOZE_PATH_PARTS]; /* ns */
};

/* Unknown (-1) stays -1. */
static inline int32_t who_outside(int32_t vtid)
{
	return vtid < 0 || vtid == INT32_MAX ? -1 : -2 - vtid;
}

static inline int32_t vtid_of(int32_t who)
{
	return -2 - who;
}

/* The job that a worker took from a queue last. */
struct path_job {
	struct path_ref by; /* who published it, then; none where that is not known */
	int32_t vtid;       /* of the thread from outside that published it; -1 unknown */
};

/* What a worker carries besides its account. */
struct lane {
	struct path_ref now;
	struct path_ref latch, wake; /* of whoever set its latch, woke it */
	int64_t free;                /* when it had nothing to do any more, and began to look */
	uint32_t depth;              /* jobs that it runs within each other (level jobs) */
	int64_t unpaid; /* it works since then on a job whose post was not yet told; 0 = no */
	uint32_t hands;
	struct {
		uint64_t job;
		int32_t vtid; /* the thread from outside that posted it; -1 unknown */
	} hand[PATH_HANDS];
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

/* account.c. The nodes of one pool: memory of fixed size. A phase begins with none in use. */
size_t accounts_bytes(uint32_t workers);
struct accounts *accounts_new(uint32_t workers);
void accounts_begin(struct accounts *, uint64_t phase);
bool account_valid(const struct accounts *, const struct path_ref *);
/* *to = *from, and what *to was is given up. */
void account_set(struct accounts *, struct path_ref *to, const struct path_ref *from);
void account_drop(struct accounts *, struct path_ref *);
/* `who` goes on after *from, from its moment on. False, and nothing has changed, when no node is
 * free or *from is none. */
bool account_follow(struct accounts *, struct path_ref *now, const struct path_ref *from,
		    int32_t who);
/* Fills out's items, in no order. */
void account_tell(const struct accounts *, const struct path_ref *, struct doze_path *out);

/* path_outside.c. The thread's account, complete until ts; null when there is none. */
struct path_ref *path_out_now(struct pool *, int32_t vtid, int64_t ts);
void path_out_posted(struct pool *, const struct doze_event *);
/* A job of that thread ended; null: some time ago. */
void path_out_ended(struct pool *, int32_t vtid, const struct path_ref *);

/* path_phase.c. A phase begins, for this pool. */
void path_begin(struct doze_model *, struct pool *, int64_t ts);
void path_free(struct pool *);

/* path.c. Null when the worker has none. */
struct lane *path_lane(const struct pool *, int32_t worker);
/* Keeps the account of whoever made the event in *to; none where it has none. */
void path_note(struct pool *, const struct doze_event *, struct path_ref *to);
/* For references that others keep: as account_set, account_drop. */
void path_copy(struct pool *, struct path_ref *to, const struct path_ref *from);
void path_forget(struct pool *, struct path_ref *);
void path_post(struct pool *, const struct doze_event *);
void path_latch(struct pool *, const struct doze_event *);
/* *by made the wake that owns the worker's sleep. */
void path_owe(struct worker *, const struct path_ref *by);
/* Before the worker's state changes, after jobs_found. */
void path_state(struct worker *, enum doze_state to, enum doze_reason, int64_t ts);
/* The worker took the job of this post before the post was told. Null: nobody knows who. */
void path_taken_before(struct pool *, struct worker *, const struct doze_event *);
void path_job_start(struct worker *, const struct doze_event *);
void path_job_end(struct worker *, const struct doze_event *);
/* Events were lost: what anybody has in hand is not known any more. */
void path_lost(struct pool *);

#endif
