/*
 * SPDX-License-Identifier: MIT
 *
 * cmd.c - the table of subcommands. One row a command; `doze help` lists them in this order.
 */
#include "cmd.h"

#include <stddef.h>
#include <string.h>

#include "options.h"

const struct doze_cmd *doze_cmd_find(const char *name)
{
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct doze_cmd doze_cmds[] = {
    {.name = "demo",
     .args = "NAME [OPTIONS OF NAME] | --list",
     .summary = "run a built-in workload",
     .run = cmd_demo,
     .min = 1,
     .max = -1,
     .details =
	 "The workloads are small programs on the library, each made to show one behaviour.\n"
	 "'doze demo --list' names them, 'doze demo NAME --help' lists the options of one.\n"
	 "A workload checks its own result and exits 1 when it was wrong."},
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
