/*
 * SPDX-License-Identifier: MIT
 *
 * rig.c - see rig.h.
 */
#include "rig.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "own.h"
#include "tests/unit/suite.h"
#include "tracepoints/channel.h"

#define OTHER_USER  54321 /* need not have a name */
#define CHILDREN    16
#define COMMAND_MAX 4096

static struct {
	enum rig_mode mode;
	bool open, mounted; /* has what own.h gives */
	bool in_memory;     /* the folder */
	char dir[64], build[512], out[1 << 16];
	pid_t sessiond, relayd;
	pid_t children[CHILDREN]; /* 0 = free */
} rig;

/* ---- time ---- */

long long rig_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void rig_sleep_ms(unsigned ms)
{
	struct timespec t = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};

	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		continue;
}

/* ---- commands ---- */

static bool other_user(void)
{
	return rig.mode == RIG_USER && geteuid() == 0;
}

/* In the child: become whom the rig is for, and die with the test. */
static void enter_rig(void)
{
	if (other_user() && (setresgid(OTHER_USER, OTHER_USER, OTHER_USER) != 0 ||
			     setresuid(OTHER_USER, OTHER_USER, OTHER_USER) != 0))
		_exit(126);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* A shell's background job or nohup would have them ignored, also in what the job starts.
	 */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	if (chdir(rig.dir) != 0)
		_exit(126);
	setenv("LTTNG_HOME", rig.dir, 1);
	setenv("HOME", rig.dir, 1);
	unsetenv("DOZE_TRACE_WAIT_MS");
	unsetenv("LTTNG_UST_REGISTER_TIMEOUT");
	/* Its process of its own is one that is not traced, as doze rightly says. */
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
}

static void to_log(void)
{
	int log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644);

	if (log >= 0) {
		dup2(log, STDOUT_FILENO);
		dup2(log, STDERR_FILENO);
	}
}

static pid_t spawn(const char *command, int out)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	setpgid(0, 0);
	enter_rig();
	to_log();
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)0);
	_exit(127);
}

static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void forget(pid_t pid)
{
	for (int i = 0; i < CHILDREN; i++)
		if (rig.children[i] == pid)
			rig.children[i] = 0;
}

int rig_wait(pid_t pid, unsigned ms)
{
	long long end = rig_now_ms() + (long long)ms * suite_slow();
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (rig_now_ms() >= end) {
			kill(-pid, SIGKILL);
			waitpid(pid, &status, 0);
			forget(pid);
			return 124;
		}
		rig_sleep_ms(2);
	}
	forget(pid);
	return exit_status(status);
}

__attribute__((format(printf, 2, 0))) static void format(char *command, const char *fmt,
							 va_list args)
{
	int n = vsnprintf(command, COMMAND_MAX, fmt, args);

	if (n < 0 || n >= COMMAND_MAX)
		abort();
}

int rig_sh(const char *fmt, ...)
{
	char command[COMMAND_MAX];
	va_list args;

	va_start(args, fmt);
	format(command, fmt, args);
	va_end(args);
	return rig_wait(spawn(command, -1), 30000);
}

const char *rig_out(const char *fmt, ...)
{
	char command[COMMAND_MAX];
	va_list args;
	FILE *out = tmpfile();
	size_t n;

	va_start(args, fmt);
	format(command, fmt, args);
	va_end(args);
	if (!out)
		abort();
	rig_wait(spawn(command, fileno(out)), 30000);
	rewind(out);
	n = fread(rig.out, 1, sizeof(rig.out) - 1, out);
	rig.out[n] = '\0';
	fclose(out);
	return rig.out;
}

pid_t rig_start(const char *fmt, ...)
{
	char command[COMMAND_MAX];
	va_list args;
	pid_t pid;

	va_start(args, fmt);
	format(command, fmt, args);
	va_end(args);
	pid = spawn(command, -1);
	for (int i = 0; i < CHILDREN; i++)
		if (rig.children[i] == 0) {
			rig.children[i] = pid;
			break;
		}
	return pid;
}

bool rig_await_line(const char *file, const char *words)
{
	long long end = rig_now_ms() + (long long)RIG_AWAIT_MS * suite_slow();

	for (; rig_now_ms() < end; rig_sleep_ms(20))
		if (rig_sh("grep -qs '^%s' %s", words, file) == 0)
			return true;
	printf("\n    no '%s' in %s: %s", words, file, rig_out("tail -n 5 %s", file));
	return false;
}

/* ---- the rig ---- */

enum rig_mode rig_usual_mode(void)
{
	const char *asked = getenv("RIG");

	return geteuid() == 0 && !(asked && strcmp(asked, "user") == 0) ? RIG_ROOT : RIG_USER;
}

static bool be_alone(void)
{
	if (!rig.mounted && own_mounts()) {
		rig.mounted = true;
		own_network();
	}
	return rig.mounted;
}

static bool make_folder(void)
{
	const char *build = getenv("BUILD");

	if (!realpath(build ? build : "build", rig.build))
		return false;
	strcpy(rig.dir, "/tmp/doze-rig-XXXXXX");
	if (!mkdtemp(rig.dir))
		return false;
	/* In memory where that can be had: a consumer daemon waits for the disk whenever it has
	 * written a packet, and on a busy one the end of a recording took over 10 s. */
	rig.in_memory =
	    rig.mounted && !getenv("RIG_KEEP") && mount("rig", rig.dir, "tmpfs", 0, NULL) == 0;
	return chmod(rig.dir, 0755) == 0;
}

/* Copies: the tree may be where another user cannot read. Tests run in the top folder. */
static bool copy_programs(void)
{
	char command[COMMAND_MAX];

	snprintf(command, sizeof(command),
		 "b=%s; cp $b/libdoze-tracepoints.so $b/libdoze.so $b/doze $b/tests/trace/emit "
		 "$b/tests/trace/pool $b/tests/trace/scenes $b/tests/trace/unheard "
		 "tracepoints/README.md "
		 "tests/trace/catalogue.py $(ls $b/tests/bench/*_bench 2>&-) %s/ && chown -R %u %s",
		 rig.build, rig.dir, other_user() ? (unsigned)OTHER_USER : (unsigned)geteuid(),
		 rig.dir);
	return system(command) == 0; /* NOLINT: our own paths */
}

bool rig_open(enum rig_mode mode)
{
	rig_close(); /* of a test that gave up */
	rig.mode = mode;
	if (mode == RIG_ROOT && geteuid() != 0) {
		puts("rig: not root");
		return false;
	}
	/* Also for another user's: what is left in /dev/shm then is surely of this test. */
	if (geteuid() == 0 && !be_alone() && mode == RIG_ROOT) {
		printf("rig: no mount namespace: %s\n", strerror(errno));
		return false;
	}
	rig.open = make_folder();
	if (!rig.open || !copy_programs()) {
		printf("rig: no folder: %s: is everything built?\n", strerror(errno));
		rig_close();
		return false;
	}
	return true;
}

/* SIGCONT first: a stopped process gets no other signal but SIGKILL. */
static void end_child(pid_t pid)
{
	kill(pid, SIGCONT);
	kill(pid, SIGTERM);
	rig_wait(pid, 5000);
}

void rig_close(void)
{
	char command[128];

	if (!rig.open)
		return;
	for (int i = 0; i < CHILDREN; i++)
		if (rig.children[i] > 0) {
			kill(-rig.children[i], SIGKILL);
			rig_wait(rig.children[i], 1000);
		}
	if (rig.sessiond > 0)
		end_child(rig.sessiond);
	if (rig.relayd > 0)
		end_child(rig.relayd);
	rig.sessiond = rig.relayd = 0;
	if (rig.in_memory)
		umount2(rig.dir, MNT_DETACH);
	snprintf(command, sizeof(command), "rm -rf %s", rig.dir);
	if (!getenv("RIG_KEEP") && system(command) != 0) /* NOLINT: our own path */
		printf("rig: %s stays\n", rig.dir);
	rig.open = false;
}

const char *rig_dir(void)
{
	return rig.dir;
}

/* ---- daemons ---- */

/* A daemon that is a child of ours, so that its pid is known and cannot become somebody else's. */
static pid_t start_daemon(const char *command)
{
	return spawn(command, -1);
}

bool rig_sessiond(void)
{
	rig.sessiond = start_daemon("exec lttng-sessiond --quiet --no-kernel");
	for (int i = 0; i < 100; i++) {
		if (rig_sh("timeout 2 lttng -n -q list") == 0)
			return true;
		rig_sleep_ms(30);
	}
	return false;
}

static bool listens(int port)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool yes = fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0;

	if (fd >= 0)
		close(fd);
	return yes;
}

/* Waits until the relay takes viewers, on a busy machine for seconds. False: it has ended, because
 * somebody else has one of its ports. */
static bool relayd_is_up(int live_port)
{
	for (int i = 0; i < 200; i++) {
		rig_sleep_ms(50);
		if (waitpid(rig.relayd, 0, WNOHANG) != 0)
			return false;
		if (i > 2 && listens(live_port))
			return true;
	}
	return true; /* it runs: the test will say what is wrong with it */
}

bool rig_relayd(void)
{
	char command[512];

	for (int port = 20000 + (int)(getpid() % 10000) * 3, i = 0; i < 20; port += 3, i++) {
		snprintf(command, sizeof(command),
			 "exec lttng-relayd -C tcp://127.0.0.1:%d -D tcp://127.0.0.1:%d -L "
			 "tcp://127.0.0.1:%d -o %s/relay",
			 port, port + 1, port + 2, rig.dir);
		rig.relayd = start_daemon(command);
		if (!relayd_is_up(port + 2))
			continue;
		snprintf(command, sizeof(command), "tcp://127.0.0.1:%d", port);
		setenv("RELAY_CTRL", command, 1);
		snprintf(command, sizeof(command), "tcp://127.0.0.1:%d", port + 1);
		setenv("RELAY_DATA", command, 1);
		snprintf(command, sizeof(command), "net://127.0.0.1:%d", port + 2);
		setenv("RELAY_LIVE", command, 1);
		return true;
	}
	return false;
}

pid_t rig_sessiond_pid(void)
{
	return rig.sessiond;
}

pid_t rig_relayd_pid(void)
{
	return rig.relayd;
}

pid_t rig_consumerd_pid(void)
{
	const char *pid = rig_out("for c in $(cat /proc/%d/task/*/children); do "
				  "grep -q consumerd /proc/$c/comm && echo $c; done",
				  (int)rig.sessiond);

	return *pid ? (pid_t)atol(pid) : -1;
}

/* ---- a recording ---- */

bool rig_record(const char *dir, const char *loglevel)
{
	return rig_sh("set -e; lttng -n -q create t --output=%s;"
		      "lttng -n -q enable-channel -u --subbuf-size=%u --num-subbuf=%u "
		      "--read-timer=%u c;"
		      "lttng -n -q enable-event -u -c c 'doze:*' --loglevel=%s;"
		      "lttng -n -q add-context -u -c c -t vpid -t vtid; lttng -n -q start",
		      dir, DOZE_CHANNEL_SUBBUF_SIZE, DOZE_CHANNEL_SUBBUF_COUNT,
		      doze_channel_read_us(DOZE_CHANNEL_SUBBUF_SIZE), loglevel) == 0;
}

bool rig_record_end(void)
{
	return rig_sh("timeout 10 lttng -n -q destroy t") == 0;
}
