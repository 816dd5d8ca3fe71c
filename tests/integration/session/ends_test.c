/*
 * SPDX-License-Identifier: MIT
 *
 * ends_test.c - helper processes exit as well: the consumer daemon of a killed session daemon, and
 * the processes of a killed supervisor. A daemon that other programs use survives.
 *
 * Each test ends with fixture_end, which checks that no process, session, temporary folder or
 * shared memory remains.
 */
#include "tests/fixtures/doze_program.h"

#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define BOUND_MS 25000 /* the time after which doze gives up on a daemon that does not answer */
#define LONG     "exec ./doze record -o t -- ./pool work 60000"

static pid_t record(void)
{
	pid_t doze = fixture_start_command(LONG);
	CU_ASSERT_TRUE(fixture_await_pool("t"));
	return doze;
}

/* ---- the consumer daemon ---- */

static void consumer_hangs_and_daemon_killed(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record();
	fixture_signal("lttng-consumerd", SIGSTOP);
	fixture_signal("lttng-sessiond", SIGKILL);
	fixture_signal("pool", SIGTERM);
	CU_ASSERT_EQUAL(fixture_wait(doze, BOUND_MS), 4);
	CU_ASSERT_TRUE(fixture_file_has("err", "session daemon"));
	fixture_end(0);
}

/** Stops the consumer daemon while it exits, before it has freed anything, as a slow disk would. */
static bool hold_at_its_end(pid_t pid)
{
	if (ptrace(PTRACE_SEIZE, pid, 0, (long)PTRACE_O_TRACEEXIT) == 0)
		return true;
	suite_skip("no permission to trace another process");
	return false;
}

static void await_its_end(pid_t pid)
{
	int status = 0;
	while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status) &&
	       status >> 8 != (SIGTRAP | PTRACE_EVENT_EXIT << 8))
		ptrace(PTRACE_CONT, pid, 0, (long)WSTOPSIG(status));
	CU_ASSERT_TRUE(WIFSTOPPED(status));
}

static bool runs(pid_t child)
{
	siginfo_t info = {0};
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
	return info.si_pid == 0;
}

/** doze kills a session daemon that does not answer, together with its consumer daemon. */
static void consumer_takes_time_to_die(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record(), consumer = fixture_find("lttng-consumerd");
	CU_ASSERT_TRUE_FATAL(consumer > 0);
	if (hold_at_its_end(consumer)) {
		fixture_signal("lttng-sessiond", SIGSTOP);
		fixture_signal("pool", SIGTERM);
		await_its_end(consumer);
		fixture_sleep_ms(1000);
		CU_ASSERT_TRUE(runs(doze)); /* doze does not yet report that the daemon is gone */
		ptrace(PTRACE_DETACH, consumer, 0, 0L);
		CU_ASSERT_EQUAL(fixture_wait(doze, BOUND_MS), 4);
	} else {
		fixture_kill(doze, SIGTERM);
		CU_ASSERT_EQUAL(fixture_wait(doze, BOUND_MS), 128 + SIGTERM);
	}
	fixture_end(0);
}

/* ---- the supervisor ---- */

/** Waits until the supervisor has a child process that calls the session daemon. Returns whether
 * there is one. */
static bool await_call(pid_t supervisor)
{
	for (int i = 0; i < 200; i++)
		if (fixture_sh("for c in $(cat /proc/%d/task/*/children); do "
			       "grep -q doze-supervisor /proc/$c/comm && exit 0; done; exit 1",
			       (int)supervisor) == 0)
			return true;
	return false;
}

/** The supervisor's child has inherited the supervisor's end of the socket, so doze notices the
 * supervisor's death only after the child has exited. Then doze must kill the daemon, because the
 * SIGTERM that the kernel sends does not suffice: in this test, the daemon is stopped. Even a
 * running daemon does not exit if a signal killed the program in the middle of an event (often at
 * level `all`). After SIGTERM, the daemon stops and rotates the session and waits until the
 * consumer daemon has read all data, but the consumer daemon never reads the sub-buffer that
 * contains the uncommitted event. */
static void supervisor_killed_during_a_call(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record(), supervisor = fixture_find("doze-supervisor");
	pid_t daemon = fixture_find("lttng-sessiond");
	CU_ASSERT_TRUE_FATAL(supervisor > 0 && daemon > 0);
	fixture_kill(daemon, SIGSTOP);
	fixture_signal("pool", SIGTERM);
	CU_ASSERT_TRUE(await_call(supervisor));
	fixture_kill(supervisor, SIGKILL);
	CU_ASSERT_EQUAL(fixture_wait(doze, 10000), 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "supervisor process was killed"));
	CU_ASSERT_EQUAL(fixture_find("doze-supervisor"), 0);
	CU_ASSERT_EQUAL(fixture_find("lttng-sessiond"), 0);
	fixture_end(FIXTURE_END_MS);
}

/* ---- a daemon that doze started and that other programs use ---- */

/** A daemon may be busy for longer than a supervisor waits for an answer. */
#define BUSY_MS 8000

static void silent_while_others_use_it(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record(), daemon = fixture_find("lttng-sessiond");
	CU_ASSERT_TRUE_FATAL(daemon > 0);
	CU_ASSERT_EQUAL(fixture_sh("lttng -n create other --output=o"), 0);
	fixture_signal("pool", SIGTERM);
	fixture_wait(doze, FIXTURE_END_MS);
	CU_ASSERT_TRUE(fixture_file_has("err", "other programs have sessions in it"));
	fixture_kill(daemon, SIGSTOP);
	fixture_sleep_ms(BUSY_MS);
	fixture_kill(daemon, SIGCONT);
	CU_ASSERT_EQUAL(fixture_sh("lttng -n destroy other"), 0);
	fixture_end(FIXTURE_END_MS);
}

/* ---- another daemon that starts at the same time ---- */

/** Starts another daemon just before doze's daemon looks for one.
 */
#define AT_THE_SAME_TIME                                                                           \
	"mkdir first && cat >first/lttng-sessiond <<'END' && chmod +x first/lttng-sessiond\n"      \
	"#!/bin/sh\n"                                                                              \
	"PATH=${PATH#*:}\n"                                                                        \
	"lttng-sessiond --daemonize --no-kernel --quiet >/dev/null 2>&1\n"                         \
	"sleep 1\n"                                                                                \
	"exec lttng-sessiond \"$@\"\n"                                                             \
	"END"

static void another_is_started_at_the_same_time(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	CU_ASSERT_EQUAL_FATAL(fixture_sh(AT_THE_SAME_TIME), 0);
	pid_t doze = fixture_start_command(
	    "PATH=$PWD/first:$PATH exec ./doze record -o t -- ./pool work 2500");
	CU_ASSERT_EQUAL(fixture_wait(doze, BOUND_MS), 0);
	CU_ASSERT_STRING_EQUAL(fixture_out("cat err"), "");
	fixture_signal("lttng-sessiond", SIGTERM); /* doze's own daemon would exit on this signal */
	fixture_end(FIXTURE_END_MS);
}

static const struct suite_test tests[] = {
    {"a hung consumer daemon is killed once its session daemon is gone",
     consumer_hangs_and_daemon_killed},
    {"doze waits until a slow consumer daemon has exited", consumer_takes_time_to_die},
    {"killing the supervisor during a call to a hung daemon leaves nothing behind",
     supervisor_killed_during_a_call},
    {"a session daemon that other programs use is not killed, even if it does not respond",
     silent_while_others_use_it},
    {"a daemon that another program starts at the same time keeps running",
     another_is_started_at_the_same_time},
};

FIXTURE_MAIN("ends", tests)
