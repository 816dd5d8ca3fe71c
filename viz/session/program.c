/*
 * SPDX-License-Identifier: MIT
 *
 * program.c - the traced program, from the fork to the exit of its last child.
 */
#include "program.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "preload.h"
#include "signals.h"

/* ---- Runs the traced program twice, under two policies, in one session ---- */

enum { RUNS = 2 };

/* Divides the CPUs available to this process between the runs. Returns the number of these CPUs. */
static int split_cpus(cpu_set_t half[RUNS])
{
	cpu_set_t all;
	int count, given = 0;

	CPU_ZERO(&half[0]);
	CPU_ZERO(&half[1]);
	if (sched_getaffinity(0, sizeof all, &all) != 0)
		return 0;
	count = CPU_COUNT(&all);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &half[given++ < count / 2 ? 0 : 1]);
	return count;
}

bool doze_duel_has_cpus(void)
{
	cpu_set_t half[RUNS];

	return split_cpus(half) >= RUNS;
}

/* Starts one run. Returns its pid, or -1. */
static pid_t start(const struct doze_session_options *o, int run, const cpu_set_t *cpus,
		   int status_fd)
{
	pid_t parent = getpid(), pid = fork();
	int err;

	if (pid != 0)
		return pid;
	doze_die_with(parent, SIGKILL);
	setenv("DOZE_POLICY", o->duel[run], 1);
	/* If the affinity cannot be set, both runs use all CPUs. */
	if (cpus)
		(void)sched_setaffinity(0, sizeof *cpus, cpus);
	execvp(o->argv[0], o->argv);
	err = errno;
	_exit(write(status_fd, &err, sizeof err) > 0 ? 127 : 126);
}

/* Waits for a run. Returns its exit code. */
static int finish(pid_t pid)
{
	int status;

	if (pid < 0)
		return 126;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 126;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Runs o->argv under each of the two policies of o->duel, then exits. Called in the child that the
 * session forked for the program. The exit status is that of the first run that failed, or 128 + n
 * if signal n killed that run. If the program cannot be started, writes an errno value to
 * status_fd. */
static _Noreturn void session_duel_run(const struct doze_session_options *o, int status_fd)
{
	cpu_set_t half[RUNS];
	bool turns = split_cpus(half) < RUNS || o->duel_turns;
	int code[RUNS];
	pid_t pid[RUNS];

	for (int i = 0; i < RUNS; i++) {
		pid[i] = start(o, i, turns ? NULL : &half[i], status_fd);
		if (turns)
			code[i] = finish(pid[i]);
	}
	for (int i = 0; i < RUNS && !turns; i++)
		code[i] = finish(pid[i]);
	_exit(code[0] ? code[0] : code[1]);
}

/** Longest time that the program may wait for the tracer at its start, in ms. The daemon has just
 * answered, so the wait usually takes a few ms. More than a few hundred ms mean that the machine
 * has stalled. */
#define REGISTER_WAIT_MS "10000"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

void doze_program_make_traceable(const char *program, bool any, bool follow)
{
	char provider[PATH_MAX];
	/* A provider built with a sanitizer works only in a program built with the same
	 * sanitizer. */
	if (SANITIZED)
		return;
	/* for a program that finds none itself */
	if (doze_file_find(DOZE_PROVIDER, provider, sizeof(provider)))
		setenv("DOZE_TRACEPOINTS_ALSO", provider, 1);
	session_preload(program, any, follow);
}

static void set_environment(const struct doze_session_options *o)
{
	char number[16];
	doze_program_make_traceable(o->argv[0], o->any, o->follow);
	/* The library waits for its provider, and the provider waits for the daemon. */
	setenv("DOZE_TRACE_WAIT_MS", REGISTER_WAIT_MS, 1);
	setenv("LTTNG_UST_REGISTER_TIMEOUT", REGISTER_WAIT_MS, 1);
	if (o->policy)
		setenv("DOZE_POLICY", o->policy, 1);
	snprintf(number, sizeof(number), "%u", o->workers);
	if (o->workers)
		setenv("DOZE_NUM_THREADS", number, 1);
}

static int redirect(const struct doze_session_options *o, const char *log)
{
	int in = o->keep_stdin ? 0 : open("/dev/null", O_RDONLY);
	int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		return errno;
	if (in > 2)
		close(in);
	if (out > 2)
		close(out);
	return 0;
}

enum gate { GATE_OPEN = 'g', GATE_JOIN_FIRST = 'j' };

/** Joins the session with the provider's events, whose layouts thereby become part of the session's
 * metadata. The exec that follows ends all threads and sockets of liblttng-ust, so this process
 * leaves the session, and a session daemon writes the metadata when a process leaves. Otherwise
 * LTTng 2.16 would write it at the end only, and a recording could not be read before that, or if a
 * daemon is killed. The variable suppresses the list of this executable's binaries, which would
 * appear in the trace as those of the program. */
static void join_and_leave(void)
{
	static const char variable[] = "LTTNG_UST_WITHOUT_BADDR_STATEDUMP";
	const char *provider = getenv("DOZE_TRACEPOINTS_ALSO"), *before = getenv(variable);
	char value[64];

	if (!provider)
		return;
	snprintf(value, sizeof(value), "%s", before ? before : "");
	setenv(variable, "1", 1);
	(void)dlopen(provider, RTLD_NOW); /* returns once the daemon knows the events */
	if (before)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

/** The child: waits at the gate, then executes the program. Does not return. */
static _Noreturn void child(const struct doze_session_options *o, const char *log, pid_t parent,
			    int gate, int status_fd)
{
	char byte;
	sigset_t none;
	setpgid(0, 0);
	doze_die_with(parent, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (read(gate, &byte, 1) != 1)
		_exit(0); /* the gate was closed because the session was cancelled */
	int err = redirect(o, log);
	if (!err) {
		set_environment(o);
		if (byte == GATE_JOIN_FIRST)
			join_and_leave();
		if (o->duel[0])
			session_duel_run(o, status_fd);
		execvp(o->argv[0], o->argv);
		err = errno;
	}
	_exit(write(status_fd, &err, sizeof(err)) > 0 ? 127 : 126);
}

int session_program_hold(struct program *p, const struct doze_session_options *o, const char *log)
{
	int gate[2], status[2];
	*p = (struct program){.gate = -1, .status_fd = -1, .pidfd = -1, .duel = o->duel[0] != NULL};
	if (pipe2(gate, O_CLOEXEC))
		return errno;
	if (pipe2(status, O_CLOEXEC)) {
		int err = errno;
		close(gate[0]);
		close(gate[1]);
		return err;
	}
	pid_t parent = getpid();
	p->pid = fork();
	if (p->pid == 0) {
		/* If the child kept the pipe's write end open, it would not notice that the parent
		 * closes the gate. */
		close(gate[1]);
		child(o, log, parent, gate[0], status[1]);
	}
	int err = p->pid < 0 ? errno : 0;
	close(gate[0]);
	close(status[1]);
	p->gate = gate[1];
	p->status_fd = status[0];
	if (err) {
		p->pid = 0;
		return err;
	}
	setpgid(p->pid, p->pid); /* called in both parent and child, because either may run first */
	p->group = p->pid;
	doze_group_created(p->group);
	return 0;
}

int session_program_adopt(struct program *p, pid_t pid)
{
	*p = (struct program){.gate = -1, .status_fd = -1, .adopted = true};
	p->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (p->pidfd < 0)
		return errno;
	p->pid = pid;
	return 0;
}

static bool adopted_ended(struct program *p)
{
	if (!doze_readable(p->pidfd, 0))
		return false;
	doze_close(&p->pidfd);
	p->pid = 0;
	return true;
}

static bool exists(const char *pattern)
{
	glob_t found = {0};
	bool any = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;
	globfree(&found);
	return any;
}

/** Returns whether liblttng-ust will fork. It forks to create two shared files, the system's and
 * the user's, if they do not exist yet, which happens once per boot. */
static bool tracer_will_fork(void)
{
	char own[64];
	snprintf(own, sizeof(own), "/dev/shm/lttng-ust-wait-*-%u", (unsigned)getuid());
	return !exists(own) || !(exists("/dev/shm/lttng-ust-wait-[0-9]") ||
				 exists("/dev/shm/lttng-ust-wait-[0-9][0-9]"));
}

int session_program_go(struct program *p)
{
	p->forks_unknown = p->duel || tracer_will_fork();
	char byte = p->leaves_first ? GATE_JOIN_FIRST : GATE_OPEN;
	ssize_t n = p->gate < 0 ? -1 : write(p->gate, &byte, 1);
	doze_close(&p->gate);
	return n == 1 ? 0 : -1;
}

/** Returns whether a process that has exited, but has not been reaped, waited for a child while it
 * ran: in that case field 11 of its /proc/PID/stat (cminflt, the page faults of awaited children)
 * is not 0. Children for which the process did not wait are not detected. */
static bool had_children(pid_t pid)
{
	char text[1024];
	unsigned long faults = 0;
	const char *fields = doze_process_stat(pid, text, sizeof(text));
	return fields && sscanf(fields, "%*c %*d %*d %*d %*d %*d %*u %*u %lu", &faults) == 1 &&
	       faults > 0;
}

bool session_program_ended(struct program *p)
{
	siginfo_t info = {0};
	if (!p->pid)
		return true;
	if (p->adopted)
		return adopted_ended(p);
	if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid)
		return false;
	p->forked = !p->forks_unknown && had_children(p->pid);
	waitpid(p->pid, &p->status, 0);
	p->pid = 0;
	p->left_children = doze_signal_group(p->group, 0) == 0;
	if (!p->left_children)
		doze_group_gone(p->group);
	p->forked |= p->left_children;
	if (read(p->status_fd, &p->exec_errno, sizeof(p->exec_errno)) != sizeof(p->exec_errno))
		p->exec_errno = 0;
	doze_close(&p->status_fd);
	doze_close(&p->gate);
	return true;
}

void session_program_end(struct program *p, unsigned grace_ms)
{
	doze_close(&p->gate);
	if (p->adopted || session_program_ended(p))
		return;
	doze_signal_group(p->group, SIGTERM);
	doze_signal_group(p->group, SIGCONT); /* a stopped process must be continued before it can
					       * exit */
	for (int64_t until = doze_now_ms() + grace_ms; !session_program_ended(p); doze_sleep_ms(5))
		if (doze_now_ms() >= until)
			doze_signal_group(p->group, SIGKILL);
	if (p->left_children)
		doze_signal_group(p->group, SIGKILL);
}
