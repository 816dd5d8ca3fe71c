/*
 * SPDX-License-Identifier: MIT
 *
 * catalogue_test.c - the catalogue in tracepoints/README.md agrees with a recorded trace.
 */
#include "tests/fixtures/lttng.h"

#include <stdio.h>
#include <string.h>

#include "tests/fixtures/suite.h"

/* Records every event once. The metadata lists each registered event, whether it was emitted or
 * not. */
static void record_all(void)
{
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
	CU_ASSERT_TRUE_FATAL(fixture_record_ctf1("all", "DEBUG"));
	CU_ASSERT_EQUAL(fixture_sh("DOZE_TRACE_WAIT_MS=5000 ./emit once"), 0);
	CU_ASSERT_TRUE(fixture_record_end());
	CU_ASSERT_EQUAL(
	    fixture_sh("babeltrace2 -o ctf-metadata $(dirname $(find all -name metadata)) "
		       ">metadata"),
	    0);
}

static void catalogue_agrees(void)
{
	const char *out = fixture_out("./catalogue.py README.md metadata; echo exit $?");

	printf("%s", out);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "exit 0"));
}

static void every_event_once(void)
{
	const char *out =
	    fixture_out("babeltrace2 --no-delta all | grep -o 'doze:[a-z_]*' | sort | uniq -c");
	int kinds = 0;

	for (const char *p = out; (p = strchr(p, '\n')); p++)
		kinds++;
	if (!strstr(out, "doze:snapshot"))
		suite_unstable("the program exited before its first snapshot");
	CU_ASSERT_EQUAL(kinds, 26);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, " 1 doze:wake\n"));
}

static void finish(void)
{
	fixture_close();
	CU_ASSERT_TRUE(true);
}

static const struct suite_test tests[] = {
    {"every event can be recorded", record_all},
    {"events, fields, types, labels and log levels match the catalogue", catalogue_agrees},
    {"each hook emits its event", every_event_once},
    {"the fixture shuts down cleanly", finish},
};
SUITE_MAIN("catalogue", tests)
