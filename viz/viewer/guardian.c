/*
 * SPDX-License-Identifier: MIT
 *
 * guardian.c - see guardian.h.
 */
#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOWEST_FD = 3, MOST_FDS = 4096 };

static int pipe_fd = -1; /* the viewer's end of the pipe */
static pid_t child;

/* Closes all other descriptors. Sockets and pipes of the viewer must not stay open in the child,
 * because the processes at their other ends wait for them to close. */
static void close_others(int keep)
{
	for (int fd = LOWEST_FD; fd < MOST_FDS; fd++)
		if (fd != keep)
			close(fd);
}

/* Ignores the signals that the terminal sends. One of them, SIGTTOU, would stop a background
 * process that changes the terminal's settings. */
static void ignore_signals(void)
{
	static const int ignored[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,
				      SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE};
	sigset_t none;

	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void watch(int fd, const char *leave, size_t leave_len,
			    const struct termios *saved)
{
	char byte;
	ssize_t n;

	ignore_signals();
	close_others(fd);
	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 0) { /* end of file: the viewer has died without calling tui_guardian_dismiss */
		if (write(STDOUT_FILENO, leave, leave_len) >= 0 && saved)
			tcsetattr(STDIN_FILENO, TCSANOW, saved);
	}
	_exit(0);
}

void tui_guardian_start(const char *leave, size_t leave_len, const struct termios *saved)
{
	int fds[2];

	if (pipe_fd >= 0 || pipe2(fds, O_CLOEXEC) != 0)
		return;
	child = fork();
	if (child == 0) {
		close(fds[1]);
		watch(fds[0], leave, leave_len, saved);
	}
	close(fds[0]);
	if (child < 0)
		close(fds[1]);
	else
		pipe_fd = fds[1];
}

void tui_guardian_dismiss(void)
{
	if (pipe_fd < 0)
		return;
	if (write(pipe_fd, "q", 1) == 1)
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	close(pipe_fd);
	pipe_fd = -1;
}
