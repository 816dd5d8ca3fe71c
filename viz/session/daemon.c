/*
 * SPDX-License-Identifier: MIT
 *
 * daemon.c - starts and stops the LTTng daemons that doze needs.
 */
#include "daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl.h"
#include "files.h"
#include "signals.h"

#define PORT_ATTEMPTS 8
#define KILLED_MS     2000 /* longest time for a killed process to exit, unless a disk hangs */

static _Noreturn void become(const struct daemon *d, char *const *argv, pid_t parent, int status_fd)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	setsid();
	doze_die_with(parent, SIGTERM);
	int in = open("/dev/null", O_RDONLY),
	    out = open(d->log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(in, 0);
	dup2(out, 1);
	dup2(out, 2);
	/* A daemon must not inherit descriptors that doze's caller had open, such as a pipe that
	 * another process reads until it is closed. */
	fcntl(dup2(status_fd, 3), F_SETFD, FD_CLOEXEC);
	close_range(4, ~0U, 0);
	if (chdir("/") == 0)
		execvp(argv[0], argv);
	int err = errno;
	_exit(write(3, &err, sizeof(err)) > 0 ? 127 : 126);
}

/* Starts argv[0] in the background with its output in `log`. Returns 0, or an errno value. */
static int start(struct daemon *d, char *const *argv)
{
	int fds[2], err = 0;
	if (pipe2(fds, O_CLOEXEC))
		return errno;
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		become(d, argv, parent, fds[1]);
	int fork_errno = errno;
	close(fds[1]);
	/* exec closes the pipe. If exec fails, the child sends errno through it. */
	if (pid > 0 && read(fds[0], &err, sizeof(err)) != (ssize_t)sizeof(err))
		err = 0;
	close(fds[0]);
	if (pid < 0)
		return fork_errno;
	if (err)
		waitpid(pid, NULL, 0);
	else
		doze_group_created(d->pid = pid); /* the child called setsid before exec */
	return err;
}

bool session_daemon_ended(const struct daemon *d)
{
	siginfo_t info = {0};
	/* Do not reap the process: while it is a zombie, its pid cannot be reused. */
	return !d->pid || (waitid(P_PID, (id_t)d->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
			   info.si_pid);
}

/** Waits until the process group is empty, and reaps the caller's children in it. A killed process
 * stays in the group until it has released its memory. */
static bool wait_group(pid_t group, unsigned ms)
{
	for (int64_t until = doze_now_ms() + ms;; doze_sleep_ms(5)) {
		while (waitpid(-group, NULL, WNOHANG) > 0)
			;
		if (doze_signal_group(group, 0))
			return true;
		if (doze_now_ms() >= until)
			return false;
	}
}

void session_daemon_stop(struct daemon *d, unsigned grace_ms)
{
	pid_t group = d->pid; /* the daemon called setsid, so it leads a group */
	if (!group)
		return;
	/* Adopt the daemon's orphans, because not every init reaps them. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!session_daemon_ended(d)) {
		doze_signal_group(group, SIGCONT);
		doze_signal_process(group, SIGTERM);
	}
	/* Signal the whole group, which includes the consumer daemon and its helpers. The group
	 * existed a moment ago, so its number cannot have been reused. */
	if (!wait_group(group, grace_ms)) {
		doze_signal_group(group, SIGKILL);
		wait_group(group, KILLED_MS);
	}
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	doze_group_gone(group);
	d->pid = 0;
}

static void explain(char *err, size_t size, const char *what, const struct daemon *d, int code)
{
	char last[200] = "";
	if (code == ENOENT) {
		snprintf(err, size, "%s: not found in PATH: install lttng-tools ('make setup')",
			 what);
		return;
	}
	doze_last_line(d->log, last, sizeof(last));
	snprintf(err, size, "%s: cannot be started: %s: try 'doze doctor'", what,
		 code    ? strerror(code)
		 : *last ? last
			 : "it exited at once without a message");
}

int session_sessiond_start(struct daemon *d, const char *dir, char *err, size_t size)
{
	static char name[] = "lttng-sessiond", no_kernel[] = "--no-kernel";
	char *const argv[] = {name, no_kernel, NULL};
	snprintf(d->log, sizeof(d->log), "%s/sessiond.log", dir);
	int code = start(d, argv);
	for (int64_t until = doze_now_ms() + SESSION_DEADLINE_MS;
	     !code && !session_daemon_ended(d);) {
		bool answers = session_ctl_ask(NULL, SESSION_DEADLINE_MS).status == CTL_OK;
		bool late = doze_now_ms() > until;
		/* The daemon that answers may belong to another program; in that case, this
		 * supervisor's own daemon exits. A session daemon writes its pid file before it
		 * answers. If the file names another process, wait for this supervisor's own daemon
		 * to exit; if it does not exit, the pid file is out of date. */
		if (answers && (late || session_ctl_daemon_pid() == d->pid))
			return 0;
		if (late)
			code = ETIMEDOUT;
		else
			doze_sleep_ms(20);
	}
	session_daemon_stop(d, 1000);
	explain(err, size, "lttng-sessiond", d, code);
	return code ? code : -1;
}

static int relay_try(struct relay *r, const char *output)
{
	static const char *const names[RELAY_PORTS] = {"control", "data", "live"};
	char port[RELAY_PORTS][64], out[200];
	if (doze_free_ports(r->port, RELAY_PORTS))
		return errno;
	for (int i = 0; i < RELAY_PORTS; i++)
		snprintf(port[i], sizeof(port[i]), "--%s-port=tcp://127.0.0.1:%u", names[i],
			 r->port[i]);
	snprintf(out, sizeof(out), "--output=%s", output);
	static char name[] = "lttng-relayd";
	char *const argv[] = {name, port[0], port[1], port[2], out, NULL};
	return start(&r->daemon, argv);
}

/** Returns 1 if the relay listens, 0 if it has exited (for example because a port was taken), -1
 * after the deadline. */
static int relay_await(struct relay *r, int64_t until)
{
	while (!session_daemon_ended(&r->daemon)) {
		if (doze_port_open(r->port[RELAY_LIVE]) && doze_port_open(r->port[RELAY_CONTROL]) &&
		    doze_port_open(r->port[RELAY_DATA]))
			return !session_daemon_ended(&r->daemon);
		if (doze_now_ms() > until)
			return -1;
		doze_sleep_ms(10);
	}
	return 0;
}

int session_relay_start(struct relay *r, const char *dir, char *err, size_t size)
{
	char output[160];
	int code = 0;
	snprintf(r->daemon.log, sizeof(r->daemon.log), "%.140s/relayd.log", dir);
	snprintf(output, sizeof(output), "%.140s/relay", dir);
	if (mkdir(output, 0700) && errno != EEXIST)
		code = errno;
	int64_t until = doze_now_ms() + SESSION_DEADLINE_MS;
	for (int i = 0; !code && i < PORT_ATTEMPTS && doze_now_ms() < until; i++) {
		code = relay_try(r, output);
		int up = code ? 0 : relay_await(r, until);
		if (up > 0)
			return 0;
		if (up < 0)
			code = ETIMEDOUT;
		session_daemon_stop(&r->daemon, 1000);
	}
	explain(err, size, "lttng-relayd", &r->daemon, code);
	return -1;
}
