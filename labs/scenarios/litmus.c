/*
 * SPDX-License-Identifier: MIT
 *
 * litmus.c - tests of the explorer, continued: executions that its reductions must not hide.
 *
 * Each test covers a typical error in one of the explorer's reductions: late flushes of stores,
 * unlocks and steps on unshared objects without a choice point, thread starts without a switch. The
 * field `fails` in the table names the modes in which a test must fail.
 */
#include "litmus_fences.h"

#include "labs/explorer/explore.h"

#include "lib/atomic.h"
#include "lib/park.h"

#include <stddef.h>

extern void *malloc(size_t size);
extern void free(void *p);

static struct {
	DOZE_ATOMIC(int) x, y, z, flag;
	doze_mutex lock;
} g;

static doze_thread start(void *(*fn)(void *), void *arg)
{
	doze_thread t;
	(void)doze_thread_create(&t, fn, arg);
	return t;
}

/* Two threads write one object. The first write may reach memory long before the second, even if
 * no thread reads the object in between. */
static void *ww_other(void *arg)
{
	da_store(&g.x, 2, RLX);
	(void)da_swap(&g.y, 1, SC);
	da_store(&g.z, 1, RLX);
	return arg;
}
static void ww(void)
{
	doze_thread t = start(ww_other, NULL);
	da_store(&g.x, 1, RLX);
	int r = da_load(&g.z, RLX);
	doze_thread_join(t);
	EX_CHECK(!(r == 1 && da_load(&g.x, RLX) == 2));
}

/* Test n6 of the x86-TSO paper: a thread reads its own store early, yet the store reaches memory
 * last. */
static void *n6_other(void *arg)
{
	da_store(&g.y, 2, RLX);
	da_store(&g.x, 2, RLX);
	return arg;
}
static void n6(void)
{
	doze_thread t = start(n6_other, NULL);
	da_store(&g.x, 1, RLX);
	int own = da_load(&g.x, RLX), y = da_load(&g.y, RLX);
	doze_thread_join(t);
	EX_CHECK(!(own == 1 && y == 0 && da_load(&g.x, SC) == 1));
}

/* Test 2+2W: two threads write two objects in opposite orders. Under TSO the threads' first
 * stores cannot both be the final values. Both stores of the joined thread can be, if the join does
 * not flush the joiner's stores first. (C11 permits the former outcome, but the weak mode orders
 * writes as they are made.) */
static void *two_writes_other(void *arg)
{
	da_store(&g.y, 1, RLX);
	da_store(&g.x, 2, RLX);
	return arg;
}
static void two_writes(void)
{
	doze_thread t = start(two_writes_other, NULL);
	da_store(&g.x, 1, RLX);
	da_store(&g.y, 2, RLX);
	doze_thread_join(t);
}
static void two_writes_firsts(void)
{
	two_writes();
	EX_CHECK(!(da_load(&g.x, SC) == 1 && da_load(&g.y, SC) == 1));
}
static void two_writes_others(void)
{
	two_writes();
	EX_CHECK(!(da_load(&g.x, SC) == 2 && da_load(&g.y, SC) == 1));
}

/* The mutex may be freed before the other thread has unlocked it, because the flag is set before
 * the unlock. */
static void *unlocking(void *arg)
{
	doze_mutex_lock(arg);
	da_store(&g.flag, 1, SC);
	doze_mutex_unlock(arg);
	return NULL;
}
static doze_mutex *unlock_begun(doze_thread *t)
{
	doze_mutex *m = malloc(sizeof(*m));
	doze_mutex_init(m);
	*t = start(unlocking, m);
	while (!da_load(&g.flag, SC))
		doze_thread_yield();
	return m;
}
static void unlock_destroyed(void)
{
	doze_thread t;
	doze_mutex *m = unlock_begun(&t);
	doze_mutex_destroy(m);
	free(m);
	doze_thread_join(t);
}
static void unlock_freed(void)
{
	doze_thread t;
	free(unlock_begun(&t));
	doze_thread_join(t);
}
/* Correct: once a thread can lock the mutex, the other thread has unlocked it. */
static void unlock_awaited(void)
{
	doze_thread t;
	doze_mutex *m = unlock_begun(&t);
	doze_mutex_lock(m);
	doze_mutex_unlock(m);
	doze_mutex_destroy(m);
	free(m);
	doze_thread_join(t);
}

/* Memory that a thread frees when a flag is set. The other thread touches it after it has set the
 * flag: it changes an atomic that no other thread touches, or it writes plain memory before an
 * unlock. */
struct local {
	DOZE_ATOMIC(int) n;
	int plain;
};
static void *touching(void *arg)
{
	struct local *p = arg;
	da_store(&g.flag, 1, SC);
	da_add(&p->n, 1, RLX);
	return NULL;
}
static void *touching_locked(void *arg)
{
	struct local *p = arg;
	doze_mutex_lock(&g.lock);
	da_store(&g.flag, 1, SC);
	p->plain = 1;
	doze_mutex_unlock(&g.lock);
	return NULL;
}
static void free_when_flagged(void *(*fn)(void *), bool lock)
{
	struct local *p = malloc(sizeof(*p));
	doze_mutex_init(&g.lock);
	da_init(&p->n, 0);
	doze_thread t = start(fn, p);
	while (!da_load(&g.flag, SC))
		doze_thread_yield();
	if (lock)
		doze_mutex_lock(&g.lock);
	free(p);
	if (lock)
		doze_mutex_unlock(&g.lock);
	doze_thread_join(t);
}
static void local_freed(void)
{
	free_when_flagged(touching, false);
}
static void locked_freed(void)
{
	free_when_flagged(touching_locked, false);
}
static void locked_awaited(void)
{
	free_when_flagged(touching_locked, true);
}

/* A flag hands over plain data. The two accesses never meet between two steps (plain.c), but only
 * the flag can order them. Either the first thread writes and the second reads, or the reverse. */
static int data;
static bool writer_first;
static enum ex_order publish, observe;
static void access_data(bool write)
{
	if (write)
		data = 1;
	else
		EX_CHECK(data == writer_first);
}
static void *handing_over(void *arg)
{
	access_data(writer_first);
	if (publish == AR) { /* order AR stands for a release fence and a relaxed store */
		da_fence(REL);
		da_store(&g.flag, 1, RLX);
	} else {
		da_store(&g.flag, 1, publish);
	}
	return arg;
}
static void hand_over(bool written, enum ex_order store, enum ex_order load)
{
	writer_first = written;
	publish = store;
	observe = load;
	doze_thread t = start(handing_over, NULL);
	if (observe == AR ? da_load(&g.flag, RLX) : da_load(&g.flag, observe)) {
		if (observe == AR)
			da_fence(ACQ);
		access_data(!writer_first);
	}
	doze_thread_join(t);
	EX_CHECK(!writer_first || data == 1);
}
static void mp_plain(void)
{
	hand_over(true, REL, ACQ);
}
static void mp_plain_fences(void)
{
	hand_over(true, AR, AR);
}
static void mp_plain_no_release(void)
{
	hand_over(true, RLX, ACQ);
}
static void mp_plain_no_acquire(void)
{
	hand_over(true, REL, RLX);
}
static void read_first(void)
{
	hand_over(false, REL, ACQ);
}
static void read_first_no_release(void)
{
	hand_over(false, RLX, ACQ);
}

/* A reference count: the last user frees the object. */
static struct counted {
	int data;
	DOZE_ATOMIC(int) users;
} * counted;
static enum ex_order leaving;
static void *using(void *arg)
{
	if (arg)
		EX_CHECK(counted->data == 7);
	if (da_sub(&counted->users, 1, leaving) == 1)
		free(counted);
	return arg;
}
static void count_users(enum ex_order order)
{
	leaving = order;
	counted = malloc(sizeof(*counted));
	counted->data = 7;
	da_init(&counted->users, 2);
	doze_thread t = start(using, &leaving);
	(void)using(NULL);
	doze_thread_join(t);
}
static void refs(void)
{
	count_users(AR);
}
static void refs_relaxed(void)
{
	count_users(RLX);
}

/* Other threads can see that a mutex is held even if its holder takes no visible step. */
static void *holding(void *arg)
{
	doze_mutex_lock(&g.lock);
	doze_mutex_unlock(&g.lock);
	return arg;
}
static void trylock(void)
{
	doze_mutex_init(&g.lock);
	doze_thread t = start(holding, NULL);
	EX_CHECK(doze_mutex_trylock(&g.lock));
	doze_mutex_unlock(&g.lock);
	doze_thread_join(t);
}

/* The failure needs no preemption: main runs until it waits, and then the other thread runs. */
static void *reads_x(void *arg)
{
	EX_CHECK(da_load(&g.x, SC) != 1);
	return arg;
}
static void bound_0(void)
{
	doze_thread t = start(reads_x, NULL);
	da_store(&g.x, 1, SC);
	doze_thread_join(t);
}

/* Correct: a thread may free memory before its own store to it has reached memory. */
static void *done_with(void *arg)
{
	da_store((DOZE_ATOMIC(int) *)arg, 1, RLX);
	da_store(&g.flag, 1, REL);
	return NULL;
}
static void own_store_freed(void)
{
	DOZE_ATOMIC(int) *p = malloc(sizeof(*p));
	da_init(p, 0);
	doze_thread t = start(done_with, (void *)p);
	while (!da_load(&g.flag, ACQ))
		doze_thread_yield();
	da_store(p, 2, RLX);
	free((void *)p);
	doze_thread_join(t);
}

/* A thread accesses the frame of a thread that has exited. */
static void *touching_frame(void *arg)
{
	da_add((DOZE_ATOMIC(int) *)arg, 1, SC);
	return NULL;
}
static void frame_ended(void)
{
	DOZE_ATOMIC(int) in_frame;
	da_init(&in_frame, 0);
	(void)start(touching_frame, (void *)&in_frame);
}

/* No thread ever sets the flag, so a step is always possible, but none leads to the end. */
static void *nothing(void *arg)
{
	return arg;
}
static void livelock(void)
{
	doze_thread t = start(nothing, NULL);
	while (!da_load(&g.flag, ACQ))
		doze_thread_yield();
	doze_thread_join(t);
}

#define ALWAYS "sc tso weak"

const struct ex_scenario ex_scenarios[] = {
    {"ww", "two threads store to one object, one long before the other", ww, 2, NULL, ALWAYS, 0},
    {"n6", "a thread reads its own store early", n6, 2, NULL, "tso weak", 0},
    {"2+2w", "two writers; the first stores take effect last", two_writes_firsts, 2, NULL, NULL, 0},
    {"2+2w-others", "two writers; the joined writer's stores win", two_writes_others, 2, NULL,
     ALWAYS, 0},
    {"unlock-destroyed", "a mutex is destroyed before it is unlocked", unlock_destroyed, 2, NULL,
     ALWAYS, 0},
    {"unlock-freed", "a mutex is freed before it is unlocked", unlock_freed, 2, NULL, ALWAYS, 0},
    {"unlock-awaited", "a mutex is freed after it has been locked again", unlock_awaited, 2, NULL,
     NULL, 0},
    {"local-freed", "an atomic that one thread uses and another frees", local_freed, 2, NULL,
     ALWAYS, 0},
    {"locked-freed", "memory accessed under a lock and freed without the lock", locked_freed, 2,
     NULL, ALWAYS, 0},
    {"locked-awaited", "memory accessed and freed under the same lock", locked_awaited, 2, NULL,
     NULL, 0},
    {"mp-plain", "plain data, release and acquire", mp_plain, 2, NULL, NULL, 0},
    {"mp-plain-fences", "plain data, fences", mp_plain_fences, 2, NULL, NULL, 0},
    {"mp-plain-no-release", "plain data, relaxed store", mp_plain_no_release, 2, NULL, "weak", 0},
    {"mp-plain-no-acquire", "plain data, relaxed load", mp_plain_no_acquire, 2, NULL, "weak", 0},
    {"read-first", "a plain read before a write", read_first, 2, NULL, NULL, 0},
    {"read-first-no-release", "a plain read before a write, with relaxed ordering",
     read_first_no_release, 2, NULL, "weak", 0},
    {"refs", "a reference count whose last user frees the object", refs, 2, NULL, NULL, 0},
    {"refs-relaxed", "a reference count with relaxed ordering", refs_relaxed, 2, NULL, "weak", 0},
    {"trylock", "a lock whose holder takes no visible step", trylock, 2, NULL, ALWAYS, 0},
    {"own-store-freed", "memory freed before the freeing thread's own delayed store to it",
     own_store_freed, 2, NULL, NULL, 0},
    {"frame-ended", "an access to the frame of a thread that has exited", frame_ended, 2, NULL,
     ALWAYS, 0},
    {"livelock", "steps that never end the program", livelock, 2, NULL, ALWAYS, 0},
    {"sb-heavy", "a heavy and a light fence", sb_heavy, 2, NULL, NULL, 0},
    {"sb-half", "an ordinary and a light fence", sb_half, 2, NULL, "tso weak", 0},
    {"sb-heavy-early", "a heavy fence before the store", sb_heavy_early, 2, NULL, "tso weak", 0},
    {"bound-0", "a failure that needs no preemption", bound_0, 2, NULL, ALWAYS, 0},
    {.name = NULL},
};
