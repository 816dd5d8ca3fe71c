/*
 * SPDX-License-Identifier: MIT
 *
 * suspend.h - which thread holds a worker, and how one thread hands it to another.
 *
 * A wait runs other jobs on top of its own frame. Where that could close a cycle the wait suspends:
 * its thread hands the worker, with the job that was found, to another thread, and gets the worker
 * back when its latch is set. README.md has the rule, the protocol and the proof.
 *
 *   home     the thread that doze_pool_create made for the worker; runs its start and exit handler
 *   spare    made on demand for any worker of the pool, kept until the pool ends
 *
 * Lock: pool.suspend.lock, a leaf. It orders all that one holder did as the worker before all that
 * the next holder does.
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
	struct doze_pool *pool; /* weak */
	uintptr_t stack_floor;  /* a frame below: half of the stack is used; 0: not known */
	doze_thread thread;     /* of a spare */
	/* By pool.suspend.lock. */
	doze_cond changed;
	struct doze_worker *given; /* null: it waits for one */
	struct doze_job *job;      /* to be run first; or null */
	enum doze_source source;
	bool quit;                /* a spare is to end */
	struct doze_holder *next; /* in the list of idle spares, or of ready waits */
	struct doze_holder *next_spare;
};

/** A suspended wait; in its own frame. */
struct doze_suspended {
	struct doze_worker *worker;
	struct doze_holder *holder;
	struct doze_future *root;   /* in whose task it is; or null */
	struct doze_future *target; /* awaited; or null: not a future */
	enum doze_latch_kind kind;
	bool elsewhere; /* its end does not need this pool; for deadlock detection */
	/* By pool.suspend.lock. */
	struct doze_suspended *next, **link;
};

/** Pool-wide part; struct doze_pool has one. */
struct doze_suspend {
	doze_mutex lock;
	uint32_t max; /* constant: suspended waits at once */
	/* By lock. */
	uint32_t count;
	struct doze_suspended *waits;
	struct doze_holder *idle;   /* spares that wait for a worker */
	struct doze_holder *spares; /* all of them; owned */
};

/** Per-worker part; struct doze_worker has one. */
struct doze_hold {
	/* Owner thread only, that is by whom `by` names. */
	struct doze_holder *by;
	struct doze_future *root; /* of the job that runs; null: no future waits for its end */
	uint32_t suspended;       /* waits of this worker; … */
	uint32_t elsewhere;       /* … whose end does not need this pool */
	/* By pool.suspend.lock. */
	struct doze_holder home;
	bool home_parked; /* home has nothing on its stack and waits for the worker */
	struct doze_holder *first_ready, *last_ready; /* their latches are set */
	struct doze_holder *ender; /* waits for one of those, because the pool ends */
	/* Length of that list; written under the lock, read by anybody. */
	DOZE_ATOMIC(uint32_t) ready;
};

/** Pool creation and end; the end after all workers have stopped. */
void doze_suspend_init(struct doze_pool *pool);
void doze_suspend_fini(struct doze_pool *pool);
/** The same for a worker. */
void doze_hold_init(struct doze_worker *worker);
void doze_hold_fini(struct doze_worker *worker);
/** By whoever joined all home threads: ends the spares. */
void doze_spares_end(struct doze_pool *pool);

/** Home thread: holds its worker from now on; works until it is told to leave and no wait of the
 * worker is suspended any more. */
void doze_hold_begin(struct doze_worker *worker);
void doze_hold_until_end(struct doze_worker *worker);

/** Owner: whether a wait may run that job, which it took from a queue, on top of its frame. */
bool doze_may_run(const struct doze_worker *worker, const struct doze_job *job);
/** Owner: whether half of the stack is used, so that nothing more may nest. */
bool doze_stack_is_deep(const struct doze_worker *worker);

/** Owner: whether a suspended wait of this worker is ready to go on. Any thread, as the last look
 * before sleep: exact for what was made ready before the sleep lock was taken. */
bool doze_has_ready(struct doze_worker *worker);

/** Owner: gives the worker and a job that it took, or null, to another thread; returns when it has
 * the worker back, which it asks for when the latch is set. If the latch is set already the job
 * goes back into a queue. `target`: the future that is awaited, or null. */
void doze_suspend_wait(struct doze_worker *worker, struct doze_core_latch *latch,
		       struct doze_future *target, struct doze_job *job, enum doze_source source);
/** Any thread, once: the wait of that thread can go on. `by` as in sleep.h. */
void doze_suspended_ready(struct doze_holder *holder, struct doze_worker *worker, int32_t by);

/** Owner: the halves of a wait that ends by itself. begin gives the worker away; false when as many
 * waits are suspended as may be, and then the caller keeps it. end asks for the worker and waits
 * until it has it. */
bool doze_suspend_begin(struct doze_suspended *s, struct doze_worker *worker,
			struct doze_future *target);
void doze_suspend_end(struct doze_suspended *s);

#endif
