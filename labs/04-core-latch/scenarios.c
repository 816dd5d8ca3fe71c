/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 4: a single latch, without a working pool.
 */
#include "labs/explorer/explore.h"

#include "lib/core_latch.h"
#include "lib/park.h"
#include "lib/pool.h"

extern void *malloc(size_t size);
extern void free(void *p);

static struct doze_pool pool;
static struct doze_worker owner;

static void new_latch(struct doze_core_latch *latch)
{
	pool.id = 1;
	owner.pool = &pool;
	doze_core_latch_init(latch, DOZE_LATCH_KIND_spin, &owner);
}
static uint32_t state(struct doze_core_latch *latch)
{
	return da_add(&latch->state, 0, RLX);
}

/* In one thread: takes each step of the owner. */
static void steps_of_owner(void)
{
	struct doze_core_latch latch;
	new_latch(&latch);
	EX_CHECK(!doze_core_latch_fall_asleep(&latch)); /* not sleepy yet */
	EX_CHECK(doze_core_latch_get_sleepy(&latch) && state(&latch) == DOZE_LATCH_sleepy);
	EX_CHECK(!doze_core_latch_get_sleepy(&latch) && state(&latch) == DOZE_LATCH_sleepy);
	doze_core_latch_wake_up(&latch);
	EX_CHECK(state(&latch) == DOZE_LATCH_unset);
	EX_CHECK(doze_core_latch_get_sleepy(&latch));
	EX_CHECK(doze_core_latch_fall_asleep(&latch) && state(&latch) == DOZE_LATCH_sleeping);
	doze_core_latch_wake_up(&latch);
	EX_CHECK(state(&latch) == DOZE_LATCH_unset);
	EX_CHECK(doze_core_latch_fall_asleep_at_once(&latch));
	EX_CHECK(state(&latch) == DOZE_LATCH_sleeping);
	doze_core_latch_wake_up(&latch);
	EX_CHECK(doze_core_latch_suspend(&latch, NULL) && state(&latch) == DOZE_LATCH_suspended);
}

/* In one thread: the result of a set must show whether to wake the owner. */
static void set_in(enum doze_latch_state before)
{
	struct doze_core_latch latch;
	new_latch(&latch);
	if (before != DOZE_LATCH_unset)
		EX_CHECK(doze_core_latch_get_sleepy(&latch));
	if (before == DOZE_LATCH_sleeping)
		EX_CHECK(doze_core_latch_fall_asleep(&latch));
	enum doze_latch_state from = doze_core_latch_set(&latch, -1);
	EX_CHECK(from == before);
	EX_CHECK(state(&latch) == DOZE_LATCH_set);
	/* SET is final, so the owner's steps must fail. */
	EX_CHECK(!doze_core_latch_get_sleepy(&latch));
	EX_CHECK(!doze_core_latch_fall_asleep(&latch));
	EX_CHECK(!doze_core_latch_fall_asleep_at_once(&latch));
	EX_CHECK(!doze_core_latch_suspend(&latch, NULL));
	doze_core_latch_wake_up(&latch);
	EX_CHECK(state(&latch) == DOZE_LATCH_set);
}
static void set_returns(void)
{
	set_in(DOZE_LATCH_unset);
	set_in(DOZE_LATCH_sleepy);
	set_in(DOZE_LATCH_sleeping);
}

/* The parts of the sleep protocol that a setter and a sleeper need besides the latch. */
static struct {
	struct doze_core_latch *latch;
	doze_mutex lock;
	doze_cond cond;
	bool awake; /* protected by lock */
} g;

static void *setter(void *arg)
{
	ex_name_thread("setter");
	if (doze_core_latch_set(arg, -1) == DOZE_LATCH_sleeping) {
		doze_mutex_lock(&g.lock);
		ex_note("notified");
		g.awake = true;
		doze_cond_signal(&g.cond);
		doze_mutex_unlock(&g.lock);
	}
	return NULL;
}
static void sleep_once(struct doze_core_latch *latch)
{
	if (!doze_core_latch_get_sleepy(latch))
		return;
	doze_mutex_lock(&g.lock);
	if (doze_core_latch_fall_asleep(latch)) {
		while (!g.awake)
			doze_cond_wait(&g.cond, &g.lock);
		doze_core_latch_wake_up(latch);
	}
	doze_mutex_unlock(&g.lock);
}
static void start(struct doze_core_latch *latch, doze_thread *t)
{
	new_latch(latch);
	doze_mutex_init(&g.lock);
	doze_cond_init(&g.cond);
	ex_name_thread("owner");
	EX_CHECK(doze_thread_create(t, setter, latch) == 0);
	ex_expect("the latch to be set");
}
static void sleeper_wakes(void)
{
	struct doze_core_latch latch;
	doze_thread t;
	start(&latch, &t);
	ex_must_note("notified");
	while (!doze_core_latch_probe(&latch, ACQ)) {
		sleep_once(&latch);
		doze_thread_yield();
	}
	doze_thread_join(t);
}

/* A set of a latch whose owner's wait was suspended hands over the holder of that wait. */
static struct doze_holder *const holder = (struct doze_holder *)&owner; /* only compared */
static void *resumer(void *arg)
{
	struct doze_core_latch *latch = arg;
	ex_name_thread("setter");
	if (doze_core_latch_set(latch, -1) == DOZE_LATCH_suspended) {
		ex_note("resumed");
		EX_CHECK(latch->suspended == holder);
	}
	return NULL;
}
static void set_resumes(void)
{
	struct doze_core_latch latch;
	doze_thread t;
	new_latch(&latch);
	EX_CHECK(doze_thread_create(&t, resumer, &latch) == 0);
	ex_must_note("resumed");
	(void)doze_core_latch_suspend(&latch, holder);
	doze_thread_join(t);
}

/* The owner frees the latch as soon as it sees SET, without having slept. */
static void freed_after_set(void)
{
	struct doze_core_latch *latch = malloc(sizeof(*latch));
	doze_thread t;
	start(latch, &t);
	while (!doze_core_latch_probe(latch, ACQ))
		doze_thread_yield();
	free(latch);
	doze_thread_join(t);
}

/* The owner is woken for another reason; its step back to UNSET must not overwrite the set. */
static void woken_early(void)
{
	struct doze_core_latch latch;
	doze_thread t;
	start(&latch, &t);
	if (doze_core_latch_get_sleepy(&latch))
		doze_core_latch_wake_up(&latch);
	while (!doze_core_latch_probe(&latch, ACQ))
		doze_thread_yield();
	doze_thread_join(t);
}

const struct ex_scenario ex_scenarios[] = {
    {"steps", "each step of the owner", steps_of_owner, 1, NULL, NULL, 0},
    {"returns", "the result of a set, and that SET is final", set_returns, 1, NULL, NULL, 0},
    {"wakes", "the latch is set while its owner falls asleep", sleeper_wakes, 2, NULL, NULL, 0},
    {"resumes", "a set of a latch whose owner's wait is suspended", set_resumes, 2, NULL, NULL, 0},
    {"freed", "the owner frees the latch as soon as it is set", freed_after_set, 2, NULL, NULL, 0},
    {"early", "the owner wakes while the latch is set", woken_early, 2, NULL, NULL, 0},
    {.name = NULL},
};
