/*
 * SPDX-License-Identifier: MIT
 *
 * exclusive.c - checks that no thread takes a second lock of a group, such as the workers' sleep
 * locks. Two threads that each hold one and want the other's would wait for ever, but the schedule
 * in which they meet may need more threads than a search can cover.
 */
#include "engine.h"

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
