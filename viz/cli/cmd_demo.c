/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_demo.c - `doze demo NAME`: parses the workload's own options, runs it on a pool and
 * reports whether its result is right, or executes the program of a workload without libdoze.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../session/files.h"
#include "cmd.h"
#include "demo/demo.h"
#include "options.h"

/** Where an option stores its value, and the parameter that limits the value. */
struct demo_value {
	const struct demo_param *param;
	long value;
};

static int demo_list(void)
{
	for (size_t i = 0; demo_all[i]; i++)
		printf("%-8s  %s\n", demo_all[i]->name, demo_all[i]->summary);
	return DOZE_EXIT_OK;
}

static const char *check_within(const char *text, void *target)
{
	static char allowed[80]; /* static: options are parsed one at a time, on the main thread */
	struct demo_value *v = target;
	char *end;

	errno = 0;
	v->value = strtol(text, &end, 10);
	if (text[strspn(text, "0123456789")] == 0 && *text && !errno && v->value >= v->param->min &&
	    v->value <= v->param->max)
		return NULL;
	snprintf(allowed, sizeof allowed, "a number from %ld to %ld", v->param->min, v->param->max);
	return allowed;
}

/* Fills in one option per parameter of the workload. help: storage for their help texts. */
static void demo_options(const struct demo *demo, struct demo_value *values,
			 struct doze_option *options, char (*help)[96])
{
	for (int i = 0; i < DEMO_PARAMS && demo->params[i].name; i++) {
		const struct demo_param *p = &demo->params[i];

		values[i] = (struct demo_value){p, p->value};
		snprintf(help[i], sizeof help[i], "%s (%ld)", p->help, p->value);
		options[i] =
		    (struct doze_option){p->name, 0, "N", help[i], check_within, &values[i]};
	}
}

/* Creates the pool. The library, not the command line, decides which configurations are valid. */
static int demo_pool(const struct demo *demo, const struct doze_options *o, doze_pool **pool)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	int error;

	config.num_threads = o->workers;
	config.policy = o->policy;
	error = doze_pool_create(pool, &config);
	if (error)
		doze_complain("demo %s: %s", demo->name, doze_last_error());
	return error == 0 ? DOZE_EXIT_OK : error == EINVAL ? DOZE_EXIT_USAGE : DOZE_EXIT_INPUT;
}

static int demo_go(const struct demo *demo, const struct doze_options *o,
		   const struct demo_value *values)
{
	long plain[DEMO_PARAMS];
	doze_pool *pool;
	bool right;
	int rc = demo_pool(demo, o, &pool);

	if (rc)
		return rc;
	for (int i = 0; i < DEMO_PARAMS; i++)
		plain[i] = values[i].value;
	right = demo->run(pool, plain);
	doze_pool_free(pool);
	if (!right)
		doze_complain("demo %s: wrong result: jobs were lost or run twice", demo->name);
	return right ? DOZE_EXIT_OK : DOZE_EXIT_FINDINGS;
}

char *const *cmd_demo_textbook(long threads, long jobs)
{
	static char path[PATH_MAX], options[2][40];
	static char *argv[] = {path, options[0], options[1], NULL};
	const struct demo_param *params = demo_textbook.params;

	if (!doze_file_find(DEMO_FOREIGN, path, sizeof path))
		snprintf(path, sizeof path, "%s", DEMO_FOREIGN);
	snprintf(options[0], sizeof options[0], "--threads=%ld",
		 threads ? threads : params[0].value);
	snprintf(options[1], sizeof options[1], "--jobs=%ld", jobs ? jobs : params[1].value);
	return argv;
}

/* Executes the program of a workload without libdoze. Returns only if that fails. */
static int demo_execute(const struct demo *demo, const struct demo_value *values, bool count)
{
	char path[PATH_MAX], options[DEMO_PARAMS][64], count_option[] = "--count";
	char *argv[DEMO_PARAMS + 3] = {path};
	int n = 1;

	if (!doze_file_find(DEMO_FOREIGN, path, sizeof path))
		return cmd_fail(DOZE_EXIT_INPUT,
				"demo %s: %s: not found in the folder of doze or in ../lib/doze: "
				"build it with 'make', or install doze again",
				demo->name, DEMO_FOREIGN);
	for (int i = 0; i < DEMO_PARAMS && demo->params[i].name; i++) {
		snprintf(options[i], sizeof options[i], "--%s=%ld", demo->params[i].name,
			 values[i].value);
		argv[n++] = options[i];
	}
	if (count)
		argv[n++] = count_option;
	execv(path, argv);
	return cmd_fail(DOZE_EXIT_INPUT, "demo %s: cannot start %s: %s: check the file", demo->name,
			path, strerror(errno));
}

/* Runs the workload as if it were a command, so that its options and help work like those of other
 * commands. */
static int demo_run(const struct demo *demo, int argc, char **argv)
{
	struct demo_value values[DEMO_PARAMS] = {{0}};
	struct doze_option options[DEMO_PARAMS + 2] = {{0}};
	char help[DEMO_PARAMS][96], name[32];
	struct doze_cmd cmd = {.name = name,
			       .args = "",
			       .summary = demo->summary,
			       .takes = demo->run ? DOZE_TAKES_POLICY | DOZE_TAKES_WORKERS : 0,
			       .own = options};
	struct doze_options o;
	bool count = false;
	int rc;

	snprintf(name, sizeof name, "demo %s", demo->name);
	demo_options(demo, values, options, help);
	if (!demo->run)
		options[DEMO_PARAMS] =
		    (struct doze_option){"count",
					 0,
					 NULL,
					 "print the number of waits and wakes to standard error",
					 doze_check_flag,
					 &count};
	rc = doze_options_parse(&cmd, &o, argc, argv);
	if (rc >= 0)
		return rc;
	return demo->run ? demo_go(demo, &o, values) : demo_execute(demo, values, count);
}

int cmd_demo(const struct doze_cmd *cmd, int argc, char **argv)
{
	const struct demo *demo;
	struct doze_options o;
	int rc;

	if (argc > 1 && !strcmp(argv[1], "--list"))
		return demo_list();
	if (argc > 1 && argv[1][0] != '-') {
		demo = demo_find(argv[1]);
		if (demo)
			return demo_run(demo, argc - 1, argv + 1);
		return cmd_fail(DOZE_EXIT_USAGE,
				"demo: unknown workload '%s': see 'doze demo --list'", argv[1]);
	}
	/* prints the help, or reports a usage error */
	rc = doze_options_parse(cmd, &o, argc, argv);
	return rc >= 0 ? rc : demo_list();
}
