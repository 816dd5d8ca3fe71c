/*
 * SPDX-License-Identifier: MIT
 *
 * dry_run.c - see dry_run.h.
 */
#include "dry_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRIAL_SECONDS 5

/* Runs fn in the child. A crash is an expected result, so this suppresses the parent's handlers,
 * core dumps and output. */
static void child(void (*fn)(void *arg), void *arg)
{
	static const int fatal[] = {SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGXCPU};
	struct rlimit seconds = {TRIAL_SECONDS, TRIAL_SECONDS}, none = {0, 0};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (unsigned i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		(void)signal(fatal[i], SIG_DFL);
	(void)setrlimit(RLIMIT_CPU, &seconds);
	(void)setrlimit(RLIMIT_CORE, &none);
	if (null >= 0) {
		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
	}
	fn(arg);
	_exit(0);
}

bool doze_trial(void (*fn)(void *arg), void *arg)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		child(fn, arg);
	if (pid < 0)
		return true;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
