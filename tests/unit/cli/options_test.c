/*
 * SPDX-License-Identifier: MIT
 *
 * options_test.c - viz/cli: one table parses, checks and explains the options of the subcommands.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/suite.h"
#include "viz/cli/cmd.h"
#include "viz/cli/options.h"

static bool flag;
static const char *maybe;
static unsigned number;

static const char *check_maybe(const char *value, void *target)
{
	*(const char **)target = value ? value : "(left out)";
	return NULL;
}

static const struct doze_option own[] = {
    {"flag", 'f', NULL, "a flag", doze_check_flag, &flag},
    {"maybe", 0, "[WHAT]", "takes a value or none", check_maybe, &maybe},
    {"number", 'n', "N", "a number", doze_check_number, &number},
    {0},
};

static const struct doze_cmd cmd = {
    .name = "cmd",
    .args = "DIR [DIR]",
    .summary = "a command",
    .takes = DOZE_TAKES_POLICY | DOZE_TAKES_WORKERS | DOZE_TAKES_DETAIL | DOZE_TAKES_RANGE |
	     DOZE_TAKES_WORKER | DOZE_TAKES_COLOR | DOZE_TAKES_JSON,
    .own = own,
    .min = 1,
    .max = 2,
};

static const struct doze_cmd prog = {
    .name = "prog",
    .args = "[-- PROG ARGS]",
    .summary = "runs PROG",
    .takes = DOZE_TAKES_DETAIL | DOZE_TAKES_PROG,
    .max = -1,
};

static bool alone;
static const struct doze_option no_prog[] = {
    {"alone", 0, NULL, "runs no PROG", doze_check_flag, &alone},
    {0},
};
static const struct doze_cmd attach = {
    .name = "attach",
    .args = "[-- PROG ARGS] | --alone [URL]",
    .summary = "runs PROG, or not",
    .takes = DOZE_TAKES_DETAIL | DOZE_TAKES_JSON | DOZE_TAKES_PROG,
    .own = no_prog,
    .without_prog = &alone,
    .max = -1,
};

static struct doze_options o;
static char said[4096]; /* the text on standard output or standard error */

/* Parses the blank-separated words and captures one stream in `said`. */
static int parse_with(const struct doze_cmd *c, const char *line, int stream)
{
	static char words[1024];
	static char *argv[32]; /* static, because the parsed values point into it */
	int argc = 0;
	FILE *to = tmpfile();
	int saved = dup(stream);
	fflush(NULL);
	dup2(fileno(to), stream);
	snprintf(words, sizeof(words), "%s", line);
	for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	int rc = doze_options_parse(c, &o, argc, argv);
	fflush(NULL);
	dup2(saved, stream);
	close(saved);
	rewind(to);
	said[fread(said, 1, sizeof(said) - 1, to)] = 0;
	fclose(to);
	return rc;
}

static int parse(const char *line)
{
	return parse_with(&cmd, line, STDERR_FILENO);
}

static void refused(const char *line, const char *text)
{
	int rc = parse(line);
	bool told = strstr(said, text) && strncmp(said, "doze: cmd: ", 11) == 0;
	if (rc != 2 || !told)
		printf("\n    %s: exit %d: %s", line, rc, said);
	CU_ASSERT_EQUAL(rc, 2);
	CU_ASSERT_TRUE(told);
	/* The text is a single line. */
	CU_ASSERT_PTR_EQUAL(strchr(said, '\n'), said + strlen(said) - 1);
}

static void defaults(void)
{
	CU_ASSERT_EQUAL(parse("cmd dir"), -1);
	CU_ASSERT_PTR_NULL(o.policy);
	CU_ASSERT_EQUAL(o.workers, 0);
	CU_ASSERT_EQUAL(o.detail, DOZE_DETAIL_STATES);
	CU_ASSERT_EQUAL(o.selection.from, 0);
	CU_ASSERT_EQUAL(o.selection.to, INT64_MAX);
	CU_ASSERT_EQUAL(o.count, 1);
	CU_ASSERT_STRING_EQUAL(o.operands[0], "dir");
}

static void values(void)
{
	CU_ASSERT_EQUAL(parse("cmd -w4 dir --policy jec --detail=all -f --number=7 more"), -1);
	CU_ASSERT_STRING_EQUAL(o.policy, "jec");
	CU_ASSERT_EQUAL(o.workers, 4);
	CU_ASSERT_EQUAL(o.detail, DOZE_DETAIL_ALL);
	CU_ASSERT_TRUE(flag);
	CU_ASSERT_EQUAL(number, 7);
	CU_ASSERT_EQUAL(o.count, 2);
	CU_ASSERT_STRING_EQUAL(o.operands[1], "more");
}

static void options_behind_operands(void)
{
	alone = false;
	CU_ASSERT_EQUAL(parse_with(&attach, "attach prog --json --alone", STDERR_FILENO), -1);
	CU_ASSERT_FALSE(o.json);
	CU_ASSERT_FALSE(alone);
	CU_ASSERT_EQUAL(o.count, 3);
	CU_ASSERT_EQUAL(parse_with(&attach, "attach --alone url --json", STDERR_FILENO), -1);
	CU_ASSERT_TRUE(o.json);
	CU_ASSERT_EQUAL_FATAL(o.count, 1);
	CU_ASSERT_STRING_EQUAL(o.operands[0], "url");
	CU_ASSERT_PTR_NULL(o.operands[1]);
	CU_ASSERT_EQUAL(parse_with(&attach, "attach --alone url -- --json", STDERR_FILENO), -1);
	CU_ASSERT_FALSE(o.json);
	CU_ASSERT_EQUAL(o.count, 2);
	CU_ASSERT_EQUAL(parse_with(&attach, "attach --alone url --jason", STDERR_FILENO), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, "unknown option '--jason'"));
}

static void optional_values(void)
{
	maybe = NULL;
	CU_ASSERT_EQUAL(parse("cmd --maybe dir"), -1);
	CU_ASSERT_STRING_EQUAL(maybe, "(left out)");
	CU_ASSERT_EQUAL(o.count, 1);
	CU_ASSERT_EQUAL(parse("cmd --maybe=x dir"), -1);
	CU_ASSERT_STRING_EQUAL(maybe, "x");
}

static void programs_keep_their_options(void)
{
	CU_ASSERT_EQUAL(parse_with(&prog, "prog -d jobs ls -l --detail=x", STDERR_FILENO), -1);
	CU_ASSERT_EQUAL(o.detail, DOZE_DETAIL_JOBS);
	CU_ASSERT_EQUAL(o.count, 3);
	CU_ASSERT_STRING_EQUAL(o.operands[1], "-l");
	CU_ASSERT_EQUAL(parse_with(&prog, "prog -- -x", STDERR_FILENO), -1);
	CU_ASSERT_STRING_EQUAL(o.operands[0], "-x");
}

static void times(void)
{
	static const struct {
		const char *line;
		int64_t from;
	} good[] = {{"cmd --from=1.5 d", 1500000000},
		    {"cmd --from=20ms d", 20000000},
		    {"cmd --from=.5us d", 500},
		    {"cmd --from=7ns d", 7},
		    {"cmd --from=0 d", 0}};
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CU_ASSERT_EQUAL(parse(good[i].line), -1);
		CU_ASSERT_EQUAL(o.selection.from, good[i].from);
	}
	refused("cmd --from=-1 d", "invalid value '-1'");
	refused("cmd --from=1h d", "20ms");
	refused("cmd --from=. d", "20ms");
	refused("cmd --from=inf d", "20ms");
	refused("cmd --from=0x10 d", "20ms");
	refused("cmd --from=99999999999999999999 d", "20ms");
	refused("cmd --from=2 --to=1 d", "later than --to");
}

static void worker_lists(void)
{
	CU_ASSERT_EQUAL(parse("cmd d"), -1);
	CU_ASSERT_FALSE(doze_selection_by_worker(&o.selection));
	CU_ASSERT_EQUAL(parse("cmd --worker=1,3-5 d"), -1);
	CU_ASSERT_TRUE(doze_worker_set_has(&o.selection.workers, 4));
	CU_ASSERT_FALSE(doze_worker_set_has(&o.selection.workers, 2));
	CU_ASSERT_STRING_EQUAL(o.selection.list, "1,3-5");
	refused("cmd --worker=x d", "0-3,6");
}

static void bad_values(void)
{
	refused("cmd --policy=hurry d", "one of: jec");
	refused("cmd --workers=0 d", "from 1 to");
	refused("cmd --workers=100000 d", "from 1 to");
	refused("cmd --workers=-1 d", "from 1 to");
	refused("cmd --workers=4x d", "from 1 to");
	refused("cmd --workers= d", "from 1 to");
	refused("cmd --detail=much d", "states jobs all");
	refused("cmd --color=red d", "auto always never");
	refused("cmd --number=99999999999999999999 d", "from 0 to");
}

static void unknown_and_missing(void)
{
	refused("cmd --wrong d", "unknown option '--wrong'");
	refused("cmd --wrokers=2 d", "did you mean '--workers'?");
	refused("cmd --numbr d", "did you mean '--number'?");
	refused("cmd -x d", "unknown option '-x'");
	refused("cmd d --workers", "missing value");
	refused("cmd d -n", "missing value");
	refused("cmd", "missing argument");
	refused("cmd a b c", "unexpected argument 'c'");
}

static void explains_itself(void)
{
	CU_ASSERT_EQUAL(parse_with(&cmd, "cmd --help", STDOUT_FILENO), 0);
	static const char *const texts[] = {"usage: doze cmd [OPTIONS] DIR [DIR]",
					    "-f, --flag ",
					    "    --maybe[=WHAT] ",
					    "-n, --number=N ",
					    "-w, --workers=N ",
					    "-h, --help ",
					    "Policies: jec"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		CU_ASSERT_PTR_NOT_NULL(strstr(said, texts[i]));
	CU_ASSERT_PTR_NULL(strstr(said, "--output"));
}

static void every_command_explains_itself(void)
{
	for (const struct doze_cmd *c = doze_cmds; c->name; c++) {
		char line[64];
		snprintf(line, sizeof(line), "%s --help", c->name);
		CU_ASSERT_EQUAL(parse_with(c, line, STDOUT_FILENO), 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(said, c->summary));
		CU_ASSERT_PTR_EQUAL(doze_cmd_find(c->name), c);
	}
}

static const struct suite_test tests[] = {
    {"options may follow the operands of a command without PROG", options_behind_operands},
    {"omitted options have their default values", defaults},
    {"option values are accepted in every documented form, before and after operands", values},
    {"an optional value may be omitted", optional_values},
    {"options after PROG belong to PROG", programs_keep_their_options},
    {"times are parsed with their units, and nothing else is accepted", times},
    {"lists of workers are parsed, and nothing else is accepted", worker_lists},
    {"the error for a bad value lists the allowed values", bad_values},
    {"an unknown or missing option is reported in one line", unknown_and_missing},
    {"--help lists every option of a command", explains_itself},
    {"every command has a help text", every_command_explains_itself},
};

SUITE_MAIN("options", tests)
