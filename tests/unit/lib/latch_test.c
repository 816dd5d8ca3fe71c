/*
 * SPDX-License-Identifier: MIT
 *
 * Latches: the states, and the hazard of a setter that touches the latch after its swap. The hazard
 * tests revoke access to the latch's memory as soon as its owner sees it set.
 */
#include "help.h"
#include "lib/latch.h"
#include "lib/pool.h"
#include "tests/fixtures/suite.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* A worker that exists but does not run. A core latch needs nothing else from its owner. */
static struct doze_pool fake_pool;
static struct doze_worker fake_worker = {.pool = &fake_pool};

static void init(struct doze_core_latch *latch)
{
	doze_core_latch_init(latch, DOZE_LATCH_KIND_spin, &fake_worker);
}

static void owner_goes_to_sleep_and_back(void)
{
	struct doze_core_latch latch;
	init(&latch);
	CU_ASSERT_TRUE(doze_core_latch_get_sleepy(&latch));
	CU_ASSERT_TRUE(doze_core_latch_fall_asleep(&latch));
	doze_core_latch_wake_up(&latch);
	CU_ASSERT_EQUAL(da_load(&latch.state, RLX), DOZE_LATCH_unset);
	CU_ASSERT_TRUE(doze_core_latch_get_sleepy(&latch));
	doze_core_latch_wake_up(&latch);
	CU_ASSERT_EQUAL(da_load(&latch.state, RLX), DOZE_LATCH_unset);
}

static void set_returns_the_previous_state(void)
{
	struct doze_core_latch latch;
	init(&latch);
	CU_ASSERT_EQUAL(doze_core_latch_set(&latch, -1), DOZE_LATCH_unset);
	CU_ASSERT_TRUE(doze_core_latch_probe(&latch, ACQ));
	init(&latch);
	(void)doze_core_latch_get_sleepy(&latch);
	CU_ASSERT_EQUAL(doze_core_latch_set(&latch, -1), DOZE_LATCH_sleepy);
	init(&latch);
	(void)doze_core_latch_get_sleepy(&latch);
	(void)doze_core_latch_fall_asleep(&latch);
	CU_ASSERT_EQUAL(doze_core_latch_set(&latch, -1), DOZE_LATCH_sleeping);
	CU_ASSERT_EQUAL(doze_core_latch_set(&latch, -1), DOZE_LATCH_set);
}

static void set_keeps_the_owner_awake(void)
{
	struct doze_core_latch latch;
	init(&latch);
	(void)doze_core_latch_set(&latch, -1);
	CU_ASSERT_FALSE(doze_core_latch_get_sleepy(&latch));
	init(&latch);
	(void)doze_core_latch_get_sleepy(&latch);
	(void)doze_core_latch_set(&latch, -1);
	CU_ASSERT_FALSE(doze_core_latch_fall_asleep(&latch));
}

static void set_is_for_good(void)
{
	struct doze_core_latch latch;
	init(&latch);
	(void)doze_core_latch_get_sleepy(&latch);
	(void)doze_core_latch_fall_asleep(&latch);
	(void)doze_core_latch_set(&latch, -1);
	doze_core_latch_wake_up(&latch);
	CU_ASSERT_TRUE(doze_core_latch_probe(&latch, ACQ));
}

/* ---- a setter must not touch the latch after its swap ---- */

enum { ROUNDS = 3000 };

struct hazard {
	DOZE_ATOMIC(struct doze_core_latch *) latch; /* the latch to set, on its own page */
	long rounds_done;
};

static void set_each(void *arg)
{
	struct hazard *h = arg;
	for (int i = 0; i < ROUNDS; i++) {
		struct doze_core_latch *latch;
		while ((latch = da_swap(&h->latch, NULL, AR)) == NULL)
			sched_yield();
		(void)doze_core_latch_set(latch, -1);
		help_count(&h->rounds_done);
	}
}

/* There is one page per latch; the owner unmaps it as soon as it sees SET. A setter that touches
 * the latch after its swap gets a SIGSEGV. */
static void nothing_after_the_swap(void)
{
	struct hazard h = {0};
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct help_thread *setter = help_thread_start(set_each, &h);

	for (int i = 0; i < ROUNDS; i++) {
		struct doze_core_latch *latch =
		    mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		CU_ASSERT_PTR_NOT_EQUAL_FATAL(latch, MAP_FAILED);
		init(latch);
		da_store(&h.latch, latch, REL);
		/* Only a tight loop provokes the race. If both threads share a CPU, the owner must
		 * yield to the setter now and then, or each round takes a whole time slice. */
		for (int probes = 0; !doze_core_latch_probe(latch, ACQ); probes++)
			if (probes >= 1000)
				sched_yield();
		(void)munmap(latch, page);
	}
	help_thread_join(setter);
	CU_ASSERT_EQUAL(h.rounds_done, ROUNDS);
}

/* The same test, made deterministic by single-stepping. The latch is on a read-only page, so the
 * setter's swap faults. The handler makes the page writable, single-steps that instruction, and
 * then revokes all access to the page. It counts every further access by the setter. */
#if defined(__x86_64__) && !defined(DOZE_TSAN) && !defined(__SANITIZE_ADDRESS__)
#define STEPPED 1

static struct {
	char *pages; /* two pages; the latch itself is on the second */
	size_t size; /* size of each page */
	volatile sig_atomic_t faults;
} step;

static void trap_after_this(void *context, bool on)
{
	ucontext_t *c = context;
	c->uc_mcontext.gregs[REG_EFL] &= ~0x100LL;
	c->uc_mcontext.gregs[REG_EFL] |= on ? 0x100LL : 0;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	step.faults++;
	(void)mprotect(step.pages, 2 * step.size, PROT_READ | PROT_WRITE);
	trap_after_this(context, true);
}

static void on_step(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)mprotect(step.pages, 2 * step.size, PROT_NONE);
	trap_after_this(context, false);
}

static void handle(int sig, void (*fn)(int, siginfo_t *, void *))
{
	struct sigaction action = {.sa_sigaction = fn, .sa_flags = SA_SIGINFO};
	(void)sigaction(sig, &action, NULL);
}

/* Maps two pages. Returns the address `offset` bytes before the second. */
static void *stage(size_t offset)
{
	step.size = (size_t)sysconf(_SC_PAGESIZE);
	step.pages =
	    mmap(NULL, 2 * step.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	step.faults = 0;
	handle(SIGSEGV, on_fault);
	handle(SIGTRAP, on_step);
	return step.pages + step.size - offset;
}

static void raise_curtain(void)
{
	(void)mprotect(step.pages + step.size, step.size, PROT_READ);
}

static void strike(void)
{
	(void)signal(SIGSEGV, SIG_DFL);
	(void)signal(SIGTRAP, SIG_DFL);
	(void)munmap(step.pages, 2 * step.size);
}

static struct doze_pool *real_pool(void)
{
	struct doze_settings settings;
	doze_config config = {.num_threads = 1};
	struct doze_pool *pool = NULL;
	CU_ASSERT_EQUAL_FATAL(doze_settings_read(&settings, &config), 0);
	CU_ASSERT_EQUAL_FATAL(doze_pool_build(&pool, &settings), 0);
	return pool;
}
#endif

static void one_touch_only(void)
{
#ifdef STEPPED
	struct doze_pool *pool = real_pool();

	struct doze_core_latch *core = stage(0);
	doze_core_latch_init(core, DOZE_LATCH_KIND_spin, &pool->workers[0]);
	raise_curtain();
	CU_ASSERT_EQUAL(doze_core_latch_set(core, -1), DOZE_LATCH_unset);
	CU_ASSERT_EQUAL(step.faults, 1);
	strike();

	for (int cross = 0; cross < 2; cross++) {
		struct doze_core_latch *spin = stage(0);
		doze_spin_latch_init(spin, &pool->workers[0], cross);
		raise_curtain();
		doze_spin_latch_set(spin, cross ? NULL : &pool->workers[0]);
		CU_ASSERT_EQUAL(step.faults, 1);
		strike();
	}
	/* The count must be writable, so it is on the first page. */
	struct doze_count_latch *count = stage(offsetof(struct doze_count_latch, u));
	doze_count_latch_init(count, &pool->workers[0], DOZE_LATCH_KIND_count);
	raise_curtain();
	doze_count_latch_decrement(count, NULL);
	CU_ASSERT_EQUAL(step.faults, 1);
	strike();
	doze_pool_unref(pool);
#else
	CU_PASS("needs a build in which the swap is a single instruction");
#endif
}

/* ---- lock latch and count latch ---- */

static void set_lock_latch(void *arg)
{
	help_sleep_us(2000);
	doze_lock_latch_set(arg);
}

static void lock_latch_is_reusable(void)
{
	struct doze_lock_latch latch;
	doze_lock_latch_init(&latch);
	for (int i = 0; i < 5; i++) {
		struct help_thread *t = help_thread_start(set_lock_latch, &latch);
		doze_lock_latch_wait_and_reset(&latch);
		CU_ASSERT_FALSE(latch.set);
		help_thread_join(t);
	}
	doze_lock_latch_set(&latch); /* the wait returns even if the latch was set before */
	doze_lock_latch_wait_and_reset(&latch);
	doze_lock_latch_fini(&latch);
}

static void last_share_sets(void)
{
	struct doze_count_latch latch;
	doze_count_latch_init(&latch, NULL, DOZE_LATCH_KIND_count);
	doze_count_latch_increment(&latch);
	doze_count_latch_increment(&latch);
	doze_count_latch_decrement(&latch, NULL);
	CU_ASSERT_FALSE(latch.u.lock.set);
	doze_count_latch_decrement(&latch, NULL);
	CU_ASSERT_FALSE(latch.u.lock.set);
	doze_count_latch_wait(&latch, NULL); /* releases the owner's share, which is the last one */
	CU_ASSERT_EQUAL(da_load(&latch.count, RLX), 0);
	doze_count_latch_fini(&latch);
}

struct shares {
	struct doze_count_latch *latch;
	long done;
};

static void give_up_share(void *arg)
{
	struct shares *s = arg;
	help_count(&s->done);
	doze_count_latch_decrement(s->latch, NULL);
}

static void owner_waits_for_all_shares(void)
{
	for (int round = 0; round < 50; round++) {
		struct doze_count_latch latch;
		struct shares s = {&latch, 0};
		struct help_thread *threads[4];
		doze_count_latch_init(&latch, NULL, DOZE_LATCH_KIND_count);
		for (int i = 0; i < 4; i++) {
			doze_count_latch_increment(&latch);
			threads[i] = help_thread_start(give_up_share, &s);
		}
		doze_count_latch_wait(&latch, NULL);
		CU_ASSERT_EQUAL(help_read(&s.done), 4);
		for (int i = 0; i < 4; i++)
			help_thread_join(threads[i]);
		doze_count_latch_fini(&latch);
	}
}

static const struct suite_test tests[] = {
    {"the owner can wake up from SLEEPY and from SLEEPING", owner_goes_to_sleep_and_back},
    {"setting a latch returns whether its owner is asleep", set_returns_the_previous_state},
    {"a set latch keeps its owner from sleeping", set_keeps_the_owner_awake},
    {"waking up does not reset a latch that has been set", set_is_for_good},
    {"setting a latch does not touch it after the swap (rayon #739, #1011)",
     nothing_after_the_swap},
    {"no instruction after the swap accesses the latch (rayon #739)", one_touch_only},
    {"a lock latch can be reused", lock_latch_is_reusable},
    {"only releasing the last share sets a count latch", last_share_sets},
    {"the owner of a count latch waits for the shares of all other threads",
     owner_waits_for_all_shares},
};
SUITE_MAIN("latch", tests)
