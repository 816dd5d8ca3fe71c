/*
 * SPDX-License-Identifier: MIT
 *
 * options.h - the options of the subcommands: their tables, their parser and its error messages.
 *
 * The command table (cmd.c) lists the common options that each command takes; a command's other
 * options are in a separate table (struct doze_option). Parsing, checking and the text of `doze
 * help CMD` all use these tables, so no accepted option is undocumented, and no documented option
 * is rejected.
 *
 * The parser uses getopt_long: every libc that doze runs on has it, and its rules are well known
 * (--name=value, -xVALUE, `--`).
 */
#ifndef DOZE_VIZ_OPTIONS_H
#define DOZE_VIZ_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "../session/session.h"
#include "../trace/selection.h"
#include "../viewer/terminal/tui.h"
#include "../words/option_values.h"

struct doze_cmd;

/** Prints an error as doze_complain does. Returns the exit code `code`. */
int cmd_fail(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** The common options that a command takes. */
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
	DOZE_TAKES_PART = 1 << 10, /* --pool and --phase */
	DOZE_TAKES_SUMMARY = 1 << 11,
	/* The options shared by all commands on a recording; viz/show/view.c lists the
	 * exceptions. */
	DOZE_TAKES_SHARED = DOZE_TAKES_JSON | DOZE_TAKES_COLOR | DOZE_TAKES_RANGE |
			    DOZE_TAKES_WORKER | DOZE_TAKES_PART,
	/* Options end at the first operand, because PROG and its own options follow. */
	DOZE_TAKES_PROG = 1 << 9,
	DOZE_TAKES_PROG_OPTIONS = DOZE_TAKES_POLICY | DOZE_TAKES_WORKERS | DOZE_TAKES_DETAIL,
	DOZE_TAKES_VIEW = DOZE_TAKES_COLOR | DOZE_TAKES_RANGE | DOZE_TAKES_WORKER,
};

/** The common options after parsing. Strings are borrowed from argv. */
struct doze_options {
	const char *policy; /* null: the traced program chooses its policy */
	unsigned workers;   /* 0: the traced program chooses the number */
	enum doze_detail detail;
	bool json, ascii, no_mouse, no_summary;
	enum doze_tui_color color;
	struct doze_selection selection; /* --from, --to, --worker, --pool */
	const char *phase;               /* value of --phase, or null */
	const char *output;              /* value of -o, or null */
	int count;                       /* number of operands */
	char **operands;                 /* ends with null */
};

/** The values of --detail, in the order of enum doze_detail. */
extern const char *const doze_detail_names[];

/* Checks the value of --policy, the name of one of the library's policies, and stores it in the
 * const char * at `target`. */
doze_option_fn doze_check_policy;

/** Parses a command's arguments according to its row; argv[0] is the command's name. Returns -1 to
 * continue, or the exit code to return at once: 0 after --help, 2 after a usage error, which has
 * been printed to stderr. Main thread, once per process. */
int doze_options_parse(const struct doze_cmd *, struct doze_options *, int argc, char **argv);
/** Parses the arguments of a command that has a view, as doze_options_parse does, and stores the
 * view's own options in `state`. */
int doze_options_parse_view(const struct doze_cmd *, struct doze_options *, void *state, int argc,
			    char **argv);

/** Copies the options that a command accepts, at most max, in the order of its help. An option
 * without a target would store its value elsewhere when parsed. Returns their number. */
size_t doze_options_list(const struct doze_cmd *, struct doze_option *out, size_t max);

/** Prints the usage, description and options of a command to standard output. */
void doze_options_help(const struct doze_cmd *);

/** Returns the names that --policy accepts, separated by blanks. */
const char *doze_policy_names(void);

/** Returns whether output to fd may be coloured. Checks --color, then NO_COLOR, TERM, and whether
 * fd is a terminal. */
bool doze_options_color(const struct doze_options *, int fd);

/* ---- "did you mean": finds the name that is closest to a misspelt one ---- */

struct cmd_suggestion {
	const char *word; /* as typed */
	size_t length;    /* length of the word */
	const char *best; /* closest candidate so far; null: none is close enough */
	unsigned distance;
};

/** Starts a search for names close to the word. */
struct cmd_suggestion cmd_suggest(const char *word, size_t length);
/** Compares the word with a candidate. The candidate's text must outlive the suggestion. */
void cmd_suggest_from(struct cmd_suggestion *, const char *candidate);

/* ---- The viewer's options, for `doze live` and `doze replay` ---- */

/** The options --once[=TIME] and --size=WxH. doze_check_duration defines the format of TIME. */
extern const struct doze_option doze_tui_own_options[];

/** Converts the command's options to the viewer's options, which borrow strings from them. The
 * caller sets reader, title, live and the callbacks. */
struct doze_tui_options doze_tui_from(const struct doze_options *);

#endif
