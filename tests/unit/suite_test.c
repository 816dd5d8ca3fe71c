/*
 * SPDX-License-Identifier: MIT
 *
 * suite_test.c - the test framework reports failures as failures. The test runs suites in child
 * processes.
 */
#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Reads the remaining time of the watchdog, which must be close to the default. */
static void has_the_usual_time(void)
{
	unsigned left = alarm(SUITE_TEST_SECONDS);

	CU_ASSERT_TRUE(left > SUITE_TEST_SECONDS * suite_slow() / 2);
	CU_ASSERT_TRUE(left <= SUITE_TEST_SECONDS * suite_slow());
}

static void takes_much_time(void)
{
	suite_allow_seconds(1000);
	CU_ASSERT_TRUE(1);
}

static const struct suite_test good[] = {{"holds", holds}};
static const struct suite_test bad[] = {{"holds", holds}, {"fails", fails}};
static const struct suite_test empty[] = {{"asserts nothing", asserts_nothing}};
static const struct suite_test stuck[] = {{"holds", holds}, {"does hang", hangs}};

static char said[4096]; /* stderr of the last suite that ran */

/* Runs this program again as the suite named by the argument. Returns the exit status. */
static int exit_status_of(const char *inner, char *argument)
{
	int status = 0, err[2];
	pid_t child = pipe(err) == 0 ? fork() : -1;
	size_t n = 0;

	CU_ASSERT_TRUE_FATAL(child >= 0);
	if (child == 0) {
		setenv("SUITE_INNER", inner, 1);
		unsetenv("TEST_SLOW");
		if (!freopen("/dev/null", "w", stdout) || dup2(err[1], STDERR_FILENO) < 0)
			_exit(126);
		execl("/proc/self/exe", "suite", argument, (char *)0);
		_exit(127);
	}
	close(err[1]);
	for (ssize_t m; (m = read(err[0], said + n, sizeof(said) - 1 - n)) > 0;)
		n += (size_t)m;
	said[n] = 0;
	close(err[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void reports_success(void)
{
	CU_ASSERT_EQUAL(exit_status_of("good", NULL), 0);
}

static void reports_failure(void)
{
	CU_ASSERT_EQUAL(exit_status_of("bad", NULL), 1);
}

static void refuses_no_assertion(void)
{
	CU_ASSERT_EQUAL(exit_status_of("empty", NULL), 2);
}

static void ends_a_hang(void)
{
	CU_ASSERT_EQUAL(exit_status_of("stuck", NULL), 124);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, "hangs in test: does hang"));
}

/* Of the two tests of "bad", the second one fails. */
static void runs_a_part(void)
{
	char first[] = "--part=1/2", second[] = "--part=2/2", none[] = "--part=3/2";

	CU_ASSERT_EQUAL(exit_status_of("bad", first), 0);
	CU_ASSERT_EQUAL(exit_status_of("bad", second), 1);
	CU_ASSERT_EQUAL(exit_status_of("bad", none), 2);
}

static const struct suite_test tests[] = {
    {"a suite whose assertions hold exits with 0", reports_success},
    {"a suite with a failed assertion exits with 1", reports_failure},
    {"a suite that asserts nothing fails", refuses_no_assertion},
    {"the watchdog terminates a test that hangs, and names the test", ends_a_hang},
    {"--part runs a share of the tests", runs_a_part},
    {"a test may take 30 s", has_the_usual_time},
    {"a test may request more time", takes_much_time},
    {"a longer limit applies to one test only", has_the_usual_time},
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
		return suite_main("inner", stuck, 2, argc, argv);
	default:
		return suite_main("suite", tests, sizeof tests / sizeof tests[0], argc, argv);
	}
}
