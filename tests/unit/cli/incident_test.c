/*
 * SPDX-License-Identifier: MIT
 *
 * incident_test.c - viz/cli: the page of a saved incident, written by a separate process.
 */
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"
#include "viz/cli/incident.h"

static char doze[PATH_MAX];

static struct cmd_pages no_pages(void)
{
	const char *build = getenv("BUILD");

	snprintf(doze, sizeof doze, "%s/doze", build ? build : "build");
	return (struct cmd_pages){.doze = doze};
}

/* Copies a recording into a subfolder of the scratch folder, where LTTng would write it, and
 * returns the scratch folder. A reader would mistake a page next to the streams for another
 * stream. */
static const char *recording(void)
{
	char command[PATH_MAX + 64];

	scratch_begin();
	snprintf(command, sizeof command, "cp -r tests/fixtures/phases %s/", scratch("."));
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	return scratch(".");
}

/* Waits until doze report has exited. Returns its error message, or null. */
static const char *result(struct cmd_pages *p)
{
	const char *line = NULL;

	while (p->page[0].pid && !line) {
		line = cmd_page_poll(p);
		(void)poll(NULL, 0, 5);
	}
	return line ? line : cmd_page_poll(p);
}

static bool page_has(const char *text)
{
	char line[4096];
	FILE *f = fopen(scratch(CMD_INCIDENT_PAGE), "r");
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f))
		found = strstr(line, text);
	if (f)
		fclose(f);
	return found;
}

static void is_written(void)
{
	struct cmd_pages p = no_pages();

	cmd_page_begin(&p, recording(), 0);
	CU_ASSERT_NOT_EQUAL(p.page[0].pid, 0);
	CU_ASSERT_PTR_NULL(result(&p));
	CU_ASSERT_TRUE(page_has("<html"));
	scratch_end();
}

/* The recording has no events an hour after its first one, so doze report fails. */
static void begins_at_the_given_time(void)
{
	struct cmd_pages p = no_pages();
	const char *line;

	cmd_page_begin(&p, recording(), INT64_C(3600000000000));
	line = result(&p);
	CU_ASSERT_PTR_NOT_NULL_FATAL(line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "report.html was not written: report: "));
	CU_ASSERT_FALSE(page_has("<html"));
	scratch_end();
}

static void reports_errors(void)
{
	struct cmd_pages p = no_pages();
	const char *line;

	scratch_begin();
	cmd_page_begin(&p, scratch("nowhere"), 0);
	line = result(&p);
	CU_ASSERT_PTR_NOT_NULL_FATAL(line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "nowhere"));
	CU_ASSERT_PTR_NULL(strchr(line, '\n'));
	CU_ASSERT_PTR_NULL(cmd_page_poll(&p)); /* the error is reported only once */
	p.doze = "/nonexistent/doze";
	cmd_page_begin(&p, scratch("."), 0);
	line = result(&p);
	CU_ASSERT_PTR_NOT_NULL_FATAL(line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "doze cannot be started"));
	scratch_end();
}

static void too_many_are_refused(void)
{
	struct cmd_pages p = no_pages();
	const char *folder = recording(), *line;

	for (int i = 0; i <= CMD_PAGES_MAX; i++)
		cmd_page_begin(&p, folder, 0);
	line = cmd_page_poll(&p);
	CU_ASSERT_PTR_NOT_NULL_FATAL(line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "too many"));
	cmd_page_end(&p, true, -1);
	CU_ASSERT_TRUE(page_has("<html"));
	scratch_end();
}

/* Neither a process nor a partial page (whose name would be longer) may be left behind. */
static void leaves_nothing_behind(void)
{
	struct cmd_pages p = no_pages();
	const struct dirent *e;
	DIR *d;

	cmd_page_begin(&p, recording(), 0);
	cmd_page_end(&p, false, -1);
	CU_ASSERT_EQUAL(p.page[0].pid, 0);
	d = opendir(scratch("."));
	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	while ((e = readdir(d)))
		CU_ASSERT(!strstr(e->d_name, "report") || !strcmp(e->d_name, CMD_INCIDENT_PAGE));
	closedir(d);
	scratch_end();
}

static const struct suite_test tests[] = {
    {"the page is written next to the recording", is_written},
    {"the page begins at the given time", begins_at_the_given_time},
    {"a one-line message explains why a page was not written", reports_errors},
    {"only a limited number of pages are written at the same time", too_many_are_refused},
    {"ending the session leaves no process or partial page behind", leaves_nothing_behind},
};
SUITE_MAIN("incident_page", tests)
