/*
 * SPDX-License-Identifier: MIT
 *
 * suite.c - see suite.h. CUnit's own runner returns 0 with failed tests, so the status is taken
 * from its counters; SIGALRM is the watchdog, because it also works when a test holds every lock.
 */
#include "suite.h"

#include <CUnit/Basic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *suite_name;
static const struct suite_test *suite_tests;
static const char *volatile running; /* the question of the test that runs; read by the handler */

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(125);
}

static void on_alarm(int sig)
{
	(void)sig;
	say("\nsuite ");
	say(suite_name);
	say(" hangs in test: ");
	say(running ? running : "(between tests)");
	say("\n");
	_exit(124);
}

void suite_allow_seconds(unsigned seconds)
{
	alarm(seconds * suite_slow());
}

/* CUnit calls this for every test. Not a start handler: its Basic runner sets its own ones. */
static void run_current(void)
{
	const char *question = CU_get_current_test()->pName;
	const struct suite_test *t = suite_tests;

	while (strcmp(t->question, question) != 0)
		t++;
	running = t->question;
	suite_allow_seconds(SUITE_TEST_SECONDS);
	t->run();
	alarm(0);
	running = NULL;
}

static int wanted(const char *question, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strstr(question, argv[i]))
			return 1;
	return argc < 2;
}

static int list(const struct suite_test *tests, size_t count)
{
	for (size_t i = 0; i < count; i++)
		puts(tests[i].question);
	return 0;
}

static int give_up(const char *what)
{
	fprintf(stderr, "suite %s: %s\n", suite_name, what);
	return 2;
}

/* Exit status from CUnit's counters. A suite that ran no test or asserted nothing has not passed.
 */
static int verdict(void)
{
	if (CU_get_number_of_failures() || CU_get_number_of_tests_failed())
		return 1;
	if (!CU_get_number_of_tests_run() || !CU_get_number_of_asserts())
		return give_up("no test ran, or none asserted anything");
	return 0;
}

int suite_main(const char *name, const struct suite_test *tests, size_t count, int argc,
	       char **argv)
{
	CU_pSuite suite;
	int status;

	suite_name = name;
	suite_tests = tests;
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return list(tests, count);
	if (CU_initialize_registry() != CUE_SUCCESS)
		return give_up("CUnit could not start");
	suite = CU_add_suite(name, 0, 0);
	for (size_t i = 0; suite && i < count; i++)
		if (wanted(tests[i].question, argc, argv) &&
		    !CU_add_test(suite, tests[i].question, run_current))
			return give_up(tests[i].question);
	signal(SIGALRM, on_alarm);
	CU_basic_set_mode(CU_BRM_VERBOSE);
	setvbuf(stdout, 0, _IOLBF, 0); /* a hang or a crash must not swallow what ran before it */
	CU_basic_run_tests();
	alarm(0); /* of a test that was left by a fatal assertion */
	status = verdict();
	CU_cleanup_registry();
	return status;
}
