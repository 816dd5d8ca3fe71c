/*
 * SPDX-License-Identifier: MIT
 *
 * faults_test.c - doze leaves nothing behind, and reports what happened, when any process is killed
 * or stopped.
 *
 * Each test ends with fixture_end, which checks that no process, session, temporary folder or
 * shared memory remains.
 */
#include "tests/fixtures/doze_program.h"
#include "tests/fixtures/kill_at_call.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* The recorded program works until a signal ends it, so no test depends on how long it runs. HEED
 * then reports whether its results were right and exits with 0. A signal may hit LONG within an
 * event, in which case LTTng loses what that CPU wrote last, so LONG is for tests that do not read
 * the trace. */
#define LONG "exec ./doze record -o t -- ./pool work 60000"
#define HEED "exec ./doze record -o t -- ./pool heed 60000"

#define CAN_BE_READ "babeltrace2 t | grep -q doze:pool_start"

static pid_t record(const char *command)
{
	pid_t doze = fixture_start_command(command);
	CU_ASSERT_TRUE(fixture_await_pool("t"));
	return doze;
}

/** Checks that the trace is readable and has a pool. */
static void readable(void)
{
	CU_ASSERT_EQUAL(fixture_sh(CAN_BE_READ), 0);
}

/** Waits until a running recording is readable. That takes only a short time, because a recording
 * may lack at most its last second. */
static void await_readable(void)
{
	for (int i = 0; i < 200 && fixture_sh(CAN_BE_READ) != 0; i++)
		fixture_sleep_ms(50);
}

#define WORK_TICKS 20 /* CPU time that the program uses before it is disturbed */

static void end_program(void)
{
	CU_ASSERT_TRUE(fixture_await_cpu_time("pool", WORK_TICKS));
	fixture_signal("pool", SIGTERM);
}

/** Checks that the program reports correct results. */
static void right(void)
{
	CU_ASSERT_TRUE(fixture_file_has("t/program.log", "right "));
}

/* ---- doze itself ---- */

static void signals_end_it(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		fixture_begin(FIXTURE_NO_SESSIOND);
		pid_t doze = record(HEED);
		fixture_kill(doze, signals[i]);
		CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 128 + signals[i]);
		readable();
		fixture_end(0);
	}
}

static void ctrl_c_at_the_terminal(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record(HEED);
	fixture_kill_group(doze, SIGINT); /* signals the group, as a terminal does */
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 128 + SIGINT);
	readable();
	/* The signal did not reach the daemons, so there is no error and the trace is complete. */
	CU_ASSERT_STRING_EQUAL(fixture_out("cat err"), "");
	CU_ASSERT_EQUAL(fixture_sh("babeltrace2 t >/dev/null"), 0);
	fixture_end(0);
}

static void a_stubborn_program(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = fixture_start_command("exec ./doze record -o t -- sh -c 'trap \"\" TERM INT; "
					   "echo ready; while :; do sleep 1; done'");
	CU_ASSERT_TRUE(fixture_await_file("t/program.log"));
	fixture_kill(doze, SIGINT);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 128 + SIGINT);
	fixture_end(0);
}

static void killed(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record(LONG);
	fixture_kill(doze, SIGKILL);
	fixture_wait(doze, 1000);
	fixture_end(FIXTURE_END_MS);
}

static void killed_recording_is_readable(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	pid_t doze = record(LONG);
	await_readable();
	fixture_kill(doze, SIGKILL);
	fixture_wait(doze, 1000);
	for (int ms = 0; ms < FIXTURE_END_MS && fixture_find("doze-supervisor"); ms += 50)
		fixture_sleep_ms(50);
	readable();
	fixture_end(FIXTURE_END_MS);
}

static void killed_while_starting(void)
{
	for (unsigned ms = 50; ms < 1300; ms += 200) {
		fixture_begin(FIXTURE_NO_SESSIOND);
		pid_t doze = fixture_start_command(LONG);
		fixture_sleep_ms(ms);
		fixture_kill(doze, SIGKILL);
		fixture_wait(doze, 1000);
		fixture_end(FIXTURE_END_MS);
	}
}

/** kill_at_call hits the moment between creating a resource and passing it to the supervisor, which
 * a sleep would miss. */
static void killed_around_the_fork(void)
{
	static const char start[] = "./doze record -o t -- ./pool work 2500";
	fixture_begin(FIXTURE_NO_SESSIOND);
	long fork_at = kill_at_call(start, 0);
	if (fork_at == KILL_AT_CALL_FORBIDDEN)
		suite_skip("no permission to trace another process");
	else
		CU_ASSERT_TRUE(fork_at > 0);
	for (long n = fork_at - 8; fork_at > 0 && n < fork_at + 8; n++) {
		suite_allow_seconds(90);
		/* Otherwise doze would examine the old folder, with other system calls. */
		fixture_sh("rm -rf t");
		CU_ASSERT_EQUAL(kill_at_call(start, n), n);
		fixture_expect_clean(FIXTURE_END_MS);
	}
	fixture_end(FIXTURE_END_MS);
}

static void interrupted_while_starting(void)
{
	for (unsigned ms = 50; ms < 1000; ms += 300) {
		fixture_begin(FIXTURE_NO_SESSIOND);
		pid_t doze = fixture_start_command(LONG);
		fixture_sleep_ms(ms);
		fixture_kill(doze, SIGINT);
		CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 128 + SIGINT);
		fixture_end(0);
	}
}

/** Takes a lock that tests running at the same time also use, because its name is global to the
 * machine. */
static int take_global_lock(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	struct stat folder;
	CU_ASSERT_EQUAL_FATAL(stat(fixture_dir(), &folder), 0);
	int n = snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1, "doze-daemon-%u", folder.st_uid);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool bound = false;
	for (int i = 0; i < 6000 && !bound; i++) {
		bound = bind(fd, (struct sockaddr *)&a, size) == 0;
		fixture_sleep_ms(5);
	}
	CU_ASSERT_TRUE_FATAL(bound);
	return fd;
}

/** Without special care, Ctrl-C would take effect only after doze has waited up to 15 s for another
 * doze. */
static void interrupted_while_another_starts(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	int turn = take_global_lock();
	pid_t doze = fixture_start_command(LONG);
	for (int i = 0; i < 1000 && !fixture_find("doze-supervisor"); i++)
		fixture_sleep_ms(10);
	fixture_sleep_ms(300);
	CU_ASSERT_EQUAL(fixture_find("lttng-sessiond"), 0);
	struct stopwatch began = stopwatch_start();
	fixture_kill(doze, SIGINT);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 128 + SIGINT);
	CU_ASSERT_TRUE(stopwatch_kept(&began, "the end after Ctrl-C", 10000));
	close(turn);
	fixture_end(0);
}

static void supervisor_killed(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record(LONG);
	pid_t supervisor = fixture_find("doze-supervisor");
	CU_ASSERT_NOT_EQUAL_FATAL(supervisor, 0);
	fixture_kill(supervisor, SIGKILL);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "supervisor process was killed"));
	fixture_end(FIXTURE_END_MS);
}

/* ---- the session daemon ---- */

static void daemon_stopped_before(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	fixture_kill(fixture_sessiond_pid(), SIGSTOP);
	pid_t doze = fixture_start_command(LONG);
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "kill -CONT"));
	CU_ASSERT_NOT_EQUAL(fixture_sh("test -e t"), 0);
	CU_ASSERT_EQUAL(fixture_run("./doze doctor --quick >out"), 1);
	CU_ASSERT_TRUE(fixture_file_has("out", "does not answer"));
	fixture_kill(fixture_sessiond_pid(), SIGCONT);
	fixture_end(FIXTURE_END_MS);
}

static void daemon_stopped_in_mid_run(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	pid_t doze = record(HEED);
	fixture_kill(fixture_sessiond_pid(), SIGSTOP);
	end_program();
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "lttng destroy --no-wait doze-"));
	right();
	fixture_kill(fixture_sessiond_pid(), SIGCONT);
	/* The supervisor destroys the session as soon as the daemon answers. */
	fixture_end(FIXTURE_END_MS);
}

static void daemon_killed_in_mid_run(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	pid_t doze = record(HEED);
	await_readable();
	fixture_kill(fixture_sessiond_pid(), SIGKILL);
	end_program();
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 4);
	CU_ASSERT_TRUE(fixture_file_has("err", "session daemon"));
	right();
	readable();
	CU_ASSERT_EQUAL(fixture_sh("./doze timeline t"), 4);
	fixture_end(FIXTURE_END_MS);
}

static void own_daemon(int sig)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record(HEED);
	pid_t daemon = fixture_find("lttng-sessiond");
	CU_ASSERT_NOT_EQUAL_FATAL(daemon, 0);
	fixture_kill(daemon, sig);
	end_program();
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 4);
	CU_ASSERT_TRUE(fixture_file_has("err", "session daemon"));
	right();
	fixture_end(FIXTURE_END_MS);
}

static void own_daemon_stopped(void)
{
	own_daemon(SIGSTOP);
}

static void own_daemon_killed(void)
{
	own_daemon(SIGKILL);
}

static void consumer_killed(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	pid_t doze = record(HEED);
	pid_t consumer = fixture_consumerd_pid();
	CU_ASSERT_TRUE_FATAL(consumer > 0);
	fixture_kill(consumer, SIGKILL);
	end_program();
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 4);
	CU_ASSERT_TRUE(fixture_file_has("err", "its trace is incomplete"));
	right();
	fixture_end(FIXTURE_END_MS);
}

static void daemon_killed_and_doze_too(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = record(LONG);
	fixture_signal("lttng-sessiond", SIGKILL);
	fixture_kill(doze, SIGKILL);
	fixture_wait(doze, 1000);
	fixture_end(FIXTURE_END_MS);
}

/* ---- full disks and memory ---- */

static void no_disk(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	fixture_sh("mkdir small");
	if (!fixture_may_mount() || fixture_sh("mount -t tmpfs -o size=200k small small") != 0) {
		puts("not root: cannot mount a small disk");
		fixture_end(0);
		return;
	}
	pid_t doze =
	    fixture_start_command("exec ./doze record -d all -o small/t -- ./pool work 1500 >out");
	CU_ASSERT_EQUAL(fixture_wait(doze, FIXTURE_END_MS), 4);
	CU_ASSERT_TRUE(fixture_file_has("err", "disk is full"));
	CU_ASSERT_TRUE(fixture_file_has("out", "./pool exited with 0"));
	fixture_sh("umount -l small");
	fixture_end(FIXTURE_END_MS);
}

static void no_shared_memory(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	if (!fixture_may_mount() || fixture_sh("mount -o remount,size=64k /dev/shm") != 0) {
		puts("not root: cannot make /dev/shm small");
		fixture_end(0);
		return;
	}
	CU_ASSERT_EQUAL(fixture_run("./doze doctor --quick >out"), 1);
	CU_ASSERT_TRUE(fixture_file_has("out", "/dev/shm has 0 MiB left"));
	pid_t doze = fixture_start_command("exec ./doze record -o t -- ./pool work 500");
	int status = fixture_wait(doze, FIXTURE_END_MS);
	CU_ASSERT_EQUAL(status, 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "shared memory"));
	fixture_sh("mount -o remount,size=50%% /dev/shm");
	fixture_end(FIXTURE_END_MS);
}

static const struct suite_test tests[] = {
    {"SIGINT, SIGTERM, SIGHUP and SIGQUIT end the recording, and doze exits with 128 plus the "
     "signal number",
     signals_end_it},
    {"Ctrl-C at the terminal does not reach the daemons", ctrl_c_at_the_terminal},
    {"a program that ignores signals is killed", a_stubborn_program},
    {"killing doze leaves nothing behind", killed},
    {"a recording can be read after doze is killed", killed_recording_is_readable},
    {"killing doze at any time while it starts leaves nothing behind", killed_while_starting},
    {"killing doze just before or after it starts the supervisor leaves nothing behind",
     killed_around_the_fork},
    {"Ctrl-C terminates doze at any time while it starts", interrupted_while_starting},
    {"Ctrl-C terminates doze while another doze is starting a daemon",
     interrupted_while_another_starts},
    {"killing the supervisor leaves nothing behind", supervisor_killed},
    {"a stopped session daemon is reported promptly", daemon_stopped_before},
    {"a session daemon that is stopped during a run is reported, and doze's session is destroyed "
     "later",
     daemon_stopped_in_mid_run},
    {"a recording is complete up to the moment its daemon is killed", daemon_killed_in_mid_run},
    {"doze kills its own session daemon if the daemon is stopped", own_daemon_stopped},
    {"killing doze's own session daemon leaves nothing behind", own_daemon_killed},
    {"a killed consumer daemon is reported", consumer_killed},
    {"killing doze and its session daemon at the same time leaves nothing behind",
     daemon_killed_and_doze_too},
    {"a full disk is reported", no_disk},
    {"full shared memory is reported", no_shared_memory},
};

FIXTURE_MAIN("faults", tests)
