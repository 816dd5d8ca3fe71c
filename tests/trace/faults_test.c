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

#define INJECT_MS 500   /* after the program was there; by then it works and is recorded */
#define NOT_FINE  -1    /* 3 or 4: how much of the trace was written is a matter of luck */
#define ANY       -2    /* a daemon that is woken up again may have written all of it, too */
#define BOUND_MS  45000 /* the longest anything may take: several deadlines of 5 s */

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
	const char *options, *work; /* of `doze record` and of `pool` */
	const char *daemon;         /* what is hit, or null … */
	int sig;                    /* … by this signal */
	void (*act)(void);          /* or something else that happens */
	int code;
	const char *message; /* part of what doze says; null: nothing to complain about */
	int timeline;        /* exit code of `doze timeline` on what was recorded */
};

static void wait_for_mid_run(void)
{
	for (int i = 0; i < 500 && each_process("pool", 0, 0) == 0; i++)
		rig_sleep_ms(20);
	rig_sleep_ms(INJECT_MS);
}

static void inject(const struct fault *f)
{
	wait_for_mid_run();
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

static void check_result(const struct fault *f, int code)
{
	const char *log;

	if (code != f->code)
		printf("\n    exit %d", code);
	CU_ASSERT_EQUAL(code, f->code);
	check_said(f->message);
	log = rig_out("cat trace/program.log");
	if (strncmp(log, "right ", 6) != 0 || strstr(log, "wrong"))
		printf("\n    the pool: %s", log);
	CU_ASSERT_TRUE(strncmp(log, "right ", 6) == 0 && !strstr(log, "wrong"));
	code = rig_sh("./doze timeline trace >timeline 2>&1");
	if (f->timeline < 0 ? code != 3 && code != 4 && (code || f->timeline != ANY)
			    : code != f->timeline) {
		printf("\n    timeline: exit %d: %s", code, rig_out("tail -n 2 timeline"));
		CU_FAIL("what doze timeline makes of the rest");
	}
}

static pid_t start_recording(const struct fault *f)
{
	CU_ASSERT_EQUAL(rig_sh("mkdir -p tmp"), 0);
	return rig_start("TMPDIR=$PWD/tmp DOZE_NUM_THREADS=8 exec ./doze record %s -o trace -- "
			 "./pool %s 2>err",
			 f->options ? f->options : "", f->work);
}

static void run_fault(const struct fault *f)
{
	pid_t doze;

	suite_allow_seconds(90);
	CU_ASSERT_TRUE_FATAL(rig_open(rig_usual_mode()) || rig_open(RIG_USER));
	doze = start_recording(f);
	inject(f);
	check_result(f, rig_wait(doze, BOUND_MS));
	check_nothing_left(0);
	rig_close();
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

FAULT(nothing_happens, .work = "work 1500", .code = 0)
FAULT(sessiond_killed, .work = "work 1500", .daemon = "lttng-sessiond", .sig = SIGKILL, .code = 4,
      .message = "the session daemon is gone", .timeline = NOT_FINE)
FAULT(sessiond_stopped, .work = "work 1500", .daemon = "lttng-sessiond", .sig = SIGSTOP, .code = 4,
      .message = "does not answer", .timeline = ANY)
FAULT(consumerd_killed, .work = "work 1500", .daemon = "lttng-consumerd", .sig = SIGKILL, .code = 4,
      .message = "its trace is incomplete", .timeline = NOT_FINE)
FAULT(consumerd_stopped, .work = "work 1500", .daemon = "lttng-consumerd", .sig = SIGSTOP,
      .code = 4, .message = "its trace is incomplete", .timeline = ANY)
FAULT(buffers_overflow, .options = "-d all", .work = "work 2500", .act = stall_consumer, .code = 4,
      .message = "events were lost", .timeline = 4)
FAULT(program_forks, .work = "fork 1200", .message = "they are not in the trace")
FAULT(program_execs, .work = "exec 700", .timeline = 4)
FAULT(program_crashes, .work = "crash 1000", .code = 128 + SIGSEGV, .timeline = 4)
FAULT(program_is_killed, .work = "kill 1000", .code = 128 + SIGKILL, .timeline = 4)

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

static void disk_full(void)
{
	static const struct fault f = {.options = "-d all",
				       .work = "work 1500",
				       .code = 4,
				       .message = "its trace is incomplete"};
	pid_t doze;

	suite_allow_seconds(90);
	if (!can_mount())
		return;
	CU_ASSERT_EQUAL(rig_sh("mkdir trace && mount -t tmpfs -o size=3m small trace"), 0);
	doze = start_recording(&f);
	CU_ASSERT_EQUAL(rig_wait(doze, BOUND_MS), f.code);
	check_said(f.message);
	/* The program's own output goes to that disk, too; what it computed it tells by its status.
	 */
	CU_ASSERT_PTR_NULL(strstr(rig_out("cat trace/program.log"), "wrong"));
	check_nothing_left(0);
	CU_ASSERT_EQUAL(rig_sh("umount trace || { sleep 2; umount trace; }"), 0);
	rig_close();
}

static void shm_full_later(void)
{
	CU_ASSERT_EQUAL(rig_sh("dd if=/dev/zero of=/dev/shm/fill bs=1M; rm /dev/shm/fill; :"), 0);
}

FAULT(shm_fills_up_in_rig, .work = "work 1500", .act = shm_full_later)

/* Only where the rig has a /dev/shm of its own: nobody's real one is filled. */
static void shm_fills_up(void)
{
	if (!can_mount())
		return;
	rig_close();
	shm_fills_up_in_rig();
}

static void shm_full(void)
{
	static const struct fault f = {.work = "work 500", .code = 3, .message = "/dev/shm has"};
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
	CU_ASSERT_TRUE(strncmp(rig_out("cat right"), "right ", 6) == 0);
}

static void relay_fault(int sig, int wanted, const char *message, const char *shown)
{
	int code;
	pid_t doze;

	suite_allow_seconds(90);
	CU_ASSERT_TRUE_FATAL(rig_open(rig_usual_mode()) || rig_open(RIG_USER));
	pool_without_relay(sig);
	rig_close();
	CU_ASSERT_TRUE_FATAL(rig_open(rig_usual_mode()) || rig_open(RIG_USER));
	CU_ASSERT_EQUAL(rig_sh("mkdir tmp"), 0);
	doze = rig_start("TMPDIR=$PWD/tmp DOZE_NUM_THREADS=8 exec ./doze live --once=2500ms "
			 "--program-log=program.log -- ./pool work 3000 >picture 2>err");
	wait_for_mid_run();
	CU_ASSERT_EQUAL(each_process("lttng-relayd", send_signal, sig), 1);
	code = rig_wait(doze, BOUND_MS);
	if (code != wanted)
		printf("\n    exit %d", code);
	CU_ASSERT_EQUAL(code, wanted);
	check_said(message);
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
