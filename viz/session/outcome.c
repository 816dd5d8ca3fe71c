/*
 * SPDX-License-Identifier: MIT
 *
 * outcome.c - messages and exit codes for the outcome of the traced program and the session.
 */
#include "outcome.h"

#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../words/complain.h"

void doze_report_status(const struct doze_session_state *s, char *text, size_t size)
{
	if (!s->ended)
		snprintf(text, size, "running");
	else if (s->status_unknown)
		snprintf(text, size, "exited");
	else if (s->exec_errno)
		snprintf(text, size, "could not be started: %s", strerror(s->exec_errno));
	else if (WIFSIGNALED(s->status))
		snprintf(text, size, "killed by signal %d (%s)", WTERMSIG(s->status),
			 strsignal(WTERMSIG(s->status)));
	else
		snprintf(text, size, "exited with %d", WEXITSTATUS(s->status));
}

void doze_report_problems(const char *cmd, const char *program, const struct doze_session_state *s)
{
	if (s->exec_errno)
		doze_complain("%s: cannot start %s: %s: check the file", cmd, program,
			      strerror(s->exec_errno));
	if (s->left_children)
		doze_complain(
		    "%s: %s: its child processes are still running, untraced: stop them yourself",
		    cmd, program);
	else if (s->forked)
		doze_complain("%s: %s: the trace does not contain its child processes: to trace "
			      "one, start it with doze",
			      cmd, program);
	if (s->discarded)
		doze_complain("%s: %" PRIu64 " events were lost: the buffers were full: try a "
			      "lower --detail",
			      cmd, s->discarded);
	if (s->problem[0])
		doze_complain("%s: %s", cmd, s->problem);
	if (s->note[0])
		doze_complain("%s: %s", cmd, s->note);
}

int doze_report_code(const struct doze_session_state *s)
{
	if (s->exec_errno || s->session_left || s->supervisor_lost)
		return DOZE_EXIT_INPUT;
	if (s->daemon_lost || s->discarded)
		return DOZE_EXIT_INCONCLUSIVE;
	if (s->problem[0])
		return DOZE_EXIT_INPUT;
	if (!s->ended)
		return DOZE_EXIT_OK;
	if (WIFSIGNALED(s->status))
		return 128 + WTERMSIG(s->status);
	return WEXITSTATUS(s->status) ? DOZE_EXIT_FINDINGS : DOZE_EXIT_OK;
}

bool doze_report_has_streams(const char *dir)
{
	char pattern[PATH_MAX + 32];
	glob_t found = {0};
	snprintf(pattern, sizeof(pattern), "%s/ust/uid/*/*/metadata", dir);
	bool has = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;
	globfree(&found);
	return has;
}

char *const *doze_demo_program(const char *name, const char *option)
{
	static char self[PATH_MAX], demo[] = "demo", workload[32], how[32];
	static char *argv[] = {self, demo, workload, how, NULL};
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0)
		n = snprintf(self, sizeof(self), "doze");
	self[n] = 0;
	snprintf(workload, sizeof(workload), "%s", name);
	snprintf(how, sizeof(how), "%s", option ? option : "");
	argv[3] = option ? how : NULL;
	return argv;
}

static void fill(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGQUIT);
}

int doze_signals_catch(void)
{
	sigset_t set;
	fill(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int doze_signals_next(int fd)
{
	struct signalfd_siginfo info;
	return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

void doze_signals_release(int fd)
{
	sigset_t set;
	fill(&set);
	if (fd >= 0)
		close(fd);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
