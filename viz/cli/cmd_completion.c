/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_completion.c - `doze completion bash|zsh`: prints the shell's completion script, made from
 * the table of commands and their options. `make install` installs both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../show/view.h"
#include "cmd.h"
#include "demo/demo.h"
#include "options.h"

enum { OPTIONS_MAX = 48 };

/* A command and its options. */
struct listed {
	const struct doze_cmd *cmd;
	struct doze_option option[OPTIONS_MAX];
	size_t count;
};

static struct listed list_of(const struct doze_cmd *cmd)
{
	struct listed l = {.cmd = cmd};

	l.count = doze_options_list(cmd, l.option, OPTIONS_MAX);
	return l;
}

/* What the value of an option or the operands of a command are. */
enum expects { NOTHING, WORDS, FILES, FOLDERS, PROCESSES, PROGRAMS };

static bool takes_program(const struct doze_cmd *cmd)
{
	return cmd->takes & DOZE_TAKES_PROG;
}

static enum expects operands_of(const struct doze_cmd *cmd)
{
	if (takes_program(cmd))
		return PROGRAMS;
	return strstr(cmd->args, "DIR") ? FOLDERS : NOTHING;
}

/* Returns the words that an option accepts, separated by blanks, or null if it accepts others. A
 * check that gets an impossible value says what it accepts. */
static const char *words_of(const struct doze_option *o)
{
	static const char one_of[] = "one of: ";
	static union {
		struct doze_options common;
		char own[1024];
	} ignored;
	const char *allowed;

	if (!o->value || o->check == doze_check_string)
		return NULL;
	allowed = o->check("\001", o->target ? o->target : &ignored);
	return allowed && strncmp(allowed, one_of, strlen(one_of)) == 0 ? allowed + strlen(one_of)
									: NULL;
}

static enum expects value_of(const struct doze_option *o)
{
	if (!o->value)
		return NOTHING;
	if (words_of(o))
		return WORDS;
	if (strcmp(o->value, "PID") == 0)
		return PROCESSES;
	return strcmp(o->value, "FILE") == 0 || strcmp(o->value, "PATH") == 0 ? FILES : NOTHING;
}

static void print_commands(void)
{
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		printf("%s%s", c == doze_cmds ? "" : " ", c->name);
}

static void print_demos(void)
{
	for (size_t i = 0; demo_all[i]; i++)
		printf("%s%s", i ? " " : "", demo_all[i]->name);
}

/* ---- bash ---- */

static void bash_value(const struct doze_cmd *cmd, const struct doze_option *o)
{
	static const char *const how[] = {
	    [FILES] = "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))",
	    [PROCESSES] = "COMPREPLY=($(compgen -W \"$(ps -e -o pid=)\" -- \"$cur\"))",
	};
	enum expects e = value_of(o);

	if (!o->value || *o->value == '[')
		return;
	printf("\t%s:--%s", cmd->name, o->name);
	if (o->letter)
		printf(" | %s:-%c", cmd->name, o->letter);
	if (e == WORDS)
		printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", words_of(o));
	else
		printf(") %s ;;\n", e == NOTHING ? ":" : how[e]);
}

static void bash_options(const struct listed *l)
{
	printf("\t%s) words='", l->cmd->name);
	for (size_t i = 0; i < l->count; i++)
		printf("%s--%s", i ? " " : "", l->option[i].name);
	printf("' ;;\n");
}

static void bash_operands(const struct doze_cmd *cmd)
{
	static const char *const how[] = {
	    [FOLDERS] = "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\"))",
	    [PROGRAMS] = "compopt -o filenames; COMPREPLY=($(compgen -c -f -- \"$cur\"))",
	};

	if (operands_of(cmd) != NOTHING)
		printf("\t%s) %s ;;\n", cmd->name, how[operands_of(cmd)]);
}

static void bash_begin(void)
{
	printf(
	    "# bash completion for doze, printed by 'doze completion bash'\n"
	    "_doze()\n{\n"
	    "\tlocal i cmd= words cur=${COMP_WORDS[COMP_CWORD]} opt=${COMP_WORDS[COMP_CWORD-1]}\n"
	    "\tCOMPREPLY=()\n"
	    "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	    "\t\tcase ${COMP_WORDS[i]} in\n"
	    "\t\t--) compopt -o filenames; COMPREPLY=($(compgen -c -f -- \"$cur\")); return ;;\n"
	    "\t\t-*) ;;\n"
	    "\t\t*) [[ $cmd ]] || cmd=${COMP_WORDS[i]} ;;\n"
	    "\t\tesac\n"
	    "\tdone\n"
	    "\tif [[ ! $cmd ]]; then\n"
	    "\t\tCOMPREPLY=($(compgen -W '");
	print_commands();
	printf("' -- \"$cur\"))\n\t\treturn\n\tfi\n"
	       "\t# bash makes three words of --option=value.\n"
	       "\tif [[ $cur == = ]]; then\n\t\tcur=\n"
	       "\telif [[ $opt == = ]]; then\n\t\topt=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	       "\tcase $cmd:$opt in\n");
}

/* Completes an operand, where _doze_word has found that it is no option. */
static void bash_all_operands(void)
{
	printf("\tesac\n"
	       "\tif [[ $cur == -* ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\t\treturn\n\tfi\n"
	       "\tcase $cmd in\n\thelp) COMPREPLY=($(compgen -W '");
	print_commands();
	printf("' -- \"$cur\")) ;;\n\tdemo) COMPREPLY=($(compgen -W '");
	print_demos();
	printf("' -- \"$cur\")) ;;\n"
	       "\tcompletion) COMPREPLY=($(compgen -W 'bash zsh' -- \"$cur\")) ;;\n");
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		bash_operands(c);
	printf("\tesac\n}\ncomplete -F _doze doze\n");
}

static void print_bash(void)
{
	bash_begin();
	for (const struct doze_cmd *c = doze_cmds; c->name; c++) {
		struct listed l = list_of(c);

		for (size_t i = 0; i < l.count; i++)
			bash_value(c, &l.option[i]);
	}
	printf("\t*) _doze_word ;;\n\tesac\n}\n\n"
	       "# An option of the command, or an operand.\n"
	       "_doze_word()\n{\n\tcase $cmd in\n");
	for (const struct doze_cmd *c = doze_cmds; c->name; c++) {
		struct listed l = list_of(c);

		bash_options(&l);
	}
	bash_all_operands();
}

/* ---- zsh ---- */

/* Prints text within single quotes and, for the specifications of _arguments, within brackets. */
static void zsh_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			printf("'\\''");
		else
			printf("%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
	}
}

static void zsh_option(const struct doze_option *o)
{
	static const char *const how[] = {
	    [NOTHING] = "", [FILES] = "_files", [PROCESSES] = "_doze_process"};
	enum expects e = value_of(o);
	bool optional = o->value && *o->value == '[';

	printf(" \\\n\t\t\t");
	if (o->letter)
		printf("'(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter,
		       o->value ? "+" : "", o->name, o->value ? "=" : "");
	else
		printf("'--%s%s[", o->name, !o->value ? "" : optional ? "=-" : "=");
	zsh_text(o->help);
	printf("]");
	if (o->value && e == WORDS)
		printf(":value:(%s)", words_of(o));
	else if (o->value)
		printf("%s:value:%s", optional ? ":" : "", how[e]);
	printf("'");
}

static void zsh_operands(const struct doze_cmd *cmd)
{
	enum expects e = operands_of(cmd);

	if (strcmp(cmd->name, "help") == 0) {
		printf(" \\\n\t\t\t'*:command:(");
		print_commands();
		printf(")'");
	} else if (strcmp(cmd->name, "demo") == 0) {
		printf(" \\\n\t\t\t'1:workload:(");
		print_demos();
		printf(")'");
	} else if (strcmp(cmd->name, "completion") == 0) {
		printf(" \\\n\t\t\t'1:shell:(bash zsh)'");
	} else if (e == PROGRAMS) {
		printf(" \\\n\t\t\t'*::program:_doze_program'");
	} else if (e == FOLDERS) {
		printf(" \\\n\t\t\t'*:recording:_directories'");
	}
}

static void print_zsh(void)
{
	printf("#compdef doze\n# zsh completion for doze, printed by 'doze completion zsh'\n"
	       "# The program to run and its arguments, which may follow a --.\n"
	       "_doze_program()\n{\n"
	       "\tif [[ $words[1] == -- ]]; then\n\t\tshift words\n\t\t((CURRENT--))\n\tfi\n"
	       "\t_normal\n}\n\n"
	       "_doze_process()\n{\n"
	       "\tlocal -a all=(${(f)\"$(ps -e -o pid=,comm= | sed 's/^ *//; s/ /:/')\"})\n"
	       "\t_describe process all\n}\n\n"
	       "_doze()\n{\n\tlocal -a names=(\n");
	for (const struct doze_cmd *c = doze_cmds; c->name; c++) {
		printf("\t\t'%s:", c->name);
		zsh_text(c->summary);
		printf("'\n");
	}
	printf("\t)\n"
	       "\tif ((CURRENT == 2)); then\n\t\t_describe command names\n\t\treturn\n\tfi\n"
	       "\tshift words\n\t((CURRENT--))\n\tcase $words[1] in\n");
	for (const struct doze_cmd *c = doze_cmds; c->name; c++) {
		struct listed l = list_of(c);

		printf("\t%s)\n\t\t_arguments -S", c->name);
		for (size_t i = 0; i < l.count; i++)
			zsh_option(&l.option[i]);
		zsh_operands(c);
		printf("\n\t\t;;\n");
	}
	printf("\tesac\n}\n_doze \"$@\"\n");
}

int cmd_completion(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);

	if (rc >= 0)
		return rc;
	if (strcmp(o.operands[0], "bash") == 0)
		print_bash();
	else if (strcmp(o.operands[0], "zsh") == 0)
		print_zsh();
	else
		return cmd_fail(DOZE_EXIT_USAGE, "completion: unknown shell '%s': give bash or zsh",
				o.operands[0]);
	return DOZE_EXIT_OK;
}
