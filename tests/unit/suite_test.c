/*
 * SPDX-License-Identifier: MIT
 *
 * suite_test.c - the test framework reports failures as failures. The test runs suites in child
 * processes.
 */
#include "tests/fixtures/suite.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
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

static void waits_in_vain(void)
{
	suite_unstable("a wait ran out");
	CU_ASSERT_TRUE(0);
}

static void fails_and_waits_in_vain(void)
{
	CU_ASSERT_TRUE(0);
	waits_in_vain();
}

static void leaves_a_process(void)
{
	suite_certain();
	waits_in_vain();
}

static void waits_and_ends_early(void)
{
	suite_unstable("a wait ran out");
	CU_ASSERT_TRUE_FATAL(0);
}

/* Uses up its second of time while it waits for a CPU, so the watchdog must give it more. All its
 * threads run on one CPU, on which each gets a fraction of the time. */
static void *spin(void *arg)
{
	const _Atomic bool *over = arg;

	while (!*over)
		continue;
	return NULL;
}

/* Competes for one CPU for 2 s of wall time, so that it takes no longer if other programs need that
 * CPU, too. */
static void is_delayed(void)
{
	enum { THREADS = 4 };
	static _Atomic bool over;
	cpu_set_t one;
	pthread_t threads[THREADS];
	struct timespec began, now;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	CU_ASSERT_EQUAL_FATAL(sched_setaffinity(0, sizeof(one), &one), 0);
	suite_allow_seconds(1);
	for (int i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, spin, (void *)&over), 0);
	clock_gettime(CLOCK_MONOTONIC, &began);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000 < 2000);
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
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
static const struct suite_test unstable[] = {
    {"holds", holds}, {"waits in vain", waits_in_vain}, {"ends early", waits_and_ends_early}};
static const struct suite_test mixed[] = {{"waits in vain", waits_in_vain}, {"fails", fails}};
static const struct suite_test both[] = {{"fails and waits", fails_and_waits_in_vain}};
static const struct suite_test leaves[] = {{"leaves a process", leaves_a_process}};
static const struct suite_test delayed[] = {{"is delayed", is_delayed}};
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

static void reports_unstable_tests(void)
{
	CU_ASSERT_EQUAL(exit_status_of("unstable", NULL), SUITE_UNSTABLE);
	CU_ASSERT_EQUAL(exit_status_of("mixed", NULL), 1);
	CU_ASSERT_EQUAL(exit_status_of("both", NULL), 1);
	CU_ASSERT_EQUAL(exit_status_of("leaves", NULL), 1);
}

static void waiting_for_a_cpu_does_not_count(void)
{
	CU_ASSERT_EQUAL(exit_status_of("delayed", NULL), 0);
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
    {"a suite is unstable if all its failures are", reports_unstable_tests},
    {"the watchdog does not count the time that a test waits for a CPU",
     waiting_for_a_cpu_does_not_count},
    {"--part runs a share of the tests", runs_a_part},
    {"a test may take 30 s", has_the_usual_time},
    {"a test may request more time", takes_much_time},
    {"a longer limit applies to one test only", has_the_usual_time},
};

static const struct {
	const char *name;
	const struct suite_test *tests;
	size_t count;
} inner_suites[] = {
    {"good", good, 1},   {"bad", bad, 2},           {"empty", empty, 1},
    {"stuck", stuck, 2}, {"unstable", unstable, 3}, {"mixed", mixed, 2},
    {"both", both, 1},   {"leaves", leaves, 1},     {"delayed", delayed, 1},
};

int main(int argc, char **argv)
{
	const char *inner = getenv("SUITE_INNER");

	for (size_t i = 0; inner && i < sizeof inner_suites / sizeof inner_suites[0]; i++)
		if (strcmp(inner, inner_suites[i].name) == 0)
			return suite_main("inner", inner_suites[i].tests, inner_suites[i].count,
					  argc, argv);
	return suite_main("suite", tests, sizeof tests / sizeof tests[0], argc, argv);
}
