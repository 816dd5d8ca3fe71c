/*
 * SPDX-License-Identifier: MIT
 *
 * record_test.c - `doze record` records a program and reports the outcome.
 */
#include "tests/fixtures/doze_program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number of matching events in the recording DIR. */
static int count(const char *dir, const char *pattern)
{
	return atoi(fixture_out("babeltrace2 --no-delta %s | grep -c -- '%s'", dir, pattern));
}

/* ---- the recording ---- */

static void is_readable(void)
{
	int woken = 0;
	fixture_begin(FIXTURE_NO_SESSIOND);
	for (int bursts = 12; woken <= 4 && bursts < 100; bursts *= 2) {
		char command[100];
		snprintf(command, sizeof(command),
			 "rm -rf t; exec ./doze record -o t -w 4 -- ./doze demo burst --bursts=%d",
			 bursts);
		fixture_run_ok(command);
		woken = count("t", "doze:woken:");
	}
	if (woken <= 4)
		suite_unstable("workers were woken only %d times", woken);
	CU_ASSERT_EQUAL(count("t", "doze:pool_start:"), 1);
	CU_ASSERT_EQUAL(count("t", "doze:pool_stop:"), 1);
	CU_ASSERT_EQUAL(count("t", "doze:worker_start:"), 4);
	CU_ASSERT_TRUE(woken > 4);
	CU_ASSERT_EQUAL(fixture_sh("./doze timeline t"), 0);
	fixture_end(0);
}

static void has_a_default(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	fixture_run_ok("./doze record -o t");
	CU_ASSERT_TRUE(fixture_file_has("t/program.log", "burst"));
	CU_ASSERT_EQUAL(count("t", "doze:pool_start:"), 1);
	fixture_end(0);
}

static void options_reach_the_program(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	fixture_run_ok("./doze record -o t --workers=3 --policy=jec -- sh -c "
		       "'echo $DOZE_POLICY $DOZE_NUM_THREADS; exec ./pool work 50'");
	CU_ASSERT_TRUE(fixture_file_has("t/program.log", "jec 3"));
	CU_ASSERT_EQUAL(count("t", "pool_start.*policy = \"jec\", workers = 3"), 1);
	fixture_end(0);
}

static void detail_chooses_events(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	fixture_run_ok("./doze record -o states -- ./pool work 50");
	fixture_run_ok("./doze record -o jobs -d jobs -- ./pool work 50");
	CU_ASSERT_EQUAL(count("states", "doze:job_start:"), 0);
	CU_ASSERT_TRUE(count("states", "doze:worker_state:") > 0);
	CU_ASSERT_TRUE(count("jobs", "doze:job_start:") > 0);
	fixture_end(0);
}

static void only_the_program(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	pid_t other = fixture_start("exec ./pool work 2000");
	fixture_run_ok("./doze record -o t -- ./pool work 500");
	CU_ASSERT_EQUAL(count("t", "doze:pool_start:"), 1);
	CU_ASSERT_EQUAL(
	    atoi(fixture_out("babeltrace2 t | grep -o 'vpid = [0-9]*' | sort -u | wc -l")), 1);
	fixture_wait(other, 5000);
	fixture_end(0);
}

static void forks_and_execs(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	fixture_run_ok("./doze record -o exec -- ./pool exec 200");
	CU_ASSERT_EQUAL(count("exec", "doze:pool_start:"), 2);
	CU_ASSERT_STRING_EQUAL(fixture_out("cat err"), "");
	/* The first program's pool never stopped, and the program that replaced it does not stop
	 * it. */
	CU_ASSERT_EQUAL(fixture_run("./doze timeline exec >out"), 4);
	CU_ASSERT_TRUE(fixture_file_has("err", "ends before its pool stopped"));
	/* LTTng itself forks in a user's first traced program, and the fork looks like a child of
	 * the program. */
	fixture_run_ok("./doze record -o fork -- ./pool fork 200");
	CU_ASSERT_TRUE(fixture_file_has("err", "does not contain its child processes"));
	CU_ASSERT_EQUAL(count("fork", "doze:pool_start:"), 1);
	CU_ASSERT_EQUAL(atoi(fixture_out("grep -c right fork/program.log")), 2);
	fixture_end(0);
}

static void the_streams(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	fixture_run_ok("echo hello | ./doze record -o t -- sh -c "
		       "'cat; echo oops >&2; exec ./pool work 50' >out");
	CU_ASSERT_TRUE(fixture_file_has("t/program.log", "hello\noops\n"));
	CU_ASSERT_TRUE(fixture_file_has("out", "recorded: t\n"));
	CU_ASSERT_PTR_NULL(strstr(fixture_out("cat out"), "hello"));
	fixture_end(0);
}

static void as_json(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	fixture_run_ok("./doze record --json -o 'a \"b\"' -- ./pool work 50 >out");
	CU_ASSERT_EQUAL(fixture_sh("python3 -c 'import json; r = json.load(open(\"out\")); "
				   "assert r[\"exit\"] == 0 and r[\"pool\"] and r[\"complete\"]; "
				   "assert r[\"discarded\"] == 0 and not r[\"forked\"]'"),
			0);
	fixture_end(0);
}

/* ---- daemons ---- */

static void uses_a_running_daemon(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	fixture_run_ok("./doze record -o t -- ./pool work 50");
	CU_ASSERT_EQUAL(fixture_kill(fixture_sessiond_pid(), 0), 0);
	CU_ASSERT_EQUAL(fixture_sh("lttng -n list"), 0);
	fixture_end(0);
}

static void two_at_once(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t a = fixture_start_command("exec ./doze record -o a -- ./pool work 900");
	pid_t b = fixture_start("exec ./doze record -o b -- ./pool work 300");
	pid_t c = fixture_start("exec ./doze record -o c -- ./pool work 1500");
	CU_ASSERT_EQUAL(fixture_wait(a, FIXTURE_END_MS), 0);
	CU_ASSERT_EQUAL(fixture_wait(b, FIXTURE_END_MS), 0);
	CU_ASSERT_EQUAL(fixture_wait(c, FIXTURE_END_MS), 0);
	CU_ASSERT_EQUAL(count("a", "doze:pool_stop:"), 1);
	CU_ASSERT_EQUAL(count("b", "doze:pool_stop:"), 1);
	CU_ASSERT_EQUAL(count("c", "doze:pool_stop:"), 1);
	/* The doze process that started the daemon waits until the others have finished. */
	fixture_end(FIXTURE_END_MS);
}

/* A daemon that is exiting no longer answers, but holds its lock until it is gone. */
static void waits_for_one_that_ends(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t lock = fixture_start("d=/run/lttng; [ $(id -u) = 0 ] || d=$LTTNG_HOME/.lttng; "
				   "mkdir -p $d; exec python3 -c 'import fcntl, sys, time; "
				   "f = open(sys.argv[1], \"w\"); fcntl.lockf(f, fcntl.LOCK_EX); "
				   "print(1, file=open(\"locked\", \"w\")); time.sleep(3)' "
				   "$d/lttng-sessiond.lck");
	CU_ASSERT_TRUE_FATAL(fixture_await_file("locked"));
	fixture_run_ok("./doze record -o t -- ./pool work 50");
	CU_ASSERT_STRING_EQUAL(fixture_out("cat err"), "");
	CU_ASSERT_EQUAL(fixture_wait(lock, 10000), 0);
	CU_ASSERT_EQUAL(count("t", "doze:pool_stop:"), 1);
	fixture_end(FIXTURE_END_MS);
}

static void others_keep_the_daemon(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	pid_t doze = fixture_start_command("exec ./doze record -o t -- ./pool heed 60000");
	CU_ASSERT_TRUE(fixture_await_pool("t"));
	CU_ASSERT_EQUAL(fixture_sh("lttng -n create other --output=o"), 0);
	fixture_signal("pool", SIGTERM);
	fixture_wait(doze, FIXTURE_END_MS);
	CU_ASSERT_TRUE(fixture_file_has("err", "other programs have sessions in it"));
	fixture_sleep_ms(1000);
	CU_ASSERT_EQUAL(fixture_sh("lttng -n destroy other"), 0);
	fixture_end(FIXTURE_END_MS);
}

/* ---- the outcome ---- */

static const struct {
	const char *command;
	int status;
	const char *says;  /* text on standard error */
	const char *first; /* start of a line of standard output; null: no output */
} outcomes[] = {
    {"./doze record -o t -- sh -c './pool work 50; exit 0'", 1,
     "does not contain its child processes", "no pool recorded: t\n"},
    {"./doze record -o t -- sh -c 'exit 0'", 1, "no pool of libdoze: add --any",
     "no pool recorded: t\n"},
    {"./doze record -o t -- sh -c './pool work 50 & exit 7'", 1,
     "its child processes are still running", "no pool recorded: t\n"},
    /* The program runs long enough for the start of the pool to be written, because the last events
       may be lost. */
    {"./doze record -o t -- ./pool crash 1500", 139, "killed by signal 11: the trace may lack",
     "recorded: t\n"},
    {"./doze record -o t -- ./pool kill 1500", 137, "killed by signal 9: the trace may lack",
     "recorded: t\n"},
    {"./doze record -o t -- ./nothing", 3, "./nothing: No such file", NULL},
    {"./doze record -o t -- nothing", 3, "nothing: No such file", NULL},
    {"./doze record -o t -- ./README.md", 3, "./README.md: Permission denied", NULL},
    {"./doze record -o t -- .", 3, ".: Is a directory", NULL},
    {"printf '#!/no/such\\n' >bad; chmod +x bad; ./doze record -o t -- ./bad", 3, "cannot start",
     NULL},
    {"./doze record -o no/such/folder", 3, "no/such/folder: No such file", NULL},
    {"mkdir full; touch full/x; ./doze record -o full", 3, "not empty", NULL},
    {"HOME= DOZE_TRACES= ./doze record", 2, "give -o DIR", NULL},
    {"./doze record -o t --policy=hurry", 2, "one of: jec", NULL},
    {"./doze record -o t --workers=0", 2, "invalid value '0'", NULL},
    {"./doze record -o t --workers=100000", 2, "invalid value '100000'", NULL},
    {"./doze record -o t --wrokers=1", 2, "unknown option '--wrokers=1'", NULL},
};

static void outcomes_are_reported(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	/* LTTng itself forks in a user's first traced program; see forks_and_execs. */
	fixture_run_ok("./doze record -o first -- ./pool work 10");
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++) {
		fixture_sh("rm -rf t");
		char line[256];
		snprintf(line, sizeof(line), "{ %s; } >out", outcomes[i].command);
		int status = fixture_run(line);
		if (status != outcomes[i].status)
			printf("\n    %s: exit %d", outcomes[i].command, status);
		CU_ASSERT_EQUAL(status, outcomes[i].status);
		CU_ASSERT_TRUE(fixture_file_has("err", outcomes[i].says));
		bool told = outcomes[i].first ? fixture_file_has("out", outcomes[i].first)
					      : fixture_sh("test -s out") != 0;
		CU_ASSERT_TRUE(told);
		/* A recording that failed to start leaves no folder; a recording that started
		 * leaves one. */
		bool ran = status == 1 || status > 128;
		CU_ASSERT_EQUAL(fixture_sh("test -d t") == 0, ran);
		fixture_expect_clean(FIXTURE_END_MS);
	}
	fixture_end(0);
}

/* The program writes a file into the trace's folder. */
static void cannot_be_read(void)
{
	fixture_begin(FIXTURE_SESSIOND);
	CU_ASSERT_EQUAL(
	    fixture_run("exec >out; ./doze record -o t -- sh -c "
			"'d=t/ust/uid/$(id -u)/64-bit; mkdir -p $d; echo junk >$d/doze_9; "
			"exec ./pool work 50'"),
	    3);
	CU_ASSERT_TRUE(fixture_file_has("err", "cannot read the trace: "));
	CU_ASSERT_TRUE(fixture_file_has("out", "nothing readable: t\n"));
	fixture_end(0);
}

static void no_daemon_to_be_had(void)
{
	fixture_begin(FIXTURE_NO_SESSIOND);
	CU_ASSERT_EQUAL(fixture_run("PATH=/none ./doze record -o t -- ./pool work 10"), 3);
	CU_ASSERT_TRUE(fixture_file_has("err", "install lttng-tools"));
	fixture_end(0);
}

static const struct suite_test tests[] = {
    {"babeltrace2 can read the recording", is_readable},
    {"without a program, doze records a demo", has_a_default},
    {"--policy and --workers reach the program", options_reach_the_program},
    {"--detail selects the recorded events", detail_chooses_events},
    {"the trace contains only events of the recorded program", only_the_program},
    {"a program is still recorded after it calls exec, and its children are not", forks_and_execs},
    {"doze leaves the program's input and output unchanged", the_streams},
    {"--json prints the exit code, the state of the recording and the lost events", as_json},
    {"doze uses a session daemon that is already running, and leaves it running",
     uses_a_running_daemon},
    {"three recordings can be made at the same time", two_at_once},
    {"doze waits until a session daemon that is shutting down has exited", waits_for_one_that_ends},
    {"a session daemon keeps running while other programs use it", others_keep_the_daemon},
    {"each outcome has its own exit code and message", outcomes_are_reported},
    {"a recording that cannot be read is reported", cannot_be_read},
    {"a missing LTTng installation is reported", no_daemon_to_be_had},
};

FIXTURE_MAIN("record", tests)
