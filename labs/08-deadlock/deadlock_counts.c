/*
 * SPDX-License-Identifier: MIT
 *
 * deadlock_counts.c - lab 8: when is a pool deadlocked? You write this file.
 *
 * lib/deadlock_counts.h describes each function. struct doze_deadlock is in lib/deadlock.h; the
 * fields that you need are active, blocked, elsewhere, events, resting, calling and again. The lock
 * is held during every call of these functions.
 */
#include "lib/deadlock_counts.h"

#include "lib/deadlock.h"

/* `resting` is 0 except under policies that never sleep. There workers count as active even after a
 * search that found nothing, so the pool is at rest when all active workers rest. */
bool doze_counts_deadlock(const struct doze_deadlock *d)
{
	/* TODO */
	return false;
}

/* Already complete. Counts an event, after which searches that began before it do not count. */
void doze_counts_event(struct doze_deadlock *d)
{
	d->events++;
	d->resting = 0;
}

void doze_counts_block(struct doze_deadlock *d)
{
	/* TODO */
}

void doze_counts_unblock(struct doze_deadlock *d)
{
	/* TODO */
}

void doze_counts_sleep(struct doze_deadlock *d, bool elsewhere)
{
	/* TODO */
}

void doze_counts_back(struct doze_deadlock *d)
{
	/* TODO */
}

void doze_counts_wake(struct doze_deadlock *d, uint32_t n)
{
	/* TODO */
}

void doze_counts_wake_all(struct doze_deadlock *d, uint32_t workers)
{
	/* TODO */
}

bool doze_counts_claim(struct doze_deadlock *d)
{
	/* TODO */
	return false;
}

bool doze_counts_called(struct doze_deadlock *d)
{
	/* TODO */
	return false;
}
