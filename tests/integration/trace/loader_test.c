/*
 * SPDX-License-Identifier: MIT
 *
 * loader_test.c - loading the provider never delays or disturbs a program.
 *
 * Each test runs `emit`, a program that calls hooks without a pool, with real daemons that work,
 * are stopped, killed or absent. The time limits are delays that a user would notice.
 */
#include "tests/fixtures/lttng.h"
#include "tests/fixtures/processes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/suite.h"

#define PROMPT_MS 1000 /* a program that is not delayed exits within this time */
#define ONCE_MS   700  /* duration of `emit once` */
/* A machine that stalls for a second also delays a program, so a program that was late runs again.
 * If the tracer causes the delay, the program is late each time or too often. */
#define TRIES    3
#define LATE_MAX 4 /* maximum number of runs repeated in the whole suite */

/* ---- helpers ---- */

static void open_fixture(void)
{
	suite_allow_seconds(60);
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
}

static void open_with_daemon(void)
{
	open_fixture();
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
}

/* Starts the stopwatch of the next in_time, and returns how long the command took. */
static struct stopwatch watch;

static long long duration(const char *command)
{
	watch = stopwatch_start();
	CU_ASSERT_EQUAL(fixture_sh("%s", command), 0);
	return stopwatch_stop(&watch);
}

/* Returns whether no further try is needed: the program took less time than allowed, or it has
 * failed, or the machine was too busy to measure it. */
static bool in_time(const char *what, int try, unsigned limit)
{
	static int late;

	if (stopwatch_kept(&watch, what, limit))
		return true;
	if (try + 1 < TRIES && ++late <= LATE_MAX)
		return false;
	CU_FAIL("the program was late");
	return true;
}

/* Runs a command that itself takes `least` ms. */
static void takes(const char *command, unsigned least)
{
	long long ms;

	for (int i = 0; i < TRIES; i++) {
		ms = duration(command);
		CU_ASSERT_TRUE(ms >= least);
		if (in_time(command, i, least + PROMPT_MS))
			return;
	}
}

static void prompt(const char *command)
{
	takes(command, 0);
}

/* Returns the number of matching events in the recording `dir`. */
static int count(const char *dir, const char *pattern)
{
	return atoi(fixture_out("babeltrace2 --no-delta %s | grep -c -- '%s'", dir, pattern));
}

/* ---- no delay ---- */

static void needs_libc_only(void)
{
	const char *out;

	open_fixture();
	out = fixture_out("readelf -d libdoze.so emit | grep NEEDED");
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "libc.so"));
	CU_ASSERT_PTR_NULL(strstr(out, "lttng"));
	fixture_close();
}

static void no_daemon(void)
{
	open_fixture();
	prompt("./emit start");
	prompt("DOZE_TRACE_WAIT_MS=5000 ./emit start"); /* there is no daemon to wait for */
	prompt("./emit fork");
	fixture_close();
}

static void stopped_daemon(void)
{
	const char *said;

	open_with_daemon();
	fixture_kill(fixture_sessiond_pid(), SIGSTOP);
	for (int i = 0; i < 5; i++)
		prompt("./emit start");
	prompt("./emit fork");
	prompt("./emit exec true");
	takes("DOZE_TRACE_WAIT_MS=300 ./emit start", 300);
	said = fixture_out("DOZE_TRACE_WAIT_MS=300 ./emit start 2>&1");
	if (!strstr(said, "did not register this program within 300 ms")) {
		printf("  the program said: %s", said);
		CU_FAIL("the message does not name the daemon");
	}
	fixture_close();
}

/* Starts the program and waits until it is registered. */
static pid_t start_booted(const char *setting, const char *arguments)
{
	pid_t program;

	fixture_sh("rm -f out");
	program =
	    fixture_start("%s DOZE_TRACE_WAIT_MS=5000 exec ./emit %s >out", setting, arguments);
	CU_ASSERT_TRUE(fixture_await_line("out", "booted"));
	return program;
}

/* Measures how long a program takes to exit if its daemon hangs or dies after the program has
 * registered. */
static void end_without_daemon(int sig)
{
	pid_t program;

	open_with_daemon();
	CU_ASSERT_TRUE(fixture_record("trace", "DEBUG"));
	program = start_booted("", "repeat");
	fixture_kill(fixture_sessiond_pid(), sig);
	watch = stopwatch_start();
	fixture_kill(program, SIGTERM);
	CU_ASSERT_EQUAL(fixture_wait(program, 10000), 0);
	stopwatch_stop(&watch);
	fixture_close();
}

static void daemon_lost_later(int sig)
{
	for (int i = 0; i < TRIES; i++) {
		end_without_daemon(sig);
		if (in_time("after the daemon", i, ONCE_MS + PROMPT_MS))
			return;
	}
}

static void daemon_stops_later(void)
{
	daemon_lost_later(SIGSTOP);
}

static void daemon_dies_later(void)
{
	daemon_lost_later(SIGKILL);
}

static void without_lttng(void)
{
	open_fixture();
	if (!fixture_may_mount() ||
	    fixture_sh("for l in ust ust-tracepoint; do f=$(ldconfig -p | sed -n "
		       "\"s,.*> \\(.*liblttng-$l.so.1\\)$,\\1,p\"); test -f $f && mount --bind "
		       "/dev/null $f || exit; done")) {
		suite_skip("only root with its own mount namespace can hide LTTng's libraries");
	} else {
		prompt("./emit start");
		CU_ASSERT_PTR_NOT_NULL(strstr(
		    fixture_out("DOZE_TRACE_WAIT_MS=5000 ./emit start 2>&1"), "doze: no trace: "));
	}
	if (fixture_may_mount())
		fixture_sh("for l in ust ust-tracepoint; do umount $(ldconfig -p | sed -n "
			   "\"s,.*> \\(.*liblttng-$l.so.1\\)$,\\1,p\"); done");
	fixture_close();
}

/* ---- environment variables ---- */

static int listed(void)
{
	return atoi(fixture_out("lttng -n list -u | grep -c 'doze:wake '"));
}

static void end(pid_t program)
{
	fixture_kill(program, SIGTERM);
	fixture_wait(program, PROMPT_MS);
}

/* Waits as long as a registration may take. The program must not register. */
static void is_not_listed(const char *setting)
{
	pid_t program;

	program = start_booted(setting, "list 30");
	CU_ASSERT_EQUAL(listed(), 0);
	end(program);
}

/* Checks that the program is listed even without DOZE_TRACE_WAIT_MS. */
static void is_listed_by_itself(void)
{
	pid_t program = fixture_start("exec ./emit list 30");
	struct patience limit = patience_of(10000);

	while (listed() == 0 && !patience_is_over(&limit))
		fixture_sleep_ms(50);
	CU_ASSERT_EQUAL(listed(), 1);
	end(program);
}

static void environment(void)
{
	const char *out;

	open_with_daemon();
	is_not_listed("DOZE_TRACE=0");
	is_not_listed("DOZE_TRACEPOINTS=/nonsense/p.so");
	is_listed_by_itself();
	out = fixture_out(
	    "DOZE_TRACEPOINTS=/nonsense/p.so DOZE_TRACE_WAIT_MS=5000 ./emit start 2>&1");
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "/nonsense/p.so"));
	CU_ASSERT_PTR_EQUAL(strchr(out, '\n'), out + strlen(out) - 1);
	out = fixture_out("DOZE_TRACE_WAIT_MS=soon ./emit start 2>&1");
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(out, "DOZE_TRACE_WAIT_MS=soon: not a number from 0 to 60000"));
	fixture_close();
}

/* ---- the contents of the trace ---- */

static void first_event(void)
{
	open_with_daemon();
	for (int i = 0; i < 5; i++) {
		CU_ASSERT_TRUE(fixture_record("trace", "INFO"));
		CU_ASSERT_EQUAL(fixture_sh("DOZE_TRACE_WAIT_MS=5000 ./emit once"), 0);
		CU_ASSERT_TRUE(fixture_record_end());
		CU_ASSERT_EQUAL(count("trace", "doze:pool_start:"), 1);
		CU_ASSERT_EQUAL(fixture_sh("rm -r trace"), 0);
	}
	fixture_close();
}

/* Measures how long the daemon waits for the forked child when the recording ends. */
static void end_after_fork(void)
{
	open_with_daemon();
	CU_ASSERT_TRUE(fixture_record("trace", "INFO"));
	CU_ASSERT_EQUAL(fixture_sh("DOZE_TRACE_WAIT_MS=5000 ./emit fork"), 0);
	duration("lttng -n -q destroy t");
	CU_ASSERT_EQUAL(count("trace", "doze:mark.*child"), 1);
	CU_ASSERT_EQUAL(count("trace", "doze:mark.*parent"), 1);
	CU_ASSERT_EQUAL(atoi(fixture_out(
			    "babeltrace2 trace | sed -n 's/.*mark.*vpid = \\([0-9]*\\),.*/\\1/p' | "
			    "sort -u | wc -l")),
			2);
	fixture_close();
}

static void forked_child(void)
{
	for (int i = 0; i < TRIES; i++) {
		end_after_fork();
		if (in_time("destroy", i, 2000))
			return;
	}
}

/* Loads libdoze.so late instead of linking the archive, and unloads it while its threads may still
 * be running. */
static void loaded_library(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	suite_skip("python3 is built without a sanitizer");
	return;
#endif
	open_with_daemon();
	CU_ASSERT_TRUE(fixture_record("trace", "INFO"));
	CU_ASSERT_EQUAL(
	    fixture_sh("DOZE_TRACE_WAIT_MS=5000 DOZE_NUM_THREADS=2 /usr/bin/python3 -c '\n"
		       "import _ctypes, ctypes, time\n"
		       "doze = ctypes.CDLL(\"./libdoze.so\")\n"
		       "pool = ctypes.c_void_p()\n"
		       "assert doze.doze_pool_create_sized(ctypes.byref(pool), None, 0) == 0\n"
		       "doze.doze_pool_free(pool)\n"
		       "_ctypes.dlclose(doze._handle)\n"
		       "time.sleep(0.7)\n'"), /* long enough for the snapshot thread to start */
	    0);
	CU_ASSERT_TRUE(fixture_record_end());
	CU_ASSERT_EQUAL(count("trace", "doze:pool_start:"), 1);
	CU_ASSERT_EQUAL(count("trace", "doze:worker_stop:"), 2);
	fixture_close();
}

/* The daemon runs for only 2 ms of every 32, which delays several of its answers by more than the
 * 10 ms that LTTng waits at least. Returns the number of snapshots. */
static int traced_slowly(void)
{
	pid_t program;
	int snapshots;

	open_with_daemon();
	CU_ASSERT_TRUE(fixture_record("trace", "INFO"));
	program = fixture_start("exec ./emit asleep 60");
	for (int i = 0; i < 60; i++) {
		fixture_kill(fixture_sessiond_pid(), SIGSTOP);
		fixture_sleep_ms(30);
		fixture_kill(fixture_sessiond_pid(), SIGCONT);
		fixture_sleep_ms(2);
	}
	fixture_sleep_ms(1000);
	CU_ASSERT_TRUE(fixture_record_end());
	end(program);
	snapshots = count("trace", "doze:snapshot:");
	fixture_close();
	return snapshots;
}

/* Tries again, because on a machine that stalls, the daemon may stop for longer than 200 ms. */
static void slow_daemon(void)
{
	int snapshots = 0;

	for (int i = 0; i < TRIES && snapshots == 0; i++)
		snapshots = traced_slowly();
	CU_ASSERT_TRUE(snapshots > 0);
}

/* The program has been asleep for a while when the recording begins. Returns how many sleepers the
 * recording shows after a second. */
static int shown_late(void)
{
	pid_t program;
	int shown;

	open_with_daemon();
	program = start_booted("", "asleep 60");
	fixture_sleep_ms(500);
	CU_ASSERT_TRUE(fixture_record("trace", "INFO"));
	fixture_sleep_ms(1000);
	CU_ASSERT_TRUE(fixture_record_end());
	fixture_kill(program, SIGTERM);
	shown = atoi(fixture_out("babeltrace2 trace | grep snapshot.*sleeping | "
				 "grep -o ' worker = [0-9]*' | sort -u | wc -l"));
	fixture_close();
	return shown;
}

static void late_recording(void)
{
	int shown = 0;

	for (int i = 0; i < TRIES && shown < 8; i++)
		shown = shown_late();
	if (shown < 8)
		suite_unstable("the snapshots of a second show %d of 8 sleepers", shown);
	CU_ASSERT_EQUAL(shown, 8);
}

static void one_daemon_a_user(void)
{
	int snapshots = 0;

	suite_allow_seconds(60);
	CU_ASSERT_TRUE_FATAL(fixture_open(FIXTURE_USER));
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
	/* Usually two snapshots of eight workers; none, or only a part of one, if the program's
	 * thread was late. */
	for (int i = 0; i < TRIES && (snapshots == 0 || snapshots % 8); i++) {
		fixture_sh("rm -rf trace");
		CU_ASSERT_TRUE(fixture_record("trace", "DEBUG"));
		CU_ASSERT_EQUAL(fixture_sh("DOZE_TRACE_WAIT_MS=5000 ./emit once"), 0);
		CU_ASSERT_TRUE(fixture_record_end());
		CU_ASSERT_EQUAL(count("trace", "doze:pool_start:"), 1);
		snapshots = count("trace", "doze:snapshot:");
	}
	if (snapshots == 0 || snapshots % 8)
		suite_unstable("the program exited during or before its first snapshot");
	CU_ASSERT_TRUE(snapshots > 0 && snapshots % 8 == 0);
	fixture_kill(fixture_sessiond_pid(), SIGSTOP);
	prompt("./emit start");
	fixture_close();
}

static const struct suite_test tests[] = {
    {"libdoze depends on no library other than libc", needs_libc_only},
    {"a program starts promptly without a session daemon", no_daemon},
    {"a program starts promptly while the session daemon is stopped", stopped_daemon},
    {"a program exits promptly when its session daemon is stopped", daemon_stops_later},
    {"a program exits promptly when its session daemon is killed", daemon_dies_later},
    {"a program runs without LTTng's libraries", without_lttng},
    {"environment variables disable the provider or select its file", environment},
    {"the trace contains the first event if the program waits for the tracer", first_event},
    {"a forked child is traced as a separate process", forked_child},
    {"a program that loads and unloads libdoze.so is traced", loaded_library},
    {"a program is traced although the session daemon is slow", slow_daemon},
    {"a recording that starts late shows eight sleepers within a second", late_recording},
    {"a user's own session daemon records the program", one_daemon_a_user},
};
SUITE_MAIN("loader", tests)
