/*
 * SPDX-License-Identifier: MIT
 *
 * Does the frame itself tell a failure from a success? It runs suites in child processes.
 */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void holds(void)
{
	CU_ASSERT_TRUE(1);
}

static void fails(void)
{
	CU_ASSERT_TRUE(0);
}

static void asserts_nothing(void)
{
}

static void hangs(void)
{
	suite_allow_seconds(1);
	for (;;)
		pause();
}

static const struct suite_test good[] = {{"holds", holds}};
static const struct suite_test bad[] = {{"holds", holds}, {"fails", fails}};
static const struct suite_test empty[] = {{"asserts nothing", asserts_nothing}};
static const struct suite_test stuck[] = {{"hangs", hangs}};

/* This very program, run again as the suite that is named by the argument. */
static int exit_status_of(const char *inner)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		setenv("SUITE_INNER", inner, 1);
		unsetenv("TEST_SLOW");
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(126);
		execl("/proc/self/exe", "suite", (char *)0);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void tells_success(void)
{
	CU_ASSERT_EQUAL(exit_status_of("good"), 0);
}

static void tells_failure(void)
{
	CU_ASSERT_EQUAL(exit_status_of("bad"), 1);
}

static void refuses_no_assertion(void)
{
	CU_ASSERT_EQUAL(exit_status_of("empty"), 2);
}

static void ends_a_hang(void)
{
	CU_ASSERT_EQUAL(exit_status_of("stuck"), 124);
}

static const struct suite_test tests[] = {
    {"Does a suite whose assertions hold exit 0?", tells_success},
    {"Does a suite with a failed assertion exit 1?", tells_failure},
    {"Is a suite that asserts nothing refused?", refuses_no_assertion},
    {"Is a hanging test ended by the watchdog?", ends_a_hang},
};

int main(int argc, char **argv)
{
	const char *inner = getenv("SUITE_INNER");

	switch (inner ? inner[0] : 0) {
	case 'g':
		return suite_main("inner", good, 1, argc, argv);
	case 'b':
		return suite_main("inner", bad, 2, argc, argv);
	case 'e':
		return suite_main("inner", empty, 1, argc, argv);
	case 's':
		return suite_main("inner", stuck, 1, argc, argv);
	default:
		return suite_main("suite", tests, sizeof tests / sizeof tests[0], argc, argv);
	}
}
