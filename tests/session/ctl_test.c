/*
 * SPDX-License-Identifier: MIT
 *
 * Is a session that was asked to end gone within a bound, whatever became of its program? Calls the
 * operations of viz/session/ctl.h themselves: through doze the program is dead for a while before
 * its session ends, and lttng-sessiond 2.13's bug hardly ever shows.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/trace/rig.h"
#include "tests/unit/suite.h"
#include "viz/session/ctl.h"

#define KILLS       12
#define PATIENCE_MS 30000
#define BOUND_MS    10000 /* far more than DESTRUCTION_MS, far less than the patience */

static void open_rig(void)
{
	suite_allow_seconds(110);
	if (geteuid() == 0) {
		/* In a user's rig the daemon is that user's, and we are not. */
		if (!rig_open(RIG_ROOT)) {
			puts("no mount namespace: no daemon of our own");
			exit(77);
		}
	} else {
		CU_ASSERT_TRUE_FATAL(rig_open(RIG_USER));
		setenv("LTTNG_HOME", rig_dir(), 1);
	}
	CU_ASSERT_TRUE_FATAL(rig_sessiond());
}

/** A program that waits until it is continued, and a session for it. */
static pid_t start(const char *output)
{
	struct ctl_plan plan = {
	    .name = "t", .output = output, .subbuf_size = 1 << 18, .detail = DOZE_DETAIL_ALL};
	plan.pid = rig_start("kill -STOP $$; DOZE_TRACE_WAIT_MS=3000 exec ./pool work 20000");
	CU_ASSERT_EQUAL_FATAL(ctl_create(&plan, PATIENCE_MS).status, CTL_OK);
	return plan.pid;
}

/** True when the session ended well, and within the bound. */
static bool ends(int kill_after_ms)
{
	char output[128];
	snprintf(output, sizeof(output), "%s/trace%d", rig_dir(), kill_after_ms);
	pid_t program = start(output);
	kill(program, SIGCONT);
	rig_sleep_ms((unsigned)kill_after_ms);
	kill(program, SIGKILL);
	rig_wait(program, 1000);
	long long began = rig_now_ms();
	struct ctl_reply r = ctl_destroy("t", CTL_WAIT, PATIENCE_MS, -1);
	long long took = rig_now_ms() - began;
	if (r.status == CTL_OK && took < BOUND_MS)
		return true;
	printf("\n    killed after %d ms: status %d after %lld ms %s", kill_after_ms, (int)r.status,
	       took, r.text);
	return false;
}

static void after_a_kill_while_registering(void)
{
	open_rig();
	bool all = true;
	for (int i = 0; i < KILLS && all; i++)
		all = ends(15 + i * 4);
	CU_ASSERT_TRUE(all);
	rig_close();
}

static const struct suite_test tests[] = {
    {"Does a session end whose program was killed while it registered?",
     after_a_kill_while_registering},
};

SUITE_MAIN("ctl", tests)
