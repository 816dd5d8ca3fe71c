/*
 * SPDX-License-Identifier: MIT
 *
 * many.c - runs the student's policy on real threads, for mistakes that appear only with many
 * workers or many sleeps, which the explorer cannot try: a table with room for 64 workers, a limit
 * for the workers that are awake, a number cut to a byte. Also checks the memory that the file
 * allocates (guarded.h).
 *
 * Usage: many. Prints nothing, or one line about the mistake: "wrong", "fault" or "none" (the
 * system cannot start so many threads), a tab, and a text; for a fault, also the address of the
 * code. Exit codes: 0 passed; 1 otherwise.
 *
 * Nothing here depends on the speed of the machine. Each wait ends when its condition holds, or
 * when all other threads sleep (asleep.h).
 */
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <ucontext.h>

#include "lib/doze.h"
#include "lib/latch.h"
#include "lib/park.h"
#include "lib/pool.h"
#include "lib/sleep/sleep.h"
#include "lib/trace.h"
#include "lib/trace_load.h"
#include "lib/worker.h"

#include "asleep.h"
#include "guarded.h"

#define MANY    300 /* number of workers: more than a byte can count, and than a word has bits */
#define FAR     97  /* has no common divisor with MANY */
#define FEW     2
#define LATCHES 200 /* number of sleeps that end because a latch is set, not because of a post */

extern const struct doze_sleep_policy doze_policy_jec; /* the student's policy or the library's */

#ifdef DOZE_TRACE_SINK
/* These hooks do nothing, because this program loads no tracer. */
void doze_trace_boot(void)
{
}
void doze_trace_settle(void)
{
}
#endif

static _Noreturn void say(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	puts("");
	fflush(stdout);
	_Exit(1);
}

/* Reports a fault. The program cannot go on, so it does not matter that this is not safe in a
 * signal handler. */
static void report_fault(int number, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	bool is_index = number == SIGILL || number == SIGTRAP; /* trap of -fsanitize=bounds */
	uintptr_t at = 0;
	(void)info;
#if defined(__x86_64__)
	at = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	at = (uintptr_t)c->uc_mcontext.pc;
#else
	(void)c;
#endif
	say("fault\t%s\t%#lx",
	    is_index
		? "an index is beyond the end of its array"
		: "an access to memory that is not allocated: beyond the end of a block, or freed",
	    (unsigned long)at);
}
static void catch_faults(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP};
	struct sigaction action = {.sa_sigaction = report_fault, .sa_flags = SA_SIGINFO};
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		sigaction(numbers[i], &action, NULL);
}

static doze_pool *pool_of(unsigned workers)
{
	doze_pool *pool;
	doze_config config = {.num_threads = workers,
			      .policy = doze_policy_jec.name,
			      .rounds_until_sleepy = 1,
			      .rounds_until_sleeping = 2};
	if (doze_pool_create(&pool, &config) != 0)
		say("none\t%s", doze_last_error());
	return pool;
}

/* Returns whether this many workers sleep and none of these has been woken. A waker subtracts a
 * sleeper from the word, so that the word shows a wake before the worker has changed its state. */
static bool rest(doze_pool *pool, unsigned workers)
{
	doze_stats stats;
	doze_pool_stats(pool, &stats);
	return stats.sleeping == workers &&
	       (doze_policy_jec.word_kind != DOZE_WORD_counters ||
		doze_counters_sleeping(doze_pool_word(pool)) == workers);
}

/* Waits until the count has reached n and `asleep` workers sleep. Returns false if all threads
 * sleep before the count has reached n. */
static bool comes_to(DOZE_ATOMIC(uint32_t) * count, uint32_t n, doze_pool *pool, unsigned asleep)
{
	const struct timespec briefly = {0, 20000};
	for (unsigned i = 1;; i++) {
		if (da_load(count, ACQ) == n && rest(pool, asleep))
			return true;
		if (i % 200 == 0 && all_others_sleep())
			return da_load(count, ACQ) == n;
		nanosleep(&briefly, NULL);
	}
}

/* ---- a pool that ends ---- */

static DOZE_ATOMIC(uint32_t) freed;

static void *frees(void *pool)
{
	doze_pool_free(pool);
	da_store(&freed, 1, REL);
	return NULL;
}
/* Frees the pool on another thread, because the free may wait for ever. */
static void end(doze_pool *pool, unsigned workers)
{
	const struct timespec briefly = {0, 20000};
	doze_thread thread;
	da_store(&freed, 0, RLX);
	if (doze_thread_create(&thread, frees, pool) != 0)
		say("none\tcannot start a thread");
	for (unsigned i = 1; da_load(&freed, ACQ) == 0; i++) {
		if (i % 200 == 0 && all_others_sleep() && da_load(&freed, ACQ) == 0)
			say("wrong\ta pool of %u workers does not end: all its threads sleep",
			    workers);
		nanosleep(&briefly, NULL);
	}
	doze_thread_join(thread);
}

/* ---- many workers ---- */

static doze_mutex lock;
static doze_cond may_change[MANY];
static bool may_leave[MANY];                /* protected by lock */
static DOZE_ATOMIC(uint32_t) arrived, left; /* numbers of jobs that began and ended */
static DOZE_ATOMIC(uint32_t) turns;

/* Keeps its worker busy until the worker may leave. */
static void stays(void *arg)
{
	int worker = doze_worker_index();
	(void)arg;
	da_add(&arrived, 1, REL);
	doze_mutex_lock(&lock);
	while (!may_leave[worker])
		doze_cond_wait(&may_change[worker], &lock);
	may_leave[worker] = false;
	doze_mutex_unlock(&lock);
	da_add(&left, 1, REL);
}
static void lets_go(uint32_t worker)
{
	doze_mutex_lock(&lock);
	may_leave[worker] = true;
	doze_cond_signal(&may_change[worker]);
	doze_mutex_unlock(&lock);
}
static void post(doze_pool *pool)
{
	if (doze_spawn(pool, stays, NULL) != 0)
		say("none\t%s", doze_last_error());
}

/* Each job must wake a worker, however many sleep, and however many are busy. */
static void busy_one_by_one(doze_pool *pool)
{
	for (uint32_t n = 1; n <= MANY; n++) {
		post(pool);
		if (!comes_to(&arrived, n, pool, MANY - n))
			say("wrong\t%u workers are busy, and %u sleep; a job is injected, and no "
			    "worker wakes",
			    n - 1, MANY + 1 - n);
	}
}
/* Only one worker sleeps, and the post must find it. The next one is far from it, so that a search
 * that begins near the last one that was woken has to look at most of the workers. */
static void only_one_sleeps(doze_pool *pool)
{
	for (uint32_t n = 1; n <= MANY; n++) {
		uint32_t sleeper = n * FAR % MANY;
		lets_go(sleeper);
		(void)comes_to(&left, n, pool, 1);
		post(pool);
		if (!comes_to(&arrived, MANY + n, pool, 0))
			say("wrong\tonly worker %u of %u sleeps, and the others are busy; a job is "
			    "injected, and the worker does not wake",
			    sleeper, MANY);
	}
}
static void takes_turn(unsigned index, unsigned total, void *arg)
{
	(void)index;
	(void)total;
	(void)arg;
	da_add(&turns, 1, REL);
}
static void many_workers(void)
{
	doze_pool *pool = pool_of(MANY);
	doze_mutex_init(&lock);
	for (uint32_t i = 0; i < MANY; i++)
		doze_cond_init(&may_change[i]);
	(void)comes_to(&arrived, 0, pool, MANY);
	busy_one_by_one(pool);
	only_one_sleeps(pool);
	for (uint32_t i = 0; i < MANY; i++)
		lets_go(i);
	(void)comes_to(&left, 2 * MANY, pool, MANY);
	if (doze_spawn_broadcast(pool, takes_turn, NULL) != 0)
		say("none\t%s", doze_last_error());
	if (!comes_to(&turns, MANY, pool, MANY))
		say("wrong\ta broadcast reaches only %u of %u workers", da_load(&turns, RLX), MANY);
	end(pool, MANY);
}

/* ---- many sleeps ---- */

static DOZE_ATOMIC(struct doze_core_latch *) latch_now;
static DOZE_ATOMIC(uint32_t) waits;

static void waits_often(void *arg)
{
	for (int i = 0; i < LATCHES; i++) {
		struct doze_core_latch latch;
		doze_spin_latch_init(&latch, doze_self, true);
		da_store(&latch_now, &latch, RLX);
		da_add(&waits, 1, REL); /* publishes the latch */
		doze_worker_wait_until(doze_self, &latch);
	}
	(void)arg;
}
/* A policy that keeps a list of its sleepers must take those off that were woken by their latches.
 */
static void many_sleeps(void)
{
	doze_pool *pool = pool_of(FEW);
	if (doze_spawn(pool, waits_often, NULL) != 0)
		say("none\t%s", doze_last_error());
	for (uint32_t i = 1; i <= LATCHES; i++) {
		if (!comes_to(&waits, i, pool, FEW))
			say("wrong\ta worker waits for one latch after the other, and does not "
			    "wake "
			    "when latch %u is set",
			    i - 1);
		doze_spin_latch_set(da_load(&latch_now, RLX), NULL);
	}
	end(pool, FEW);
}

int main(void)
{
	catch_faults();
	many_sleeps();
	uint32_t kept = da_load(&live_blocks, RLX); /* blocks that may serve all pools */
	many_workers();
	if (da_load(&live_blocks, RLX) > kept)
		say("wrong\ta pool has ended, and memory that your file allocated for it is not "
		    "free "
		    "(hook fini)");
	return 0;
}
