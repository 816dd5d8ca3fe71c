/*
 * SPDX-License-Identifier: MIT
 *
 * main.c - the program: finds the command in the table of cmd.c and runs it.
 */
#include <stdio.h>
#include <string.h>

#include "../session/preload.h"
#include "cmd.h"
#include "options.h"

/** Maps --help and --version to the commands `help` and `version`. */
static const char *command_name(const char *arg)
{
	if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)
		return "help";
	if (strcmp(arg, "--version") == 0 || strcmp(arg, "-V") == 0)
		return "version";
	return arg;
}

/** Turns success into failure if the output could not be written (full disk, closed pipe). */
static int flush_output(int rc)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return rc;
	doze_complain("standard output: cannot write: check the disk or the pipe");
	return rc == DOZE_EXIT_OK ? DOZE_EXIT_INPUT : rc;
}

int main(int argc, char **argv)
{
	doze_preload_leave(argv);
	if (argc < 2)
		return cmd_fail(DOZE_EXIT_USAGE, "no command given: see 'doze help'");
	const char *name = command_name(argv[1]);
	const struct doze_cmd *cmd = doze_cmd_find(name);
	if (!cmd) {
		cmd_complain_unknown(*name == '-' ? "option" : "command", name);
		return DOZE_EXIT_USAGE;
	}
	return flush_output(cmd->view ? cmd_view(cmd, argc - 1, argv + 1)
				      : cmd->run(cmd, argc - 1, argv + 1));
}
