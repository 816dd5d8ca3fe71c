/*
 * SPDX-License-Identifier: MIT
 *
 * options.c - turns the tables of options into calls of getopt_long and into the text of
 * `doze help CMD`.
 */
#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/sleep/sleep.h"
#include "../show/view.h"
#include "../viewer/terminal/tui.h"
#include "cmd.h"
#include "last_recording.h"

int cmd_fail(int code, const char *fmt, ...)
{
	char line[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof line, fmt, args);
	va_end(args);
	doze_complain("%s", line);
	return code;
}

/* ---- "did you mean": the distance is the number of letters to insert, delete, replace or swap
 * with their neighbour (optimal string alignment) ---- */

enum { LONGEST = 32 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned d[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= n; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			unsigned other = a[i - 1] != b[j - 1];

			d[i][j] =
			    least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + other);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

struct cmd_suggestion cmd_suggest(const char *word, size_t length)
{
	/* Allow errors in at most a third of the letters; with more, unrelated names would
	 * match. */
	return (struct cmd_suggestion){word, length, NULL, (unsigned)(length + 4) / 3};
}

void cmd_suggest_from(struct cmd_suggestion *s, const char *candidate)
{
	size_t n = strlen(candidate);
	unsigned d;

	if (n > LONGEST || s->length > LONGEST)
		return;
	d = distance(s->word, s->length, candidate, n);
	if (d >= s->distance)
		return;
	s->best = candidate;
	s->distance = d;
}

/* ---- the names of the sleep policies, from the library ---- */

const char *doze_policy_names(void)
{
	static char names[256];
	size_t used = 0;
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p; p++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 used ? " " : "", (*p)->name);
	return names;
}

const char *doze_check_policy(const char *value, void *target)
{
	static char allowed[280];
	const struct doze_sleep_policy *policy = doze_policy_find(value);
	if (!policy) {
		snprintf(allowed, sizeof(allowed), "one of: %s", doze_policy_names());
		return allowed;
	}
	*(const char **)target = policy->name;
	return NULL;
}

/* ---- The viewer's options, for `doze live` and `doze replay` ---- */

static struct {
	bool once;
	/* time in the trace at which to draw one screen; < 0: the end of the trace */
	int64_t once_ns;
	unsigned width, height;
	const char *svg, *keys;
} given = {.once_ns = -1};

static const char *check_once(const char *value, void *target)
{
	(void)target;
	given.once = true;
	return value ? doze_check_duration(value, &given.once_ns) : NULL;
}

static const char *check_size(const char *value, void *target)
{
	unsigned w, h;
	char rest;

	(void)target;
	if (sscanf(value, "%ux%u%c", &w, &h, &rest) != 2 || w < 1 || h < 1 || w > 1000 || h > 1000)
		return "WIDTHxHEIGHT, such as 80x24, each from 1 to 1000";
	given.width = w;
	given.height = h;
	return NULL;
}

static const char *check_keys(const char *value, void *target)
{
	if (!doze_tui_keys_known(value))
		return "characters, <Enter>, <Esc>, <Tab>, <Up>, <Down>, <Left>, <Right>, <PgUp>, "
		       "<PgDn>";
	*(const char **)target = value;
	return NULL;
}

const struct doze_option doze_tui_own_options[] = {
    {.name = "once",
     .value = "[TIME]",
     .help = "print one screen as text, at TIME or at the end, and exit",
     .check = check_once},
    {.name = "svg",
     .value = "FILE",
     .help = "with --once: write the screen to FILE, as a picture",
     .check = doze_check_string,
     .target = &given.svg},
    {.name = "keys",
     .value = "KEYS",
     .help = "with --once: press KEYS first: characters, <Enter>, <Esc>, <Tab>, <Up>, <Down>",
     .check = check_keys,
     .target = &given.keys},
    {.name = "size",
     .value = "WxH",
     .help = "screen size for --once (default: COLUMNS and LINES, or 80x24)",
     .check = check_size},
    {0},
};

struct doze_tui_options doze_tui_from(const struct doze_options *o)
{
	return (struct doze_tui_options){
	    .color = o->color,
	    .ascii = o->ascii,
	    .no_mouse = o->no_mouse,
	    .selection = &o->selection,
	    .once = given.once,
	    .once_given = given.once_ns >= 0,
	    .once_ms = given.once_ns < 0 ? -1 : given.once_ns / 1000000,
	    .svg = given.svg,
	    .keys = given.keys,
	    .width = given.width,
	    .height = given.height,
	};
}

#define OPTIONS_MAX 48 /* maximum number of options per command, including --help */
/* getopt_long returns VALUE_BASE + i for option i, which no short option's letter can equal. */
#define VALUE_BASE 1000

const char *const doze_detail_names[] = {"states", "jobs", "all"};

static const char *check_detail(const char *value, void *target)
{
	for (int i = 0; i < 3; i++) {
		if (strcmp(value, doze_detail_names[i]) == 0) {
			*(enum doze_detail *)target = (enum doze_detail)i;
			return NULL;
		}
	}
	return "one of: states jobs all";
}

static const char *check_color(const char *value, void *target)
{
	static const char *const names[] = {"auto", "always", "never"};
	for (int i = 0; i < 3; i++) {
		if (strcmp(value, names[i]) == 0) {
			*(enum doze_tui_color *)target = (enum doze_tui_color)i;
			return NULL;
		}
	}
	return "one of: auto always never";
}

/* The common options. `offset` is the offset of the value in struct doze_options. */
static const struct {
	unsigned set;
	size_t offset;
	struct doze_option option;
} common[] = {
#define AT(field) offsetof(struct doze_options, field)
    {DOZE_TAKES_POLICY,
     AT(policy),
     {"policy", 'p', "NAME", "sleep policy of PROG's pools (DOZE_POLICY)", doze_check_policy, 0}},
    {DOZE_TAKES_WORKERS,
     AT(workers),
     {"workers", 'w', "N", "number of workers in PROG's pools (DOZE_NUM_THREADS)",
      doze_check_workers, 0}},
    {DOZE_TAKES_DETAIL,
     AT(detail),
     {"detail", 'd', "LEVEL", "what to record: states (default), jobs, all", check_detail, 0}},
    {DOZE_TAKES_OUTPUT,
     AT(output),
     {"output", 'o', "PATH", "write the result to PATH", doze_check_string, 0}},
    {DOZE_TAKES_JSON,
     AT(json),
     {"json", 0, NULL, "print JSON for other programs", doze_check_flag, 0}},
    {DOZE_TAKES_RANGE,
     AT(selection.from),
     {"from", 0, "TIME", "start of the range, from the first event: 1.5, 20ms, 300us",
      doze_check_duration, 0}},
    {DOZE_TAKES_RANGE,
     AT(selection.to),
     {"to", 0, "TIME", "end of the range, from the first event", doze_check_duration, 0}},
    {DOZE_TAKES_WORKER,
     AT(selection),
     {"worker", 0, "LIST", "only these workers, such as 2 or 0-3,6", doze_check_worker_list, 0}},
    {DOZE_TAKES_PART,
     AT(selection),
     {"pool", 0, "POOL", "only the pool with this number or name", doze_check_pool, 0}},
    {DOZE_TAKES_PART,
     AT(phase),
     {"phase", 0, "NAME", "from the mark NAME to the next mark", doze_check_string, 0}},
    {DOZE_TAKES_COLOR,
     AT(color),
     {"color", 0, "WHEN", "auto (default), always, never", check_color, 0}},
    {DOZE_TAKES_COLOR,
     AT(ascii),
     {"ascii", 0, NULL, "draw with ASCII characters only", doze_check_flag, 0}},
    {DOZE_TAKES_MOUSE,
     AT(no_mouse),
     {"no-mouse", 0, NULL, "do not use the mouse, so that the terminal can select text",
      doze_check_flag, 0}},
    {DOZE_TAKES_SUMMARY,
     AT(no_summary),
     {"no-summary", 0, NULL,
      "neither use nor write DIR/.doze-summary, the results of an earlier reading", doze_check_flag,
      0}},
#undef AT
};
#define COMMON (sizeof(common) / sizeof(common[0]))

/** All options of one command, in the order of its help text. */
struct option_list {
	struct doze_option at[OPTIONS_MAX];
	const char
	    *refused[OPTIONS_MAX]; /* per option: why the command refuses it; null: it accepts it */
	size_t count;
	bool help; /* set by --help */
};

static void list_add(struct option_list *l, const struct doze_option *o)
{
	if (l->count == OPTIONS_MAX)
		abort(); /* a table exceeds OPTIONS_MAX, which is a bug */
	l->refused[l->count] = NULL;
	l->at[l->count++] = *o;
}

/* state: where the options store their values; null if only the help is to be printed. */
static void list_add_view(struct option_list *l, const struct doze_view *v, char *state)
{
	for (const struct doze_view_option *o = v->options; o && o->option.name; o++) {
		struct doze_option own = o->option;

		own.target = state ? state + o->offset : NULL;
		if (o->only != DOZE_VIEW_SINK)
			list_add(l, &own);
	}
}

/* Returns the command's common options, including those that it refuses with a reason. */
static unsigned takes(const struct doze_cmd *cmd)
{
	const struct doze_view *v = cmd->view;
	bool json = v && (v->json || doze_shared_refusal(cmd->name, "json"));

	if (!v)
		return cmd->takes;
	return (DOZE_TAKES_SHARED & ~(json ? 0U : DOZE_TAKES_JSON)) |
	       (v->takes & DOZE_VIEW_WRITES ? DOZE_TAKES_OUTPUT : 0U) |
	       (v->saved || v->part ? DOZE_TAKES_SUMMARY : 0U);
}

static void list_add_common(struct option_list *l, const struct doze_cmd *cmd,
			    struct doze_options *o)
{
	for (size_t i = 0; i < COMMON; i++) {
		struct doze_option c = common[i].option;

		if (!(takes(cmd) & common[i].set))
			continue;
		c.target = o ? (char *)o + common[i].offset : NULL;
		list_add(l, &c);
		l->refused[l->count - 1] = doze_shared_refusal(cmd->name, c.name);
	}
}

static void list_fill(struct option_list *l, const struct doze_cmd *cmd, struct doze_options *o,
		      void *state)
{
	const struct doze_option help = {"help",          'h',     NULL, "explain this command",
					 doze_check_flag, &l->help};
	l->count = 0;
	l->help = false;
	if (cmd->view)
		list_add_view(l, cmd->view, state);
	for (const struct doze_option *own = cmd->own; own && own->name; own++)
		list_add(l, own);
	for (const struct doze_option *more = cmd->shared; more && more->name; more++)
		list_add(l, more);
	list_add_common(l, cmd, o);
	list_add(l, &help);
}

static int argument_of(const struct doze_option *o)
{
	if (!o->value)
		return no_argument;
	return *o->value == '[' ? optional_argument : required_argument;
}

/** Converts the list to the two forms that getopt_long expects: an array of long options and a
 * string of short ones. */
static void list_describe(const struct option_list *l, bool stop_at_operand, struct option *longs,
			  char *shorts)
{
	/* '+': stop at the first operand. ':': report a missing value as ':', not '?'. */
	if (stop_at_operand)
		*shorts++ = '+';
	*shorts++ = ':';
	for (size_t i = 0; i < l->count; i++) {
		const struct doze_option *o = &l->at[i];
		longs[i] = (struct option){o->name, argument_of(o), NULL, VALUE_BASE + (int)i};
		if (o->letter)
			*shorts++ = o->letter;
		for (int colons = o->letter ? argument_of(o) : 0; colons > 0; colons--)
			*shorts++ = ':';
	}
	longs[l->count] = (struct option){0};
	*shorts = 0;
}

/* Returns the index of the option for which getopt_long returned `value`. */
static size_t list_find(const struct option_list *l, int value)
{
	size_t i = 0;

	if (value >= VALUE_BASE)
		return (size_t)(value - VALUE_BASE);
	while (i < l->count && !(l->at[i].letter && l->at[i].letter == value))
		i++;
	return i;
}

/* Stores one option's value. Returns -1 to continue, or the exit code after printing a usage error.
 * missing: the option needs a value but has none. */
static int take_option(const struct doze_cmd *cmd, const struct option_list *l, size_t i,
		       bool missing)
{
	const struct doze_option *o = &l->at[i];
	const char *allowed;

	if (l->refused[i])
		return cmd_fail(DOZE_EXIT_USAGE, "%s: --%s: %s", cmd->name, o->name, l->refused[i]);
	if (missing)
		return cmd_fail(DOZE_EXIT_USAGE, "%s: --%s: missing value: give --%s %s", cmd->name,
				o->name, o->name, o->value);
	allowed = o->check(optarg, o->target);
	if (!allowed)
		return -1;
	return cmd_fail(DOZE_EXIT_USAGE, "%s: --%s: invalid value '%s': give %s", cmd->name,
			o->name, optarg, allowed);
}

static void complain_unknown(const char *cmd, const struct option_list *l, char **argv)
{
	char letter[3] = {'-', (char)optopt, 0};
	bool is_letter = optopt && optopt < VALUE_BASE;
	const char *typed = is_letter ? letter : argv[optind - 1];
	const char *name = typed + strspn(typed, "-");
	struct cmd_suggestion s = cmd_suggest(name, strcspn(name, "="));

	for (size_t i = 0; !is_letter && i < l->count; i++)
		cmd_suggest_from(&s, l->at[i].name);
	if (s.best)
		doze_complain("%s: unknown option '%s': did you mean '--%s'? see 'doze %s --help'",
			      cmd, typed, s.best, cmd);
	else
		doze_complain("%s: unknown option '%s': see 'doze %s --help'", cmd, typed, cmd);
}

static int parse_all(const struct doze_cmd *cmd, const struct option_list *l, bool stop_at_operand,
		     int argc, char **argv)
{
	struct option longs[OPTIONS_MAX + 1];
	char shorts[3 * OPTIONS_MAX + 3];
	list_describe(l, stop_at_operand, longs, shorts);
	opterr = 0;
	optind = 0; /* makes getopt_long start over, even with another argv */
	for (int c, rc; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
		if (c == '?') {
			complain_unknown(cmd->name, l, argv);
			return DOZE_EXIT_USAGE;
		}
		rc = take_option(cmd, l, list_find(l, c == ':' ? optopt : c), c == ':');
		if (rc >= 0)
			return rc;
	}
	return -1;
}

/* Selects the last recording if the user gave no DIR. */
static void use_last(const struct doze_cmd *cmd, struct doze_options *o)
{
	static char *operands[2];

	if (!cmd->last || o->count > 0 || !cmd_recording_last())
		return;
	operands[0] = (char *)cmd_recording_last();
	o->operands = operands;
	o->count = 1;
}

static int check_operands(const struct doze_cmd *cmd, const struct doze_options *o)
{
	if (o->count >= cmd->min && (cmd->max < 0 || o->count <= cmd->max))
		return -1;
	if (o->count < cmd->min)
		return cmd_fail(DOZE_EXIT_USAGE, "%s: missing argument%s: usage: doze %s %s",
				cmd->name, cmd->last ? ", and there is no previous recording" : "",
				cmd->name, cmd->args);
	return cmd_fail(DOZE_EXIT_USAGE, "%s: unexpected argument '%s': usage: doze %s %s",
			cmd->name, o->operands[cmd->max], cmd->name, cmd->args);
}

int doze_options_parse_view(const struct doze_cmd *cmd, struct doze_options *o, void *state,
			    int argc, char **argv)
{
	*o = (struct doze_options){.selection = DOZE_SELECT_ALL};
	struct option_list l;
	list_fill(&l, cmd, o, state);
	int rc = parse_all(cmd, &l, cmd->takes & DOZE_TAKES_PROG, argc, argv);
	if (rc < 0 && cmd->without_prog && *cmd->without_prog)
		rc = parse_all(cmd, &l, false, argc,
			       argv); /* without PROG, all options belong to the command */
	if (rc >= 0)
		return rc;
	if (l.help) {
		doze_options_help(cmd);
		return DOZE_EXIT_OK;
	}
	o->operands = argv + optind;
	o->count = argc - optind;
	use_last(cmd, o);
	if (o->selection.from > o->selection.to)
		return cmd_fail(DOZE_EXIT_USAGE, "%s: --from is later than --to: swap them",
				cmd->name);
	return check_operands(cmd, o);
}

int doze_options_parse(const struct doze_cmd *cmd, struct doze_options *o, int argc, char **argv)
{
	return doze_options_parse_view(cmd, o, NULL, argc, argv);
}

size_t doze_options_list(const struct doze_cmd *cmd, struct doze_option *out, size_t max)
{
	struct option_list l;
	size_t n = 0;

	list_fill(&l, cmd, NULL, NULL);
	for (size_t i = 0; i < l.count && n < max; i++)
		if (!l.refused[i])
			out[n++] = l.at[i];
	return n;
}

static void print_option(const struct doze_option *o)
{
	char left[64], letter[4] = {'-', o->letter, ',', 0};
	bool optional = o->value && *o->value == '[';
	snprintf(left, sizeof(left), "%s --%s%s%s", o->letter ? letter : "   ", o->name,
		 optional   ? "[="
		 : o->value ? "="
			    : "",
		 !o->value ? "" : o->value + optional);
	printf("  %-24s %s\n", left, o->help);
}

static void print_refused(const struct option_list *l)
{
	const char *heading = "\nRefused:\n";

	for (size_t i = 0; i < l->count; i++) {
		if (!l->refused[i])
			continue;
		printf("%s      --%-18s %s\n", heading, l->at[i].name, l->refused[i]);
		heading = "";
	}
}

void doze_options_help(const struct doze_cmd *cmd)
{
	struct option_list l;
	list_fill(&l, cmd, NULL, NULL);
	printf("usage: doze %s [OPTIONS]%s%s\n\n%s\n", cmd->name, *cmd->args ? " " : "", cmd->args,
	       cmd->summary);
	if (cmd->details)
		printf("\n%s\n", cmd->details);
	puts("\nOptions:");
	for (size_t i = 0; i < l.count; i++)
		if (!l.refused[i])
			print_option(&l.at[i]);
	print_refused(&l);
	if (cmd->takes & DOZE_TAKES_POLICY)
		printf("\nPolicies: %s\n", doze_policy_names());
	if (cmd->examples)
		printf("\nExamples:\n%s\n", cmd->examples);
}

bool doze_options_color(const struct doze_options *o, int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	if (o->color != DOZE_TUI_COLOR_AUTO)
		return o->color == DOZE_TUI_COLOR_ALWAYS;
	if ((no_color && *no_color) || !term || strcmp(term, "dumb") == 0)
		return false;
	return isatty(fd);
}
