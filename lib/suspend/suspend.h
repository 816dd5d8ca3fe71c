/*
 * SPDX-License-Identifier: MIT
 *
 * suspend.h - which thread holds a worker, and how one thread hands it to another.
 *
 * A wait runs other jobs on top of its own frame. Where that could close a cycle, the wait is
 * suspended: its thread hands the worker, with the job that it found, to another thread, and gets
 * the worker back when the latch is set. README.md has the rule, the protocol and the proof.
 *
 *   home     the thread that doze_pool_create made for the worker; runs its start and exit handler
 *   spare    created on demand for any worker of the pool, kept until the pool ends
 *
 * Lock: pool.suspend.lock, a leaf. It orders everything that one holder did as the worker before
 * everything that the next holder does.
 */
#ifndef DOZE_SUSPEND_H
#define DOZE_SUSPEND_H

#include "../atomic.h"
#include "../job.h"
#include "../latch.h"
#include "../park.h"

/** A thread that can hold a worker. */
struct doze_holder {
	/* Constant while the thread runs. */
	struct doze_pool *pool; /* not owned */
	uintptr_t stack_floor;  /* frames below it have used half of the stack; 0: unknown */
	doze_thread thread;     /* only used for a spare thread */
	/* Protected by pool.suspend.lock. */
	doze_cond changed;
	struct doze_worker *given; /* null: the thread waits for a worker */
	struct doze_job *job;      /* job to run first, or null */
	enum doze_source source;
	bool quit;                /* the spare must exit */
	struct doze_holder *next; /* in the list of idle spares or of ready waits */
	struct doze_holder *next_spare;
};

/** A suspended wait, stored in the frame of the wait. */
struct doze_suspended {
	struct doze_worker *worker;
	struct doze_holder *holder;
	struct doze_future *root;   /* the task that it belongs to, or null */
	struct doze_future *target; /* the awaited future; null if the wait is for something else */
	enum doze_latch_kind kind;
	bool elsewhere; /* the wait can end without this pool; for deadlock detection */
	/* Protected by pool.suspend.lock. */
	struct doze_suspended *next, **link;
};

/** Pool-wide part; struct doze_pool has one. */
struct doze_suspend {
	doze_mutex lock;
	uint32_t max; /* constant: maximum number of suspended waits */
	/* Protected by lock; statistics read `count` without it. */
	DOZE_ATOMIC(uint32_t) count;
	struct doze_suspended *waits;
	struct doze_holder *idle;   /* spares that wait for a worker */
	struct doze_holder *spares; /* all spares; owned */
};

/** Per-worker part; struct doze_worker has one. */
struct doze_hold {
	/* Owner only: the thread that holds the worker. */
	struct doze_holder *by;
	struct doze_future *root; /* root of the running job; null: no future waits for its end */
	uint32_t suspended;       /* number of suspended waits of this worker */
	uint32_t elsewhere;       /* number of them that can end without this pool */
	/* Protected by pool.suspend.lock. */
	struct doze_holder home;
	bool home_parked; /* `home` has an empty stack and waits for the worker */
	struct doze_holder *first_ready, *last_ready; /* waits whose latches are set */
	/* Length of the ready list. Written under the lock; any thread reads it. */
	DOZE_ATOMIC(uint32_t) ready;
};

/** Called when the pool is created and when it ends, which is after all workers have stopped. */
void doze_suspend_init(struct doze_pool *pool);
void doze_suspend_fini(struct doze_pool *pool);
/** Does the same for a worker. */
void doze_hold_init(struct doze_worker *worker);
void doze_hold_fini(struct doze_worker *worker);
/** Ends the spares. Called by the thread that has joined all home threads. */
void doze_spares_end(struct doze_pool *pool);

/** Home thread. Takes hold of its worker and works until the terminate latch is set and no wait of
 * the worker is suspended. */
void doze_hold_begin(struct doze_worker *worker);
void doze_hold_until_end(struct doze_worker *worker);

/** Owner. Returns whether a wait may run the given job, taken from a queue, on top of its frame. */
bool doze_may_run(const struct doze_worker *worker, const struct doze_job *job);
/** Owner. Returns whether half of the stack is used, so that no more jobs may nest. */
bool doze_stack_is_deep(const struct doze_worker *worker);

/** Owner. Returns whether a suspended wait of this worker is ready. As the last check before sleep
 * it sees each wait that became ready before the caller took the sleep lock. */
bool doze_has_ready(struct doze_worker *worker);

/** Owner. Gives the worker, and a job that it took or null, to another thread. When the latch is
 * set the caller asks for the worker, and returns when it holds the worker again. If the latch is
 * already set, the job goes back into a queue. `target`: the awaited future, or null. */
void doze_suspend_wait(struct doze_worker *worker, struct doze_core_latch *latch,
		       struct doze_future *target, struct doze_job *job, enum doze_source source);
/** Any thread, once. Makes the wait of the given thread ready. `by` as in sleep.h. */
void doze_suspended_ready(struct doze_holder *holder, struct doze_worker *worker, int32_t by);

/** Owner. The two halves of a wait that may time out. begin gives the worker away; it returns
 * false, and the caller keeps the worker, when the limit of suspended waits is reached or when the
 * pool has ended, in an exit handler. end asks for the worker and waits until the caller has it. */
bool doze_suspend_begin(struct doze_suspended *s, struct doze_worker *worker,
			struct doze_future *target);
void doze_suspend_end(struct doze_suspended *s);

#endif
