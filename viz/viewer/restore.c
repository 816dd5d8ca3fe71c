/*
 * SPDX-License-Identifier: MIT
 *
 * restore.c - see restore.h.
 */
#include "restore.h"

#include <curses.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "guardian.h"

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
	tui_guardian_start(leave, leave_len, have_saved ? &saved : NULL);
}

void tui_restore_disarm(void)
{
	tui_guardian_dismiss();
	for (int i = 0; i < FATAL_N; i++)
		sigaction(fatal[i], &before[i], NULL);
}
