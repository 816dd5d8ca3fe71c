/*
 * SPDX-License-Identifier: MIT
 *
 * cmd.h - the subcommands of `doze`: a table of {name, one line, function}, and what they share.
 *
 * To add a command: write viz/cli/cmd_NAME.c, name its function below, add one row in cmd.c.
 */
#ifndef DOZE_VIZ_CMD_H
#define DOZE_VIZ_CMD_H

#include <stdbool.h>

#include "../text/complain.h"

struct doze_option;

struct doze_cmd {
	const char *name, *args, *summary;
	int (*run)(int argc, char **argv); /* argv[0] is the subcommand's name */
	unsigned takes;                    /* common options: DOZE_TAKES_* of options.h */
	const struct doze_option *own;     /* further options, or null */
	const struct doze_option *shared;  /* more of them, that several commands have */
	int min, max;                      /* operands; max -1: any number */
	/* Of a command that takes PROG: the option with which none follows, or null. Its options
	 * may then stand behind operands, too. */
	const bool *without_prog;
	const char *details; /* paragraph for `doze help NAME`, or null */
};

extern const struct doze_cmd doze_cmds[]; /* ends with name == NULL; viz/cli/cmd.c */

int cmd_live(int, char **);
int cmd_record(int, char **);
int cmd_replay(int, char **);
int cmd_timeline(int, char **);
int cmd_storms(int, char **);
int cmd_check(int, char **);
int cmd_compare(int, char **);
int cmd_whatif(int, char **);
int cmd_report(int, char **);
int cmd_export(int, char **);
int cmd_demo(int, char **);
int cmd_doctor(int, char **);
int cmd_help(int, char **);
int cmd_version(int, char **);

/** The row of a name, or null. */
const struct doze_cmd *doze_cmd_find(const char *name);

#endif
