/*
 * SPDX-License-Identifier: MIT
 *
 * suspend.h - defines which thread holds a worker, and hands a worker from one thread to another.
 *
 * A wait runs other jobs on top of its own frame. Where that could close a cycle, the wait is
 * suspended: its thread hands the worker, and the job that it found, to another thread, and gets
 * the worker back when the latch is set. README.md has the rule, the protocol and the proof.
 *
 *   home     the thread that doze_pool_create made for the worker; runs the start and exit handlers
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
	uintptr_t stack_floor;  /* frames below this address have used half of the stack; 0 if
				 * unknown */
	doze_thread thread;     /* used only for a spare thread */
	/* Protected by pool.suspend.lock. */
	doze_cond changed;
	struct doze_worker *given; /* the worker to take over; null while the thread waits for
				    * one */
	struct doze_job *job;      /* job to run first, or null */
	enum doze_source source;
	bool quit;                /* the spare must exit */
	struct doze_holder *next; /* next holder in the list of idle spares or of ready waits */
	struct doze_holder *next_spare;
};

/** A suspended wait, stored in the frame of the wait. */
struct doze_suspended {
	struct doze_worker *worker;
	struct doze_holder *holder;
	struct doze_future *root;   /* the task that the wait belongs to, or null */
	struct doze_future *target; /* the awaited future; null if the wait is for something else */
	enum doze_latch_kind kind;
	bool elsewhere; /* the wait can end without this pool; for deadlock detection */
	/* Protected by pool.suspend.lock. */
	struct doze_suspended *next, **link;
};

/** The suspended waits and spare threads of a pool; part of struct doze_pool. */
struct doze_suspend {
	doze_mutex lock;
	uint32_t max; /* constant: maximum number of suspended waits */
	/* Protected by lock; statistics read `count` without it. */
	DOZE_ATOMIC(uint32_t) count;
	struct doze_suspended *waits;
	struct doze_holder *idle;   /* spares that wait for a worker */
	struct doze_holder *spares; /* all spares; owned */
};

/** Which thread holds a worker, and its suspended waits; part of struct doze_worker. */
struct doze_hold {
	/* The thread that holds the worker. Owner only. */
	struct doze_holder *by;
	uint32_t suspended; /* number of suspended waits of this worker */
	uint32_t elsewhere; /* number of these waits that can end without this pool */
	/* Protected by pool.suspend.lock. */
	struct doze_holder home;
	bool home_parked; /* `home` has an empty stack and waits for the worker */
	struct doze_holder *first_ready, *last_ready; /* waits whose latches are set */
	/* Length of the ready list. Written under the lock; any thread reads it. */
	DOZE_ATOMIC(uint32_t) ready;
};

/** _init is called when the pool is created, _fini when it ends, after all workers have stopped. */
void doze_suspend_init(struct doze_pool *pool);
void doze_suspend_fini(struct doze_pool *pool);
/** Called for each worker: _init when the pool is created, _fini when it ends. */
void doze_hold_init(struct doze_worker *worker);
void doze_hold_fini(struct doze_worker *worker);
/** Ends the spares. Called by the thread that has joined all home threads. */
void doze_spares_end(struct doze_pool *pool);

/** Home thread. _begin makes the thread the holder of its worker; _until_end serves the worker
 * until the terminate latch is set and no wait of the worker is suspended. */
void doze_hold_begin(struct doze_worker *worker);
void doze_hold_until_end(struct doze_worker *worker);

/** Owner. Returns whether a wait may run the given job, which was taken from a queue, on top of its
 * own frame. */
bool doze_may_run(const struct doze_worker *worker, const struct doze_job *job);
/** Owner. Returns whether half of the stack is used, so that no more jobs may nest. */
bool doze_stack_is_deep(const struct doze_worker *worker);

/** Owner. Returns whether a suspended wait of this worker is ready. As a last check before sleep it
 * sees each wait that became ready before the caller took the sleep lock. */
bool doze_has_ready(struct doze_worker *worker);

/** Owner. Hands over the worker, with a job that it took (or null), to another thread. Returns when
 * the latch is set and the caller holds the worker again. If the latch is already set,
 * the job goes back into a queue instead. `target` is the awaited future, or null. */
void doze_suspend_wait(struct doze_worker *worker, struct doze_core_latch *latch,
		       struct doze_future *target, struct doze_job *job, enum doze_source source);
/** Any thread, once. Makes the wait of the given thread ready. `by` as in sleep.h. */
void doze_suspended_ready(struct doze_holder *holder, struct doze_worker *worker, int32_t by);

/** Owner. The two halves of a wait that may time out. _begin hands the worker over. If the limit of
 * suspended waits is reached, or in an exit handler, where the pool has ended, it returns false and
 * the caller keeps the worker. _end waits until the caller holds the worker again. */
bool doze_suspend_begin(struct doze_suspended *s, struct doze_worker *worker,
			struct doze_future *target);
void doze_suspend_end(struct doze_suspended *s);

/* Private to suspend/: choose the next thread to hold a worker. */

/** Owner. Hands the worker to the first ready wait. There must be one. */
void doze_give_to_ready(struct doze_worker *worker);
/** Owner, in wait s. Hands the worker, and a job if there is one, to its home thread if that thread
 * is parked, else to an idle or new spare. Aborts with a message if no thread can be created. */
void doze_give_to_any(struct doze_suspended *s, struct doze_job *job, enum doze_source source);
/** Called by a thread that has handed its worker over. Waits until the thread is given a worker,
 * which it then holds, and returns that worker. Returns null if the thread is a spare that must
 * exit. */
struct doze_worker *doze_holder_await(struct doze_holder *holder);

/** Each aborts with a message that lists the chain of waits beginning with s. */
_Noreturn void doze_too_many_waits(const struct doze_suspended *s);
_Noreturn void doze_no_spare(const struct doze_suspended *s, int error);

#endif
