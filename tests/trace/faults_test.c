/*
 * SPDX-License-Identifier: MIT
 *
 * What if something breaks while a pool is traced?
 *
 * A program with a real pool checks its own results while `doze` records it, and in mid-run the
 * fault comes. Asked each time: are the results right, does doze end in time, with the right exit
 * code and a line that says what happened, and is nothing left: no process, no session, no
 * temporary file, no shared memory?
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rig.h"
#include "tests/unit/suite.h"

#define INJECT_MS  500   /* after the program was there; by then it works and is recorded */
#define CUT_OR_NOT -1    /* 3 if babeltrace2 says that it ends in a packet, else 4 */
#define BOUND_MS   45000 /* the longest anything may take: several deadlines of 5 s */

/* ---- who belongs to the rig ---- */

static bool file_has(const char *path, const char *word)
{
	char text[1 << 14];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text));

	if (fd >= 0)
		close(fd);
	return n > 0 && memmem(text, (size_t)n, word, strlen(word));
}

/* Processes of this rig, by the environment that they inherited; `comm` null: all of them. */
static int each_process(const char *comm, void (*act)(pid_t, int), int arg)
{
	char home[128], path[64];
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	int count = 0;

	snprintf(home, sizeof(home), "LTTNG_HOME=%s", rig_dir());
	while (proc && (entry = readdir(proc))) {
		pid_t pid = (pid_t)atol(entry->d_name);

		snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
		if (pid <= 0 || pid == getpid() || !file_has(path, home))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
		if (comm && !file_has(path, comm))
			continue;
		count++;
		if (act)
			act(pid, arg);
	}
	if (proc)
		closedir(proc);
	return count;
}

static void send_signal(pid_t pid, int sig)
{
	kill(pid, sig);
}

static void print_process(pid_t pid, int arg)
{
	char path[64], comm[32] = "";
	int fd;

	(void)arg;
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, comm, sizeof(comm) - 1) > 0)
		printf("\n    left behind: %d %s", (int)pid, comm);
	if (fd >= 0)
		close(fd);
}

/* ---- one fault ---- */

struct fault {
	const char *options, *command; /* of `doze record`, and what it records */
	const char *daemon;            /* what is hit, or null … */
	int sig;                       /* … by this signal */
	void (*act)(void);             /* or something else that happens */
	void (*after)(void);           /* asked when doze has ended */
	int code;
	const char *message; /* part of what doze says; null: nothing to complain about */
	int timeline;        /* exit code of `doze timeline` on what was recorded */
	const char *log;     /* where the pool's result is; null: in the trace's folder */
};

static void wait_for_mid_run(void)
{
	for (int i = 0; i < 500 && each_process("pool", 0, 0) == 0; i++)
		rig_sleep_ms(20);
	rig_sleep_ms(INJECT_MS);
}

/* Before that the fault would leave nothing to look at: what the trace looks like is written after
 * a second, like the first events (viz/session/ctl_ops.c). */
static void wait_until_readable(void)
{
	long long end = rig_now_ms() + 5000LL * suite_slow();

	while (rig_now_ms() < end) {
		if (*rig_out("babeltrace2 trace 2>&- | head -n 1"))
			return;
		rig_sleep_ms(100);
	}
	CU_FAIL("a second after its start a recording can be read");
}

static void inject(const struct fault *f)
{
	wait_for_mid_run();
	if (f->daemon)
		wait_until_readable();
	if (f->daemon)
		CU_ASSERT_EQUAL(each_process(f->daemon, send_signal, f->sig), 1);
	if (f->act)
		f->act();
}

static void check_nothing_left(int own)
{
	long long end = rig_now_ms() + 3000;

	while (each_process(0, 0, 0) > own && rig_now_ms() < end)
		rig_sleep_ms(50);
	if (each_process(0, 0, 0) > own)
		each_process(0, print_process, 0);
	CU_ASSERT_EQUAL(each_process(0, 0, 0), own);
	CU_ASSERT_STRING_EQUAL(rig_out("ls tmp"), "");
	CU_ASSERT_STRING_EQUAL(rig_out("find /dev/shm -user $(id -u) ! -name 'lttng-ust-wait-*' ! "
				       "-name fill -type f"),
			       "");
	if (own)
		CU_ASSERT_STRING_EQUAL(rig_out("lttng -n list | grep doze"), "");
}

static void check_said(const char *message)
{
	const char *err = rig_out("cat err");

	if (message ? !strstr(err, message) : *err)
		printf("\n    it said: %s", err);
	CU_ASSERT_TRUE(message ? strstr(err, message) != 0 : *err == 0);
}

static void check_pool(const char *log)
{
	const char *text = rig_out("cat %s", log);
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
	int code = rig_sh("./doze timeline trace >timeline 2>&1");

	if (wanted == CUT_OR_NOT)
		wanted = rig_sh("babeltrace2 -o dummy trace") == 0 ? 4 : 3;
	if (code != wanted)
		printf("\n    timeline: %s", rig_out("tail -n 2 timeline"));
	check_code(code, wanted);
}

static void check_result(const struct fault *f, int code)
{
	check_code(code, f->code);
	check_said(f->message);
	check_pool(f->log ? f->log : "trace/program.log");
	check_timeline(f->timeline);
}

static pid_t start_recording(const struct fault *f)
{
	CU_ASSERT_EQUAL(rig_sh("mkdir -p tmp"), 0);
	return rig_start("TMPDIR=$PWD/tmp DOZE_NUM_THREADS=8 exec ./doze record %s -o trace -- "
			 "%s >out 2>err",
			 f->options ? f->options : "", f->command);
}

static void record_with(const struct fault *f)
{
	pid_t doze;

	suite_allow_seconds(90);
	doze = start_recording(f);
	inject(f);
	check_result(f, rig_wait(doze, BOUND_MS));
	if (f->after)
		f->after();
	check_nothing_left(0);
	rig_close();
}

static void run_fault(const struct fault *f)
{
	CU_ASSERT_TRUE_FATAL(rig_open(rig_usual_mode()) || rig_open(RIG_USER));
	record_with(f);
}

#define FAULT(name, ...)                                                                           \
	static void name(void)                                                                     \
	{                                                                                          \
		static const struct fault f = {__VA_ARGS__};                                       \
		run_fault(&f);                                                                     \
	}

/* Nobody empties the buffers for a second in which the program fills them several times. */
static void stall_consumer(void)
{
	CU_ASSERT_EQUAL(each_process("lttng-consumerd", send_signal, SIGSTOP), 1);
	rig_sleep_ms(1000);
	each_process("lttng-consumerd", send_signal, SIGCONT);
}

/* Long enough to be hit when it can be read, and to go on after that. */
#define LONG .command = "./pool work 4000"
#define MANY .options = "-d all", LONG

FAULT(nothing_happens, .command = "./pool work 1500", .code = 0)
FAULT(sessiond_killed, LONG, .daemon = "lttng-sessiond", .sig = SIGKILL, .code = 4,
      .message = "the session daemon is gone", .timeline = 4)
/* doze wakes it up to end it, and it writes what it still has. */
FAULT(sessiond_stopped, LONG, .daemon = "lttng-sessiond", .sig = SIGSTOP, .code = 4,
      .message = "does not answer", .timeline = 0)
FAULT(consumerd_killed, LONG, .daemon = "lttng-consumerd", .sig = SIGKILL, .code = 4,
      .message = "its trace is incomplete", .timeline = 4)
/* More events than the buffers hold: the rest is lost even if it is woken up in time. */
FAULT(consumerd_stopped, MANY, .daemon = "lttng-consumerd", .sig = SIGSTOP, .code = 4,
      .message = "its trace is incomplete", .timeline = 4)
FAULT(buffers_overflow, .options = "-d all", .command = "./pool work 2500", .act = stall_consumer,
      .code = 4, .message = "events were lost", .timeline = 4)
FAULT(program_forks, .command = "./pool fork 1200", .message = "they are not in the trace")
FAULT(program_execs, .command = "./pool exec 700", .timeline = 4)
FAULT(program_crashes, .command = "./pool crash 1000", .code = 128 + SIGSEGV, .timeline = 4)
FAULT(program_is_killed, .command = "./pool kill 1000", .code = 128 + SIGKILL, .timeline = 4)

/* ---- full ---- */

static bool can_mount(void)
{
	bool can = rig_usual_mode() == RIG_ROOT && rig_open(RIG_ROOT);

	if (!can) {
		printf("skipped: needs root: ");
		CU_ASSERT_TRUE(true);
	}
	return can;
}

static bool is_full(const char *dir)
{
	return strcmp(rig_out("stat -f -c %%f %s", dir), "0\n") == 0;
}

/* From mid-run on, and as long as the program runs. */
static void fill(const char *dir)
{
	int seen = 0, full = 0;

	CU_ASSERT_EQUAL(rig_sh("dd if=/dev/zero of=%s/fill bs=1M; :", dir), 0);
	for (;; seen++, rig_sleep_ms(50)) {
		bool now = is_full(dir);

		/* What it used may be free as soon as it has ended. */
		if (each_process("pool", 0, 0) == 0)
			break;
		full += now;
	}
	CU_ASSERT_TRUE(seen >= 3);
	CU_ASSERT_EQUAL(full, seen);
}

static void fill_disk(void)
{
	wait_until_readable();
	fill("trace");
}

static void free_disk(void)
{
	CU_ASSERT_EQUAL(rig_sh("umount trace"), 0);
}

/* The program's own output would go to that disk, too. */
static const struct fault full_disk = {
    .command = "sh -c 'exec ./pool work 4000 >right'",
    .act = fill_disk,
    .after = free_disk,
    .code = 4,
    .message = "the disk is full: its trace is incomplete: make room",
    .log = "right",
    .timeline = CUT_OR_NOT,
};

static void disk_full(void)
{
	if (!can_mount())
		return;
	CU_ASSERT_EQUAL(rig_sh("mkdir trace && mount -t tmpfs -o size=64m small trace"), 0);
	record_with(&full_disk);
}

static void fill_shm(void)
{
	fill("/dev/shm");
}

static void free_shm(void)
{
	CU_ASSERT_EQUAL(rig_sh("rm /dev/shm/fill"), 0);
}

static const struct fault full_shm = {LONG, .act = fill_shm, .after = free_shm};

/* Only where the rig has a /dev/shm of its own: nobody's real one is filled. */
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
	CU_ASSERT_EQUAL(rig_sh("dd if=/dev/zero of=/dev/shm/fill bs=1M; :"), 0);
	doze = start_recording(&f);
	CU_ASSERT_EQUAL(rig_wait(doze, BOUND_MS), f.code);
	check_said(f.message);
	check_nothing_left(0);
	CU_ASSERT_EQUAL(rig_sh("rm /dev/shm/fill"), 0);
	rig_close();
}

/* ---- the relay ---- */

/* The pool goes on, whatever becomes of the relay that its events go to. */
static void pool_without_relay(int sig)
{
	pid_t pool;

	CU_ASSERT_TRUE_FATAL(rig_sessiond() && rig_relayd());
	CU_ASSERT_EQUAL(rig_sh("lttng -n -q create t --live=50000 -C $RELAY_CTRL -D $RELAY_DATA && "
			       "lttng -n -q enable-event -u 'doze:*' && lttng -n -q start"),
			0);
	pool = rig_start("DOZE_TRACE_WAIT_MS=5000 exec ./pool work 1500 >right");
	rig_sleep_ms(INJECT_MS);
	kill(rig_relayd_pid(), sig);
	CU_ASSERT_EQUAL(rig_wait(pool, 2500), 0);
	check_pool("right");
}

static void relay_fault(int sig, int wanted, const char *message, const char *shown)
{
	pid_t doze;

	suite_allow_seconds(90);
	CU_ASSERT_TRUE_FATAL(rig_open(rig_usual_mode()) || rig_open(RIG_USER));
	pool_without_relay(sig);
	rig_close();
	CU_ASSERT_TRUE_FATAL(rig_open(rig_usual_mode()) || rig_open(RIG_USER));
	CU_ASSERT_EQUAL(rig_sh("mkdir tmp"), 0);
	doze = rig_start("TMPDIR=$PWD/tmp DOZE_NUM_THREADS=8 exec ./doze live --once=2500ms "
			 "--program-log=program.log -- ./pool heed 20000 >picture 2>err");
	wait_for_mid_run();
	CU_ASSERT_EQUAL(each_process("lttng-relayd", send_signal, sig), 1);
	check_code(rig_wait(doze, BOUND_MS), wanted);
	check_said(message);
	/* doze ends it with the picture, after the fault; it then says how it went. */
	check_pool("program.log");
	CU_ASSERT_TRUE(!shown || strstr(rig_out("cat picture"), shown));
	check_nothing_left(0);
	rig_close();
}

static void relay_killed(void)
{
	relay_fault(SIGKILL, 3, "the relay", 0);
}

static void relay_stopped(void)
{
	relay_fault(SIGSTOP, 4, "does not answer", " behind");
}

static const struct suite_test tests[] = {
    {"Is all well when nothing happens?", nothing_happens},
    {"What if the session daemon is killed?", sessiond_killed},
    {"What if the session daemon is stopped?", sessiond_stopped},
    {"What if the consumer daemon is killed?", consumerd_killed},
    {"What if the consumer daemon is stopped?", consumerd_stopped},
    {"What if the buffers overflow?", buffers_overflow},
    {"What if the disk is full?", disk_full},
    {"What if there is no shared memory left to begin with?", shm_full},
    {"What if the shared memory fills up later?", shm_fills_up},
    {"What if the relay of a live session is killed?", relay_killed},
    {"What if the relay of a live session is stopped?", relay_stopped},
    {"What if the program forks?", program_forks},
    {"What if the program execs?", program_execs},
    {"What if the program crashes?", program_crashes},
    {"What if the program is killed?", program_is_killed},
};
SUITE_MAIN("faults", tests)
