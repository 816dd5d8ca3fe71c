/*
 * SPDX-License-Identifier: MIT
 *
 * ctl.c - runs one request to the session daemon in a child process, with a deadline.
 */
#include "ctl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "signals.h"

/** Runs in the child: performs the operation, sends the reply and exits without the caller's
 * clean-up (stdio buffers, exit handlers). */
static _Noreturn void child(pid_t parent, int fd, void (*fn)(const void *, struct ctl_reply *),
			    const void *arg)
{
	struct ctl_reply r = {0};
	/* Die with the supervisor. Otherwise a child that is blocked on a hung daemon would keep
	 * the supervisor's socket and start-up lock open. */
	doze_die_with(parent, SIGKILL);
	/* liblttng-ctl prints warnings to stderr, where the viewer may be drawing. */
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0 && dup2(null, 1) >= 0 && dup2(null, 2) >= 0)
		fn(arg, &r);
	ssize_t n = write(fd, &r, sizeof(r));
	_exit(n == (ssize_t)sizeof(r) ? 0 : 1);
}

/** Waits for the reply. Returns CTL_OK once it has arrived. */
static enum ctl_status await(int fd, int64_t until, int call_fd)
{
	for (;;) {
		int64_t left = until - doze_now_ms();
		struct pollfd p[] = {{.fd = fd, .events = POLLIN},
				     {.fd = call_fd, .events = POLLIN}};
		int n = poll(p, 2, left > 0 ? (int)left : 0);
		if (n > 0)
			return p[0].revents ? CTL_OK : CTL_GIVEN_UP;
		if (n == 0 || errno != EINTR)
			return CTL_TIMEOUT;
	}
}

static struct ctl_reply failed(enum ctl_status status, const char *what, int err)
{
	struct ctl_reply r = {.status = status};
	snprintf(r.text, sizeof(r.text), "%s%s%s", what, err ? ": " : "", err ? strerror(err) : "");
	return r;
}

struct ctl_reply session_ctl_run(void (*fn)(const void *, struct ctl_reply *), const void *arg,
				 unsigned deadline_ms, int call_fd)
{
	int64_t until = doze_now_ms() + deadline_ms;
	int fds[2];
	if (pipe2(fds, O_CLOEXEC))
		return failed(CTL_REFUSED, "cannot create a pipe", errno);
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		child(parent, fds[1], fn, arg);
	int err = errno;
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return failed(CTL_REFUSED, "cannot create a process", err);
	}
	struct ctl_reply r =
	    failed(await(fds[0], until, call_fd), "the session daemon does not answer", 0);
	if (r.status == CTL_OK && read(fds[0], &r, sizeof(r)) != (ssize_t)sizeof(r))
		r = failed(CTL_REFUSED, "the process that talks to the session daemon crashed", 0);
	close(fds[0]);
	doze_signal_process(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return r;
}

static pid_t read_pid(const char *path)
{
	long pid = 0;
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%ld", &pid) != 1)
		pid = 0;
	fclose(f);
	return (pid_t)pid;
}

pid_t session_ctl_daemon_pid(void)
{
	/* The order in which liblttng-ctl looks for a daemon: the system's daemon if the user may
	 * use it, otherwise the user's own. */
	static const char system_dir[] = "/var/run/lttng";
	char path[4096];
	snprintf(path, sizeof(path), "%s/client-lttng-sessiond", system_dir);
	if (access(path, W_OK) == 0) {
		snprintf(path, sizeof(path), "%s/lttng-sessiond.pid", system_dir);
		return read_pid(path);
	}
	const char *home = getenv("LTTNG_HOME");
	if (!home)
		home = getenv("HOME");
	snprintf(path, sizeof(path), "%s/.lttng/lttng-sessiond.pid", home ? home : "");
	return read_pid(path);
}
