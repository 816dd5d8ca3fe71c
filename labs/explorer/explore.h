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

struct ex_scenario {
	const char *name;     /* one hyphenated word */
	const char *title;    /* the question that the scenario answers */
	void (*body)(void);   /* runs as thread 0 */
	unsigned threads;     /* number of threads, including thread 0; for the table */
	const char *policies; /* names separated by blanks; null if no policy is involved */
	const char *fails;    /* memory modes or policies under which it must fail, or null */
	unsigned spurious;    /* maximum number of spurious wakes */
	/* The cells "construct/who waits/who completes" of the table that the scenario fills,
	 * separated by blanks, or null. Some execution under sc must note each cell (ex_note). */
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

/** Lets executions continue when an event breaks a rule of its policy. For scenarios that record
 * what a broken library does. */
void ex_permit_breaches(void);
/** Enables checks that the events of policy `jec` report each sleep as it happened (reports.c). */
void ex_check_reports(void);

/** Sets the description of what the calling thread waits for, as shown in deadlock reports ("the
 * injected job"); null for nothing. The text must stay valid. */
void ex_expect(const char *what);
/** Blocks the caller until no other thread can take a step, because all others block or have
 * ended. */
void ex_wait_quiet(void);
/** Counts an event that is worth reporting but is not a failure, such as an under-wake. The text
 * must stay valid. */
void ex_note(const char *what);
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
 * all is quiet. */
void ex_expect_asleep(uint32_t pool, int32_t n);
/** Marks the point where a game of this scenario begins (labs/lab play). The game makes the steps
 * before it on its own. Not a step of the program; searches ignore it. */
void ex_begin_play(void);
/** Returns one of 0 … n-1; every value is explored. */
unsigned ex_choose(unsigned n);
/** Returns the sleep policy of this run (default "jec"). */
const char *ex_policy(void);
/** Excludes these bytes from the comparison of states. Use it for a statistic or an id for the
 * trace, on which nothing depends; otherwise a loop that counts its rounds would never return to a
 * known state. */
void ex_ignore(const volatile void *p, unsigned size);
/** Does the same for an id that the program only compares with 0: states differ only if one of the
 * ids is 0. */
void ex_ignore_number(const volatile void *p, unsigned size);
/** Returns the number of read-modify-writes executed in this process so far. The number is not part
 * of a state, so use it only where a single thread runs. */
uint64_t ex_rmws(void);
/** Returns the number of seq_cst fences and seq_cst stores; the same restriction applies. */
uint64_t ex_fences(void);
/** Returns the number of yields; the same restriction applies. */
uint64_t ex_yields(void);
/** Begins to count how often each mutex is taken; the same restriction applies. ex_locks_counted
 * returns the sum, and in *most the count of the mutex that was taken most often. */
void ex_count_locks(void);
uint64_t ex_locks_counted(uint64_t *most);
/** Sets the name of the calling thread in reports. The text must stay valid. */
void ex_name_thread(const char *name);

#endif
