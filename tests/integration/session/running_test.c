/*
 * SPDX-License-Identifier: MIT
 *
 * running_test.c - `doze record --pid` and `doze live --pid` trace a process that already runs, and
 * never disturb it; `doze run` starts one that can be traced later; --for ends a recording.
 */
#include "tests/fixtures/doze_program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer than any of these tests. */
#define LONG "60000"

/* Returns the number of matching events in the recording DIR. */
static int count(const char *dir, const char *pattern)
{
	return atoi(fixture_out("babeltrace2 --no-delta %s | grep -c -- '%s'", dir, pattern));
}

/* Starts `pool HOW`, which writes to the file `pool.log`. Returns its pid once its pool runs. */
static pid_t start_pool(const char *how)
{
	pid_t pid = fixture_start("exec ./pool %s >pool.log 2>&1", how);

	CU_ASSERT_TRUE_FATAL(fixture_await_line("pool.log", "at work"));
	return pid;
}

/* Fails unless the process still runs, and then finishes its work as if nothing had happened. */
static void expect_undisturbed(pid_t pid)
{
	CU_ASSERT_EQUAL(fixture_kill(pid, SIGTERM), 0); /* `pool heed` ends itself */
	CU_ASSERT_EQUAL(fixture_wait(pid, FIXTURE_END_MS), 0);
	CU_ASSERT_EQUAL(atoi(fixture_out("wc -l <pool.log")), 2);
	CU_ASSERT_EQUAL(atoi(fixture_out("grep -c '^right [1-9]' pool.log")), 1);
}

static bool recorder_is_gone(const void *ours)
{
	return fixture_each_process("doze", NULL, 0) == 0 &&
	       (!ours || fixture_each_process("lttng", NULL, 0) == 0);
}

/* Fails unless nothing of the recorder is left while the process runs on. */
static void expect_no_recorder(bool its_daemon)
{
	CU_ASSERT_TRUE(fixture_await(recorder_is_gone, its_daemon ? "" : NULL));
}

static int record_pid(const char *dir, const char *options, pid_t pid)
{
	char command[200];

	snprintf(command, sizeof(command), "exec ./doze record -o %s --pid %d %s >out", dir,
		 (int)pid, options);
	return fixture_run(command);
}

/* ---- a process with libdoze ---- */

static void records(enum fixture_daemon daemon)
{
	fixture_begin(daemon);
	pid_t pid = start_pool("heed " LONG);
	CU_ASSERT_EQUAL(record_pid("t", "--for 2s", pid), 0);
	CU_ASSERT_STRING_EQUAL(fixture_out("cat err"), "");
	CU_ASSERT_TRUE(fixture_file_has("out", "recorded: t\n"));
	CU_ASSERT_TRUE(fixture_file_has("out", "still running"));
	/* The pool started before the recording. Its state comes from the snapshots. */
	CU_ASSERT_EQUAL(count("t", "doze:pool_start:"), 0);
	CU_ASSERT_TRUE(count("t", "doze:snapshot:") > 0);
	CU_ASSERT_TRUE(count("t", "doze:worker_state:") > 0);
	CU_ASSERT_TRUE(fixture_file_has("t/doze.manifest", "complete"));
	CU_ASSERT_EQUAL(fixture_sh("./doze timeline t >timeline && grep -q w0 timeline"), 0);
	expect_no_recorder(daemon == FIXTURE_NO_SESSIOND);
	CU_ASSERT_EQUAL(
	    atoi(fixture_out("./doze doctor --quick | grep -c 'can record .*%d (pool)'", (int)pid)),
	    1);
	expect_undisturbed(pid);
	fixture_end(FIXTURE_END_MS);
}

static void with_a_daemon(void)
{
	records(FIXTURE_SESSIOND);
}

static void without_a_daemon(void)
{
	records(FIXTURE_NO_SESSIOND);
}

static void again_and_again(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t pid = start_pool("heed " LONG);
	for (int i = 0; i < 3; i++) {
		char dir[8];
		snprintf(dir, sizeof(dir), "t%d", i);
		CU_ASSERT_EQUAL(record_pid(dir, "--for 1500ms", pid), 0);
		CU_ASSERT_TRUE(count(dir, "doze:worker_state:") > 0);
		expect_no_recorder(true);
	}
	expect_undisturbed(pid);
	fixture_end(FIXTURE_END_MS);
}

static void twice_at_once(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t pid = start_pool("heed " LONG);
	pid_t a = fixture_start("exec ./doze record -o a --pid %d --for 3s", (int)pid);
	pid_t b = fixture_start("exec ./doze record -o b --pid %d --for 2s", (int)pid);
	CU_ASSERT_EQUAL(fixture_wait(a, FIXTURE_END_MS), 0);
	CU_ASSERT_EQUAL(fixture_wait(b, FIXTURE_END_MS), 0);
	CU_ASSERT_TRUE(count("a", "doze:worker_state:") > 0);
	CU_ASSERT_TRUE(count("b", "doze:worker_state:") > 0);
	expect_no_recorder(true);
	expect_undisturbed(pid);
	fixture_end(FIXTURE_END_MS);
}

/* Starts a recording without --for. Returns doze's pid once the session records events. */
static pid_t start_recording(pid_t pid)
{
	pid_t doze = fixture_start("exec 2>err; exec ./doze record -o t --pid %d >out", (int)pid);

	/* LTTng creates the stream files of a process when it registers. */
	CU_ASSERT_EQUAL(fixture_sh("until ls t/ust/uid/*/*/doze_0; do sleep 0.1; done"), 0);
	fixture_sleep_ms(1200); /* two snapshots */
	return doze;
}

static void ctrl_c(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t pid = start_pool("heed " LONG);
	pid_t doze = start_recording(pid);
	CU_ASSERT_EQUAL(fixture_kill(doze, SIGINT), 0);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 0);
	CU_ASSERT_TRUE(fixture_file_has("out", "recorded: t\n"));
	CU_ASSERT_TRUE(count("t", "doze:snapshot:") > 0);
	expect_no_recorder(true);
	expect_undisturbed(pid);
	fixture_end(FIXTURE_END_MS);
}

static void killed_recorder(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t pid = start_pool("heed " LONG);
	pid_t doze = start_recording(pid);
	CU_ASSERT_EQUAL(fixture_kill(doze, SIGKILL), 0);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 128 + SIGKILL);
	expect_no_recorder(true);
	fixture_sh("rm -rf t");
	CU_ASSERT_EQUAL(record_pid("t", "--for 1500ms", pid), 0);
	CU_ASSERT_TRUE(count("t", "doze:snapshot:") > 0);
	expect_undisturbed(pid);
	fixture_end(FIXTURE_END_MS);
}

static void exits_during_the_recording(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t pid = start_pool("heed " LONG);
	pid_t doze = start_recording(pid);
	expect_undisturbed(pid);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 0);
	CU_ASSERT_TRUE(fixture_file_has("out", " exited\n"));
	CU_ASSERT_EQUAL(count("t", "doze:pool_stop:"), 1);
	fixture_end(FIXTURE_END_MS);
}

static void a_viewer(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t pid = start_pool("heed " LONG);
	char command[200];
	snprintf(command, sizeof(command), "exec ./doze live --once=2s --pid %d >screen", (int)pid);
	CU_ASSERT_EQUAL(fixture_run(command), 0);
	CU_ASSERT_TRUE(fixture_file_has("screen", "w0 "));
	expect_no_recorder(true);
	expect_undisturbed(pid);
	fixture_end(FIXTURE_END_MS);
}

/* ---- a process without libdoze ---- */

static const char consumers[] = "import threading, time\n"
				"ready = threading.Condition()\n"
				"def consume():\n"
				"    while True:\n"
				"        with ready:\n"
				"            ready.wait()\n"
				"for _ in range(3):\n"
				"    threading.Thread(target=consume, daemon=True).start()\n"
				"print('at work', flush=True)\n"
				"while True:\n"
				"    time.sleep(0.005)\n"
				"    with ready:\n"
				"        ready.notify()\n";

static void any_program(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t pid =
	    fixture_start("exec ./doze run --any -- python3 -c \"%s\" >pool.log 2>&1", consumers);
	CU_ASSERT_TRUE_FATAL(fixture_await_line("pool.log", "at work"));
	CU_ASSERT_EQUAL(record_pid("t", "--any --for 2s", pid), 0);
	CU_ASSERT_STRING_EQUAL(fixture_out("cat err"), "");
	CU_ASSERT_TRUE(count("t", "doze:wake:") > 0);
	CU_ASSERT_TRUE(count("t", "doze:woken:") > 0);
	CU_ASSERT_EQUAL(fixture_sh("./doze storms t >storms; test $? -le 1"), 0);
	CU_ASSERT_STRING_EQUAL(fixture_out("cat pool.log"), "at work\n");
	expect_no_recorder(true);
	CU_ASSERT_EQUAL(fixture_kill(pid, SIGTERM), 0);
	CU_ASSERT_EQUAL(fixture_wait(pid, FIXTURE_END_MS), 128 + SIGTERM);
	fixture_end(FIXTURE_END_MS);
}

/* ---- --for ---- */

static void limited(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	CU_ASSERT_EQUAL(
	    fixture_run("exec ./doze record --json -o t --for 1s -- ./pool heed " LONG " >out"), 0);
	CU_ASSERT_STRING_EQUAL(fixture_out("cat err"), "");
	CU_ASSERT_TRUE(fixture_file_has("out", "\"complete\":true"));
	CU_ASSERT_TRUE(count("t", "doze:worker_state:") > 0);
	/* The trace ends before the program does. */
	CU_ASSERT_EQUAL(count("t", "doze:pool_stop:"), 0);
	CU_ASSERT_TRUE(fixture_file_has("t/program.log", "right"));
	fixture_run_ok("exec ./doze record -o short --for 60s -- ./pool work 50 >out");
	CU_ASSERT_TRUE(fixture_file_has("out", "exited with 0"));
	CU_ASSERT_EQUAL(count("short", "doze:pool_stop:"), 1);
	fixture_end(FIXTURE_END_MS);
}

/* ---- refusals ---- */

static const struct {
	const char *command;
	int status;
	const char *says;
} refusals[] = {
    {"./doze record -o t --pid 99999999", 3, "process 99999999 does not exist"},
    {"./doze record -o t --pid 1", 2, "invalid value '1'"},
    {"./doze record -o t --pid pool", 2, "invalid value 'pool'"},
    {"sleep 60 & ./doze record -o t --pid $!; code=$?; kill $!; exit $code", 3,
     "has not loaded the tracepoints of libdoze: start it with 'doze run -- PROG'"},
    {"./doze record -o t --any --pid $POOL", 3, "not started with the library of --any"},
    {"./doze record -o t --pid $(ls /proc/$POOL/task | tail -n 1)", 3, "is a thread: give the"},
    {"DOZE_TRACE=0 ./pool heed " LONG
     " >quiet & until grep -qs 'at work' quiet; do sleep 0.1; done; "
     "./doze record -o t --pid $!; code=$?; kill $!; exit $code",
     3, "libdoze"},
    {"./doze record -o t --pid $POOL -- ./pool work 50", 2, "PROG applies only to"},
    {"./doze record -o t --pid $POOL --policy=jec", 2, "--policy applies only to"},
    {"./doze record -o t --pid $POOL --follow", 2, "--follow applies only to"},
    {"./doze record -o t --for 0", 2, "invalid value '0'"},
    {"./doze live --once --pid $POOL --duel=jec,tickle", 2, "omit --duel"},
    {"./doze live --once --pid 99999999", 3, "process 99999999 does not exist"},
    {"./doze run", 2, "missing argument"},
    {"./doze run -- ./nothing", 3, "cannot start ./nothing: No such file"},
};

static void refuses(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t pid = start_pool("heed " LONG);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		char line[400];
		snprintf(line, sizeof(line), "export POOL=%d; %s", (int)pid, refusals[i].command);
		int status = fixture_run(line);
		if (status != refusals[i].status)
			printf("\n    %s: exit %d", refusals[i].command, status);
		CU_ASSERT_EQUAL(status, refusals[i].status);
		CU_ASSERT_TRUE(fixture_file_has("err", refusals[i].says));
		CU_ASSERT_EQUAL(atoi(fixture_out("wc -l <err")), 1);
		CU_ASSERT_EQUAL(fixture_sh("test -e t"), 1);
	}
	expect_no_recorder(true);
	expect_undisturbed(pid);
	fixture_end(FIXTURE_END_MS);
}

/* Skipped where a user may not make namespaces. */
static void in_a_container(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	if (fixture_sh("unshare --user --pid --fork true") == 0) {
		CU_ASSERT_EQUAL(
		    fixture_run("unshare --user --pid --fork --kill-child ./pool heed " LONG
				" >quiet & until grep -qs 'at work' quiet; do sleep 0.1; done; "
				"./doze record -o t --pid $(ps -o pid= --ppid $!); code=$?; "
				"kill -9 $!; exit $code"),
		    3);
		CU_ASSERT_TRUE(fixture_file_has("err", "runs in a container: run doze in"));
		CU_ASSERT_EQUAL(atoi(fixture_out("wc -l <err")), 1);
	} else {
		printf("skipped: no namespaces ...");
	}
	fixture_end(FIXTURE_END_MS);
}

/* Runs as root only: another user may not see what root's processes have loaded. */
static void of_another_user(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	if (atoi(fixture_out("id -u")) != 0) {
		fixture_end(FIXTURE_END_MS);
		return;
	}
	pid_t pid = start_pool("heed " LONG);
	char command[200];
	snprintf(command, sizeof(command),
		 "exec setpriv --reuid=65534 --regid=65534 --clear-groups ./doze live --once "
		 "--pid %d",
		 (int)pid);
	CU_ASSERT_EQUAL(fixture_run(command), 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "belongs to "));
	expect_undisturbed(pid);
	fixture_end(FIXTURE_END_MS);
}

static const struct suite_test tests[] = {
    {"a running process is recorded, with a session daemon", with_a_daemon},
    {"a running process is recorded, without a session daemon", without_a_daemon},
    {"a process can be recorded again and again", again_and_again},
    {"a process can be recorded twice at once", twice_at_once},
    {"Ctrl-C ends the recording but not the process", ctrl_c},
    {"a killed recorder leaves nothing behind, and the process runs on", killed_recorder},
    {"a process that exits ends its recording", exits_during_the_recording},
    {"the viewer shows a running process", a_viewer},
    {"a program started with doze run --any can be recorded", any_program},
    {"--for ends a recording before the program ends", limited},
    {"each refusal is one line", refuses},
    {"a process of another user is refused", of_another_user},
    {"a process in a container is refused", in_a_container},
};

FIXTURE_MAIN("running", tests)
