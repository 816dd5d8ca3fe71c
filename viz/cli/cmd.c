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
#include "suggest.h"
#include "tui_options.h"

const struct doze_cmd *doze_cmd_find(const char *name)
{
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

void cmd_complain_unknown(const char *what, const char *name)
{
	struct cmd_suggestion s = cmd_suggest(name, strlen(name));

	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		cmd_suggest_from(&s, c->name);
	if (s.best)
		doze_complain("unknown %s '%s': did you mean '%s'? see 'doze help'", what, name,
			      s.best);
	else
		doze_complain("unknown %s '%s': see 'doze help'", what, name);
}

const struct doze_cmd doze_cmds[] = {
    {.name = "live",
     .args = "[--duel P1,P2] [-- PROG ARGS] | --attach [URL [URL]]",
     .summary = "watch PROG, or the built-in demo 'phases', in the terminal viewer",
     .run = cmd_live,
     .takes = DOZE_TAKES_PROG_OPTIONS | DOZE_TAKES_VIEW | DOZE_TAKES_MOUSE | DOZE_TAKES_JSON |
	      DOZE_TAKES_PROG,
     .own = cmd_live_options,
     .shared = doze_tui_own_options,
     .without_prog = &cmd_live_attach,
     .max = -1,
     .details =
	 "Starts the LTTng daemons that it needs, on 127.0.0.1 only, attaches the viewer, and\n"
	 "only then runs PROG. When you quit the viewer, it stops everything that it started.\n"
	 "PROG's output goes to a pane and to a file. --attach watches a session that already\n"
	 "exists; its URL is net://HOST[:PORT]/host/NAME/SESSION. Without a URL it lists the\n"
	 "sessions on this machine, and with HOST[:PORT] those of that relay, with program,\n"
	 "policy, workers and age, and on a terminal asks which one to watch. Two URLs are shown\n"
	 "one above the other. A relay admits one viewer per session. When the relay is lost, the\n"
	 "viewer waits until it returns. --json applies to the list of sessions. Options go "
	 "before\n"
	 "PROG, PROG's own options after it.\n\n"
	 "The key ! saves what the session has on disk, as far back as --keep says, as a\n"
	 "recording in ~/doze-traces, with the screen as a picture and doze report's page. --on "
	 "saves\n"
	 "the last 30 s like that when a condition begins to hold over the last second, or "
	 "\"for\"\n"
	 "another time: futile>SHARE of the wakes, p99>TIME from a post to its job, asleep>SHARE\n"
	 "of the workers' time while a job waited, or hang. In a duel it watches each run. With\n"
	 "--attach it saves the screen and the verdicts; the events are on the relay's disk.\n\n"
	 "--duel runs PROG twice, under two policies, one above the other. Each run gets half of\n"
	 "the CPUs; with a single CPU or --turns one runs after the other. The screen says "
	 "which.\n\n"
	 "Exit code: 0 success; 1 PROG failed; 2 no terminal; 3 PROG or LTTng could not be\n"
	 "started, or the relay is gone; 4 events were lost; 128+n PROG or doze was killed by\n"
	 "signal n.",
     .examples = "  doze live -- ./a.out --fast        watch a.out\n"
		 "  doze live --policy=tickle          watch the demo under another policy\n"
		 "  doze live --duel jec,tickle -- ./a.out\n"
		 "  doze live --on 'futile>0.5 for 1s' --keep=10min -- ./a.out\n"
		 "  doze live --attach                 choose a session to watch\n"
		 "  doze live --attach lab7:5344       choose one of another machine"},
    {.name = "record",
     .args = "[-o DIR] [-- PROG ARGS]",
     .summary = "record a trace of PROG, or of the built-in demo 'burst'",
     .run = cmd_record,
     .own = cmd_record_options,
     .takes = DOZE_TAKES_PROG_OPTIONS | DOZE_TAKES_OUTPUT | DOZE_TAKES_JSON | DOZE_TAKES_PROG,
     .max = -1,
     .details =
	 "Uses the LTTng session daemon that is running, or starts one and stops it afterwards.\n"
	 "PROG reads doze's standard input; its output goes to DIR/program.log.\n\n"
	 "--detail=states costs a busy pool next to nothing. jobs adds each job that runs on\n"
	 "a worker other than its poster, or for which a worker was woken, and counts the rest:\n"
	 "at most twice the time of fork-join work. all adds every job and search: 20 to 100\n"
	 "times. A command that needs more than was recorded names the level that has it.\n\n"
	 "Exit code: 0 recorded; 1 PROG failed or never started a pool; 3 PROG or LTTng\n"
	 "could not be started; 4 events were lost; 128+n PROG or doze was killed by signal n.",
     .examples = "  doze record -- ./a.out             record into ~/doze-traces\n"
		 "  doze record -o t --detail=jobs -- ./a.out\n"
		 "  doze record --follow -- make test  record a program that a script starts"},
    {.name = "replay",
     .last = true,
     .args = "[DIR [DIR]]",
     .summary = "show a recorded trace, or two side by side, in the terminal viewer",
     .run = cmd_replay,
     .takes = DOZE_TAKES_SHARED | DOZE_TAKES_MOUSE,
     .own = doze_tui_own_options,
     .min = 1,
     .max = 2,
     .details =
	 "Press '?' in the viewer for its keys. Without a terminal use --once.\n\n"
	 "Two recordings are a duel: one above the other, aligned at their marks, with a running\n"
	 "score: wakes, those in vain, CPU time, and the 99th percentile of the time from a post\n"
	 "to its job. Tab goes to the other one, Enter shows it alone.",
     .examples = "  doze replay                        the last recording\n"
		 "  doze replay --once t               one picture, without a terminal\n"
		 "  doze replay before after           two recordings, stacked"},
    {.name = "lesson",
     .args = "[NAME | FILE]",
     .summary = "list the lessons, or run one in the terminal viewer",
     .run = cmd_lesson,
     .takes = DOZE_TAKES_COLOR | DOZE_TAKES_MOUSE,
     .own = doze_tui_own_options,
     .max = 1,
     .details =
	 "A lesson shows moments of a small recording, explains them, and asks what comes next.\n"
	 "Space goes on, Backspace goes back, 1 to 4 answer a question, and all keys of the "
	 "viewer\n"
	 "work on what has happened so far. The viewer hides the future and counts right answers.\n"
	 "A lesson is a text file; labs/lessons/README.md describes how to write one.",
     .examples = "  doze lesson                        list the lessons\n"
		 "  doze lesson four-states            run one\n"
		 "  doze lesson ./mine.lesson          run one of your own"},
    {.name = "diagnose",
     .last = true,
     .args = "[DIR]",
     .summary = "name what was wrong, the most important cause first",
     .view = &doze_diagnose_view,
     .min = 1,
     .max = 1,
     .details =
	 "The first line is the verdict: the most important statement. Then each cause\n"
	 "with its cost in worker time (the sum over workers), the evidence and the command that\n"
	 "shows it, what to change, and how sure that is. --from and --to diagnose a part.\n\n"
	 "Kinds: hang, breach (of the protocol), losses (of events), asleep (jobs waited while\n"
	 "workers slept), storm, chain (other wakes in vain), burn (search without work), crowded\n"
	 "(more workers than CPUs), offcpu (jobs waited for locks, files or sleep), serial (one\n"
	 "worker alone), small (jobs smaller than a wake), outside (the pool waited for a thread\n"
	 "outside). viz/diagnose/README.md defines them.\n\n"
	 "--fail-if takes a kind (it is listed), a kind with a limit for its share of the worker\n"
	 "time (serial>20%), or job-delay-p50 or job-delay-p99 with a time (job-delay-p99>1ms).\n\n"
	 "Exit code: 0; 1 a --fail-if condition holds; 4 none holds, but events were lost or are\n"
	 "missing, the trace ends early, or no delay is known; 3 the trace cannot be read.",
     .examples = "  doze diagnose                      the last recording\n"
		 "  doze diagnose --from=1s --to=1.2s t\n"
		 "  doze diagnose --fail-if=hang --fail-if='asleep>5%' t"},
    {.name = "why",
     .last = true,
     .args = "[DIR] [TIME | JOB | WORKER]",
     .summary = "explain a delay by the chain of its causes",
     .view = &doze_why_view,
     .min = 1,
     .max = 2,
     .details =
	 "TIME (20ms): the job or wake in progress then that took longest. JOB (0x2a, as in\n"
	 "'babeltrace2 DIR'): why it started when it did. WORKER (w3): the longest time for which\n"
	 "a job or a wake waited for it, or the job that waited longest while it slept; --from "
	 "and\n"
	 "--to choose the part. Without a question: the longest delay of all.\n\n"
	 "The first line is the answer. Then the chain, backwards in time: each event with the\n"
	 "rule of the policy that led to it, and the command that shows it. Below level 'all' "
	 "only\n"
	 "jobs that were posted while a worker slept are sure to be known; record with\n"
	 "--detail=all to ask for any job. viz/why/README.md defines what is a cause.\n\n"
	 "Exit code: 0; 2 the trace has no such time or job; 4 events were lost or are missing,\n"
	 "or the trace ends before its pool stopped; 3 the trace cannot be read.",
     .examples = "  doze why                           the longest delay of the last recording\n"
		 "  doze why t 20ms                    what was late at that time\n"
		 "  doze why t 0x10000000002a          one job\n"
		 "  doze why --from=1s --to=2s t w3    the longest delay of worker 3 in a part"},
    {.name = "timeline",
     .last = true,
     .args = "[DIR]",
     .summary = "print the workers' lanes as text",
     .view = &doze_timeline_view,
     .min = 1,
     .max = 1,
     .details =
	 "Each column shows the state that fills most of it. The row below a lane shows where\n"
	 "its worker was woken, and marks columns with more changes than they can show; zoom in\n"
	 "with --from and --to. JEC: the jobs event counter, even or odd. slept: the most workers\n"
	 "asleep at once. Spans with lost events are hatched in every row. The last column is the\n"
	 "share of time that the worker was active.\n\n"
	 "Exit code 4: events were lost or are missing, or the trace ends before its pool "
	 "stopped.",
     .examples = "  doze timeline t                    all of it\n"
		 "  doze timeline --from=20ms --to=30ms --worker=0-3 t"},
    {.name = "storms",
     .last = true,
     .args = "[DIR]",
     .summary = "report wakeup storms, futile wakes and latencies",
     .view = &doze_storms_view,
     .min = 1,
     .max = 1,
     .details =
	 "Begins with a summary: how many storms, the worst one, its cause, its cost, and what to\n"
	 "change. A storm is one decision that woke many workers, more than it published jobs,\n"
	 "and most of them in vain. viz/model/README.md defines each measure.\n\n"
	 "--from and --to select the wakes that were notified in that range, followed to their\n"
	 "verdict; the storms and under-wakes that began in it; and the time in each state in it.\n"
	 "--worker selects the wakes and states of those workers, the storms that they caused or\n"
	 "were woken in, and the under-wakes of their posts. doze still reads the whole trace, so\n"
	 "earlier events count for the state, and lost events anywhere affect the exit code.\n\n"
	 "Measures for --fail-if: futile amplification herd storms burnt burn wakes\n"
	 "near-misses under-wakes awake-p99 job-p99 findings lost.\n\n"
	 "'burnt' is wall time in s: how long the futile wakees of a storm searched in vain. It "
	 "is\n"
	 "not CPU time; on a busy machine they spent most of it waiting for a CPU.\n\n"
	 "'findings' counts the findings of 'doze check'; 'under-wakes' needs --detail all.\n\n"
	 "Exit code: 0; 1 a --fail-if condition holds; 4 none holds, but events were lost, the\n"
	 "trace ends early, or it lacks the data for a condition.",
     .examples = "  doze storms                        the last recording\n"
		 "  doze storms --brief --fail-if='storms>0' t\n"
		 "  doze storms --json t | jq .storms  for a program of your own"},
    {.name = "check",
     .last = true,
     .args = "[DIR]",
     .summary = "check that a trace obeys its policy's protocol",
     .view = &doze_check_view,
     .max = 1,
     .details =
	 "Each finding names the rule, the worker and the time, and shows up to 12 events around\n"
	 "it. Counters words are printed as sleeping/inactive/JEC. doze always checks the whole\n"
	 "trace. --from, --to and --worker choose the findings to report, by their time and\n"
	 "worker; doze prints how many others there are. Only reported findings affect the exit\n"
	 "code, but lost events count anywhere in the trace.\n\n"
	 "Exit code: 0 no findings; 1 findings; 4 none, but events were lost or are missing, the\n"
	 "trace ends early, or the timestamps leave the order of events open.",
     .examples = "  doze check t                       all findings\n"
		 "  doze check --rules                 what is checked\n"
		 "  doze check --max=1 --worker=3 t"},
    {.name = "compare",
     .args = "A B | A1 A2 ... vs B1 B2 ...",
     .summary = "compare two traces side by side",
     .run = cmd_compare,
     .takes = DOZE_TAKES_SHARED,
     .min = 2,
     .max = -1,
     .details =
	 "Prints every measure with its difference, for the whole run and for each phase. Phases\n"
	 "lie between doze_mark()s if both traces have the same marks; otherwise they are\n"
	 "quarters of the run. Percentiles and the longest chain cover the whole run only; the\n"
	 "critical path is not computed for quarters. A wake, with its verdict, and a storm count\n"
	 "in the phase in which they began. With several recordings per side doze prints means\n"
	 "with 95 % confidence intervals. A measure that a recording lacks is '-'\n"
	 "(null in JSON). doze warns when the numbers of workers or the levels of detail "
	 "differ.\n\n"
	 "Exit code 4: events were lost in one of the traces, or one ends early.",
     .examples = "  doze compare before after          two recordings\n"
		 "  doze compare a1 a2 a3 vs b1 b2 b3  with confidence intervals"},
    {.name = "whatif",
     .last = true,
     .args = "[DIR]",
     .summary = "predict the run with another policy or number of workers",
     .view = &doze_whatif_view,
     .min = 1,
     .max = 1,
     .details =
	 "Replays the recorded jobs, with their durations and dependencies, in a simulated pool:\n"
	 "under each policy, and with fewer and more workers, or with those of --policy,\n"
	 "--workers and --cpus. It begins with the answer. The error of each prediction comes\n"
	 "from how well the simulation reproduces the recorded run, which the output shows.\n"
	 "The recording needs level all. --verify records the recorded command twice, with the\n"
	 "recorded setting and the best proposal, and states how far off the prediction was.\n"
	 "--posts needs level states only: it applies each policy's wake rule to each recorded\n"
	 "post, without what the different wakes would have changed afterwards.\n\n"
	 "Exit code 3: --verify could not record; 4: the trace lacks level all, events were lost\n"
	 "or are missing, or the trace ends before its pool stopped.",
     .examples = "  doze record -o t --detail=all -- ./a.out\n"
		 "  doze whatif t                      all policies, fewer and more workers\n"
		 "  doze whatif t --workers=8          would 8 workers help?\n"
		 "  doze whatif t --workers=8 --cpus=8 and on a larger machine?\n"
		 "  doze whatif t --policy=rfc --verify\n"
		 "  doze whatif t --posts --policy=rfc the posts that rfc decides differently"},
    {.name = "report",
     .last = true,
     .args = "[DIR] -o FILE.html",
     .summary = "write one HTML page, to view in a browser or to hand in",
     .view = &doze_report_view,
     .min = 1,
     .max = 1,
     .details =
	 "The page is self-contained and needs no network. It has lanes that zoom and pan, wake\n"
	 "arrows, counters and JEC, lists of storms and findings that jump to their time,\n"
	 "histograms, and an explanation of whatever is under the cursor; ? lists its keys. An\n"
	 "existing FILE is replaced once the new one is complete.\n\n"
	 "Exit code 4: written, but events were lost or the trace ends early; the page says so.",
     .examples = "  doze report t -o t.html            write the page\n"
		 "  doze report -o last.html           of the last recording"},
    {.name = "export",
     .last = true,
     .args = "--format=FORMAT [-o FILE] [DIR]",
     .summary = "convert a trace for other programs",
     .view = &doze_export_view,
     .min = 1,
     .max = 1,
     .details =
	 "perfetto       JSON for ui.perfetto.dev: states, counters, an arrow per worker woken\n"
	 "csv            a table of states, wakes with verdicts, storms, marks, losses\n"
	 "json           JSON Lines: each event with all its fields\n"
	 "svg            a picture of the lanes, with wakes and storms\n"
	 "trace-compass  an analysis file for Eclipse Trace Compass, with instructions\n\n"
	 "Without -o, writes to standard output. An existing FILE is replaced once the new one is\n"
	 "complete; a device or a pipe is written directly.\n\n"
	 "Exit code 4: events were lost or are missing, or the trace ends early.",
     .examples = "  doze export --format=perfetto -o t.json t\n"
		 "  doze export --format=csv t | head  a table"},
    {.name = "demo",
     .args = "NAME [OPTIONS OF NAME] | --list",
     .summary = "run a built-in workload",
     .run = cmd_demo,
     .min = 1,
     .max = -1,
     .details =
	 "The workloads are small programs that use the library, each designed to show one\n"
	 "behaviour. 'doze demo --list' lists them; 'doze demo NAME --help' lists the options of\n"
	 "one. A workload checks its own result and exits with 1 if it is wrong.",
     .examples = "  doze demo --list                   the workloads\n"
		 "  doze demo burst --bursts=3         run one"},
    {.name = "doctor",
     .args = "",
     .summary = "check this machine and explain how to fix its problems",
     .run = cmd_doctor,
     .takes = DOZE_TAKES_JSON | DOZE_TAKES_COLOR,
     .own = cmd_doctor_options,
     .details =
	 "Checks programs, libraries, permissions, shared memory, disk, network, limits, the\n"
	 "session daemon and leftovers of earlier runs, then records a small workload.\n\n"
	 "Exit code: 0 ready; 1 at least one check failed.",
     .examples = "  doze doctor                        check this machine"},
    {.name = "help",
     .args = "[COMMAND]",
     .summary = "explain doze, or one command",
     .run = cmd_help,
     .max = 1,
     .examples = "  doze help storms                   explain one command"},
    {.name = "version",
     .args = "",
     .summary = "print the version of doze and of its trace schema",
     .run = cmd_version,
     .examples = "  doze version                       print it"},
    {0},
};
