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

#include "../event/selection.h"
#include "../session/session.h"
#include "../text/option_values.h"

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
	struct doze_selection selection; /* --from, --to, --worker */
	const char *output;              /* -o; null: none given */
	int count;                       /* operands */
	char **operands;                 /* null-terminated */
};

doze_option_fn doze_check_policy; /* const char **, one of the presets */

/**
 * Parses a command's arguments by its row; argv[0] is the command's name. Returns -1 when the
 * command may go on; else the exit code to return at once: 0 after --help, 2 after a usage error
 * (already told on stderr, one line). Main thread, once per process.
 */
int doze_options_parse(const struct doze_cmd *, struct doze_options *, int argc, char **argv);
/** The same for a command with a view, whose own options write to the view's state. */
int doze_options_parse_view(const struct doze_cmd *, struct doze_options *, void *state, int argc,
			    char **argv);

/** Writes usage, explanation and options of a command to standard output. */
void doze_options_help(const struct doze_cmd *);

/** Names of the sleep policies, blank-separated, as they may follow --policy. */
const char *doze_policy_names(void);

/** True when output to fd may carry colours: --color, then NO_COLOR, TERM, and a terminal. */
bool doze_options_color(const struct doze_options *, int fd);

#endif
