/*
 * SPDX-License-Identifier: MIT
 *
 * world.h - the world of an explored program: its memory, threads and objects. README.md explains
 * the design, search.h has the search.
 *
 *   world    everything that a step can change except the program's own memory: thread states,
 *            pending steps, store buffers, views. It is one struct at a fixed address, saved and
 *            restored with the program's data, heaps and stacks: a state is plain memory.
 *   engine   everything that outlives a state: options, the set of visited states, the path, counts
 *
 * Key invariant: between two steps every thread is suspended in ex_step with its next step in
 * world.t[i].op. The search (search.c) picks one, perform.c applies its effect, and the coroutine
 * runs on to its next step. Nothing else happens between steps, so a schedule (a list of actions)
 * determines an execution.
 */
#ifndef DOZE_EXPLORE_WORLD_H
#define DOZE_EXPLORE_WORLD_H

#include <setjmp.h>
#include <stdio.h>

#include "explore.h"
#include "explore_atomic.h"
#include "explore_park.h"

#include "../../lib/trace_info.h"

#define EX_MAX_THREADS      6
#define EX_MAX_BUF          8   /* entries in a store buffer */
#define EX_MAX_LOCS         128 /* shared atomic objects and mutexes, in the weak mode */
#define EX_MAX_MSGS         256 /* live writes of all objects together */
#define EX_MAX_ACCESSES     400 /* accesses that order.c keeps in a state */
#define EX_MAX_HISTORY      6   /* live writes per object */
#define EX_MAX_TLS          8   /* thread-local variables of the explored code */
#define EX_MAX_IGNORED      32  /* ranges of memory that ex_ignore excludes from states */
#define EX_MAX_IGNORED_SIZE 16  /* maximum size of an ignored range, in bytes */
#define EX_STACK_SIZE       (128u * 1024)
#define EX_HEAP_SIZE        (64u * 1024)
#define EX_MAX_PATH         20000
#define EX_MAX_NOTES        32
#define EX_MAX_ACTIONS      48  /* actions that are possible in one state */
#define EX_MAX_TOUCHED      160 /* accesses and marks per thread between two steps (plain.c) */
#define EX_MAX_STORED       32  /* buffered objects whose names a listing remembers */

enum ex_memory { EX_MEM_SC, EX_MEM_TSO, EX_MEM_WEAK };

enum ex_kind {
	EX_OP_NONE,
	EX_OP_START,
	EX_OP_LOAD,
	EX_OP_STORE,
	EX_OP_RMW,
	EX_OP_CAS,
	EX_OP_FENCE,
	EX_OP_FENCE_ALL,
	EX_OP_LOCK,
	EX_OP_TRYLOCK,
	EX_OP_UNLOCK,
	EX_OP_WAIT,
	EX_OP_NOTIFY,
	EX_OP_YIELD,
	EX_OP_CREATE,
	EX_OP_JOIN,
	EX_OP_QUIET,
	EX_OP_CHOOSE,
};

/** A step that a thread is about to take. */
struct ex_op {
	uint8_t kind, order, order_fail, size;
	uint8_t sub; /* RMW: enum ex_rmw; NOTIFY: 1 to wake all waiters; LOCK: 1 after a WAIT */
	uint8_t ok;  /* result of a CAS or trylock */
	uint16_t unused;
	uint32_t n;      /* CHOOSE: number of values; CREATE, JOIN: thread */
	uintptr_t addr;  /* object, mutex or condition */
	uintptr_t mutex; /* WAIT: the mutex to release */
	uint64_t value, expected;
	uint64_t result;
	struct ex_site at;
};

struct ex_done {
	enum ex_kind kind;
	const char *what;
	uint64_t result;
	bool changes; /* the step was a read-modify-write, but not a CAS, that changed the value */
};

struct ex_store {
	uintptr_t addr;
	uint64_t value;
	uint64_t size;
};

/** An access that a thread has made since its last step, or a mark for a step that may order
 * accesses (plain.c). */
enum ex_touch_kind { EX_TOUCH_PLAIN, EX_TOUCH_ATOMIC, EX_TOUCH_UNLOCK, EX_TOUCH_STORE };
struct ex_touched {
	uintptr_t addr;
	uint32_t size;
	uint16_t write;
	uint16_t kind; /* enum ex_touch_kind */
};

enum ex_status { EX_NONE, EX_READY, EX_WAITING, EX_ENDED };

struct ex_thread {
	uint8_t status; /* enum ex_status */
	uint8_t joined;
	uint8_t nbuf;
	uint8_t ntouched;
	uint32_t heap_used;
	uintptr_t cond; /* the condition that a WAITING thread waits for */
	void *sp;
	void *(*fn)(void *);
	void *arg;
	const char *name, *expects;
	struct ex_op op;
	struct ex_store buf[EX_MAX_BUF]; /* store buffer, oldest store first */
	struct ex_touched touched[EX_MAX_TOUCHED];
	void *tls[EX_MAX_TLS]; /* its thread-local variables, in its heap; null until used */
};

/** A view of memory (memory.c). */
typedef struct {
	/* For each location in ex_views.loc, the oldest write that the owner may still read. */
	uint8_t ts[EX_MAX_LOCS];
	/* For each thread, its newest access that happens before the owner's next step. */
	uint8_t known[8];
} ex_view;
_Static_assert(EX_MAX_THREADS <= 8, "a view has room for 8 threads");
enum { EX_WRITES = 1, EX_ATOMIC = 2 }; /* bits of ex_access.kind */
/** An access that does not happen before the next steps of all other threads (order.c). */
struct ex_access {
	uintptr_t addr;
	uint32_t size;
	uint8_t thread, number, kind, unused;
};
struct ex_msg {
	uint64_t value;
	ex_view view; /* the view that an acquiring reader of this write joins into its own */
};
struct ex_loc {
	uintptr_t addr;
	uint16_t first;   /* index in msg[] of the oldest of its n live writes */
	uint8_t n;        /* number of live writes */
	uint8_t size;     /* of the object, in bytes; 0 = it is a mutex */
	uint32_t history; /* maximum number of live writes */
};
struct ex_views {
	struct ex_loc loc[EX_MAX_LOCS]; /* sorted by address */
	ex_view cur[EX_MAX_THREADS];    /* each thread's view */
	/* The view that the thread's next acquire fence joins into the thread's view. */
	ex_view acq[EX_MAX_THREADS];
	/* The thread's view at its last release fence, which its relaxed stores carry. */
	ex_view rel[EX_MAX_THREADS];
	ex_view sc; /* the view that seq_cst fences join and extend */
	struct ex_msg msg[EX_MAX_MSGS];
	struct ex_access access[EX_MAX_ACCESSES];
};

struct ex_range {
	uintptr_t addr;
	uint32_t size;
	/* Nonzero if the range is an id: states then differ only in whether the id is 0. */
	uint32_t zero_counts;
};

struct ex_world {
	uint32_t nthreads;
	int32_t last; /* thread of the last step; -1 after the start of a thread */
	uint32_t spurious_left;
	uint32_t preemptions;
	uint32_t nignored;
	uint32_t nlocs, nmsgs, naccesses; /* lengths of loc, msg and access in v */
	uint32_t turn; /* 1 + the thread that must act next because a store was flushed for it; 0 =
			* any */
	struct ex_range ignored[EX_MAX_IGNORED];
	struct ex_thread t[EX_MAX_THREADS];
	struct ex_views v;
};

enum ex_act { EX_RUN, EX_FLUSH, EX_SPURIOUS };
struct ex_action {
	uint8_t kind; /* enum ex_act */
	uint8_t thread;
	uint8_t choice; /* RUN: the write to read, the waiter to wake or the value to choose;
			 * FLUSH: the thread that is about to touch the object */
	uint8_t preempts;
};

struct ex_options {
	enum ex_memory memory;
	int bound;           /* maximum number of preemptions; -1 = unlimited */
	const char *old_of;  /* weak mode: loads may return old values only of objects whose names
				contain this word; null = of all objects */
	unsigned spurious;   /* maximum number of spurious wakes per execution */
	bool shortest;       /* after a failure, continue to search for a shorter one */
	uint64_t max_states; /* number of states at which to give up */
	double max_seconds;
	const char *policy;
};

enum ex_verdict { EX_PASSED, EX_FAILED, EX_GAVE_UP };

struct ex_result {
	enum ex_verdict verdict;
	uint64_t executions, states, steps;
	uint64_t at_execution; /* number of the execution that failed */
	unsigned depth;        /* length of the longest execution */
	unsigned shared;       /* number of objects that more than one thread touches */
	double seconds;
	bool livelock; /* the schedule ends with one turn of a loop */
	bool loops;    /* its last step never ends */
	unsigned loop; /* the number of actions before that turn */
	bool capped;   /* weak mode: a write was dropped because of EX_MAX_HISTORY */
	char message[512];
	const char *note[EX_MAX_NOTES];
	uint64_t note_count[EX_MAX_NOTES];
	bool note_due[EX_MAX_NOTES]; /* the search fails unless some execution makes this note */
	unsigned length;             /* length of the failing schedule */
	unsigned preemptions;
	struct ex_action path[EX_MAX_PATH];
};

/** A name that the scenario gives (places.c). */
#define EX_MAX_GIVEN 56
struct ex_given {
	uintptr_t addr;
	const char *name;
	size_t size; /* 0 if the name is for games; else the number of bytes that reports call so */
};

struct ex_engine {
	struct ex_options opt;
	const struct ex_scenario *scenario;
	int cur; /* running thread; -1 = the scheduler */
	void *scheduler_sp;
	sigjmp_buf fail;
	bool restart;                    /* a newly found shared object; start the search over */
	const void *tls_key[EX_MAX_TLS]; /* the thread-local variables, in order of first use */
	uint64_t clock;                  /* number of steps taken; the clock of a recorded trace */
	FILE *record;                    /* where to record the events of a replay, or null */
	FILE *listing;                   /* where to list the steps of a replay, or null */
	bool lines;                      /* the listing shows the source line of each step */
	bool drains; /* the listing shows each buffered store when it reaches memory */
	uintptr_t stored_at[EX_MAX_STORED];   /* objects whose buffered stores were listed */
	const char *stored_as[EX_MAX_STORED]; /* their names */
	unsigned woken;                /* the threads that the last notify woke, one bit each */
	bool every_step;               /* every step is a choice point (script.c) */
	bool breaches_permitted;       /* ex_permit_breaches was called */
	bool reports_checked;          /* ex_check_reports was called */
	struct ex_done done;           /* the last finished step */
	uint64_t rmws, fences, yields; /* numbers of such steps in all executions (locks.c) */
	unsigned local_run;            /* number of successive steps without a choice point */
	unsigned long resumed;         /* number of times that a thread has been resumed */
	unsigned long resumed_before;  /* the same at the last tick of the watch (main.c) */
	const char *goal;    /* text of the event or failure that the search must reach, or null */
	const char *reached; /* the event in which the goal's text was found */
	bool goal_only;      /* only reaching the goal counts as a failure */
	FILE *met;           /* file to which ex_event writes its texts (play.c), or null */
	void (*rows)(void);  /* shows more of the state in a game (play_show.c); may be null */
	struct ex_given given[EX_MAX_GIVEN];       /* names that the scenario gave to objects */
	bool from_here;                            /* the search begins in the current state */
	void (*made)(int thread, unsigned choice); /* called before each step; may be null */
	/* Called by a search from time to time; may be null. */
	void (*progress)(uint64_t executions);
	struct ex_result *res;
	struct ex_calls *calls; /* each thread's call stack (places.c), or null */
};

/* ex_coro_setup maps memory at these fixed addresses, so that pointers inside a state stay valid
 * when it is restored, and two runs of a program see the same addresses. */
#define EX_ENGINE_AT UINT64_C(0x200000000000)
#define EX_WORLD_AT  UINT64_C(0x210000000000)
#define EX_HEAP_AT   UINT64_C(0x220000000000)
#define EX_STACK_AT  UINT64_C(0x230000000000)
#define E            ((struct ex_engine *)EX_ENGINE_AT)
#define W            ((struct ex_world *)EX_WORLD_AT)

/* fail.c: how a search ends. Any file may call these. */
/** Ends the search without a verdict, because a limit of the explorer was reached. */
_Noreturn void ex_give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Fails this execution because an event breaks a rule of the pool's policy, unless that is
 * permitted. */
void ex_breach(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Fails a search that passed but never made a required note. */
void ex_judge_notes(void);
const char *ex_thread_name(int thread);

/* coro.c: a stack for each thread, and switches between them */
void ex_coro_setup(void);
void ex_coro_prepare(int thread, void (*entry)(void));
void ex_coro_resume(int thread);
void ex_coro_suspend(void);
char *ex_stack_base(int thread);
int ex_stack_of(uintptr_t addr);
bool ex_dead_frame(uintptr_t addr);

/* places.c: which code last accessed an address, and what things are called in reports */
void ex_place_note(uintptr_t addr, const void *pc);
void ex_place_note_step(int thread, uintptr_t addr);
/** `what` says what the access is: one of the constants. */
#define EX_RACE "race"
#define EX_USE  "use" /* of freed memory */
void ex_place_show(const char *what, int thread, uintptr_t addr);
void ex_place_show_step(const char *what, int thread);

/** Begins to record each thread's calls. The program must be at its start. */
void ex_calls_follow(void);
void ex_call_enter(const void *pc);
void ex_call_leave(void);
/** Prints an address in each function that the thread is in, the outermost first, each after a
 * tab. */
void ex_calls_show(FILE *to, int thread);

/** An address in a global variable. */
struct ex_symbol {
	const char *name; /* static variables of functions: "FUNCTION.NAME" or "NAME.NUMBER" */
	unsigned number;  /* index among the variables of this name, in link order */
	uintptr_t offset; /* offset in bytes from the start of the variable */
};

/** Reads the program's symbol table. Called once, before the search. Without it, or if the file
 * cannot be read, no variable is known. */
void ex_symbols_load(void);
/** Finds the variable at an address. *found is valid until the program exits. Returns false if no
 * variable is known there. */
bool ex_symbol_at(uintptr_t addr, struct ex_symbol *found);
/** Returns the address of a variable plus the offset, or 0 if the program has no such variable. */
uintptr_t ex_symbol_address(const struct ex_symbol *wanted);

/** Returns the name that the scenario gave to the object, or null. */
const char *ex_given_name(uintptr_t addr);
/** Returns the name that the scenario gave to the memory at the address, or null. */
const char *ex_given_memory(uintptr_t addr);

/* heap.c: the memory of the explored code */
void *ex_heap_alloc(size_t align, size_t size);
size_t ex_heap_mark_freed(const void *p);
char *ex_heap_base(int thread);
void ex_heap_reset(int thread);
bool ex_is_freed(uintptr_t addr);
bool ex_heap_reached(uintptr_t addr);
size_t ex_heap_size(uintptr_t addr);
void ex_touch(int thread, uintptr_t addr, size_t size, const char *how);
/** Describes the memory at the address in words, for reports. The text is valid until the next
 * call. */
const char *ex_name_memory(uintptr_t addr);

/* order.c: the happens-before relation, in the weak mode */
void ex_order_reset(void);
void ex_order_access(int thread, uintptr_t addr, size_t size, unsigned kind);
void ex_order_freed(int thread, uintptr_t addr, size_t size);
void ex_order_left(int thread);
void ex_order_tidy(void);

/* plain.c: plain accesses, which the compiler makes visible */
void ex_plain_close(int thread);
void ex_plain_local(int thread, uintptr_t addr, size_t size, enum ex_touch_kind kind);
void ex_plain_locked(int thread, uintptr_t mutex);
void ex_plain_flushed(int thread);
void ex_plain_freed(uintptr_t addr, size_t size);
void ex_plain_left(int thread);
void ex_plain_atomic(int thread, uintptr_t addr, size_t size, bool write);

/* share.c: finds the objects that more than one thread touches */
void ex_share_reset(void);
bool ex_is_shared(uintptr_t addr, int thread);
bool ex_is_visible(uintptr_t addr, int thread, bool write);
void ex_share_heavy(void);
bool ex_heavy_fences(void);
unsigned ex_share_count(void);
void ex_share_write(FILE *f);
bool ex_share_read(const char *line);

/* memory.c: atomic steps under the three memory modes */
uint64_t ex_mem_read(uintptr_t addr, unsigned size);
void ex_mem_write(uintptr_t addr, unsigned size, uint64_t v);
uint64_t ex_rmw_value(enum ex_rmw what, uint64_t old, uint64_t v, unsigned size);
void ex_flush(int thread);
void ex_stores_forget(uintptr_t addr, size_t size);
void ex_memory_perform(int thread, struct ex_op *op, unsigned choice);
unsigned ex_views_choices(int thread, const struct ex_op *op);
void ex_views_perform(int thread, struct ex_op *op, unsigned choice);
void ex_views_fence_all(int thread);
void ex_views_lock(int thread, uintptr_t mutex);
void ex_views_unlock(int thread, uintptr_t mutex);
void ex_views_inherit(int child, int parent);
void ex_views_join(int thread, int child);
void ex_views_forget(uintptr_t addr, size_t size);
void ex_views_tidy(void);

/* locks.c: checks and counts of locks, and counts of costly steps */
/** Fails if the current thread holds another mutex of the same group. `function` is the name of the
 * function that is about to take the mutex. */
void ex_lock_wanted(const doze_mutex *mutex, const char *function);
/** Counts an acquisition of the mutex. */
void ex_lock_taken(const void *mutex);
/** The record of `lock` events, or null if the scenario does not count them. Hooks write
 * it directly, because what a call leaves on a thread's stack is part of the state. */
extern struct ex_lock_reports *ex_lock_reports;
/** The record of `latch` events, or null if the scenario does not count them. */
extern struct ex_latch_reports *ex_latch_reports;

/* rules.c: checks what the library reports. First, the number of wakes. */
void ex_wakes_pool(uint32_t pool, uint32_t n);
void ex_wakes_post(uint32_t pool, const struct doze_trace_post_info *i);
void ex_wakes_state(uint32_t pool, enum doze_state from, enum doze_state to,
		    enum doze_reason reason, uint64_t old_word);
void ex_wakes_wake(uint32_t pool, enum doze_cause cause);
void ex_wakes_end(void);

/* The reports that workers make of their sleeps. Called only if
 * E->reports_checked, because what a call leaves on a thread's stack is part of the state. */
void ex_reports_step(const struct ex_op *op); /* the running thread has made this step */
void ex_reports_jec(int32_t worker, uint64_t old_word, uint64_t new_word);
void ex_reports_woken(uint32_t pool, int32_t worker);
void ex_reports_state(uint32_t pool, int32_t worker, const struct doze_trace_state_info *i);
/** Checks the report of an averted sleep. `state` is the last state that the worker reported. */
void ex_reports_abort(uint32_t pool, int32_t worker, enum doze_abort by, enum doze_state state,
		      uint64_t old_word, uint64_t new_word);

/** Checks that the last step changed the latch from `from`. */
void ex_reports_latch(enum doze_latch_state from, enum doze_latch_state to);

/* ops.c: how explored code requests steps */
void ex_step(void);
bool ex_is_silent(int thread);
struct ex_op *ex_op_new(enum ex_kind kind, uintptr_t addr, struct ex_site at);
bool ex_drains(const struct ex_op *op);
void ex_tls_end(int thread);

/* perform.c: what a step does */
bool ex_enabled(int thread);
unsigned ex_choices(int thread);
void ex_perform(int thread, unsigned choice);
void ex_apply(struct ex_action a);
bool ex_is_mover(int thread);
void ex_world_reset(void);

/* schedule.c: steps in words */
void ex_describe(int thread, unsigned choice);
void ex_describe_flush(int thread);

#endif
