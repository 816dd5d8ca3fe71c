/*
 * SPDX-License-Identifier: MIT
 *
 * duel.c - see duel.h.
 */
#include "duel.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"

enum { RUNS = 2 };

/* Divides the CPUs available to this process between the runs. Returns the number of these CPUs. */
static int split_cpus(cpu_set_t half[RUNS])
{
	cpu_set_t all;
	int count, given = 0;

	CPU_ZERO(&half[0]);
	CPU_ZERO(&half[1]);
	if (sched_getaffinity(0, sizeof all, &all) != 0)
		return 0;
	count = CPU_COUNT(&all);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &half[given++ < count / 2 ? 0 : 1]);
	return count;
}

bool doze_duel_has_cpus(void)
{
	cpu_set_t half[RUNS];

	return split_cpus(half) >= RUNS;
}

/* Starts one run. Returns its pid, or -1. */
static pid_t start(const struct doze_session_options *o, int run, const cpu_set_t *cpus,
		   int status_fd)
{
	pid_t parent = getpid(), pid = fork();
	int err;

	if (pid != 0)
		return pid;
	doze_die_with(parent, SIGKILL);
	setenv("DOZE_POLICY", o->duel[run], 1);
	/* If the affinity cannot be set, both runs use all CPUs. */
	if (cpus)
		(void)sched_setaffinity(0, sizeof *cpus, cpus);
	execvp(o->argv[0], o->argv);
	err = errno;
	_exit(write(status_fd, &err, sizeof err) > 0 ? 127 : 126);
}

/* Waits for a run. Returns its exit code. */
static int finish(pid_t pid)
{
	int status;

	if (pid < 0)
		return 126;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 126;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

_Noreturn void session_duel_run(const struct doze_session_options *o, int status_fd)
{
	cpu_set_t half[RUNS];
	bool turns = split_cpus(half) < RUNS || o->duel_turns;
	int code[RUNS];
	pid_t pid[RUNS];

	for (int i = 0; i < RUNS; i++) {
		pid[i] = start(o, i, turns ? NULL : &half[i], status_fd);
		if (turns)
			code[i] = finish(pid[i]);
	}
	for (int i = 0; i < RUNS && !turns; i++)
		code[i] = finish(pid[i]);
	_exit(code[0] ? code[0] : code[1]);
}
