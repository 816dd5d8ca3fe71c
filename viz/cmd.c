/*
 * SPDX-License-Identifier: MIT
 *
 * cmd.c - the table of subcommands. One row a command; `doze help` lists them in this order.
 */
#include "cmd.h"

#include <stddef.h>
#include <string.h>

#include "cmd_offline.h"
#include "options.h"
#include "tui/cmdline.h"

const struct doze_cmd *doze_cmd_find(const char *name)
{
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct doze_cmd doze_cmds[] = {
    {.name = "record",
     .args = "-o DIR [-- PROG ARGS]",
     .summary = "record a trace of PROG, or of the built-in demo 'burst'",
     .run = cmd_record,
     .takes = DOZE_TAKES_PROG_OPTIONS | DOZE_TAKES_OUTPUT | DOZE_TAKES_JSON | DOZE_TAKES_PROG,
     .max = -1,
     .details =
	 "Uses the LTTng session daemon that runs, or starts one and stops it again. PROG\n"
	 "reads doze's standard input; its output goes to DIR/program.log.\n\n"
	 "Exit code: 0 recorded; 1 PROG failed or never started a pool; 3 PROG or LTTng\n"
	 "could not be started; 4 events were lost; 128+n PROG or doze was ended by signal n."},
    {.name = "replay",
     .args = "DIR",
     .summary = "look at a recorded trace in the terminal viewer",
     .run = cmd_replay,
     .takes = DOZE_TAKES_VIEW,
     .own = doze_tui_own_options,
     .min = 1,
     .max = 1,
     .details = "The keys are shown by '?' in the viewer. Without a terminal use --once."},
    {.name = "timeline",
     .args = "DIR",
     .summary = "the workers' lanes as text",
     .run = cmd_timeline,
     .takes = DOZE_TAKES_VIEW,
     .own = cmd_timeline_options,
     .min = 1,
     .max = 1,
     .details =
	 "A column shows the state that fills most of it. Below a lane: where its worker was\n"
	 "woken, and a mark where more happens than the column can show; --from and --to look\n"
	 "closer. JEC: the jobs event counter, even or odd. slept: most workers asleep at once.\n"
	 "Spans in which events were lost are hatched. The last column: share of time active.\n\n"
	 "Exit code 4: events were lost, or the trace ends before its pool stopped."},
    {.name = "demo",
     .args = "NAME [OPTIONS OF NAME] | --list",
     .summary = "run a built-in workload",
     .run = cmd_demo,
     .min = 1,
     .max = -1,
     .details =
	 "The workloads are small programs on the library, each made to show one behaviour.\n"
	 "'doze demo --list' names them, 'doze demo NAME --help' lists the options of one.\n"
	 "A workload checks its own result and exits 1 when it was wrong."},
    {.name = "help",
     .args = "[COMMAND]",
     .summary = "explain doze, or one command",
     .run = cmd_help,
     .max = 1},
    {.name = "version",
     .args = "",
     .summary = "print the version of doze and of its traces",
     .run = cmd_version},
    {0},
};
