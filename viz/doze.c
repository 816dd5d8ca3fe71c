/*
 * SPDX-License-Identifier: MIT
 *
 * doze.c - the program: finds the subcommand in the table at the foot of this file and runs it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "options.h"

void doze_complain(const char *fmt, ...)
{
	/* One write per message, so that lines of several processes do not mix. */
	char line[1024];
	va_list args;
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	fprintf(stderr, "doze: %s\n", line);
}

const struct doze_cmd *doze_cmd_find(const char *name)
{
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/** --help and --version stand for the commands of that name, as everywhere. */
static const char *command_name(const char *arg)
{
	if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)
		return "help";
	if (strcmp(arg, "--version") == 0 || strcmp(arg, "-V") == 0)
		return "version";
	return arg;
}

/** A command whose output could not be written (full disk, closed pipe) has not done its work. */
static int flush_output(int rc)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return rc;
	doze_complain("standard output: could not be written: check the disk or the pipe");
	return rc == DOZE_EXIT_OK ? DOZE_EXIT_INPUT : rc;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		doze_complain("no command given: see 'doze help'");
		return DOZE_EXIT_USAGE;
	}
	const char *name = command_name(argv[1]);
	const struct doze_cmd *cmd = doze_cmd_find(name);
	if (!cmd) {
		doze_complain("unknown %s '%s': see 'doze help'",
			      *name == '-' ? "option" : "command", name);
		return DOZE_EXIT_USAGE;
	}
	return flush_output(cmd->run(argc - 1, argv + 1));
}

/* One row a command; `doze help` lists them in this order. */
const struct doze_cmd doze_cmds[] = {
    {.name = "help",
     .args = "[COMMAND]",
     .summary = "explain doze, or one command",
     .run = cmd_help,
     .max = 1},
    {.name = "version",
     .args = "",
     .summary = "print the version of doze and of its traces",
     .run = cmd_version},
    {0},
};
