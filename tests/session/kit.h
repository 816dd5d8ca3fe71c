/*
 * SPDX-License-Identifier: MIT
 *
 * kit.h - for tests of what doze does with sessions: runs ./doze in a rig (tests/trace/rig.h) and
 * looks for what it left behind.
 *
 * A suite is built under two names: NAME_test runs as whoever runs the tests, NAME_as_user as
 * another user when that is root (else it is skipped, exit 77: it would be the same again).
 */
#ifndef DOZE_TESTS_SESSION_KIT_H
#define DOZE_TESTS_SESSION_KIT_H

#include <stdbool.h>
#include <sys/types.h>

#include "tests/trace/rig.h"
#include "tests/unit/suite.h"

/** What a doze that was told to end may take: half a minute for a consumer daemon that waits for a
 * busy disk (SUPERVISOR_FLUSH_MS), and all the rest. */
#define KIT_END_MS 40000

enum kit_daemon { KIT_NO_DAEMON, KIT_DAEMON };

/** Opens the rig, with a session daemon or without. Fails the test when it cannot. */
void kit_open(enum kit_daemon);
/** Fails the test unless nothing is left behind within ms. */
void kit_clean(unsigned ms);
/** Fails the test unless nothing is left behind within ms, then closes the rig. Of a test that has
 * failed it shows what the rig's files say. */
void kit_close(unsigned ms);

/** Starts a shell command whose standard error goes to the file `err` in the rig. */
pid_t kit_start(const char *command);
/** Runs it to its end; exit status as rig_sh. */
int kit_run(const char *command);
/** Runs it and fails the test unless it exits with 0; shows its standard error then. */
void kit_ok(const char *command);
/** True when the file of the rig contains the text; else shows the file. */
bool kit_says(const char *file, const char *text);
/** Waits, at most 45 s, until a file of the rig is there and not empty. */
bool kit_await_file(const char *file);
/** Waits, at most 45 s, until the program of the recording DIR, `pool work` or the like, says that
 * its pool runs: then it is traced, too. */
bool kit_await_pool(const char *dir);

/** The pid of a process of the rig (not of its own daemons) whose name (comm) is this; 0: none. */
pid_t kit_find(const char *comm);
/** Sends it a signal; fails the test, and ends it, when there is none. */
void kit_kill(const char *comm, int sig);
/** Ends at once when this is the run as another user and it would be the same. Start of main. */
void kit_skip_if_same(void);

#define KIT_MAIN(name, tests)                                                                      \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		kit_skip_if_same();                                                                \
		return suite_main(name, tests, sizeof tests / sizeof tests[0], argc, argv);        \
	}

#endif
