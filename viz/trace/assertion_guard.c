/*
 * SPDX-License-Identifier: MIT
 *
 * assertion_guard.c - see assertion_guard.h.
 */
#include "assertion_guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static _Thread_local sigjmp_buf jump;
/* Read by the handler, which runs on the same thread. */
static _Thread_local volatile sig_atomic_t inside, armed;

static const int caught[] = {SIGABRT, SIGFPE};
enum { CAUGHT = sizeof(caught) / sizeof(caught[0]) };

/* The previous handlers, for signals outside guards. The viewer's handler restores the terminal. */
static struct sigaction before[CAUGHT];

static void on_fatal(int signal_number, siginfo_t *info, void *context)
{
	const struct sigaction *old = &before[signal_number == SIGABRT ? 0 : 1];

	if (armed)
		siglongjmp(jump, 1);
	if (old->sa_flags & SA_SIGINFO)
		old->sa_sigaction(signal_number, info, context);
	else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
		old->sa_handler(signal_number);
	else
		/* Return with the default action restored: abort() then terminates the process as
		 * usual, and a division by zero is repeated. */
		(void)signal(signal_number, SIG_DFL);
}

static void install_one(int i)
{
	struct sigaction old, mine = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO};

	if (sigaction(caught[i], NULL, &old) != 0)
		return;
	if ((old.sa_flags & SA_SIGINFO) && old.sa_sigaction == on_fatal)
		return;
	before[i] = old;
	(void)sigaction(caught[i], &mine, NULL);
}

/* Installs the handlers again, in case another part of the program has replaced them. */
static void install(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	(void)pthread_mutex_lock(&lock);
	for (int i = 0; i < CAUGHT; i++)
		install_one(i);
	(void)pthread_mutex_unlock(&lock);
}

bool doze_guarded(void (*fn)(void *arg), void *arg)
{
	volatile bool returned = false;

	install();
	if (sigsetjmp(jump, 1) == 0) {
		inside = armed = 1;
		fn(arg);
		returned = true;
	}
	inside = armed = 0;
	return returned;
}

void doze_guard_suspend(void)
{
	armed = 0;
}

void doze_guard_resume(void)
{
	armed = inside;
}
