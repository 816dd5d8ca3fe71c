/*
 * SPDX-License-Identifier: MIT
 *
 * cmd.c - the table of commands, in the order in which `doze help` lists them.
 */
#include "cmd.h"

#include <stddef.h>
#include <string.h>

#include "../export/export.h"
#include "../report/page.h"
#include "../views/view.h"
#include "../whatif/whatif.h"
#include "options.h"
#include "tui_options.h"

const struct doze_cmd *doze_cmd_find(const char *name)
{
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct doze_cmd doze_cmds[] = {
    {.name = "live",
     .args = "[-- PROG ARGS] | --attach [URL]",
     .summary = "watch PROG, or the built-in demo 'phases', in the terminal viewer",
     .run = cmd_live,
     .takes = DOZE_TAKES_PROG_OPTIONS | DOZE_TAKES_VIEW | DOZE_TAKES_MOUSE | DOZE_TAKES_JSON |
	      DOZE_TAKES_PROG,
     .own = cmd_live_options,
     .shared = doze_tui_own_options,
     .without_prog = &cmd_live_attach,
     .max = -1,
     .details =
	 "Starts what LTTng daemons it needs, on 127.0.0.1 only, attaches the viewer, and only\n"
	 "then runs PROG; stops what it started when the viewer is left. PROG's output goes to\n"
	 "a pane and a file. --attach watches a session that is there already, URL is\n"
	 "net://HOST[:PORT]/host/NAME/SESSION; --json is for the list of sessions. Options stand\n"
	 "before PROG, whose own ones follow it; without PROG anywhere.\n\n"
	 "Exit code: 0 fine; 1 PROG failed; 2 no terminal; 3 PROG or LTTng could not be started,\n"
	 "or the relay is gone; 4 events were lost; 128+n PROG or doze was ended by signal n."},
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
     .takes = DOZE_TAKES_VIEW | DOZE_TAKES_MOUSE,
     .own = doze_tui_own_options,
     .min = 1,
     .max = 1,
     .details = "The keys are shown by '?' in the viewer. Without a terminal use --once."},
    {.name = "timeline",
     .args = "DIR",
     .summary = "the workers' lanes as text",
     .view = &doze_timeline_view,
     .min = 1,
     .max = 1,
     .details =
	 "A column shows the state that fills most of it. Below a lane: where its worker was\n"
	 "woken, and a mark where more happens than the column can show; --from and --to look\n"
	 "closer. JEC: the jobs event counter, even or odd. slept: most workers asleep at once.\n"
	 "Spans in which events were lost are hatched, in all rows. The last column: share of "
	 "time\n"
	 "active.\n\n"
	 "Exit code 4: events were lost or are missing, or the trace ends before its pool "
	 "stopped."},
    {.name = "storms",
     .args = "DIR",
     .summary = "wakeup storms, futile wakes, latencies",
     .view = &doze_storms_view,
     .min = 1,
     .max = 1,
     .details =
	 "The answer first: how many storms, the worst, who caused it, what it cost, what to\n"
	 "change. A storm is one decision that woke many workers, more than it published jobs,\n"
	 "most of them in vain. viz/model/README.md defines each measure.\n\n"
	 "With --from and --to: wakes that were notified in that range, followed to their\n"
	 "verdict; storms and under-wakes that began in it; the time in each state within it.\n"
	 "With --worker: the wakes of those workers and the states that they were in; storms that\n"
	 "they caused or were woken in; under-wakes that their posts left. The whole trace is\n"
	 "read all the same, so what came before is known, and losses anywhere count.\n\n"
	 "Measures for --fail-if: futile amplification herd storms burnt burn wakes\n"
	 "near-misses under-wakes awake-p99 job-p99 findings lost.\n\n"
	 "'burnt' is wall time in s: what a storm's futile wakees searched in vain. It is no CPU\n"
	 "time; on a busy machine they waited for a CPU during most of it.\n\n"
	 "'findings' are all that 'doze check' finds; 'under-wakes' need --detail jobs.\n\n"
	 "Exit code: 0; 1 a --fail-if holds; 4 none holds, but events were lost, the trace ends\n"
	 "early, or it cannot tell of one of them."},
    {.name = "check",
     .args = "DIR",
     .summary = "does the trace obey its policy's protocol?",
     .view = &doze_check_view,
     .max = 1,
     .details =
	 "Each finding names the rule, the worker and the time, and shows up to 12 events\n"
	 "around it. Words are written sleeping/inactive/JEC. --from, --to and --worker choose\n"
	 "which findings are told, by their time and the worker that they name; the whole trace\n"
	 "is judged, and how many lie elsewhere is said. The exit code is of those told, but\n"
	 "losses anywhere in the trace count.\n\n"
	 "Exit code: 0 no finding; 1 findings; 4 none, but events were lost or are missing, the\n"
	 "trace ends early, or the order of timestamps does not decide."},
    {.name = "compare",
     .args = "A B | A1 A2 ... vs B1 B2 ...",
     .summary = "two traces side by side",
     .run = cmd_compare,
     .takes = DOZE_TAKES_JSON,
     .min = 2,
     .max = -1,
     .details =
	 "Every measure with its difference, for the whole run and phase by phase: between\n"
	 "doze_mark()s where both have the same ones, else by quarters of the run. Percentiles\n"
	 "and the longest chain are of the whole run only, the critical path is not told of\n"
	 "quarters. A wake with its verdict, and a storm, count where they began. With several\n"
	 "recordings a side, the means with their 95 % intervals. What a recording cannot tell is\n"
	 "'-', in JSON null; other numbers of workers, or levels of detail, are warned of.\n\n"
	 "Exit code 4: events were lost in one of them, or it ends early."},
    {.name = "whatif",
     .args = "DIR",
     .summary = "what other wake rules would have made of a trace's posts: a model",
     .view = &doze_whatif_view,
     .min = 1,
     .max = 1,
     .details =
	 "Replays each post, and each worker that finds work, under the wake rule of another\n"
	 "policy, with the workers as they were recorded. It does not follow what the other\n"
	 "wakes would have changed: a first look, before 'doze record --policy' measures it.\n"
	 "The output lists what is assumed; viz/whatif/README.md explains it.\n\n"
	 "Exit code 4: events were lost or are missing, or the trace ends before its pool "
	 "stopped."},
    {.name = "report",
     .args = "DIR -o FILE.html",
     .summary = "one page to look at in a browser, and to hand in",
     .view = &doze_report_view,
     .min = 1,
     .max = 1,
     .details =
	 "The page needs nothing else, no network either: lanes that zoom and pan, wake arrows,\n"
	 "counters and JEC, storms and findings that jump to their place, histograms, and an\n"
	 "explanation of what is under the cursor; ? lists its keys. A FILE that is there is\n"
	 "replaced once the new one is whole.\n\n"
	 "Exit code 4: written, but events were lost or the trace ends early; the page says so."},
    {.name = "export",
     .args = "--format=FORMAT [-o FILE] DIR",
     .summary = "a trace for other programs",
     .view = &doze_export_view,
     .min = 1,
     .max = 1,
     .details =
	 "perfetto       JSON for ui.perfetto.dev: states, counters, an arrow per worker woken\n"
	 "csv            a table of states, wakes with verdicts, storms, marks, losses\n"
	 "json           JSON lines: each event with all its fields\n"
	 "svg            a picture of the lanes, with wakes and storms\n"
	 "trace-compass  an analysis file for Eclipse Trace Compass, with instructions\n\n"
	 "Without -o to standard output. A FILE that is there is replaced once the new one is\n"
	 "whole; a device or a pipe is written to.\n\n"
	 "Exit code 4: events were lost or are missing, or the trace ends early."},
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
    {.name = "doctor",
     .args = "",
     .summary = "check this machine: what is wrong, and what mends it",
     .run = cmd_doctor,
     .takes = DOZE_TAKES_JSON | DOZE_TAKES_COLOR,
     .own = cmd_doctor_options,
     .details = "Looks at programs, libraries, permissions, shared memory, disk, network, limits,\n"
		"the session daemon and what earlier runs left, then records a small workload.\n"
		"Exit code: 0 ready; 1 something is bad."},
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
