/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_help.c - `doze help [COMMAND]` and `doze version`.
 */
#include <stdio.h>
#include <string.h>

#include "../../lib/trace_enums.h"
#include "../show/shared_options.h"
#include "../show/view.h"
#include "cmd.h"
#include "options.h"

#ifndef DOZE_VERSION
#define DOZE_VERSION "0.1.0"
#endif

static void print_commands(void)
{
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		printf("  %-10s %s\n", c->name, c->summary);
}

/* Prints the environment variables that doze.h and tracepoints/README.md explain. */
static void print_environment(void)
{
	puts("\nEnvironment of a program that uses libdoze:\n"
	     "  DOZE_NUM_THREADS            number of workers per pool\n"
	     "  DOZE_POLICY                 sleep policy\n"
	     "  DOZE_ROUNDS_UNTIL_SLEEPY    fruitless searches before a worker becomes sleepy\n"
	     "  DOZE_ROUNDS_UNTIL_SLEEPING  fruitless searches before it sleeps\n"
	     "  DOZE_FAIR_EVERY             jobs after which a busy worker takes an injected one, "
	     "or\n"
	     "                              'never'\n"
	     "  DOZE_STACK_SIZE             stack size per worker, in bytes\n"
	     "  DOZE_TRACE                  0: do not trace, even if LTTng is installed");
}

/* Returns whether the command works on a recording, and therefore shares options with other
 * commands. */
static bool shares_options(const struct doze_cmd *c)
{
	return c->view || (c->takes & DOZE_TAKES_SHARED) == DOZE_TAKES_SHARED;
}

static bool takes(const struct doze_cmd *c, enum doze_shared_option o)
{
	const char *name = doze_shared_name(o);

	return !doze_shared_refusal(c->name, name) &&
	       (!c->view || c->view->json || strcmp(name, "json") != 0);
}

/* Prints a table of the shared options and of the commands that take them. */
static void print_shared(void)
{
	printf("\n"
	       "Options shared by commands that read a recording (-: see 'doze help COMMAND'):\n"
	       "  %-10s",
	       "");
	for (int o = 0; o < DOZE_SHARED_COUNT; o++)
		printf(" --%s", doze_shared_name((enum doze_shared_option)o));
	for (const struct doze_cmd *c = doze_cmds; c->name; c++) {
		if (!shares_options(c))
			continue;
		printf("\n  %-10s", c->name);
		for (int o = 0, blanks = 1; o < DOZE_SHARED_COUNT; o++) {
			enum doze_shared_option option = (enum doze_shared_option)o;
			const char *cell = takes(c, option) ? "yes" : "-";

			printf("%*s%s", blanks, "", cell);
			blanks = (int)(strlen(doze_shared_name(option)) + 3 - strlen(cell));
		}
	}
	putchar('\n');
}

static void print_overview(void)
{
	puts("usage: doze COMMAND [OPTIONS] [ARGUMENTS]\n\n"
	     "doze shows every sleep and wake decision of a work-stealing thread pool.\n\n"
	     "Commands ('doze help COMMAND' explains one):");
	print_commands();
	print_shared();
	puts("\nExit codes:\n"
	     "  0      success\n"
	     "  1      findings: the command found what it checks for\n"
	     "  2      usage: an unknown or invalid option or argument\n"
	     "  3      input or connection: a trace, a daemon or a file that cannot be used\n"
	     "  4      inconclusive: events were lost or are missing, or the trace ends too early\n"
	     "  128+n  killed by signal n");
	print_environment();
	puts("\nEach error is one line on standard error: what failed, where, and what to do.");
}

int cmd_help(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);
	if (rc >= 0)
		return rc;
	if (o.count == 0) {
		print_overview();
		return DOZE_EXIT_OK;
	}
	const struct doze_cmd *about = doze_cmd_find(o.operands[0]);
	if (!about) {
		cmd_complain_unknown("command", o.operands[0]);
		return DOZE_EXIT_USAGE;
	}
	doze_options_help(about);
	return DOZE_EXIT_OK;
}

int cmd_version(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);
	if (rc >= 0)
		return rc;
	printf("doze %s, trace schema %d.%d\n", DOZE_VERSION, DOZE_SCHEMA_MAJOR, DOZE_SCHEMA_MINOR);
	return DOZE_EXIT_OK;
}
