/*
 * SPDX-License-Identifier: MIT
 *
 * live_test.c - `doze live` shows a program from its first event and leaves nothing behind.
 *
 * These tests cover the sessions, the relay and the program; tests/integration/viewer covers the
 * viewer.
 */
#include "tests/fixtures/doze_program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WATCH "exec ./doze live --once=20 --size=100x30 -w 3 -- ./pool work 1000 >out"
#define LONG  "exec ./doze live --once=20 -- ./pool work 20000 >out"

#define LIVE "doze-*" /* doze's temporary folder, which contains the output */

static pid_t watch(void)
{
	pid_t doze = fixture_start_command(LONG);
	CU_ASSERT_TRUE(fixture_await_pool(LIVE));
	CU_ASSERT_NOT_EQUAL_FATAL(fixture_find("lttng-relayd"), 0);
	return doze;
}

static void from_the_first_event(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	fixture_run_ok(WATCH);
	CU_ASSERT_TRUE(fixture_file_has("out", "3 workers"));
	CU_ASSERT_TRUE(fixture_file_has("out", " w2 "));
	CU_ASSERT_TRUE(fixture_file_has("out", "no events lost"));
	/* Checks that the output extends to the last event. */
	CU_ASSERT_TRUE(fixture_file_has("out", "w0  stopped"));
	CU_ASSERT_TRUE(fixture_file_has("out", "w2  stopped"));
	CU_ASSERT_TRUE(
	    fixture_file_has("out", "program: ./pool exited with 0; last line of output: right "));
	fixture_end(0);
}

static void with_a_running_daemon(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	fixture_run_ok(WATCH);
	CU_ASSERT_EQUAL(fixture_sh("lttng -n list"), 0);
	fixture_end(0);
}

static void needs_a_terminal(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	fixture_run_ok("./doze live </dev/null | cat; exit 0");
	CU_ASSERT_TRUE(fixture_file_has("err", "--once"));
	CU_ASSERT_EQUAL(fixture_run("./doze live </dev/null"), 2);
	fixture_end(0);
}

/* Finds the relay's listening sockets by inode. */
#define LISTENS                                                                                    \
	"for f in /proc/%d/fd/*; do readlink $f; done | sed -n 's/socket:\\[\\(.*\\)\\]/\\1/p' | " \
	"grep -wFf - /proc/net/tcp | awk '$4 == \"0A\" {print $2}' | cut -d: -f1 | sort | uniq -c"

static void listens_on_loopback_only(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = watch();
	const char *listens = fixture_out(LISTENS, (int)fixture_find("lttng-relayd"));
	CU_ASSERT_PTR_NOT_NULL(strstr(listens, "3 0100007F\n"));
	CU_ASSERT_PTR_NULL(strstr(listens, "00000000"));
	fixture_kill(doze, SIGTERM);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 128 + SIGTERM);
	fixture_end(0);
}

static bool a_relay_runs(void)
{
	return fixture_sh("grep -qx lttng-relayd /proc/[0-9]*/comm") == 0;
}

/** Checks nothing if another test or another program on the machine runs a relay, because doze
 * would find that relay. */
static void without_a_relay(void)
{
	if (a_relay_runs())
		return;
	int status = fixture_run("./doze live --attach");
	if (a_relay_runs())
		return;
	CU_ASSERT_EQUAL(status, 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "no relay is running"));
}

/** Returns whether a screen of the session "mine" shows a worker. Checks w1, because w0 is selected
 * and printed as ">w0". On a busy machine, the first screen may not show it. */
static bool shows_a_worker(void)
{
	for (struct patience limit = patience_of(30000); !patience_is_over(&limit);)
		if (fixture_sh("./doze live --once=1 --attach $RELAY_LIVE/host/$(uname -n)/mine "
			       "2>err >out && grep -q ' w1 ' out") == 0)
			return true;
	return fixture_file_has("out", " w1 ") && fixture_file_has("err", "");
}

static void attaching(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	without_a_relay();
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
	CU_ASSERT_TRUE_FATAL(fixture_relayd());
	CU_ASSERT_EQUAL(fixture_sh("set -e; lttng -n create mine --live=50000 "
				   "--ctrl-url=$RELAY_CTRL --data-url=$RELAY_DATA; "
				   "lttng -n enable-event -u 'doze:*' --loglevel=INFO; "
				   "lttng -n add-context -u -t vpid -t vtid; lttng -n start"),
			0);
	pid_t program =
	    fixture_start("DOZE_TRACE_WAIT_MS=10000 exec ./pool work 60000 >program.log");
	fixture_run_ok("./doze live --attach >list");
	CU_ASSERT_TRUE(fixture_file_has("list", "/mine"));
	CU_ASSERT_TRUE(fixture_await_pool("."));
	fixture_run_ok("./doze live --attach --json | python3 -m json.tool >list");
	CU_ASSERT_TRUE(shows_a_worker());
	CU_ASSERT_EQUAL(fixture_run("./doze live --attach "
				    "$RELAY_LIVE/host/$(uname -n)/nope --once=1 >out"),
			3);
	CU_ASSERT_EQUAL(fixture_run("./doze live --once=3 --attach "
				    "$RELAY_LIVE/host/$(uname -n)/mine --worker=99 2>out"),
			2);
	CU_ASSERT_TRUE(fixture_file_has("out", "live: --worker: this trace has no worker 99"));
	fixture_kill(program, SIGTERM);
	fixture_wait(program, 5000);
	fixture_sh("lttng -n destroy mine");
	fixture_end(0);
}

/* ---- faults ---- */

static void killed(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = watch();
	fixture_kill(doze, SIGKILL);
	fixture_wait(doze, 1000);
	fixture_end(FIXTURE_END_MS);
}

static void the_terminal_goes_away(void)
{
	if (!fixture_has_terminals()) {
		suite_skip("this system has no pseudo-terminals");
		return;
	}
	fixture_begin(FIXTURE_NO_SESSIOND);
	CU_ASSERT_EQUAL_FATAL(fixture_sh("tmux -S s -f /dev/null new-session -d -x 90 -y 30 "
					 "'exec ./doze live -- ./pool work 20000'"),
			      0);
	CU_ASSERT_TRUE(fixture_await_pool(LIVE));
	CU_ASSERT_NOT_EQUAL(fixture_find("doze"), 0);
	CU_ASSERT_EQUAL(fixture_sh("tmux -S s kill-server"), 0);
	fixture_end(FIXTURE_END_MS);
}

static void program_crashes(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	CU_ASSERT_EQUAL(fixture_run("./doze live --once=20 -- ./pool crash 500 >out"), 139);
	CU_ASSERT_TRUE(fixture_file_has("out", "killed by signal 11"));
	fixture_end(0);
}

static void program_cannot_start(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	CU_ASSERT_EQUAL(fixture_run("./doze live --once=1 -- ./nothing >out"), 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "./nothing: No such file"));
	fixture_end(0);
}

/** Runs doze for a few seconds, long enough for the program to start and for the fault to hit the
 * relay. */
static void relay_ends(const char *doze_live, int sig, int status, const char *says)
{
	fixture_begin(FIXTURE_SESSIOND);
	pid_t doze = fixture_start_command(doze_live);
	CU_ASSERT_TRUE(fixture_await_pool(LIVE));
	fixture_signal("lttng-relayd", sig);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), status);
	CU_ASSERT_TRUE(fixture_file_has("err", says));
	fixture_end(FIXTURE_END_MS);
}

static void relay_killed(void)
{
	relay_ends("exec ./doze live --once=60 -- ./pool work 60000 >out", SIGKILL, 3,
		   "lost the relay");
}

static void relay_stopped(void)
{
	relay_ends("exec ./doze live --once=10 -- ./pool work 60000 >out", SIGSTOP, 4,
		   "it does not answer");
}

static void daemon_stopped(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	pid_t doze = fixture_start_command("exec ./doze live --once=10 -- ./pool work 5000 >out");
	CU_ASSERT_TRUE(fixture_await_pool(LIVE));
	fixture_kill(fixture_sessiond_pid(), SIGSTOP);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "lttng destroy --no-wait doze-"));
	fixture_kill(fixture_sessiond_pid(), SIGCONT);
	fixture_end(FIXTURE_END_MS);
}

static const struct suite_test tests[] = {
    {"the viewer shows a program from its first event to its last", from_the_first_event},
    {"doze uses a session daemon that is already running, and leaves it running",
     with_a_running_daemon},
    {"without a terminal, doze suggests --once", needs_a_terminal},
    {"the relay listens on 127.0.0.1 only", listens_on_loopback_only},
    {"running sessions can be listed and attached to", attaching},
    {"killing doze leaves nothing behind", killed},
    {"closing the terminal leaves nothing behind", the_terminal_goes_away},
    {"a crash of the program is reported", program_crashes},
    {"a program that cannot be started is reported", program_cannot_start},
    {"a killed relay is reported", relay_killed},
    {"a stopped relay is reported, and nothing is left behind", relay_stopped},
    {"a stopped session daemon is reported, and doze's session is destroyed later", daemon_stopped},
};

FIXTURE_MAIN("live", tests)
