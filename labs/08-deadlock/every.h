/*
 * SPDX-License-Identifier: MIT
 *
 * every.h - calls each function in every state of a pool of up to five workers, with every
 * argument, in one thread.
 */
#ifndef DOZE_LAB_EVERY_H
#define DOZE_LAB_EVERY_H

#include "labs/explorer/explore.h"

#include "lib/deadlock.h"
#include "lib/deadlock_counts.h"

#define MOST_WORKERS 5

static struct doze_deadlock e;
/* The state before the call. `asleep`: the workers that are neither active nor blocked. */
static struct {
	uint32_t active, blocked, elsewhere, asleep;
} was;

static void begin(void)
{
	e = (struct doze_deadlock){
	    .active = was.active, .blocked = was.blocked, .elsewhere = was.elsewhere, .events = 1};
}

/* Calls `check` in each state. A sleeper that waits for another pool counts in `elsewhere` until it
 * runs, so it may already count as active. */
static void in_each_state(void (*check)(void))
{
	for (uint32_t workers = 1; workers <= MOST_WORKERS; workers++)
		for (was.blocked = 0; was.blocked <= workers; was.blocked++)
			for (was.active = 0; was.active + was.blocked <= workers; was.active++)
				for (was.elsewhere = 0; was.elsewhere + was.blocked <= workers;
				     was.elsewhere++) {
					was.asleep = workers - was.active - was.blocked;
					begin();
					check();
				}
}

static void left(const char *call, uint32_t n, uint32_t now_active, uint32_t now_blocked)
{
	EX_REQUIRE(e.active == now_active && e.blocked == now_blocked,
		   "%s(%u), with %u active, %u blocked and %u sleeping workers, leaves %d active "
		   "and %d blocked ones",
		   call, n, was.active, was.blocked, was.asleep, (int)e.active, (int)e.blocked);
}
static void verdict(void)
{
	for (uint32_t resting = 0; resting <= was.active; resting++) {
		begin();
		e.resting = resting;
		bool is = was.active == resting && was.blocked > 0 && was.elsewhere == 0;
		EX_REQUIRE(doze_counts_deadlock(&e) == is,
			   "with %u active workers, of which %u rest, %u blocked ones, and %u that "
			   "wait for another pool, doze_counts_deadlock returns %s",
			   was.active, resting, was.blocked, was.elsewhere, is ? "false" : "true");
	}
}

/* ---- the tests lastout, silent, wakes and elsewhere ---- */

static void last_out_in(void)
{
	if (was.blocked > 0 && was.elsewhere == 0)
		verdict();
	begin();
	if (was.active > 0) {
		doze_counts_block(&e);
		left("doze_counts_block", 1, was.active - 1, was.blocked + 1);
	}
	begin();
	if (was.blocked > 0) {
		doze_counts_unblock(&e);
		left("doze_counts_unblock", 1, was.active + 1, was.blocked - 1);
	}
}
static void silent_in(void)
{
	if (was.blocked == 0)
		verdict();
	begin();
	if (was.active == 0)
		return;
	doze_counts_sleep(&e, false);
	left("doze_counts_sleep", 1, was.active - 1, was.blocked);
}
static void wakes_in(void)
{
	if (was.elsewhere > 0)
		return;
	for (uint32_t n = 1; n <= was.asleep; n++) {
		begin();
		doze_counts_wake(&e, n);
		left("doze_counts_wake", n, was.active + n, was.blocked);
	}
	begin();
	uint32_t workers = was.active + was.blocked + was.asleep;
	doze_counts_wake_all(&e, workers);
	left("doze_counts_wake_all", workers, was.active + was.asleep, was.blocked);
}

static void waits_elsewhere(const char *call, uint32_t now)
{
	EX_REQUIRE(
	    e.elsewhere == now,
	    "%s, with %u active workers and %u that wait for another pool, changes elsewhere "
	    "to %d instead of %u",
	    call, was.active, was.elsewhere, (int)e.elsewhere, now);
}
static void elsewhere_in(void)
{
	if (was.elsewhere > 0) {
		verdict();
		begin();
		doze_counts_back(&e);
		waits_elsewhere("doze_counts_back", was.elsewhere - 1);
		left("doze_counts_back", 1, was.active, was.blocked);
	}
	for (int i = 0; i < 2 && was.active > 0; i++) {
		begin();
		doze_counts_sleep(&e, i == 1);
		waits_elsewhere("doze_counts_sleep", was.elsewhere + (i == 1));
	}
	begin();
	if (was.asleep > 0)
		doze_counts_wake(&e, was.asleep);
	waits_elsewhere("doze_counts_wake", was.elsewhere);
	begin();
	doze_counts_wake_all(&e, was.active + was.blocked + was.asleep);
	waits_elsewhere("doze_counts_wake_all", was.elsewhere);
	begin();
	if (was.active > 0)
		doze_counts_block(&e);
	waits_elsewhere("doze_counts_block", was.elsewhere);
	begin();
	if (was.blocked > 0)
		doze_counts_unblock(&e);
	waits_elsewhere("doze_counts_unblock", was.elsewhere);
}

static void every_last_out(void)
{
	in_each_state(last_out_in);
}
static void every_silent(void)
{
	in_each_state(silent_in);
}
static void every_wake(void)
{
	in_each_state(wakes_in);
}
static void every_elsewhere(void)
{
	in_each_state(elsewhere_in);
}

/* ---- the test once ---- */

static void counts_now(bool deadlock)
{
	e.active = !deadlock;
	e.blocked = deadlock;
	e.elsewhere = e.resting = 0;
}
/* One of the calls that have nothing to do with the handler. The counts must not matter. */
static void another_call(void)
{
	counts_now(false);
	e.active = e.blocked = 1;
	switch (ex_choose(5)) {
	case 0:
		doze_counts_block(&e);
		break;
	case 1:
		doze_counts_unblock(&e);
		break;
	case 2:
		doze_counts_sleep(&e, false);
		break;
	case 3:
		doze_counts_wake(&e, 1);
		break;
	default:
		doze_counts_wake_all(&e, 3);
	}
}

/* Threads find deadlocks, and handlers return, in every order of seven calls. */
static void every_order(void)
{
	bool calling = false, again = false;
	counts_now(false);
	for (int i = 0; i < 7; i++)
		switch (ex_choose(calling ? 4 : 2)) {
		case 0:
			counts_now(true);
			EX_REQUIRE(doze_counts_claim(&e) == !calling,
				   "a thread finds a deadlock while %s thread is in the handler: "
				   "doze_counts_claim returns %s",
				   calling ? "another" : "no", calling ? "true" : "false");
			again = calling;
			calling = true;
			break;
		case 1:
			another_call();
			break;
		case 2:
			counts_now(false);
			EX_REQUIRE(!doze_counts_called(&e),
				   "the handler returns, and the pool is not deadlocked: "
				   "doze_counts_called returns true");
			calling = again = false;
			break;
		default:
			counts_now(true);
			EX_REQUIRE(doze_counts_called(&e) == again,
				   "the handler returns, the pool is deadlocked, and during the "
				   "call %s thread found that: doze_counts_called returns %s",
				   again ? "another" : "no", again ? "false" : "true");
			calling = again;
			again = false;
		}
}

#endif
