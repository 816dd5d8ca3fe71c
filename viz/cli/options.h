/*
 * SPDX-License-Identifier: MIT
 *
 * options.h - the options of the subcommands: one catalogue, one parser, one set of errors.
 *
 * A command says in the table (cmd.c) which common options it takes; what only it understands it
 * lists in a table of its own (struct doze_option). Parsing, checking and the text of `doze help
 * CMD` all come from these tables, so an option cannot be accepted and undocumented, or the
 * reverse.
 *
 * getopt_long does the work: it is in every libc that doze runs on, everybody knows its rules
 * (--name=value, -xVALUE, `--`), and it needs no package that a lab machine may lack.
 */
#ifndef DOZE_VIZ_OPTIONS_H
#define DOZE_VIZ_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../session/session.h"

struct doze_cmd;

/** Which of the common options a command takes. */
enum doze_option_set {
	DOZE_TAKES_POLICY = 1 << 0,
	DOZE_TAKES_WORKERS = 1 << 1,
	DOZE_TAKES_DETAIL = 1 << 2,
	DOZE_TAKES_JSON = 1 << 3,
	DOZE_TAKES_COLOR = 1 << 4, /* --color and --ascii */
	DOZE_TAKES_MOUSE = 1 << 5,
	DOZE_TAKES_RANGE = 1 << 6, /* --from and --to */
	DOZE_TAKES_WORKER = 1 << 7,
	DOZE_TAKES_OUTPUT = 1 << 8,
	/* Options end at the first operand: what follows is PROG and its own options. */
	DOZE_TAKES_PROG = 1 << 9,
	DOZE_TAKES_PROG_OPTIONS = DOZE_TAKES_POLICY | DOZE_TAKES_WORKERS | DOZE_TAKES_DETAIL,
	DOZE_TAKES_VIEW = DOZE_TAKES_COLOR | DOZE_TAKES_RANGE | DOZE_TAKES_WORKER,
};

enum doze_color { DOZE_COLOR_AUTO, DOZE_COLOR_ALWAYS, DOZE_COLOR_NEVER };

/** The common options after parsing. Strings are borrowed from argv. */
struct doze_options {
	const char *policy; /* null: PROG's own choice */
	unsigned workers;   /* 0: PROG's own choice */
	enum doze_detail detail;
	bool json, ascii, no_mouse;
	enum doze_color color;
	int64_t from, to;   /* ns after the trace's first event; INT64_MAX: to its end */
	const char *only;   /* worker indices to show, "0-3,6"; null: all */
	const char *output; /* -o; null: none given */
	int count;          /* operands */
	char **operands;    /* null-terminated */
};

/** Whether --worker lets this worker through (-1, a thread from outside, only without a filter). */
bool doze_options_shows(const struct doze_options *, int worker);
/** The first index of the first item of --worker that begins behind `last`; -1 when there is none:
 * every item names at least one of the workers 0 to `last`. */
int doze_options_beyond(const struct doze_options *, int last);

/** Checks one value and stores it. Returns null, or what would be allowed ("a number from 1 to 9").
 */
typedef const char *doze_option_fn(const char *value, void *target);

/** One option. A list ends with name == NULL. */
struct doze_option {
	const char *name;  /* long name, without the dashes */
	char letter;       /* short name, or 0 */
	const char *value; /* name of its value in the help; null: a flag */
	const char *help;
	doze_option_fn *check; /* one of the doze_check_* below, or the command's own */
	void *target;          /* where the value goes */
};

doze_option_fn doze_check_flag;     /* bool *; value is null */
doze_option_fn doze_check_string;   /* const char **, not empty */
doze_option_fn doze_check_count;    /* unsigned *, 1 to 1,000,000 */
doze_option_fn doze_check_number;   /* unsigned *, 0 to 1,000,000,000 */
doze_option_fn doze_check_ratio;    /* double *, 0 to 1 */
doze_option_fn doze_check_duration; /* int64_t *, in ns; "1.5", "20ms", "300us", "7ns"; s if bare */
doze_option_fn doze_check_policy;   /* const char **, one of the presets */
doze_option_fn doze_check_workers;  /* unsigned *, 1 to lib/config.h's DOZE_WORKERS_MAX */
doze_option_fn doze_check_worker_list; /* const char **, "2" or "0-3,6" */

/**
 * Parses argv of the subcommand argv[0], by its row in doze_cmds. Returns -1 when the command may
 * go on; else the exit code to return at once: 0 after --help, 2 after a usage error (already told
 * on stderr, one line). Main thread, once per process.
 */
int doze_options_parse(struct doze_options *, int argc, char **argv);
/** The same for a command that is not in the table (tests). */
int doze_options_parse_for(const struct doze_cmd *, struct doze_options *, int argc, char **argv);

/** Writes usage, explanation and options of a command to standard output. */
void doze_options_help(const struct doze_cmd *);

/** Names of the sleep policies, blank-separated, as they may follow --policy. */
const char *doze_policy_names(void);

/** True when output to fd may carry colours: --color, then NO_COLOR, TERM, and a terminal. */
bool doze_options_color(const struct doze_options *, int fd);

#endif
