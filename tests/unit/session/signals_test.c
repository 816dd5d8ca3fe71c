/*
 * SPDX-License-Identifier: MIT
 *
 * signals_test.c - viz/session/signals and the fixtures that use it. Refusals are tested with
 * signal 0, so that a missing refusal kills no process.
 */
#include "viz/session/signals.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fixtures/processes.h"
#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"

static bool is_refused(int result)
{
	return result == -1 && errno == EPERM;
}

/* Starts a child that leads its own process group and waits for a signal. */
static pid_t start_group(void)
{
	pid_t pid = fork();

	CU_ASSERT_TRUE_FATAL(pid >= 0);
	if (pid == 0) {
		/* If this test hangs and is killed, the kernel kills the child, too. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	CU_ASSERT_EQUAL_FATAL(setpgid(pid, pid), 0);
	return pid;
}

static void end_group(pid_t pid)
{
	int status = 0;

	CU_ASSERT_EQUAL(doze_signal_process(pid, SIGTERM), 0);
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void pids_below_two(void)
{
	const pid_t pids[] = {1, 0, -1, -2, -getpgrp(), -getpid(), INT_MIN};

	for (size_t i = 0; i < sizeof pids / sizeof pids[0]; i++)
		CU_ASSERT_TRUE(is_refused(doze_signal_process(pids[i], 0)));
}

static void groups_below_two(void)
{
	const pid_t groups[] = {1, 0, -1, INT_MIN};

	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
		doze_group_created(groups[i]);
		CU_ASSERT_FALSE(doze_group_is_ours(groups[i]));
		CU_ASSERT_TRUE(is_refused(doze_signal_group(groups[i], 0)));
	}
}

static void foreign_groups(void)
{
	pid_t pid = start_group();

	CU_ASSERT_TRUE(is_refused(doze_signal_group(pid, 0)));
	CU_ASSERT_TRUE(is_refused(doze_signal_group(getpgrp(), 0)));
	doze_group_created(getpgrp());
	CU_ASSERT_TRUE(is_refused(doze_signal_group(getpgrp(), 0)));
	end_group(pid);
}

static void created_groups(void)
{
	pid_t pid = start_group();
	int status = 0;

	doze_group_created(pid);
	CU_ASSERT_EQUAL(doze_signal_group(pid, 0), 0);
	CU_ASSERT_EQUAL(doze_signal_group(pid, SIGTERM), 0);
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	doze_group_gone(pid);
	CU_ASSERT_TRUE(is_refused(doze_signal_group(pid, 0)));
}

static void many_groups(void)
{
	/* Uses more groups than the table can hold, one after another. Each group that has exited
	 * makes room for the next. */
	for (pid_t group = 2; group < 1000; group++) {
		doze_group_created(group);
		CU_ASSERT_EQUAL(doze_group_is_ours(group), group != getpgrp());
		doze_group_gone(group);
		CU_ASSERT_FALSE(doze_group_is_ours(group));
	}
}

static void processes_outside_the_fixture(void)
{
	CU_ASSERT_TRUE(is_refused(fixture_kill(getppid(), 0)));
	CU_ASSERT_TRUE(is_refused(fixture_kill(getpid(), 0)));
	CU_ASSERT_TRUE(is_refused(fixture_kill(-1, 0)));
	CU_ASSERT_TRUE(is_refused(fixture_kill_group(getpgrp(), 0)));
}

static void folders_of_others(void)
{
	char path[] = "/tmp/not-of-a-test-XXXXXX";
	struct stat st;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
	CU_ASSERT_FALSE(remove_folder(path));
	CU_ASSERT_FALSE(remove_folder(""));
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(rmdir(path), 0);
}

static const struct suite_test tests[] = {
    {"signals to pids below 2 are refused", pids_below_two},
    {"signals to process groups below 2 are refused", groups_below_two},
    {"signals to process groups that the caller has not created are refused", foreign_groups},
    {"a group that the caller has created receives signals until it has exited", created_groups},
    {"a group that has exited makes room for the next one", many_groups},
    {"a fixture signals no process outside itself", processes_outside_the_fixture},
    {"a fixture removes only test folders", folders_of_others},
};
SUITE_MAIN("signals", tests)
