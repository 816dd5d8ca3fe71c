/*
 * SPDX-License-Identifier: MIT
 *
 * textbook.c - tests of the explorer: litmus tests with known answers.
 *
 * Most have at least two variants, one of which lacks a fence or an order; the field `fails` of a
 * variant names the memory modes in which it must fail. If a test gave a different answer, no
 * verdict on the library would be meaningful.
 */
#include "labs/explorer/explore.h"

#include "lib/atomic.h"
#include "lib/park.h"

#include <stddef.h>

static struct {
	DOZE_ATOMIC(int) x, y, turn, owner;
	int plain;
	int r1, r2, r3, r4;
	doze_mutex lock;
	doze_cond cond;
	bool flag;
} g;

static doze_thread start(void *(*fn)(void *))
{
	doze_thread t;
	(void)doze_thread_create(&t, fn, NULL);
	return t;
}

/* Store buffering. */
static enum ex_order sb_fence;
static void *sb_other(void *arg)
{
	da_store(&g.y, 1, RLX);
	if (sb_fence == SC)
		da_fence(SC);
	g.r2 = da_load(&g.x, RLX);
	return arg;
}
static void sb(void)
{
	doze_thread t = start(sb_other);
	da_store(&g.x, 1, RLX);
	if (sb_fence == SC)
		da_fence(SC);
	g.r1 = da_load(&g.y, RLX);
	doze_thread_join(t);
	EX_CHECK(g.r1 || g.r2);
}
static void sb_unfenced(void)
{
	sb_fence = RLX;
	sb();
}
static void sb_fenced(void)
{
	sb_fence = SC;
	sb();
}

/* Store buffering with read-modify-writes instead of stores. Only on x86 do read-modify-writes
 * drain the store buffer. */
static void *sb_rmw_other(void *arg)
{
	(void)da_swap(&g.y, 1, SC);
	g.r2 = da_load(&g.x, RLX);
	return arg;
}
static void sb_rmw(void)
{
	doze_thread t = start(sb_rmw_other);
	(void)da_swap(&g.x, 1, SC);
	g.r1 = da_load(&g.y, RLX);
	doze_thread_join(t);
	EX_CHECK(g.r1 || g.r2);
}

/* Message passing. */
static enum ex_order mp_store, mp_load;
static void *mp_other(void *arg)
{
	da_store(&g.x, 1, RLX);
	da_store(&g.y, 1, mp_store);
	return arg;
}
static void mp(void)
{
	doze_thread t = start(mp_other);
	int seen = da_load(&g.y, mp_load);
	int x = da_load(&g.x, RLX);
	doze_thread_join(t);
	EX_CHECK(!seen || x == 1);
}
static void mp_relacq(void)
{
	mp_store = REL;
	mp_load = ACQ;
	mp();
}
static void mp_no_release(void)
{
	mp_store = RLX;
	mp_load = ACQ;
	mp();
}
static void mp_no_acquire(void)
{
	mp_store = REL;
	mp_load = RLX;
	mp();
}

/* Independent reads of independent writes. */
static bool iriw_fence;
static void *iriw_x(void *arg)
{
	da_store(&g.x, 1, REL);
	return arg;
}
static void *iriw_y(void *arg)
{
	da_store(&g.y, 1, REL);
	return arg;
}
static void *iriw_reader(void *arg)
{
	g.r3 = da_load(&g.y, ACQ);
	if (iriw_fence)
		da_fence(SC);
	g.r4 = da_load(&g.x, ACQ);
	return arg;
}
static void iriw(void)
{
	doze_thread a = start(iriw_x), b = start(iriw_y), c = start(iriw_reader);
	g.r1 = da_load(&g.x, ACQ);
	if (iriw_fence)
		da_fence(SC);
	g.r2 = da_load(&g.y, ACQ);
	doze_thread_join(a);
	doze_thread_join(b);
	doze_thread_join(c);
	EX_CHECK(!(g.r1 && !g.r2 && g.r3 && !g.r4));
}
static void iriw_acquire(void)
{
	iriw_fence = false;
	iriw();
}
static void iriw_fenced(void)
{
	iriw_fence = true;
	iriw();
}

/* Peterson's lock. The wait spins, and the search must still terminate. In the weak mode two fences
 * are not enough: a thread's store to `turn` may follow the other thread's store in memory
 * and still leave the other thread's flag invisible. A swap of `turn` makes the flag visible. */
static bool peterson_fence, peterson_swap;
static void critical(void)
{
	EX_CHECK(g.plain == 0);
	g.plain = 1;
	int before = da_add(&g.owner, 1, RLX); /* a step at which the other thread could enter */
	EX_CHECK(g.plain == 1);
	EX_CHECK(before >= 0);
	g.plain = 0;
}
static void peterson(DOZE_ATOMIC(int) * mine, DOZE_ATOMIC(int) * other, int me)
{
	da_store(mine, 1, REL);
	if (peterson_swap)
		(void)da_swap(&g.turn, 1 - me, AR);
	else
		da_store(&g.turn, 1 - me, REL);
	if (peterson_fence)
		da_fence(SC);
	while (da_load(other, ACQ) && da_load(&g.turn, ACQ) == 1 - me)
		doze_thread_yield();
	critical();
	da_store(mine, 0, REL);
}
static void *peterson_other(void *arg)
{
	peterson(&g.y, &g.x, 1);
	return arg;
}
static void peterson_both(void)
{
	doze_thread t = start(peterson_other);
	peterson(&g.x, &g.y, 0);
	doze_thread_join(t);
}
static void peterson_unfenced(void)
{
	peterson_fence = false;
	peterson_both();
}
static void peterson_fenced(void)
{
	peterson_fence = true;
	peterson_both();
}

static void peterson_swapped(void)
{
	peterson_swap = true;
	peterson_both();
}

/* A naive sleep, which reads the flag before it takes the lock. */
static void *naive_waker(void *arg)
{
	da_store(&g.x, 1, SC);
	doze_mutex_lock(&g.lock);
	doze_cond_signal(&g.cond);
	doze_mutex_unlock(&g.lock);
	return arg;
}
static void cond_setup(void)
{
	doze_mutex_init(&g.lock);
	doze_cond_init(&g.cond);
}
static void naive_sleep(void)
{
	cond_setup();
	doze_thread t = start(naive_waker);
	ex_expect("the signal");
	if (!da_load(&g.x, SC)) {
		doze_mutex_lock(&g.lock);
		doze_cond_wait(&g.cond, &g.lock);
		doze_mutex_unlock(&g.lock);
	}
	doze_thread_join(t);
}
static void good_sleep(void)
{
	cond_setup();
	doze_thread t = start(naive_waker);
	ex_expect("the signal");
	doze_mutex_lock(&g.lock);
	while (!da_load(&g.x, SC))
		doze_cond_wait(&g.cond, &g.lock);
	doze_mutex_unlock(&g.lock);
	doze_thread_join(t);
}
/* A sleep with `if` instead of `while`, which is correct only without spurious wakes. */
static void *if_waker(void *arg)
{
	doze_mutex_lock(&g.lock);
	g.flag = true;
	doze_cond_signal(&g.cond);
	doze_mutex_unlock(&g.lock);
	return arg;
}
static void if_sleep(void)
{
	cond_setup();
	doze_thread t = start(if_waker);
	doze_mutex_lock(&g.lock);
	if (!g.flag)
		doze_cond_wait(&g.cond, &g.lock);
	EX_CHECK(g.flag);
	doze_mutex_unlock(&g.lock);
	doze_thread_join(t);
}

/* A plain access touches freed memory. */
static int *shared_int;
extern void *malloc(size_t size);
extern void free(void *p);
static void *freeing(void *arg)
{
	da_store(&g.x, 1, REL);
	*shared_int = 2;
	return arg;
}
static void use_after_free(void)
{
	shared_int = malloc(sizeof(*shared_int));
	doze_thread t = start(freeing);
	while (!da_load(&g.x, ACQ))
		doze_thread_yield();
	free(shared_int);
	doze_thread_join(t);
}

/* Two threads take two locks in opposite orders. */
static doze_mutex other_lock;
static void *abba_other(void *arg)
{
	doze_mutex_lock(&other_lock);
	doze_mutex_lock(&g.lock);
	doze_mutex_unlock(&g.lock);
	doze_mutex_unlock(&other_lock);
	return arg;
}
static void abba(void)
{
	cond_setup();
	doze_mutex_init(&other_lock);
	doze_thread t = start(abba_other);
	doze_mutex_lock(&g.lock);
	doze_mutex_lock(&other_lock);
	doze_mutex_unlock(&other_lock);
	doze_mutex_unlock(&g.lock);
	doze_thread_join(t);
}

const struct ex_scenario ex_scenarios[] = {
    {"sb", "store buffering, no fence", sb_unfenced, 2, NULL, "tso weak", 0},
    {"sb-fenced", "store buffering, two seq_cst fences", sb_fenced, 2, NULL, NULL, 0},
    {"sb-rmw", "store buffering, swaps instead of stores", sb_rmw, 2, NULL, "weak", 0},
    {"mp", "message passing, release and acquire", mp_relacq, 2, NULL, NULL, 0},
    {"mp-no-release", "message passing, relaxed store", mp_no_release, 2, NULL, "weak", 0},
    {"mp-no-acquire", "message passing, relaxed load", mp_no_acquire, 2, NULL, "weak", 0},
    {"iriw", "independent reads, release and acquire", iriw_acquire, 4, NULL, "weak", 0},
    {"iriw-fenced", "independent reads with fences between them", iriw_fenced, 4, NULL, NULL, 0},
    {"peterson", "Peterson's lock without fences", peterson_unfenced, 2, NULL, "tso weak", 0},
    {"peterson-fenced", "Peterson's lock with fences", peterson_fenced, 2, NULL, "weak", 0},
    {"peterson-swap", "Peterson's lock, `turn` written by a swap", peterson_swapped, 2, NULL, NULL,
     0},
    {"naive-sleep", "a sleep that checks before it locks", naive_sleep, 2, NULL, "sc tso weak", 0},
    {"naive-sleep-spurious", "a sleep that checks before it locks, with an optional spurious wake",
     naive_sleep, 2, NULL, "sc tso weak", 1},
    {"good-sleep", "a sleep that checks the condition under the lock", good_sleep, 2, NULL, NULL,
     0},
    {"if-sleep", "a sleep with `if` instead of `while`", if_sleep, 2, NULL, "sc tso weak", 1},
    {"use-after-free", "plain write to freed memory", use_after_free, 2, NULL, "sc tso weak", 0},
    {"abba", "two locks taken in opposite orders", abba, 2, NULL, "sc tso weak", 0},
    {.name = NULL},
};
