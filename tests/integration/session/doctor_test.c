/*
 * SPDX-License-Identifier: MIT
 *
 * Does `doze doctor` find what is wrong, and does its advice mend it?
 */
#include "tests/fixtures/doze_program.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static void a_sound_machine(void)
{
	kit_open(KIT_NO_DAEMON);
	kit_ok("./doze doctor >out");
	CU_ASSERT_TRUE(kit_says("out", "a trial recording works"));
	CU_ASSERT_PTR_NULL(strstr(rig_out("cat out"), "bad "));
	kit_close(0);
}

static void as_json(void)
{
	kit_open(KIT_DAEMON);
	kit_ok("./doze doctor --quick --json >out");
	CU_ASSERT_EQUAL(rig_sh("python3 -c 'import json; r = json.load(open(\"out\")); "
			       "assert r[\"ready\"]; assert len(r[\"findings\"]) >= 8; "
			       "assert all(f[\"verdict\"] == \"ok\" for f in r[\"findings\"] "
			       "if f[\"check\"] != \"session daemon\")'"),
			0);
	kit_close(0);
}

static const struct {
	const char *command, *says;
} troubles[] = {
    {"PATH=/none ./doze doctor --quick", "lttng-sessiond: No such file"},
    {"DOZE_TRACEPOINTS=/none ./doze doctor --quick", "/none: cannot open shared object"},
    {"TMPDIR=/none ./doze doctor --quick", "/none: No such file"},
    {"sh -c 'ulimit -n 64; exec ./doze doctor --quick'", "only 64 open files"},
    {"mv libdoze-tracepoints.so gone; ./doze doctor; rc=$?; "
     "mv gone libdoze-tracepoints.so; exit $rc",
     "was not traced at all"},
};

static void what_is_wrong(void)
{
	kit_open(KIT_NO_DAEMON);
	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		char command[512];
		snprintf(command, sizeof(command), "exec >out; %s", troubles[i].command);
		CU_ASSERT_EQUAL(kit_run(command), 1);
		CU_ASSERT_TRUE(kit_says("out", troubles[i].says));
		CU_ASSERT_TRUE(kit_says("out", "to mend it: "));
	}
	kit_close(KIT_END_MS);
}

/** Both doze and its supervisor are gone at one blow: nobody is left to clean up. */
static void leave_a_mess(void)
{
	pid_t doze = kit_start("exec ./doze record -o t -- ./pool work 20000");
	CU_ASSERT_TRUE(kit_await_pool("t"));
	pid_t supervisor = kit_find("doze-supervisor");
	CU_ASSERT_NOT_EQUAL_FATAL(supervisor, 0);
	kill(doze, SIGSTOP); /* else it would remove the folder */
	kill(supervisor, SIGKILL);
	kill(doze, SIGKILL);
	rig_wait(doze, 1000);
	for (int ms = 0; ms < KIT_END_MS && (kit_find("pool") || kit_find("doze-supervisor"));
	     ms += 20)
		rig_sleep_ms(20);
}

static void its_advice_mends(void)
{
	kit_open(KIT_DAEMON);
	leave_a_mess();
	CU_ASSERT_EQUAL(kit_find("pool"), 0); /* it dies with the supervisor */
	CU_ASSERT_EQUAL(kit_run("./doze doctor --quick >out"), 1);
	CU_ASSERT_TRUE(kit_says("out", "its doze is gone"));
	CU_ASSERT_EQUAL(rig_sh("sed -n \"s/.*to mend it: '\\(.*\\)'/\\1/p\" out >mend; "
			       "test $(wc -l <mend) -eq 2 && sh -ex mend"),
			0);
	kit_ok("./doze doctor --quick >out");
	CU_ASSERT_TRUE(kit_says("out", "nothing of an earlier run is left"));
	kit_close(KIT_END_MS);
}

static const struct suite_test tests[] = {
    {"Is a sound machine found sound?", a_sound_machine},
    {"Is --json JSON?", as_json},
    {"Is it told what is wrong, and what mends it?", what_is_wrong},
    {"Does its advice mend what a killed doze and supervisor left?", its_advice_mends},
};

KIT_MAIN("doctor", tests)
