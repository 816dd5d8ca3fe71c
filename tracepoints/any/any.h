/*
 * SPDX-License-Identifier: MIT
 *
 * any.h - the parts of the preload that records programs which do not use libdoze. README.md has
 * the design; this header has what the files share.
 *
 * Everything here runs inside a program that is not ours, in its threads. So no code on a thread's
 * way allocates memory, calls the dynamic loader, or holds a lock across the real call.
 */
#ifndef DOZE_ANY_H
#define DOZE_ANY_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/trace.h"
#include "word_lock.h"

/* The number of threads that a wake call is meant for, if it is all of them. */
enum { ANY_ALL = -1 };

/** How a wait ended. */
enum any_end {
	ANY_WOKEN,     /* the call says that it was woken */
	ANY_LEFT,      /* timed out, interrupted, cancelled, or left by a jump */
	ANY_NOT_SLEPT, /* the call returned without sleeping */
};

struct any_crew;

/** A call that has woken threads: the number of its decision in the trace, and who made it. */
struct any_waker {
	uint64_t decision;
	const struct any_crew *crew;
	int32_t index;
};

/** A wake that is meant for one wait. */
struct any_given {
	uint64_t id;    /* 0: none */
	uint64_t reach; /* waits that arrived later cannot get it */
	struct any_waker by;
};

/** One thread in one wait: a node in the list of its bucket (waits.c), and protected by the
 * bucket's lock. It is part of the thread's own data rather than of the frame that waits, because a
 * signal handler may jump out of the wait. */
struct any_wait {
	struct any_wait *next, *prev;
	const void *object; /* null: not waiting */
	enum doze_wait_kind kind;
	struct any_crew *crew;
	int32_t index;
	uint64_t arrival; /* order of arrival in the bucket */
	struct any_given wake;
	bool quiet; /* only counted; its wake may have the number ANY_QUIET, which has no event */
};
#define ANY_QUIET UINT64_MAX

/** A thread of the program. Only the thread itself writes it, except where a comment says so. */
struct any_thread {
	struct any_thread *next, *prev; /* in the list of threads; protected by its lock */
	int busy;     /* > 0: inside the preload or LTTng, so calls pass through */
	bool ignored; /* not a thread of the program, or one that has ended */
	bool listed;  /* in the list of threads */
	_Atomic bool
	    announced;        /* has a crew; the snapshot thread may set it, with the list locked */
	_Atomic bool renamed; /* the thread's own name may have changed */
	uint32_t names;       /* value of any_names when the name was read */
	uint32_t tid;
	const void *start; /* start routine; null: the main thread */
	struct any_crew *crew;
	int32_t index;
	_Atomic int state; /* enum doze_state; read by the snapshot thread */
	unsigned endings;  /* how often the destructor of the thread's data has run */
	uint64_t random;   /* jitter.c; 0: not yet seeded */
	struct any_wait wait;
	_Atomic bool paused;    /* its waits are only counted; read by the snapshot thread */
	const char *wait_frame; /* address of the frame that waits, to notice a jump out of it */
	/* Woken from this condition variable, and the mutex has been held since; else null. */
	const void *held_cond, *held_mutex;
	/* Totals in this crew, read by the snapshot thread. */
	_Atomic uint64_t waits, woken, again, timed_out;
};

/* initial-exec: the first access in a thread must not allocate memory. */
extern __thread struct any_thread any_me __attribute__((tls_model("initial-exec")));

/** Whether and how this process is recorded. Only admit.c writes it, except where a comment says
 * so. */
struct any_recording {
	_Atomic bool on; /* calls are recorded now; also cleared by any_give_up */
	bool follows;    /* children are recorded, too */
	int pid;         /* the process to record; 0: not this one */
	/* The entries of LD_PRELOAD that doze added, separated by colons: this shared object, and
	 * perhaps one of LTTng's. */
	char preload[2 * PATH_MAX];
	/* Of LTTng: allocates a thread's data, so that no event does. Null: not known, or not to be
	 * called. */
	void (*init_thread)(void);
};
extern struct any_recording any_recording;

/* The bounds of this shared object, set by the linker. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/** Returns whether a code address is in this shared object, whose own waits are not recorded. */
static inline bool any_is_ours(const void *code)
{
	return (uintptr_t)code - (uintptr_t)__ehdr_start <
	       (uintptr_t)_end - (uintptr_t)__ehdr_start;
}

/** Returns whether a call of this thread is to be recorded. */
static inline bool any_sees(const void *caller)
{
	return atomic_load_explicit(&any_recording.on, memory_order_relaxed) && !any_me.busy &&
	       !any_me.ignored && !any_is_ours(caller);
}

/* Between enter and leave, calls of this thread pass through, those of its signal handlers too. The
 * program's errno survives. The fences keep the compiler from moving the work out. */
static inline int any_enter(void)
{
	any_me.busy++;
	atomic_signal_fence(memory_order_seq_cst);
	return any_errno();
}
static inline void any_leave(int error)
{
	any_set_errno(error);
	atomic_signal_fence(memory_order_seq_cst);
	any_me.busy--;
}

/* Adds to a total of this thread. Only this thread writes it, so no atomic addition is needed. */
static inline void any_count(_Atomic uint64_t *total, uint64_t n)
{
	atomic_store_explicit(total, atomic_load_explicit(total, memory_order_relaxed) + n,
			      memory_order_relaxed);
}

/* ---- waits.c ---- */

/** Records that this thread is about to wait. Returns whether any_wait_end must follow. `mutex`:
 * the one that the wait releases, or null. The caller has checked any_sees. */
bool any_wait_begin(const void *object, enum doze_wait_kind, const void *mutex, const void *caller,
		    const char *frame);
/** Records that the wait ended. */
void any_wait_end(enum any_end, const void *mutex);
/** The thread releases the mutex with which it was woken. */
void any_go_on(void);
/** Makes one wake call, real(ctx), for n waiters or ANY_ALL, and records it if it is to be
 * recorded. Returns what real returns. */
long any_wake(const void *object, enum doze_wait_kind, int n, const void *caller,
	      long (*real)(void *), void *ctx);
/** If the thread is still in a list of waits, takes it out. */
void any_wait_drop(void);
/** In a forked child: forgets the waits of the threads that do not exist there. */
void any_waits_reset(void);

/* ---- budget.c ---- */

/** Returns whether there is room for the events of one more wait. */
bool any_budget(void);
void any_budget_start(void);

/* ---- crews.c ---- */

/** Gives this thread a crew, or another one if its name has changed. Returns false if it cannot be
 * recorded. Inside enter and leave. */
bool any_in_crew(void);
/** Emits a change of this thread's state. */
void any_state(enum doze_state to, enum doze_reason);
/** Emits the totals of this thread's waits. */
void any_totals(void);
/** A number that is unique in the process. */
uint64_t any_ids(uint32_t count);
/** Number of the crew. */
uint32_t any_crew_id(const struct any_crew *);
/** A thread of the program begins; called first in it. */
void any_thread_begins(const void *start, bool ignored);
/** Another thread's name may have changed. */
void any_name_changed(void);
/** Emits the end of all crews, as at the end of the process. */
void any_crews_stop(void);
/** Emits them again, with the states of their threads, because the process did not end. */
void any_crews_go_on(void);
/** In a forked child: forgets all crews and threads but this one. */
void any_crews_reset(void);
/** Called once, before any thread begins. `base`: number added to those of crews. */
bool any_crews_start(uint32_t base);

/* ---- sites.c ---- */

/** Counts a call that wakes. */
void any_site_count(enum doze_wait_kind, const void *caller, bool nobody);
/** Emits the sites whose counts have changed. Only one thread at a time. */
void any_sites_emit(void);
void any_sites_reset(void);

/* ---- jitter.c ---- */

/** Yields or sleeps at random, if the environment asks for it. */
void any_jitter(void);
void any_jitter_start(void);

/* ---- recording.c ---- */

/** Has the provider read the CPU limits of the process. Not in a thread of the program, except
 * before main. */
void any_provider_read_limits(void);

/** Ends the recording of this process for good, because its data cannot be trusted any more. */
void any_give_up(void);
/** Returns whether this process is to be recorded. A child of vfork is not, although it runs in the
 * memory of one that is. */
bool any_is_recorded(void);

#endif
