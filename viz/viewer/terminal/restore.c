/*
 * SPDX-License-Identifier: MIT
 *
 * restore.c - restores the terminal when the viewer dies: see restore.h. Also asks terminfo which
 * terminals exist, here because <term.h> defines macros such as `lines`.
 */
#include "restore.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

/* ---- the terminals that terminfo knows ---- */

bool tui_terminfo_knows(const char *name)
{
	int found;

	if (setupterm(name, STDOUT_FILENO, &found) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}

/* All current terminals understand what these entries describe, at least as far as the viewer uses
 * it. tmux and screen do not understand all of xterm's. */
const char *tui_terminfo_advised(void)
{
	static const char *const common[] = {
	    "xterm-256color", "xterm", "screen-256color", "screen", "linux", "vt100", "ansi"};

	for (size_t i = getenv("TMUX") || getenv("STY") ? 2 : 0;
	     i < sizeof common / sizeof common[0]; i++)
		if (tui_terminfo_knows(common[i]))
			return common[i];
	return NULL;
}

/*
 * ---- the guardian: a small child process that restores the terminal when the viewer is killed by
 * a signal that no handler can catch (SIGKILL).
 *
 * The child waits at the end of a pipe. It uses async-signal-safe functions only, because the
 * viewer has other threads when it forks, and it ignores the terminal's signals.
 */

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
	if (n == 0) { /* end of file: the viewer has died without calling guardian_dismiss */
		if (write(STDOUT_FILENO, leave, leave_len) >= 0 && saved)
			tcsetattr(STDIN_FILENO, TCSANOW, saved);
	}
	_exit(0);
}

/* Starts the child. If the viewer dies without calling guardian_dismiss, the child writes
 * `leave` to standard output and applies `saved` (may be null) to standard input. If the child
 * cannot be created, does nothing. */
static void guardian_start(const char *leave, size_t leave_len, const struct termios *saved)
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

/* Makes the child exit, and waits for it. */
static void guardian_dismiss(void)
{
	if (pipe_fd < 0)
		return;
	if (write(pipe_fd, "q", 1) == 1)
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	close(pipe_fd);
	pipe_fd = -1;
}

/* ---- fatal signals ---- */

/* Written before the handlers are installed, and only read afterwards. */
static struct termios saved;
static bool have_saved;
static char leave[256];
static size_t leave_len;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
enum { FATAL_N = sizeof fatal / sizeof *fatal };
static struct sigaction before[FATAL_N];

static void on_fatal(int sig)
{
	ssize_t ignored = write(STDOUT_FILENO, leave, leave_len);

	(void)ignored;
	if (have_saved)
		tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	raise(sig); /* SA_RESETHAND has restored the default action */
}

static void add(const char *s)
{
	int n = snprintf(leave + leave_len, sizeof leave - leave_len, "%s", s);

	if (n > 0 && (size_t)n < sizeof leave - leave_len)
		leave_len += (size_t)n;
}

static void add_string(const char *name)
{
	const char *s = tigetstr(name);

	if (s && s != (const char *)-1)
		add(s);
}

void tui_restore_save(void)
{
	have_saved = tcgetattr(STDIN_FILENO, &saved) == 0;
}

void tui_restore_arm(bool mouse)
{
	struct sigaction sa = {.sa_handler = on_fatal, .sa_flags = (int)SA_RESETHAND};

	leave_len = 0;
	add_string("sgr0");
	add_string("rmkx");
	add_string("cnorm");
	if (mouse) /* a literal, because the terminfo string XM needs a parameter */
		add("\033[?1006;1000l");
	add_string("rmcup");
	sigemptyset(&sa.sa_mask);
	for (int i = 0; i < FATAL_N; i++)
		sigaction(fatal[i], &sa, &before[i]);
	guardian_start(leave, leave_len, have_saved ? &saved : NULL);
}

void tui_restore_disarm(void)
{
	guardian_dismiss();
	for (int i = 0; i < FATAL_N; i++)
		sigaction(fatal[i], &before[i], NULL);
}
