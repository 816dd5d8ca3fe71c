/*
 * SPDX-License-Identifier: MIT
 *
 * Lab 8 replaces this file (labs/08-deadlock): keep other code out of it.
 *
 * deadlock_counts.c - see deadlock_counts.h.
 */
#include "deadlock_counts.h"

#include "deadlock.h"

bool doze_counts_deadlock(const struct doze_deadlock *d)
{
	return d->active == d->resting && d->blocked != 0 && d->elsewhere == 0;
}

void doze_counts_event(struct doze_deadlock *d)
{
	d->events++;
	d->resting = 0;
}

void doze_counts_block(struct doze_deadlock *d)
{
	d->active--;
	d->blocked++;
	doze_counts_event(d);
}

void doze_counts_unblock(struct doze_deadlock *d)
{
	d->active++;
	d->blocked--;
	doze_counts_event(d);
}

void doze_counts_sleep(struct doze_deadlock *d, bool elsewhere)
{
	d->active--;
	if (elsewhere)
		d->elsewhere++;
}

void doze_counts_back(struct doze_deadlock *d)
{
	d->elsewhere--;
}

void doze_counts_wake(struct doze_deadlock *d, uint32_t n)
{
	d->active += n;
}

void doze_counts_wake_all(struct doze_deadlock *d, uint32_t workers)
{
	d->active = workers - d->blocked;
}

bool doze_counts_claim(struct doze_deadlock *d)
{
	d->again = d->calling;
	d->calling = true;
	return !d->again;
}

bool doze_counts_called(struct doze_deadlock *d)
{
	d->calling = d->again && doze_counts_deadlock(d);
	d->again = false;
	return d->calling;
}
