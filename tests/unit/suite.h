/*
 * SPDX-License-Identifier: MIT
 *
 * suite.h - the frame of a unit suite: a table of {question, function} run by CUnit, with a
 * watchdog that names the test that hangs.
 *
 *	static void pops_in_lifo_order(void) { CU_ASSERT_EQUAL(…); }
 *	static const struct suite_test tests[] = {
 *		{"Does the owner pop what it pushed last?", pops_in_lifo_order},
 *	};
 *	SUITE_MAIN("deque", tests)
 *
 * Assertions of CUnit belong to the main thread; other threads hand their findings over.
 */
#ifndef DOZE_TESTS_SUITE_H
#define DOZE_TESTS_SUITE_H

#include <CUnit/CUnit.h>
#include <stddef.h>
#include <stdlib.h>

struct suite_test {
	const char *question;
	void (*run)(void);
};

/** Seconds that one test may take before the watchdog ends the program with the test's name
 * (exit 124). Scaled by the environment's TEST_SLOW. */
#define SUITE_TEST_SECONDS 30

/** Runs the tests, or with arguments those whose question contains one of them (`--list` prints the
 * questions). Returns main's exit status: 0 only if tests ran and each assertion held. */
int suite_main(const char *name, const struct suite_test *tests, size_t count, int argc,
	       char **argv);

/** How many times as long everything may take: the environment's TEST_SLOW, or 1. */
static inline unsigned suite_slow(void)
{
	const char *slow = getenv("TEST_SLOW");
	unsigned times = slow ? (unsigned)strtoul(slow, NULL, 10) : 1;

	return times ? times : 1;
}

/** Gives the running test more time: the watchdog starts again with this many seconds. */
void suite_allow_seconds(unsigned seconds);

#define SUITE_MAIN(name, tests)                                                                    \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		return suite_main(name, tests, sizeof tests / sizeof tests[0], argc, argv);        \
	}

#endif
