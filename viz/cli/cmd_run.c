/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_run.c - `doze run [--any] -- PROG ARGS`: executes a program so that it can be recorded later,
 * with `doze record --pid`.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../session/preload.h"
#include "../session/program.h"
#include "cmd.h"
#include "options.h"

static bool follow, any;

const struct doze_option cmd_run_options[] = {
    {"any", 0, NULL, "for a program that does not use libdoze", doze_check_flag, &any},
    {"follow", 0, NULL, "with --any: also for the programs that PROG starts", doze_check_flag,
     &follow},
    {0},
};

int cmd_run(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	char err[512], number[16];
	int rc = doze_options_parse(cmd, &o, argc, argv);

	if (rc >= 0)
		return rc;
	if (any && session_any_check(o.operands[0], err, sizeof(err)) != 0)
		return cmd_fail(DOZE_EXIT_INPUT, "run: %s", err);
	if (o.policy)
		(void)setenv("DOZE_POLICY", o.policy, 1);
	(void)snprintf(number, sizeof(number), "%u", o.workers);
	if (o.workers)
		(void)setenv("DOZE_NUM_THREADS", number, 1);
	doze_program_make_traceable(o.operands[0], any, follow);
	(void)execvp(o.operands[0], o.operands);
	return cmd_fail(DOZE_EXIT_INPUT, "run: cannot start %s: %s: check the name and PATH",
			o.operands[0], strerror(errno));
}
