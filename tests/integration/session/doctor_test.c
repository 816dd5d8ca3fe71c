/*
 * SPDX-License-Identifier: MIT
 *
 * doctor_test.c - `doze doctor` finds faults, and its advice repairs them.
 */
#include "tests/fixtures/doze_program.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static void a_sound_machine(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	fixture_run_ok("./doze doctor >out");
	CU_ASSERT_TRUE(fixture_file_has("out", "the trial recording works"));
	CU_ASSERT_PTR_NULL(strstr(fixture_out("cat out"), "bad "));
	fixture_end(0);
}

static void as_json(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	fixture_run_ok("./doze doctor --quick --json >out");
	CU_ASSERT_EQUAL(
	    fixture_sh("python3 -c 'import json; r = json.load(open(\"out\")); "
		       "assert r[\"ready\"]; assert len(r[\"findings\"]) >= 8; "
		       "assert all(f[\"verdict\"] == \"ok\" for f in r[\"findings\"] "
		       "if f[\"check\"] not in (\"running\", \"session daemon\", \"versions\"))'"),
	    0);
	fixture_end(0);
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

static void reports_each_problem(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		char command[512];
		snprintf(command, sizeof(command), "exec >out; %s", troubles[i].command);
		CU_ASSERT_EQUAL(fixture_run(command), 1);
		CU_ASSERT_TRUE(fixture_file_has("out", troubles[i].says));
		CU_ASSERT_TRUE(fixture_file_has("out", "fix: "));
	}
	fixture_end(FIXTURE_END_MS);
}

/** Kills doze and its supervisor together, so that no process cleans up. */
static void leave_a_mess(void)
{
	pid_t doze = fixture_start_command("exec ./doze record -o t -- ./pool work 20000");
	CU_ASSERT_TRUE(fixture_await_pool("t"));
	pid_t supervisor = fixture_find("doze-supervisor");
	CU_ASSERT_NOT_EQUAL_FATAL(supervisor, 0);
	/* Stops doze, because the supervisor would otherwise remove the folder. */
	fixture_kill(doze, SIGSTOP);
	fixture_kill(supervisor, SIGKILL);
	fixture_kill(doze, SIGKILL);
	fixture_wait(doze, 1000);
	for (int ms = 0;
	     ms < FIXTURE_END_MS && (fixture_find("pool") || fixture_find("doze-supervisor"));
	     ms += 20)
		fixture_sleep_ms(20);
}

static void its_advice_mends(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	leave_a_mess();
	CU_ASSERT_EQUAL(fixture_find("pool"), 0); /* the program dies with the supervisor */
	CU_ASSERT_EQUAL(fixture_run("./doze doctor --quick >out"), 1);
	CU_ASSERT_TRUE(
	    fixture_file_has("out", "was left behind by a doze process that is no longer running"));
	CU_ASSERT_EQUAL(fixture_sh("sed -n \"s/.*fix: '\\(.*\\)'/\\1/p\" out >mend; "
				   "test $(wc -l <mend) -eq 2 && sh -ex mend"),
			0);
	fixture_run_ok("./doze doctor --quick >out");
	CU_ASSERT_TRUE(fixture_file_has("out", "no leftovers from earlier runs"));
	fixture_end(FIXTURE_END_MS);
}

static const struct suite_test tests[] = {
    {"doctor reports no problem on a machine that has none", a_sound_machine},
    {"--json prints the findings as JSON", as_json},
    {"each problem is reported with its remedy", reports_each_problem},
    {"the commands that doctor suggests remove what killed doze processes left behind",
     its_advice_mends},
};

FIXTURE_MAIN("doctor", tests)
