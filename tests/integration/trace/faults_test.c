/*
 * SPDX-License-Identifier: MIT
 *
 * faults_test.c - injects faults while a pool is traced.
 *
 * A program with a real pool checks its own results while `doze` records it, and a fault is
 * injected while it runs. Each time the results must be right, doze must exit in time with the
 * right exit code and a line that reports what happened, and no process, session, temporary file or
 * shared memory may remain.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/lttng.h"
#include "tests/fixtures/processes.h"
#include "tests/fixtures/suite.h"

#define SHOW_TICKS 3 /* CPU time after which a viewer has read some events */
#define WORKERS    8
#define WORK_TICKS 15    /* CPU time in which a pool fills the buffers of one CPU twice */
#define FULL_LOOKS 10    /* number of checks that the disk stays full */
#define CUT_OR_NOT -1    /* exit code 3 if babeltrace2 finds a trace cut within a packet, else 4 */
#define BOUND_MS   45000 /* limit for a whole test, which may include several deadlines of 5 s */

/* ---- one fault ---- */

static void send_signal(pid_t pid, int sig)
{
	fixture_kill(pid, sig);
}

struct fault {
	const char *options, *command; /* the arguments of `doze record`, and the program */
	const char *daemon;            /* the process that receives the signal, or null */
	int sig;                       /* the signal */
	void (*act)(void);             /* injects another fault in place of the signal */
	void (*after)(void);           /* called after doze has exited */
	int code;
	const char *message; /* part of doze's message; null if there is none */
	int timeline;        /* the exit code of `doze timeline` on the recording */
	const char *log;     /* file with the pool's result; null: the file in the trace's folder */
};

static const char *log_of(const struct fault *f)
{
	return f->log ? f->log : "trace/program.log";
}

/* Waits until the pool has done some work, which a blocked pool would not do. Waits no longer than
 * the pool needs to fill the buffers of all CPUs that have a worker, because everything that it
 * writes must be read again below. */
static void let_it_work(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	CU_ASSERT_TRUE(
	    fixture_await_cpu_time("pool", WORK_TICKS * (cpus < WORKERS ? cpus : WORKERS)));
}

static void end_pool(void)
{
	CU_ASSERT_EQUAL(fixture_each_process("pool", send_signal, SIGTERM), 1);
}

/* Waits for the metadata and the first events, which takes a second (viz/session/ctl.c). After
 * an earlier fault, the trace would be empty. */
static void wait_until_readable(void)
{
	struct patience limit = patience_of(5000);

	while (!patience_is_over(&limit)) {
		if (*fixture_out("babeltrace2 trace 2>&- | head -n 1"))
			return;
		fixture_sleep_ms(100);
	}
	suite_unstable("the recording cannot be read within 5 s of its start");
	CU_FAIL("a recording can be read soon after its start");
}

static void inject(const struct fault *f)
{
	if (!f->daemon && !f->act)
		return;
	CU_ASSERT_TRUE(fixture_await_line(log_of(f), "at work"));
	if (f->daemon) {
		wait_until_readable();
		CU_ASSERT_EQUAL(fixture_each_process(f->daemon, send_signal, f->sig), 1);
	}
	if (f->act)
		f->act();
	let_it_work();
	end_pool();
}

static void check_no_leftovers(int own)
{
	struct patience limit = patience_of(3000);

	while (fixture_each_process(0, 0, 0) > own && !patience_is_over(&limit))
		fixture_sleep_ms(50);
	if (fixture_each_process(0, 0, 0) > own)
		fixture_each_process(0, fixture_print_process, 0);
	CU_ASSERT_EQUAL(fixture_each_process(0, 0, 0), own);
	CU_ASSERT_STRING_EQUAL(fixture_out("ls tmp"), "");
	CU_ASSERT_STRING_EQUAL(
	    fixture_out("find /dev/shm -user $(id -u) ! -name 'lttng-ust-wait-*' ! "
			"-name fill -type f"),
	    "");
	if (own)
		CU_ASSERT_STRING_EQUAL(fixture_out("lttng -n list | grep doze"), "");
}

static void check_output(const char *message)
{
	const char *err = fixture_out("cat err");

	if (message ? !strstr(err, message) : *err)
		printf("\n    its output: %s", err);
	CU_ASSERT_TRUE(message ? strstr(err, message) != 0 : *err == 0);
}

static void check_pool(const char *log)
{
	const char *text = fixture_out("cat %s", log);
	bool right = strstr(text, "right ") && !strstr(text, "wrong");

	if (!right)
		printf("\n    the pool: %s", text);
	CU_ASSERT_TRUE(right);
}

static void check_code(int code, int wanted)
{
	if (code != wanted)
		printf("\n    exit %d, not %d", code, wanted);
	CU_ASSERT_EQUAL(code, wanted);
}

static void check_timeline(int wanted)
{
	int code = fixture_sh("./doze timeline trace >timeline 2>&1");

	if (wanted == CUT_OR_NOT)
		wanted = fixture_sh("babeltrace2 -o dummy trace") == 0 ? 4 : 3;
	if (code != wanted)
		printf("\n    timeline: %s", fixture_out("tail -n 2 timeline"));
	check_code(code, wanted);
}

static void check_result(const struct fault *f, int code)
{
	check_code(code, f->code);
	check_output(f->message);
	check_pool(log_of(f));
	check_timeline(f->timeline);
}

static pid_t start_recording(const struct fault *f)
{
	CU_ASSERT_EQUAL(fixture_sh("mkdir -p tmp"), 0);
	return fixture_start(
	    "TMPDIR=$PWD/tmp DOZE_NUM_THREADS=%d exec ./doze record %s -o trace -- "
	    "%s >out 2>err",
	    WORKERS, f->options ? f->options : "", f->command);
}

static void record_with(const struct fault *f)
{
	pid_t doze;

	suite_allow_seconds(90);
	doze = start_recording(f);
	inject(f);
	check_result(f, fixture_wait(doze, BOUND_MS));
	if (f->after)
		f->after();
	check_no_leftovers(0);
	fixture_close();
}

static void run_fault(const struct fault *f)
{
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	record_with(f);
}

#define FAULT(name, ...)                                                                           \
	static void name(void)                                                                     \
	{                                                                                          \
		static const struct fault f = {__VA_ARGS__};                                       \
		run_fault(&f);                                                                     \
	}

/* Keeps the consumer daemon from emptying the buffers while the program fills them. */
static void stall_consumer(void)
{
	CU_ASSERT_EQUAL(fixture_each_process("lttng-consumerd", send_signal, SIGSTOP), 1);
	let_it_work();
	fixture_each_process("lttng-consumerd", send_signal, SIGCONT);
}

/* A program that continues after the fault until inject sends it a signal. */
#define LONG .command = "./pool heed 60000"
#define MANY .options = "-d all", LONG

FAULT(nothing_happens, .command = "./pool work 1500", .code = 0)
FAULT(sessiond_killed, LONG, .daemon = "lttng-sessiond", .sig = SIGKILL, .code = 4,
      .message = "the session daemon is gone", .timeline = 4)
/* To terminate the stopped daemon, doze resumes it. The daemon then writes its remaining data. */
FAULT(sessiond_stopped, LONG, .daemon = "lttng-sessiond", .sig = SIGSTOP, .code = 4,
      .message = "does not answer", .timeline = 0)
FAULT(consumerd_killed, LONG, .daemon = "lttng-consumerd", .sig = SIGKILL, .code = 4,
      .message = "its trace is incomplete", .timeline = 4)
/* The program writes more events than the buffers hold, so the rest is lost even if the daemon
 * continues in time. */
FAULT(consumerd_stopped, MANY, .daemon = "lttng-consumerd", .sig = SIGSTOP, .code = 4,
      .message = "its trace is incomplete", .timeline = 4)
FAULT(buffers_overflow, MANY, .act = stall_consumer, .code = 4, .message = "events were lost",
      .timeline = 4)
FAULT(program_forks, .command = "./pool fork 1200",
      .message = "does not contain its child processes")
FAULT(program_execs, .command = "./pool exec 700", .timeline = 4)
FAULT(program_crashes, .command = "./pool crash 1000", .code = 128 + SIGSEGV,
      .message = "was killed by signal", .timeline = 4)
FAULT(program_is_killed, .command = "./pool kill 1000", .code = 128 + SIGKILL,
      .message = "was killed by signal", .timeline = 4)

/* ---- full disk and full shared memory ---- */

static bool can_mount(void)
{
	bool can = fixture_usual_mode() == FIXTURE_ROOT && fixture_open(FIXTURE_ROOT) &&
		   fixture_may_mount();

	if (!can)
		suite_skip("only root with its own mount namespace may fill a disk");
	return can;
}

static bool is_full(const char *dir)
{
	return strcmp(fixture_out("stat -f -c %%f %s", dir), "0\n") == 0;
}

/* Fills the disk, and checks that it stays full while the program runs. */
static void fill(const char *dir)
{
	CU_ASSERT_EQUAL(fixture_sh("dd if=/dev/zero of=%s/fill bs=1M; :", dir), 0);
	for (int i = 0; i < FULL_LOOKS; i++, fixture_sleep_ms(50))
		CU_ASSERT_TRUE(is_full(dir));
}

static void fill_disk(void)
{
	wait_until_readable();
	fill("trace");
}

static void free_disk(void)
{
	CU_ASSERT_EQUAL(fixture_sh("umount trace"), 0);
}

/* Sets `.log`, because the program's own output would otherwise go to the full disk, too. */
static const struct fault full_disk = {
    .command = "sh -c 'exec ./pool heed 60000 >right'",
    .act = fill_disk,
    .after = free_disk,
    .code = 4,
    .message = "the disk is full: its trace is incomplete: free some space",
    .log = "right",
    .timeline = CUT_OR_NOT,
};

static void disk_full(void)
{
	if (!can_mount())
		return;
	CU_ASSERT_EQUAL(fixture_sh("mkdir trace && mount -t tmpfs -o size=64m small trace"), 0);
	record_with(&full_disk);
}

static void fill_shm(void)
{
	fill("/dev/shm");
}

static void free_shm(void)
{
	CU_ASSERT_EQUAL(fixture_sh("rm /dev/shm/fill"), 0);
}

static const struct fault full_shm = {LONG, .act = fill_shm, .after = free_shm};

/* Runs only if the fixture has its own /dev/shm, because a test must not fill the machine's. */
static void shm_fills_up(void)
{
	if (can_mount())
		record_with(&full_shm);
}

static void shm_full(void)
{
	static const struct fault f = {
	    .command = "./pool work 500", .code = 3, .message = "/dev/shm has"};
	pid_t doze;

	suite_allow_seconds(90);
	if (!can_mount())
		return;
	CU_ASSERT_EQUAL(fixture_sh("dd if=/dev/zero of=/dev/shm/fill bs=1M; :"), 0);
	doze = start_recording(&f);
	CU_ASSERT_EQUAL(fixture_wait(doze, BOUND_MS), f.code);
	check_output(f.message);
	check_no_leftovers(0);
	CU_ASSERT_EQUAL(fixture_sh("rm /dev/shm/fill"), 0);
	fixture_close();
}

/* ---- the relay ---- */

/* Checks that the pool continues, whatever happens to the relay that gets its events. */
static void pool_without_relay(int sig)
{
	pid_t pool;

	CU_ASSERT_TRUE_FATAL(fixture_sessiond() && fixture_relayd());
	CU_ASSERT_EQUAL(
	    fixture_sh("lttng -n -q create t --live=50000 -C $RELAY_CTRL -D $RELAY_DATA && "
		       "lttng -n -q enable-event -u 'doze:*' && lttng -n -q start"),
	    0);
	pool = fixture_start("DOZE_TRACE_WAIT_MS=5000 exec ./pool heed 60000 >right");
	CU_ASSERT_TRUE(fixture_await_line("right", "at work"));
	fixture_kill(fixture_relayd_pid(), sig);
	let_it_work();
	end_pool();
	CU_ASSERT_EQUAL(fixture_wait(pool, 2500), 0);
	check_pool("right");
}

/* Sends a signal to the relay of a live session. After picture_ms, the viewer prints its screen and
 * terminates the program if it is still running. */
static void relay_fault(int sig, unsigned picture_ms, int wanted, const char *message,
			const char *shown)
{
	pid_t doze;

	suite_allow_seconds(90);
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	pool_without_relay(sig);
	fixture_close();
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	CU_ASSERT_EQUAL(fixture_sh("mkdir tmp"), 0);
	doze = fixture_start("TMPDIR=$PWD/tmp DOZE_NUM_THREADS=%d exec ./doze live --once=%ums "
			     "--program-log=program.log -- ./pool heed 60000 >picture 2>err",
			     WORKERS, picture_ms);
	CU_ASSERT_TRUE(fixture_await_line("program.log", "at work"));
	/* The newline ends the pattern, so that it does not match the supervisor's name. */
	CU_ASSERT_TRUE(fixture_await_cpu_time("doze\n", SHOW_TICKS));
	CU_ASSERT_EQUAL(fixture_each_process("lttng-relayd", send_signal, sig), 1);
	check_code(fixture_wait(doze, BOUND_MS), wanted);
	check_output(message);
	/* After the fault, doze prints its screen and ends the program, which then reports its
	 * result. */
	check_pool("program.log");
	CU_ASSERT_TRUE(!shown || fixture_sh("grep -q '%s' picture", shown) == 0);
	check_no_leftovers(0);
	fixture_close();
}

static void relay_killed(void)
{
	relay_fault(SIGKILL, BOUND_MS, 3, "the relay", 0);
}

static void relay_stopped(void)
{
	relay_fault(SIGSTOP, 8000, 4, "does not answer", "[1-9]\\.[0-9] s behind");
}

static const struct suite_test tests[] = {
    {"without a fault, a recording is complete", nothing_happens},
    {"the pool keeps working when the session daemon is killed", sessiond_killed},
    {"the pool keeps working when the session daemon is stopped", sessiond_stopped},
    {"the pool keeps working when the consumer daemon is killed", consumerd_killed},
    {"the pool keeps working when the consumer daemon is stopped", consumerd_stopped},
    {"lost events are reported when the buffers overflow", buffers_overflow},
    {"a full disk is reported", disk_full},
    {"no recording starts without shared memory", shm_full},
    {"a recording continues when shared memory fills up after the start", shm_fills_up},
    {"the pool keeps working when the relay is killed", relay_killed},
    {"the pool keeps working when the relay is stopped", relay_stopped},
    {"a program that forks is recorded, but its child is not", program_forks},
    {"a program is still recorded after it calls exec", program_execs},
    {"a crash of the program is reported", program_crashes},
    {"a killed program is reported", program_is_killed},
};
SUITE_MAIN("faults", tests)
