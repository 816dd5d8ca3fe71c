/*
 * SPDX-License-Identifier: MIT
 *
 * explore.h - what a scenario file sees of the explorer.
 *
 * A scenario is a small program: `body` runs as thread 0, may start threads with doze_thread_create
 * (the library does), must return, and states its properties with EX_CHECK. The explorer runs it
 * under every interleaving; it fails when a check fails, when nobody can run before everybody has
 * ended (a deadlock or a lost wakeup), or when freed memory or a dead frame is touched.
 */
#ifndef DOZE_EXPLORE_H
#define DOZE_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

struct ex_scenario {
	const char *name;     /* one word with dashes */
	const char *title;    /* the question it answers */
	void (*body)(void);   /* thread 0 */
	unsigned threads;     /* how many take part, thread 0 included; for the table */
	const char *policies; /* names with a blank between them; null: no policy involved */
	const char *fails;    /* memory modes or policies with which it must fail; null: none */
	unsigned spurious;    /* so many waits may end on their own */
	/* Cells of the table construct/who waits/who completes that it fills, with a blank between
	 * them; null: none. Each must be noted (ex_note) in some execution under sc. */
	const char *cells;
};

/** The table of a build: ends with an entry without a name. */
extern const struct ex_scenario ex_scenarios[];

/** Fails this execution. Any scenario thread or library code. */
_Noreturn void ex_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define EX_CHECK(cond)                                                                             \
	do {                                                                                       \
		if (!(cond))                                                                       \
			ex_fail("%s: not true: %s", __func__, #cond);                              \
	} while (0)

/** What the calling thread waits for from here on, said in a deadlock's report ("the injected
 * job"). Null: nothing. The text is borrowed for good. */
void ex_expect(const char *what);
/** Blocks the caller until nobody else can make a step (all others block or have ended). */
void ex_wait_quiet(void);
/** Counts something worth reporting that is not a failure, such as an under-wake. The text is
 * borrowed for good. */
void ex_note(const char *what);
/** Some execution of the search must make this note (the same words): if none does, the scenario
 * does not show what it is there for, and has failed. */
void ex_must_note(const char *what);
/** Whether that worker of the first or second pool has last reported that it sleeps. Not a step of
 * the program: for notes only. */
bool ex_worker_sleeps(uint32_t pool, int32_t worker);
/** Likewise, whether a thread waits on a condition variable or for another thread's end. Threads
 * are numbered from 0, the scenario's body, in the order of their creation. */
bool ex_thread_waits(unsigned thread);
/** All is quiet: the policy's next post of an injected job must count n workers as asleep. */
void ex_expect_asleep(uint32_t pool, int32_t n);
/** One of 0 … n-1; every value is explored. */
unsigned ex_choose(unsigned n);
/** The policy that this run was asked for ("jec" unless told otherwise). */
const char *ex_policy(void);
/** These bytes do not tell states apart: a statistic, or a name for the trace, that nothing depends
 * on. Without this a loop that counts its turns would never come back to a state seen before. */
void ex_ignore(const volatile void *p, unsigned size);
/** The same for an id of which the program only asks whether it is 0. */
void ex_ignore_number(const volatile void *p, unsigned size);
/** Names the calling thread in reports. Borrowed for good. */
void ex_name_thread(const char *name);

#endif
