/*
 * SPDX-License-Identifier: MIT
 *
 * moment.c - see moment.h.
 */
#include "moment.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kit.h"

static bool forks(pid_t pid)
{
	struct __ptrace_syscall_info call;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(call), &call) <= 0)
		return false;
	switch (call.entry.nr) {
#ifdef SYS_fork
	case SYS_fork:
	case SYS_vfork:
#endif
	case SYS_clone:
	case SYS_clone3:
		return true;
	default:
		return false;
	}
}

static bool is_entry(pid_t pid)
{
	struct __ptrace_syscall_info call;
	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(call), &call) > 0 &&
	       call.op == PTRACE_SYSCALL_INFO_ENTRY;
}

/** A shell that waits for us, so that we are there before its exec. */
static pid_t start_stopped(const char *command)
{
	char text[512];
	int status;
	snprintf(text, sizeof(text), "kill -STOP $$; exec %s", command);
	pid_t pid = kit_start(text);
	waitpid(pid, &status, WUNTRACED);
	return pid;
}

static bool is_stop(int status, int what)
{
	return status >> 8 == what;
}

/** Lets it run until the next stop; false when it has ended. */
static bool next_stop(pid_t pid, int *status)
{
	bool signalled = WIFSTOPPED(*status) && !(*status >> 16) &&
			 WSTOPSIG(*status) != (SIGTRAP | 0x80) && WSTOPSIG(*status) != SIGSTOP;
	if (ptrace(PTRACE_SYSCALL, pid, 0, signalled ? (long)WSTOPSIG(*status) : 0L) != 0)
		return false;
	return waitpid(pid, status, 0) == pid && WIFSTOPPED(*status);
}

static long kill_at(pid_t pid, long n)
{
	long count = 0;
	bool executed = false;
	int status = 0;
	kill(pid, SIGCONT);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return MOMENT_NEVER;
	while (next_stop(pid, &status)) {
		if (is_stop(status, SIGTRAP | PTRACE_EVENT_EXEC << 8))
			executed = true;
		else if (executed && is_stop(status, SIGTRAP | 0x80) && is_entry(pid) &&
			 (++count == n || (n == 0 && forks(pid)))) {
			kill(pid, SIGKILL);
			return count;
		}
	}
	return MOMENT_NEVER;
}

long moment_kill(const char *command, long n)
{
	pid_t pid = start_stopped(command);
	long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
	long at = MOMENT_FORBIDDEN;
	if (ptrace(PTRACE_SEIZE, pid, 0, options) == 0)
		at = kill_at(pid, n);
	else
		printf("\n    no ptrace: %d", errno);
	kill(pid, SIGKILL);
	rig_wait(pid, 1000);
	return at;
}
