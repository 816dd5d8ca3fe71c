/*
 * SPDX-License-Identifier: MIT
 *
 * signals.c - see signals.h.
 */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* doze creates three groups; tests create more, but fewer than this at once */
#define GROUPS_MAX 64

static pid_t groups[GROUPS_MAX]; /* 0: this entry is free */

static pid_t *find(pid_t group)
{
	for (int i = 0; i < GROUPS_MAX; i++)
		if (groups[i] == group)
			return &groups[i];
	return NULL;
}

static int refuse(void)
{
	errno = EPERM;
	return -1;
}

int doze_signal_process(pid_t pid, int sig)
{
	return pid < 2 ? refuse() : kill(pid, sig);
}

int doze_signal_pidfd(int fd, int sig)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0);
}

void doze_group_created(pid_t group)
{
	pid_t *place = find(0);
	if (place && group >= 2 && group != getpgrp() && !doze_group_is_ours(group))
		*place = group;
}

void doze_group_gone(pid_t group)
{
	pid_t *place = group > 0 ? find(group) : NULL;
	if (place)
		*place = 0;
}

bool doze_group_is_ours(pid_t group)
{
	return group >= 2 && find(group);
}

int doze_signal_group(pid_t group, int sig)
{
	return doze_group_is_ours(group) ? kill(-group, sig) : refuse();
}
