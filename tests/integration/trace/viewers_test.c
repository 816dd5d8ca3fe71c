/*
 * SPDX-License-Identifier: MIT
 *
 * viewers_test.c - the pool computes the right results in time while its viewer misbehaves. A
 * program computes in a live session while its viewer is killed, stopped, or slowed down. The
 * viewer runs in a real terminal (tmux, because script(1) would stop together with the viewer).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "tests/fixtures/lttng.h"
#include "tests/fixtures/processes.h"
#include "tests/fixtures/suite.h"

/* Works until SIGTERM, and then prints whether its results were right. */
#define PROGRAM    "exec env DOZE_NUM_THREADS=4 DOZE_TRACE_WAIT_MS=5000 ./pool heed 60000 >result 2>&1"
#define PROGRAM_MS 60000
#define WORK_TICKS 20 /* CPU time that the program uses without a viewer */

/* Returns the viewer's pid, which the viewer's shell writes to a file, or 0 if there is none. */
static pid_t viewer_pid(void)
{
	return fixture_await_line("viewer.pid", "[0-9]")
		   ? (pid_t)atol(fixture_out("cat viewer.pid"))
		   : 0;
}

static void watch(void)
{
	/* Enough time for the program itself, and the same again for everything else. */
	suite_allow_seconds(100);
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	CU_ASSERT_TRUE_FATAL(fixture_sessiond() && fixture_relayd());
	CU_ASSERT_EQUAL_FATAL(
	    fixture_sh(
		"set -e; lttng -n -q create doze-live --live=50000 -C $RELAY_CTRL -D "
		"$RELAY_DATA; lttng -n -q enable-channel -u c; lttng -n -q enable-event -u -c c "
		"'doze:*' --loglevel=DEBUG_FUNCTION; lttng -n -q add-context -u -c c -t vpid -t "
		"vtid; lttng -n -q start"),
	    0);
}

/* Starts the viewer of the session through a shell that writes its pid and then execs doze. */
static pid_t start_viewer(void)
{
	CU_ASSERT_EQUAL_FATAL(
	    fixture_sh("rm -f viewer.pid; echo 'echo $$ >viewer.pid; exec ./doze live --attach "
		       "'$RELAY_LIVE/host/$(hostname)/doze-live >viewer.sh; "
		       "tmux -S tmux -f /dev/null new-session -d -x 100 -y 30 'sh viewer.sh'"),
	    0);
	pid_t viewer = viewer_pid();
	CU_ASSERT_TRUE_FATAL(viewer > 0); /* nothing below makes sense without a viewer */
	return viewer;
}

static const char *screen(void)
{
	return fixture_out("tmux -S tmux capture-pane -p");
}

static bool has(const void *text)
{
	return strstr(screen(), text);
}

static bool shows(const char *text)
{
	if (fixture_await(has, text))
		return true;
	printf("\n    no '%s' on the screen:\n%s", text, screen());
	return false;
}

/* Starts the program and waits until the viewer shows its lane, not just its events. */
static pid_t start_program(void)
{
	pid_t program = fixture_start(PROGRAM);

	CU_ASSERT_TRUE_FATAL(fixture_await_line("result", "at work"));
	CU_ASSERT_TRUE(shows("\n w3 "));
	return program;
}

/* Checks that the program continues and its results are right, whatever happened to the viewer. */
static void is_right(pid_t program)
{
	CU_ASSERT_TRUE(fixture_await_cpu_time("pool", WORK_TICKS));
	CU_ASSERT_EQUAL(fixture_kill(program, SIGTERM), 0);
	CU_ASSERT_EQUAL(fixture_wait(program, PROGRAM_MS), 0);
	CU_ASSERT_TRUE(fixture_sh("grep -q '^right ' result && ! grep wrong result") == 0);
}

/* Closes the terminal. Closing the fixture also kills a viewer that is stopped or has lost its
 * terminal. */
static void close_terminal(void)
{
	fixture_sh("tmux -S tmux kill-server 2>/dev/null");
	fixture_close();
}

static void killed(void)
{
	watch();
	pid_t viewer = start_viewer(), program = start_program();
	CU_ASSERT_EQUAL(fixture_kill(viewer, SIGKILL), 0);
	is_right(program);
	close_terminal();
}

static void stopped(void)
{
	watch();
	pid_t viewer = start_viewer(), program = start_program();
	CU_ASSERT_EQUAL(fixture_kill(viewer, SIGSTOP), 0);
	is_right(program);
	CU_ASSERT_EQUAL(fixture_kill(viewer, SIGKILL), 0);
	close_terminal();
}

static void slow(void)
{
	watch();
	pid_t viewer = start_viewer(), program = start_program();
	/* The viewer may run for only a tenth of the time. */
	for (int i = 0; i < 20; i++) {
		fixture_kill(viewer, SIGSTOP);
		fixture_sleep_ms(90);
		fixture_kill(viewer, SIGCONT);
		fixture_sleep_ms(10);
	}
	is_right(program);
	CU_ASSERT_EQUAL(fixture_sh("tmux -S tmux send-keys '?'"), 0);
	CU_ASSERT_TRUE(shows("doze: help")); /* the viewer still responds */
	CU_ASSERT_EQUAL(fixture_kill(viewer, SIGTERM), 0);
	close_terminal();
}

static const struct suite_test tests[] = {
    {"the pool keeps working when its viewer is killed", killed},
    {"the pool keeps working while its viewer is stopped", stopped},
    {"the pool keeps working while its viewer is slow", slow},
};

int main(int argc, char **argv)
{
	if (!fixture_has_terminals()) {
		puts("skipped: this system has no pseudo-terminals");
		return 77;
	}
	return suite_main("viewers", tests, sizeof tests / sizeof tests[0], argc, argv);
}
