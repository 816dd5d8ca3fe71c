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
