/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_demo.c - `doze demo NAME`: parses the workload's own options, runs it on a pool and
 * reports whether its result is right.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../demo/demo.h"
#include "cmd.h"
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

/* Runs the workload as if it were a command, so that its options and help work like those of other
 * commands. */
static int demo_run(const struct demo *demo, int argc, char **argv)
{
	struct demo_value values[DEMO_PARAMS] = {{0}};
	struct doze_option options[DEMO_PARAMS + 1] = {{0}};
	char help[DEMO_PARAMS][96], name[32];
	struct doze_cmd cmd = {.name = name,
			       .args = "",
			       .summary = demo->summary,
			       .takes = DOZE_TAKES_POLICY | DOZE_TAKES_WORKERS,
			       .own = options};
	struct doze_options o;
	int rc;

	snprintf(name, sizeof name, "demo %s", demo->name);
	demo_options(demo, values, options, help);
	rc = doze_options_parse(&cmd, &o, argc, argv);
	return rc >= 0 ? rc : demo_go(demo, &o, values);
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
		doze_complain("demo: unknown workload '%s': see 'doze demo --list'", argv[1]);
		return DOZE_EXIT_USAGE;
	}
	/* prints the help, or reports a usage error */
	rc = doze_options_parse(cmd, &o, argc, argv);
	return rc >= 0 ? rc : demo_list();
}
