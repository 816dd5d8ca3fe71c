/*
 * SPDX-License-Identifier: MIT
 *
 * ctl_test.c - a session ends within a time limit, no matter how its program ended. The test calls
 * the operations of viz/session/ctl.h directly, because a bug of lttng-sessiond 2.13 rarely occurs
 * under doze: there, the program has already been dead for some time when its session ends.
 */
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fixtures/lttng.h"
#include "tests/fixtures/processes.h"
#include "tests/fixtures/suite.h"
#include "viz/session/ctl.h"

#define KILLS       12
#define SUBBUF      (1 << 15)
#define PATIENCE_MS 30000
#define BOUND_MS    10000 /* far more than DESTRUCTION_MS, far less than the time-out */

#define OTHER_USER 54321

/* Becomes another user, so that the calls reach that user's session daemon instead of root's. */
static bool become_other_user(void)
{
	return setgroups(0, NULL) == 0 && setresgid(OTHER_USER, OTHER_USER, OTHER_USER) == 0 &&
	       setresuid(OTHER_USER, OTHER_USER, OTHER_USER) == 0;
}

static void open_fixture(void)
{
	suite_allow_seconds(110);
	if (geteuid() != 0 || !fixture_open(FIXTURE_ROOT)) {
		/* Copies the programs first, because the other user may not be able to read the
		 * build folder. */
		CU_ASSERT_TRUE_FATAL(fixture_open(FIXTURE_USER));
		CU_ASSERT_TRUE_FATAL(geteuid() != 0 || become_other_user());
		setenv("LTTNG_HOME", fixture_dir(), 1);
	}
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
}

/** Starts a program that waits until it is continued, and a session for it. */
static pid_t start(const char *program, const char *output)
{
	struct ctl_plan plan = {
	    .name = "t", .output = output, .subbuf_size = SUBBUF, .detail = DOZE_DETAIL_ALL};
	plan.pid = fixture_start("kill -STOP $$; DOZE_TRACE_WAIT_MS=3000 exec %s", program);
	int status;
	/* Wait until it has stopped, because an earlier SIGCONT would have no effect. */
	waitpid(plan.pid, &status, WUNTRACED);
	CU_ASSERT_EQUAL_FATAL(session_ctl_create(&plan, PATIENCE_MS).status, CTL_OK);
	return plan.pid;
}

/** Ends the session. Returns whether that succeeded within the time limit. */
static bool ends(enum ctl_hurry hurry)
{
	struct stopwatch began = stopwatch_start();
	struct ctl_reply r = session_ctl_destroy("t", hurry, PATIENCE_MS, -1);
	if (r.status != CTL_OK)
		printf("\n    status %d: %s", (int)r.status, r.text);
	return stopwatch_kept(&began, "the end of a session", BOUND_MS) && r.status == CTL_OK;
}

static bool ends_when_killed_after(int ms)
{
	char output[128];
	snprintf(output, sizeof(output), "%s/trace%d", fixture_dir(), ms);
	pid_t program = start("./pool work 20000", output);
	fixture_kill(program, SIGCONT);
	fixture_sleep_ms((unsigned)ms);
	fixture_kill(program, SIGKILL);
	fixture_wait(program, 1000);
	/* As doze does when a signal has killed the program: LTTng may wait for its data for ever.
	 */
	if (ends(CTL_BRIEFLY))
		return true;
	printf(": killed after %d ms", ms);
	return false;
}

static void after_a_kill_while_registering(void)
{
	open_fixture();
	bool all = true;
	for (int i = 0; i < KILLS && all; i++, suite_allow_seconds(110))
		all = ends_when_killed_after(15 + i * 4);
	CU_ASSERT_TRUE(all);
	fixture_close();
}

/** Full sub-buffers must be read even without a notification: a program may be killed before it
 * notifies, and data that is never read would stay pending forever. */
static void of_a_program_that_never_notifies(void)
{
	char output[128];
	open_fixture();
	snprintf(output, sizeof(output), "%s/trace", fixture_dir());
	pid_t program = start("./dies_at_notify", output);
	fixture_kill(program, SIGCONT);
	int written = 1;
	for (int i = 0; i < 100 && written != 0; i++) {
		fixture_sleep_ms(100);
		written = fixture_sh("test \"$(find trace -name 'doze_*' -size +%dk)\"",
				     2 * SUBBUF / 1024);
	}
	CU_ASSERT_EQUAL(written, 0);
	fixture_kill(program, SIGTERM);
	CU_ASSERT_EQUAL(fixture_wait(program, PATIENCE_MS),
			128 + SIGTERM); /* not SIGKILL: see dies_at_notify.c */
	CU_ASSERT_TRUE(ends(CTL_WAIT));
	fixture_close();
}

static const struct suite_test tests[] = {
    {"a session ends even if its program is killed while it registers",
     after_a_kill_while_registering},
    {"full buffers are read even if the program is killed before it reports them",
     of_a_program_that_never_notifies},
};

SUITE_MAIN("ctl", tests)
