/*
 * SPDX-License-Identifier: MIT
 *
 * emit.c - a program that calls the hooks without a pool, for the tests of the tracer: every event
 * with known values, and processes that start, fork and exit in unusual ways.
 *
 *   emit once            boots the tracer and emits every event once
 *   emit repeat          the same, prints "booted", and emits every event again on SIGTERM
 *   emit list [SECONDS]  boots, prints "booted" and waits, for `lttng list -u`
 *   emit asleep SECONDS  the same; its eight workers always sleep, so only snapshots show them
 *   emit start           boots and exits at once
 *   emit fork            boots, forks; the child emits mark "child", boots again and exits
 *   emit exec PROG ARGS  boots, then execs
 */
#include "lib/trace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/trace_load.h"

#define SLEEPERS 8

void doze_trace_for_each_worker(void (*fn)(void *ctx, uint32_t pool, int32_t worker,
					   const struct doze_trace_snapshot_info *info),
				void *ctx)
{
	struct doze_trace_snapshot_info info = {
	    .policy = "jec",
	    .workers = SLEEPERS,
	    .state = DOZE_STATE_sleeping,
	    .word_kind = DOZE_WORD_counters,
	    .bits_sleeping = 16,
	    .bits_inactive = 16,
	    .bits_jec = 32,
	    .word = 0x0000000200080008,
	    .jobs_run = 7,
	    .jobs_published = 3,
	};

	for (int32_t i = 0; i < SLEEPERS; i++)
		fn(ctx, 1, i, &info);
}

static void emit_pool_and_workers(void)
{
	struct doze_trace_pool_info info = {
	    .policy = "jec",
	    .version = "test",
	    .name = "pool",
	    .workers = SLEEPERS,
	    .schema_major = DOZE_SCHEMA_MAJOR,
	    .schema_minor = DOZE_SCHEMA_MINOR,
	    .rounds_until_sleepy = 32,
	    .rounds_until_sleeping = 33,
	    .word_kind = DOZE_WORD_counters,
	    .bits_sleeping = 16,
	    .bits_inactive = 16,
	    .bits_jec = 32,
	};

	doze_trace_pool_start(1, &info);
	doze_trace_worker_start(1, 0, (uint32_t)gettid(), "doze-0");
	struct doze_trace_state_info state = {
	    .from = DOZE_STATE_none, .to = DOZE_STATE_active, .reason = DOZE_REASON_start};
	doze_trace_worker_state(1, 0, &state);
}

static void emit_sleep_and_wake(void)
{
	struct doze_trace_post_info post = {
	    .queue = DOZE_QUEUE_injector,
	    .jobs = 2,
	    .was_empty = true,
	    .old_word = 0x0000000200080008,
	    .new_word = 0x0000000300080008,
	    .idle = -1,
	    .sleeping = 8,
	    .wakes = 1,
	    .decision_id = 11,
	    .job = 0xdef,
	    .caller = (const void *)(uintptr_t)0x1234,
	    .skipped = 2,
	};
	struct doze_trace_wake_info wake = {
	    .target = 5,
	    .wake_id = 12,
	    .decision_id = 11,
	    .cause = DOZE_CAUSE_inject,
	    .scope = DOZE_SCOPE_one,
	    .old_word = 0x0000000300080008,
	    .new_word = 0x0000000300080007,
	};

	doze_trace_jec(1, 0, DOZE_JEC_CAUSE_sleepy, 0x0000000100080007, 0x0000000200080007);
	doze_trace_latch(1, -1, 0xabc, DOZE_LATCH_KIND_count, 3, DOZE_LATCH_sleeping,
			 DOZE_LATCH_set);
	doze_trace_post(1, -1, &post);
	doze_trace_wake(1, -1, &wake);
	doze_trace_woken(1, 5, 12);
	doze_trace_sleep_abort(1, 4, DOZE_ABORT_injector, 8, 7);
}

/* The events of programs that are not ours. */
static void emit_foreign(void)
{
	const struct doze_trace_wake_site_info site = {
	    .kind = DOZE_WAIT_sem,
	    .caller = (const void *)(uintptr_t)0x5678,
	    .calls = 9,
	    .nobody = 4,
	};
	const struct doze_trace_wait_totals_info totals = {
	    .waits = 5, .woken = 3, .again = 1, .timed_out = 2};

	doze_trace_crew(1, (const void *)(uintptr_t)0x1234);
	doze_trace_wait(1, 5, DOZE_WAIT_cond, (const void *)(uintptr_t)0x4321,
			(const void *)(uintptr_t)0x1234);
	doze_trace_wake_site(0, &site);
	doze_trace_wait_totals(1, 5, &totals);
}

static void emit_rest(void)
{
	const struct doze_trace_taken_info taken = {0xdef, DOZE_SOURCE_stolen, 3};

	doze_trace_blocked(1, 2, 1, 1);
	doze_trace_unblocked(1, 2, 2, 0);
	doze_trace_deadlock(1, 2, 0, 2);
	doze_trace_mark(1, -1, "phase 2");
	doze_trace_job_taken(1, 0, &taken);
	doze_trace_job_start(1, 0, 0xdef, DOZE_SOURCE_inline);
	doze_trace_job_end(1, 0, 0xdef);
	doze_trace_steal(1, 0, 5, DOZE_STEAL_retry, 0);
	doze_trace_lock(1, 0, DOZE_LOCK_deque, 6, true);
	doze_trace_search(1, 0, 31);
	emit_foreign();
	doze_trace_worker_stop(1, 0);
	doze_trace_pool_stop(1);
}

static void emit_once(void)
{
	emit_pool_and_workers();
	emit_sleep_and_wake();
	emit_rest();
}

/* Prints "booted". If DOZE_TRACE_WAIT_MS is set, the program has registered before. */
static void print_booted(void)
{
	puts("booted");
	fflush(stdout);
}

/* Waits for SIGTERM, which is delivered to this thread, because the tracer's threads block all
 * signals. */
static void await_sigterm(void)
{
	sigset_t term;
	int sig;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	print_booted();
	sigwait(&term, &sig);
}

static int run_fork(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		doze_trace_boot();
		usleep(100000); /* time for LTTng to enable the events */
		doze_trace_mark(1, -1, "child");
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		return 1;
	doze_trace_mark(1, -1, "parent");
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "once";

	doze_trace_boot();
	if (strcmp(what, "once") == 0 || strcmp(what, "repeat") == 0) {
		emit_once();
		if (strcmp(what, "repeat") == 0) {
			await_sigterm();
			emit_once();
		}
		usleep(700000); /* longer than the 500 ms between two snapshots */
	} else if (strcmp(what, "list") == 0 || strcmp(what, "asleep") == 0) {
		print_booted();
		sleep(argc > 2 ? (unsigned)atoi(argv[2]) : 5u);
	} else if (strcmp(what, "fork") == 0) {
		return run_fork();
	} else if (strcmp(what, "exec") == 0 && argc > 2) {
		execvp(argv[2], argv + 2);
		return 127;
	} else if (strcmp(what, "start") != 0) {
		fprintf(stderr, "emit: %s: unknown argument\n", what);
		return 2;
	}
	return 0;
}
