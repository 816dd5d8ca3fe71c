/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 5: a poster and a sleeper, with the student's
 * fences and in the eight variants of the table of verdicts.
 */
#include "nap.h"

#include "labs/explorer/explore.h"
#include "lib/park.h"

#include <stddef.h>
#include <string.h>

static struct nap nap;
static doze_mutex lock; /* protects the following variables */
static doze_cond wake;
static bool woken;
static int data; /* the job's data, ordered only by the publication of the job */

static struct {
	bool (*post)(struct nap *);
	bool (*lie_down)(struct nap *);
	bool has_data;
} way;

static void *sleeper(void *arg)
{
	ex_name_thread("sleeper");
	bool may_sleep = way.lie_down(&nap);
	if (may_sleep)
		ex_event("the sleeper sees no job");
	if (way.has_data) {
		EX_REQUIRE(may_sleep || data == 42,
			   "the sleeper sees the job, but not the job's data");
		return arg;
	}
	ex_expect("a wake while a job waits");
	doze_mutex_lock(&lock);
	while (may_sleep && !woken)
		doze_cond_wait(&wake, &lock);
	doze_mutex_unlock(&lock);
	return arg;
}

static void meet(bool (*post)(struct nap *), bool (*lie_down)(struct nap *), bool has_data)
{
	doze_thread t;
	way.post = post;
	way.lie_down = lie_down;
	way.has_data = has_data;
	doze_mutex_init(&lock);
	doze_cond_init(&wake);
	ex_name_thread("poster");
	EX_CHECK(doze_thread_create(&t, sleeper, NULL) == 0);
	if (has_data)
		data = 42;
	if (way.post(&nap)) {
		doze_mutex_lock(&lock);
		woken = true;
		doze_cond_signal(&wake);
		doze_mutex_unlock(&lock);
	} else {
		ex_event("the post sees no sleeper");
	}
	doze_thread_join(t);
}

static void survives(void)
{
	meet(nap_post, nap_lie_down, false);
}
static void has_data(void)
{
	meet(nap_post, nap_lie_down, true);
}

/* In one thread: checks the cost of each side. */
static void cost(void)
{
	uint64_t fences = ex_fences(), rmws = ex_rmws();
	if (nap_post(&nap))
		ex_fail("a post asks for a wake although no worker sleeps");
	EX_REQUIRE(ex_rmws() == rmws, "a post makes a read-modify-write");
	EX_REQUIRE(ex_fences() - fences <= 1, "a post makes more than one seq_cst fence or store");
	fences = ex_fences();
	da_store(&nap.job, 0, RLX);
	if (!nap_lie_down(&nap))
		ex_fail("a worker that finds no job does not sleep");
	EX_REQUIRE(ex_rmws() - rmws == 1, "lying down does not make exactly one read-modify-write");
	EX_REQUIRE(ex_fences() - fences <= 1, "lying down makes more than one fence");
}

/* In one thread: two workers lie down before a post. */
static void two_sleepers(void)
{
	for (int i = 1; i <= 2; i++) {
		if (!nap_lie_down(&nap))
			ex_fail("a worker that finds no job does not sleep");
		EX_REQUIRE(da_load(&nap.sleepers, RLX) == i, "%d workers sleep, but sleepers is %d",
			   i, (int)da_load(&nap.sleepers, RLX));
	}
	if (!nap_post(&nap))
		ex_fail("two workers sleep, but a post asks for no wake");
}

/* A read of order SC returns no older value than one that was written before with order SC. The
 * weak machine needs a fence of its own for that, and after another fence the read can be weaker.
 * So in some execution, each of the two reads must return an old value although the newer one was
 * written with order SC before the read. */
static bool before_read; /* the newer value was written when the other thread was about to read */
static void note_next_step(void)
{
	char words[8];
	ex_next_step(0, words, sizeof words);
	before_read = strncmp(words, "load", 4) == 0;
}
static void *other_sleeper(void *arg)
{
	ex_name_thread("sleeper");
	da_add(&nap.sleepers, 1, SC);
	note_next_step();
	return arg;
}
static void *other_poster(void *arg)
{
	ex_name_thread("poster");
	da_add(&nap.job, 1, SC);
	note_next_step();
	return arg;
}
static void weak_post(void)
{
	doze_thread t;
	ex_must_note("a post reads an old number of sleepers");
	EX_CHECK(doze_thread_create(&t, other_sleeper, NULL) == 0);
	bool wakes = nap_post(&nap);
	doze_thread_join(t);
	if (before_read && !wakes)
		ex_note("a post reads an old number of sleepers");
}
static void weak_look(void)
{
	doze_thread t;
	ex_must_note("a last look reads an old job");
	EX_CHECK(doze_thread_create(&t, other_poster, NULL) == 0);
	bool sleeps = nap_lie_down(&nap);
	doze_thread_join(t);
	if (before_read && sleeps)
		ex_note("a last look reads an old job");
}

/* The variants of the table: the job is published with a store or a read-modify-write, and either
 * fence may be missing.
 */
static bool seen_after(struct nap *n, bool fence)
{
	if (fence)
		da_fence(SC);
	return da_load(&n->sleepers, RLX) > 0;
}
static bool store_fence(struct nap *n)
{
	da_store(&n->job, 1, REL);
	return seen_after(n, true);
}
static bool store_plain(struct nap *n)
{
	da_store(&n->job, 1, REL);
	return seen_after(n, false);
}
static bool rmw_fence(struct nap *n)
{
	da_add(&n->job, 1, REL);
	return seen_after(n, true);
}
static bool rmw_plain(struct nap *n)
{
	da_add(&n->job, 1, REL);
	return seen_after(n, false);
}
static bool lie_fence(struct nap *n)
{
	da_add(&n->sleepers, 1, RLX);
	da_fence(SC);
	return da_load(&n->job, ACQ) == 0;
}
static bool lie_plain(struct nap *n)
{
	da_add(&n->sleepers, 1, RLX);
	return da_load(&n->job, ACQ) == 0;
}

#define FORM(push, fences, post, lie_down)                                                         \
	static void push##_##fences(void)                                                          \
	{                                                                                          \
		meet(post, lie_down, false);                                                       \
	}
FORM(store, both, store_fence, lie_fence)
FORM(store, push, store_fence, lie_plain)
FORM(store, sleep, store_plain, lie_fence)
FORM(store, none, store_plain, lie_plain)
FORM(rmw, both, rmw_fence, lie_fence)
FORM(rmw, push, rmw_fence, lie_plain)
FORM(rmw, sleep, rmw_plain, lie_fence)
FORM(rmw, none, rmw_plain, lie_plain)

const struct ex_scenario ex_scenarios[] = {
    {"survives", "a post while a worker lies down", survives, 2, NULL, NULL, 0},
    {"data", "a post while a worker lies down: the job's data is visible", has_data, 2, NULL, NULL,
     0},
    {"cost", "the number of fences", cost, 1, NULL, NULL, 0},
    {"weak-post", "the order of the read of the sleepers", weak_post, 2, NULL, NULL, 0},
    {"weak-look", "the order of the read of the job", weak_look, 2, NULL, NULL, 0},
    {"two-sleepers", "a post after two workers lay down", two_sleepers, 1, NULL, NULL, 0},
    {"store-both", "the job is published by a store; both fences", store_both, 2, NULL, NULL, 0},
    {"store-push", "the job is published by a store; only the push fence", store_push, 2, NULL,
     NULL, 0},
    {"store-sleep", "the job is published by a store; only the sleep fence", store_sleep, 2, NULL,
     NULL, 0},
    {"store-none", "the job is published by a store; no fence", store_none, 2, NULL, NULL, 0},
    {"rmw-both", "the job is published by a read-modify-write; both fences", rmw_both, 2, NULL,
     NULL, 0},
    {"rmw-push", "the job is published by a read-modify-write; only the push fence", rmw_push, 2,
     NULL, NULL, 0},
    {"rmw-sleep", "the job is published by a read-modify-write; only the sleep fence", rmw_sleep, 2,
     NULL, NULL, 0},
    {"rmw-none", "the job is published by a read-modify-write; no fence", rmw_none, 2, NULL, NULL,
     0},
    {.name = NULL},
};
