/*
 * SPDX-License-Identifier: MIT
 *
 * masked_thread.c - see masked_thread.h.
 */
#include "masked_thread.h"

#include <signal.h>

int doze_masked_thread(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	int error;

	/* A thread inherits the mask of its creator. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	error = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}
