/*
 * SPDX-License-Identifier: MIT
 *
 * explore.h - the explorer's interface to scenarios.
 *
 * A scenario is a small program: `body` runs as thread 0, may start threads with doze_thread_create
 * (the library does), must return, and states its properties with EX_CHECK. The explorer runs it
 * under every interleaving. The scenario fails if a check fails, if no thread can run although some
 * have not ended (a deadlock or a lost wakeup), or if freed memory or a dead frame is accessed.
 */
#ifndef DOZE_EXPLORE_H
#define DOZE_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lists of policies that follow from the descriptors, so that a new policy is in them. */
#define EX_POLICIES_THAT_SLEEP "*"
#define EX_POLICIES_WITH_JEC   "*jec"

struct ex_scenario {
	const char *name;   /* one hyphenated word */
	const char *title;  /* the case that the scenario explores, or the behaviour it tests */
	void (*body)(void); /* runs as thread 0 */
	unsigned threads;   /* number of threads, including thread 0; shown in the table */
	/* Names separated by blanks, or one of the two lists above; null if no policy is
	 * involved. */
	const char *policies;
	const char *fails; /* memory modes or policies under which it must fail, or null */
	unsigned spurious; /* maximum number of spurious wakes */
	/* The combinations "construct/waiter/completer" that the scenario covers, separated by
	 * blanks, or null. Under sc, some execution must note each of them (ex_note). */
	const char *cells;
};

/** The scenarios of a program, terminated by an entry without a name. */
extern const struct ex_scenario ex_scenarios[];

/** Fails this execution. Any scenario thread or library code may call it. */
_Noreturn void ex_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define EX_CHECK(cond)                                                                             \
	do {                                                                                       \
		if (!(cond))                                                                       \
			ex_fail("%s: assertion failed: %s", __func__, #cond);                      \
	} while (0)
/** Fails with a message, for checks whose expression alone would not show a student what is wrong.
 */
#define EX_REQUIRE(cond, ...)                                                                      \
	do {                                                                                       \
		if (!(cond))                                                                       \
			ex_fail(__VA_ARGS__);                                                      \
	} while (0)

/** Lets executions continue when an event breaks a rule of its policy. For scenarios that record
 * what a broken library does. */
void ex_permit_breaches(void);
/** Enables checks that the events of policy `jec` report each sleep as it happened (rules.c). */
void ex_check_reports(void);

/** Sets the description of what the calling thread waits for, as shown in deadlock reports ("the
 * injected job"); null for nothing. The text must stay valid. */
void ex_expect(const char *what);
/** Blocks the caller until no other thread can take a step, because all others block or have
 * ended. */
void ex_wait_quiet(void);
/** Counts an event that is worth reporting but is not a failure, such as a post that wakes too
 * few workers. The text must stay valid. */
void ex_note(const char *what);
/** Reports an event that a player or a search for a goal may want to reach. Does not count it. */
void ex_event(const char *what);
/** Requires some execution of the search to make a note with these words. If none does, the
 * scenario misses the case that it was written for, and fails. */
void ex_must_note(const char *what);
/** Returns whether the last state that the worker (of the first or second pool) reported is
 * sleeping. The query is not a step of the program, so use it only for notes. */
bool ex_worker_sleeps(uint32_t pool, int32_t worker);
/** Returns whether a thread waits on a condition variable or for another thread's end. Use it only
 * for notes. Threads are numbered in the order of their creation; 0 is the scenario's body. */
bool ex_thread_waits(unsigned thread);
/** Writes the thread's next step in words, such as "load pool->closed" or "wait", or "wake" if a
 * notification has ended its wait. The query is not a step of the program. */
void ex_next_step(unsigned thread, char *words, size_t size);
/** Requires that the pool's next post of an injected job counts n workers as asleep. Call it when
 * no other thread can take a step (ex_wait_quiet). */
void ex_expect_asleep(uint32_t pool, int32_t n);
/** Registers a function that shows more of the state in a game. It is called between steps, and
 * calls ex_row for each row. It must read atomics with ex_peek, which is not a step, and only
 * objects for which ex_exists returns true. */
void ex_show_in_play(void (*show)(void));
void ex_row(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t ex_peek(const volatile void *p, unsigned size);
/** Returns whether the memory is allocated and has not been freed. */
bool ex_exists(const volatile void *p);
/** Gives an object a name for games, in place of the expression in the code. The text must stay
 * valid. */
void ex_name_object(const volatile void *p, const char *name);
/** Gives memory a name for reports of data races and of uses after free. If a
 * name is given twice, only the last memory keeps it. */
void ex_name_range(const volatile void *p, size_t size, const char *name);
/** Returns one of 0 … n-1; every value is explored. */
unsigned ex_choose(unsigned n);
/** Makes the kernel refuse heavy fences, as old kernels and some sandboxes do (lib/atomic.h). Call
 * it before creating a pool. */
void ex_refuse_heavy_fences(void);
/** Returns the sleep policy of this run (default "jec"). */
const char *ex_policy(void);
/** Returns whether that policy has a jobs event counter, by its descriptor (viz/trace/policies.h).
 */
bool ex_policy_has_jec(void);
/** Excludes these bytes from the comparison of states. Use it for a statistic or an id for the
 * trace, on which nothing depends; otherwise a loop that counts its rounds would never return to a
 * known state. */
void ex_ignore(const volatile void *p, unsigned size);
/** Makes the comparison of states ignore an id that the program compares only with 0: two states
 * that differ only in the id count as one, unless it is 0 in exactly one of them. */
void ex_ignore_number(const volatile void *p, unsigned size);
/** Returns the number of read-modify-writes executed in this process so far. The number is not part
 * of a state, so use it only where a single thread runs. */
uint64_t ex_rmws(void);
/** Returns the number of seq_cst fences and seq_cst stores so far. Use it only where a single
 * thread runs. */
uint64_t ex_fences(void);
/** Returns the number of yields so far. Use it only where a single thread runs. */
uint64_t ex_yields(void);
/** Begins to count how often each mutex is taken. Use it only where a single thread runs.
 * ex_locks_counted returns the sum of the counts, and stores the highest count in *most. */
void ex_count_locks(void);
uint64_t ex_locks_counted(uint64_t *most);
/** Returns the largest number of mutexes that the thread has held at once since ex_count_locks. */
unsigned ex_locks_held(void);
/** The number of `lock` events since ex_count_locks, and the fields of the last one. Use it only
 * where a single thread runs. */
struct ex_lock_reports {
	uint64_t number;
	int32_t by, owner;
	int kind; /* enum doze_lock_kind */
};
struct ex_lock_reports ex_locks_reported(void);
/** Adds a doze_mutex to a group: no thread may hold two mutexes of the group at once. `what`
 * describes the mutex in failure messages, and must stay valid. */
void ex_hold_one_of(const void *mutex, const char *what);
/** The number of `latch` events since ex_count_latch_reports, and the fields of the last one. Use
 * it only where a single thread runs. */
struct ex_latch_reports {
	uint64_t number, id;
	uint32_t pool;
	int32_t by, owner;
	int kind, from, to; /* enum doze_latch_kind and doze_latch_state */
};
void ex_count_latch_reports(void);
struct ex_latch_reports ex_latches_reported(void);
/** Makes allocations fail from now on, or succeed again. */
void ex_refuse_memory(bool refuse);
/** Sets the name of the calling thread in reports. The text must stay valid. */
void ex_name_thread(const char *name);

#endif
