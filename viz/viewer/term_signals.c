/*
 * SPDX-License-Identifier: MIT
 *
 * term_signals.c - turns terminating signals into a readable file descriptor (see term.h). Closing
 * restores the previous handlers. ncurses handles SIGTSTP: it restores the terminal before it stops
 * the process. SIGCONT requests a redraw.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "term.h"

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCONT};
enum { CAUGHT_N = sizeof caught / sizeof *caught };

static int wake_fd = -1;
static volatile sig_atomic_t seen, continued;
static struct sigaction before[CAUGHT_N];

static void on_signal(int sig)
{
	int saved = errno;
	uint64_t one = 1;
	ssize_t ignored;

	if (sig == SIGCONT)
		continued = 1;
	else
		seen = sig;
	ignored = write(wake_fd, &one, sizeof one);
	(void)ignored;
	errno = saved;
}

int tui_signals_open(int *fd)
{
	struct sigaction sa = {.sa_handler = on_signal};

	wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (wake_fd < 0)
		return -1;
	seen = continued = 0;
	sigemptyset(&sa.sa_mask);
	for (int i = 0; i < CAUGHT_N; i++)
		sigaction(caught[i], &sa, &before[i]);
	*fd = wake_fd;
	return 0;
}

void tui_signals_close(void)
{
	if (wake_fd < 0)
		return;
	for (int i = 0; i < CAUGHT_N; i++)
		sigaction(caught[i], &before[i], NULL);
	close(wake_fd);
	wake_fd = -1;
}

int tui_signal_seen(void)
{
	return seen;
}

bool tui_signal_continued(void)
{
	eventfd_t ignored;

	(void)eventfd_read(wake_fd, &ignored);
	if (!continued)
		return false;
	continued = 0;
	return true;
}
