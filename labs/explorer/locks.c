/*
 * SPDX-License-Identifier: MIT
 *
 * locks.c - what scenarios may check of locks and of costly steps.
 *
 * - That no thread takes a second lock of a group, such as the workers' sleep locks. Two threads
 * that each hold one and want the other's would wait for ever, but the schedule in which they meet
 * may need more threads than a search can cover.
 * - How often each mutex is taken, to see how evenly code uses several locks, and how many costly
 * steps code takes. These counts are valid only where a single thread runs: the engine keeps the
 * counts of steps, and restoring a state does not undo them.
 */
#include "world.h"

#include <string.h>

/* ---- groups of locks ---- */

/* Part of every state. */
static struct {
	const doze_mutex *mutex;
	const char *what;
} group[8];
static unsigned members;

void ex_hold_one_of(const void *mutex, const char *what)
{
	if (members == sizeof(group) / sizeof(group[0]))
		ex_fail("more than %u locks in a group", members);
	group[members].mutex = mutex;
	group[members++].what = what;
}

static bool is_member(const doze_mutex *mutex)
{
	for (unsigned i = 0; i < members; i++)
		if (group[i].mutex == mutex)
			return true;
	return false;
}

void ex_lock_wanted(const doze_mutex *mutex, const char *function)
{
	if (!is_member(mutex))
		return;
	for (unsigned i = 0; i < members; i++)
		if (group[i].mutex != mutex && group[i].mutex->owner == (uint32_t)E->cur + 1)
			ex_fail("%s: %s takes a second %s while it holds one; two threads that do "
				"this can wait for each other",
				function, ex_thread_name(E->cur), group[i].what);
}

/* ---- counts ---- */

static bool counting;

static struct {
	const void *mutex;
	uint64_t taken;
} counts[16];

static unsigned held; /* largest number of counted mutexes that a thread held at once */
struct ex_lock_reports *ex_lock_reports;
struct ex_latch_reports *ex_latch_reports;

void ex_count_latch_reports(void)
{
	static struct ex_latch_reports reports;
	reports = (struct ex_latch_reports){0};
	ex_latch_reports = &reports;
}

struct ex_latch_reports ex_latches_reported(void)
{
	return *ex_latch_reports;
}

void ex_count_locks(void)
{
	counting = true;
	held = 0;
	static struct ex_lock_reports reports;
	reports = (struct ex_lock_reports){0};
	ex_lock_reports = &reports;
	memset(counts, 0, sizeof(counts));
}

/* Returns how many of the counted mutexes the running thread holds after it has taken this one. */
static unsigned now_held(const doze_mutex *taken)
{
	unsigned n = 1;
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const doze_mutex *m = counts[i].mutex;
		n += m && m != taken && m->owner == (uint32_t)E->cur + 1;
	}
	return n;
}

void ex_lock_taken(const void *mutex)
{
	if (counting && now_held(mutex) > held)
		held = now_held(mutex);
	for (unsigned i = 0; counting && i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (counts[i].mutex != NULL && counts[i].mutex != mutex)
			continue;
		counts[i].mutex = mutex;
		counts[i].taken++;
		return;
	}
	if (counting)
		ex_give_up("gave up: more than %zu mutexes", sizeof(counts) / sizeof(counts[0]));
}

uint64_t ex_locks_counted(uint64_t *most)
{
	uint64_t all = 0;
	*most = 0;
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		all += counts[i].taken;
		if (counts[i].taken > *most)
			*most = counts[i].taken;
	}
	return all;
}

struct ex_lock_reports ex_locks_reported(void)
{
	return *ex_lock_reports;
}

unsigned ex_locks_held(void)
{
	return held;
}

uint64_t ex_rmws(void)
{
	return E->rmws;
}
uint64_t ex_fences(void)
{
	return E->fences;
}
uint64_t ex_yields(void)
{
	return E->yields;
}
