/*
 * SPDX-License-Identifier: MIT
 *
 * reports.h - two threads change a latch at the same time, and one of them reports its change: not
 * before it is made, and not if the other thread has prevented it. The other thread changes the
 * state directly, so it reports nothing. The record of `latch` events is part of each state.
 */
#ifndef DOZE_LAB_REPORTS_H
#define DOZE_LAB_REPORTS_H

#include "latch_names.h"
#include "owner_steps.h"

static struct doze_core_latch reported_latch;
static uint32_t first_state; /* the state in which the latch begins */

/* Begins with the latch in one of the states in which one of the owner's steps begins. Returns that
 * step. */
static const struct step *some_step(void)
{
	static const struct {
		unsigned step;
		enum doze_latch_state from;
	} each[] = {{0, DOZE_LATCH_unset}, {1, DOZE_LATCH_sleepy}, {2, DOZE_LATCH_unset},
		    {3, DOZE_LATCH_unset}, {4, DOZE_LATCH_sleepy}, {4, DOZE_LATCH_sleeping}};
	unsigned i = ex_choose(sizeof(each) / sizeof(*each));
	first_state = each[i].from;
	da_store(&reported_latch.state, first_state, SC);
	ex_count_latch_reports();
	return &steps[each[i].step];
}

/* ---- the owner reports ---- */

static DOZE_ATOMIC(uint32_t) found;
static void *silent_setter(void *arg)
{
	ex_name_thread("setter");
	da_store(&found, da_swap(&reported_latch.state, DOZE_LATCH_set, SC), RLX);
	return arg;
}
static void report_of_step(void)
{
	const struct step *step = some_step();
	ex_name_thread("owner");
	doze_thread t;
	EX_CHECK(doze_thread_create(&t, silent_setter, NULL) == 0);
	(void)step->take(&reported_latch);
	doze_thread_join(t);
	bool made = da_add(&found, 0, RLX) == step->to;
	uint64_t reports = ex_latches_reported().number;
	EX_REQUIRE(reports == made,
		   "a set comes %s %s, which must then be reported %s, but is "
		   "reported %u times",
		   made ? "after" : "before", step->name, made ? "once" : "not at all",
		   (unsigned)reports);
}

/* ---- the setter reports ---- */

static void *reporting_setter(void *arg)
{
	ex_name_thread("setter");
	da_store(&found, doze_core_latch_set(&reported_latch, -1), RLX);
	return arg;
}
static void *set_watcher(void *arg)
{
	ex_name_thread("watcher");
	uint32_t now = da_load(&reported_latch.state, SC);
	/* The number is read in the same step as the state. */
	EX_REQUIRE(now == DOZE_LATCH_set || ex_latches_reported().number == 0,
		   "a set is reported before it is made: the latch is still %s", name_of(now));
	return arg;
}
static void report_of_set(void)
{
	const struct step *step = some_step();
	ex_name_thread("owner");
	doze_thread t, u;
	EX_CHECK(doze_thread_create(&t, reporting_setter, NULL) == 0);
	EX_CHECK(doze_thread_create(&u, set_watcher, NULL) == 0);
	uint32_t expected = first_state;
	(void)da_cas(&reported_latch.state, &expected, step->to, SC, RLX);
	doze_thread_join(t);
	doze_thread_join(u);
	struct ex_latch_reports r = ex_latches_reported();
	uint32_t from = da_add(&found, 0, RLX);
	EX_REQUIRE(r.number == 1, "a set meets a step of the owner, and is reported %u times",
		   (unsigned)r.number);
	EX_REQUIRE(r.from == (int)from && r.to == DOZE_LATCH_set,
		   "a set meets a step of the owner: it returns %s, but reports a step from %s to "
		   "%s",
		   name_of(from), name_of((uint32_t)r.from), name_of((uint32_t)r.to));
}

#endif
