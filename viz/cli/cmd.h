/*
 * SPDX-License-Identifier: MIT
 *
 * cmd.h - the commands of `doze`: one row each in the table of cmd.c. README.md describes how to
 * add one.
 */
#ifndef DOZE_VIZ_CMD_H
#define DOZE_VIZ_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "../words/complain.h"
#include "../words/option_values.h"

struct doze_view;

/** A command: either `view` or `run` is set. */
struct doze_cmd {
	const char *name, *args, *summary;
	/* the view of a recorded trace that the command prints; the view has its own options */
	const struct doze_view *view;
	/* Runs the command. The arguments are its row in the table and its command line, where
	 * argv[0] is the command's name. */
	int (*run)(const struct doze_cmd *, int argc, char **argv);
	unsigned takes;                   /* common options: DOZE_TAKES_* of options.h */
	const struct doze_option *own;    /* the command's own options, or null */
	const struct doze_option *shared; /* options shared by several commands, or null */
	int min, max;                     /* number of operands; max -1: unlimited */
	/* For a command that runs a program PROG: points to the flag that is set if the user gave
	 * an option instead of PROG (such as --attach); null if there is no such option. If the
	 * flag is set, options may also follow the operands. */
	const bool *without_prog;
	bool last;           /* if the user names no recording, the command shows the last one */
	const char *details; /* paragraph for `doze help NAME`, or null */
	/* Lines for `doze help NAME` and its man page: a command, two blanks, its description. */
	const char *examples;
};

extern const struct doze_cmd doze_cmds[]; /* ends with name == NULL; defined in cmd.c */

int cmd_live(const struct doze_cmd *, int, char **);
int cmd_record(const struct doze_cmd *, int, char **);
int cmd_run(const struct doze_cmd *, int, char **);
int cmd_lesson(const struct doze_cmd *, int, char **);
int cmd_replay(const struct doze_cmd *, int, char **);
int cmd_compare(const struct doze_cmd *, int, char **);
int cmd_completion(const struct doze_cmd *, int, char **);
int cmd_demo(const struct doze_cmd *, int, char **);
int cmd_doctor(const struct doze_cmd *, int, char **);

extern const struct doze_option cmd_live_options[], cmd_record_options[], cmd_run_options[],
    cmd_doctor_options[];
extern bool cmd_live_attach; /* set by --attach */

/** Returns the command line that runs the demo 'textbook', which does not use libdoze. A number of
 * 0 stands for its default. Borrowed until the next call. */
char *const *cmd_demo_textbook(long threads, long jobs);
/** Prints the error "unknown WHAT NAME" and suggests the closest command. */
void cmd_complain_unknown(const char *what, const char *name);
/** Returns the row of a command, or null if there is no such command. */
const struct doze_cmd *doze_cmd_find(const char *name);

/** Runs a command whose row has a view (view_cmd.c). Returns the exit code. Main thread. */
int cmd_view(const struct doze_cmd *, int argc, char **argv);

/** Prints one line per live session of a relay: the URL to pass to `doze live --attach`, program,
 * policy, number of workers and age. `relay` is net://HOST[:PORT], or null for all relays on this
 * machine. On a terminal, asks the user to choose a session and writes its URL into `url`, or "" if
 * the user chose none. Returns the exit code; 3 if no relay answers. */
int cmd_attach_list(const char *relay, bool json, char *url, size_t size);

#endif
