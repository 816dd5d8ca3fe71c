/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 8: only the counts, in one thread.
 */
#include "labs/explorer/explore.h"

#include "lib/deadlock.h"
#include "lib/deadlock_counts.h"

static struct doze_deadlock d;

static void pool_of(uint32_t workers)
{
	d = (struct doze_deadlock){.active = workers, .events = 1};
}

/* Under a policy that never sleeps, the pool is at rest when all active workers rest. */
static void all_rest(void)
{
	pool_of(2);
	doze_counts_block(&d);
	EX_CHECK(!doze_counts_deadlock(&d));
	d.resting = 1;
	EX_CHECK(doze_counts_deadlock(&d));
}

/* Of three workers, one sleeps, one blocks, and then the last one sleeps too. */
static void last_one_out(void)
{
	pool_of(3);
	doze_counts_sleep(&d, false);
	EX_CHECK(!doze_counts_deadlock(&d));
	uint64_t events = d.events;
	doze_counts_block(&d);
	EX_CHECK(!doze_counts_deadlock(&d));
	EX_CHECK(d.events > events);
	doze_counts_sleep(&d, false);
	EX_CHECK(doze_counts_deadlock(&d));
	events = d.events;
	doze_counts_unblock(&d);
	EX_CHECK(d.events > events);
	EX_CHECK(!doze_counts_deadlock(&d));
	EX_CHECK(d.active == 1 && d.blocked == 0);
	all_rest();
}

/* A pool whose workers all sleep merely has no work; it is not deadlocked. */
static void all_asleep(void)
{
	pool_of(2);
	doze_counts_block(&d);
	doze_counts_unblock(&d);
	doze_counts_sleep(&d, false);
	doze_counts_sleep(&d, false);
	EX_CHECK(d.active == 0 && d.blocked == 0);
	EX_CHECK(!doze_counts_deadlock(&d));
}

static void woken(void)
{
	pool_of(3);
	doze_counts_block(&d);
	doze_counts_sleep(&d, false);
	doze_counts_sleep(&d, false);
	EX_CHECK(doze_counts_deadlock(&d));
	doze_counts_wake(&d, 1); /* a job was injected; the woken worker counts as active before it
				  * runs */
	EX_CHECK(!doze_counts_deadlock(&d) && d.active == 1);
	doze_counts_sleep(&d, false);
	doze_counts_wake_all(&d, 3);
	EX_CHECK(d.active == 2 && d.blocked == 1);
}

/* A sleeper whose latch another pool sets keeps the pool from being deadlocked. */
static void elsewhere(void)
{
	pool_of(2);
	doze_counts_block(&d);
	doze_counts_sleep(&d, true);
	EX_CHECK(!doze_counts_deadlock(&d));
	doze_counts_wake(&d, 1);
	doze_counts_back(&d);
	doze_counts_sleep(&d, false);
	EX_CHECK(doze_counts_deadlock(&d));
}

/* A thread is in the handler when another one finds a deadlock. */
static void called_once(void)
{
	pool_of(1);
	doze_counts_block(&d);
	EX_CHECK(doze_counts_claim(&d));
	EX_CHECK(!doze_counts_claim(&d)); /* the first thread must call the handler again */
	EX_CHECK(doze_counts_called(&d));
	EX_CHECK(!doze_counts_called(&d));
	EX_CHECK(doze_counts_claim(&d));
	EX_CHECK(!doze_counts_claim(&d));
	doze_counts_unblock(&d); /* the deadlock has been resolved */
	EX_CHECK(!doze_counts_called(&d));
	doze_counts_block(&d);
	EX_CHECK(doze_counts_claim(&d));
}

const struct ex_scenario ex_scenarios[] = {
    {"last-out", "the last active worker goes to sleep", last_one_out, 1, NULL, NULL, 0},
    {"all-asleep", "all workers sleep", all_asleep, 1, NULL, NULL, 0},
    {"woken", "a woken worker counts as active at once", woken, 1, NULL, NULL, 0},
    {"elsewhere", "a sleeper waits for another pool", elsewhere, 1, NULL, NULL, 0},
    {"once", "the handler is called by one thread at a time", called_once, 1, NULL, NULL, 0},
    {.name = NULL},
};
