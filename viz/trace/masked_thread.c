/*
 * SPDX-License-Identifier: MIT
 *
 * masked_thread.c - see masked_thread.h.
 */
#include "masked_thread.h"

#include <signal.h>
#include <stddef.h>

int doze_masked_thread(pthread_t *thread, void *(*run)(void *), void *arg)
{
	/* A thread causes these itself. reader.c handles them, which a blocked signal
	 * would prevent: the kernel kills the process, and so does abort() since glibc 2.41. */
	static const int own[] = {SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGILL};
	sigset_t all, before;
	int error;

	/* A thread inherits the mask of its creator. */
	sigfillset(&all);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		sigdelset(&all, own[i]);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	error = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}
