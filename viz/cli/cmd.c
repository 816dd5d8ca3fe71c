/*
 * SPDX-License-Identifier: MIT
 *
 * cmd.c - the table of commands, in the order in which `doze help` lists them.
 */
#include "cmd.h"

#include <stdio.h>
#include <string.h>

#include "../../lib/trace_enums.h"
#include "../predict/whatif.h"
#include "../show/export.h"
#include "../show/report.h"
#include "../show/view.h"
#include "options.h"

/* ---- `doze help [COMMAND]` and `doze version` ---- */

#ifndef DOZE_VERSION
#define DOZE_VERSION "0.1.0"
#endif

/* Returns whether the command works on a recording, and therefore shares options with other
 * commands. */
static bool shares_options(const struct doze_cmd *c)
{
	return c->view || (c->takes & DOZE_TAKES_SHARED) == DOZE_TAKES_SHARED;
}

static bool takes(const struct doze_cmd *c, enum doze_shared_option o)
{
	const char *name = doze_shared_name(o);

	return !doze_shared_refusal(c->name, name) &&
	       (!c->view || c->view->json || strcmp(name, "json") != 0);
}

/* Prints a table of the shared options and of the commands that take them. */
static void print_shared(void)
{
	printf("\n"
	       "Options shared by commands that read a recording (-: see 'doze help COMMAND'):\n"
	       "  %-10s",
	       "");
	for (int o = 0; o < DOZE_SHARED_COUNT; o++)
		printf(" --%s", doze_shared_name((enum doze_shared_option)o));
	for (const struct doze_cmd *c = doze_cmds; c->name; c++) {
		if (!shares_options(c))
			continue;
		printf("\n  %-10s", c->name);
		for (int o = 0, blanks = 1; o < DOZE_SHARED_COUNT; o++) {
			enum doze_shared_option option = (enum doze_shared_option)o;
			const char *cell = takes(c, option) ? "yes" : "-";

			printf("%*s%s", blanks, "", cell);
			blanks = (int)(strlen(doze_shared_name(option)) + 3 - strlen(cell));
		}
	}
	putchar('\n');
}

static void print_overview(void)
{
	puts("usage: doze COMMAND [OPTIONS] [ARGUMENTS]\n\n"
	     "doze shows every sleep and wake decision of a work-stealing thread pool.\n\n"
	     "Commands ('doze help COMMAND' explains one):");
	for (const struct doze_cmd *c = doze_cmds; c->name; c++)
		printf("  %-10s %s\n", c->name, c->summary);
	print_shared();
	puts("\nExit codes:\n"
	     "  0      success\n"
	     "  1      findings: the command found what it checks for\n"
	     "  2      usage: an unknown or invalid option or argument\n"
	     "  3      input or connection: a trace, a daemon or a file that cannot be used\n"
	     "  4      inconclusive: events were lost or are missing, or the trace ends too early\n"
	     "  128+n  killed by signal n");
	/* doze.h and tracepoints/README.md explain these */
	puts("\nEnvironment of a program that uses libdoze:\n"
	     "  DOZE_NUM_THREADS            number of workers per pool\n"
	     "  DOZE_POLICY                 sleep policy\n"
	     "  DOZE_ROUNDS_UNTIL_SLEEPY    fruitless searches before a worker becomes sleepy\n"
	     "  DOZE_ROUNDS_UNTIL_SLEEPING  fruitless searches before it sleeps\n"
	     "  DOZE_FAIR_EVERY             jobs after which a busy worker takes an injected one, "
	     "or\n"
	     "                              'never'\n"
	     "  DOZE_STACK_SIZE             stack size per worker, in bytes\n"
	     "  DOZE_TRACE                  0: do not trace, even if LTTng is installed");
	puts("\nEach error is one line on standard error: what failed, where, and what to do.");
}

static int cmd_help(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);
	if (rc >= 0)
		return rc;
	if (o.count == 0) {
		print_overview();
		return DOZE_EXIT_OK;
	}
	const struct doze_cmd *about = doze_cmd_find(o.operands[0]);
	if (!about) {
		cmd_complain_unknown("command", o.operands[0]);
		return DOZE_EXIT_USAGE;
	}
	doze_options_help(about);
	return DOZE_EXIT_OK;
}

static int cmd_version(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);
	if (rc >= 0)
		return rc;
	printf("doze %s, trace schema %d.%d\n", DOZE_VERSION, DOZE_SCHEMA_MAJOR, DOZE_SCHEMA_MINOR);
	return DOZE_EXIT_OK;
}

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
     .args = "[--any | --duel P1,P2] [-- PROG ARGS] | --pid PID | --attach [URL [URL]]",
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
	 "only then runs PROG. When you quit the viewer, doze stops everything that it started.\n"
	 "PROG's output goes to a pane and to a file. doze's options go before PROG, PROG's own\n"
	 "options after it.\n"
	 "\n"
	 "--any watches a program that does not use libdoze; see 'doze help record'. Without\n"
	 "PROG, it watches the demo 'textbook'.\n"
	 "\n"
	 "--pid watches a process that already runs; see 'doze help record'. Quitting the viewer\n"
	 "ends the recording, but not the process.\n"
	 "\n"
	 "--attach watches a session that already exists; its URL is\n"
	 "net://HOST[:PORT]/host/NAME/SESSION. Without a URL, or with HOST[:PORT] alone, it\n"
	 "lists the sessions on this machine or on that relay, each with its program, policy,\n"
	 "number of workers and age; on a terminal, it then asks which one to watch. --json\n"
	 "prints that list as JSON. Two URLs show two sessions, one above the other. A relay\n"
	 "admits one viewer per session. If the relay is lost, the viewer waits for it to\n"
	 "return.\n"
	 "\n"
	 "The key ! saves the part of the trace that is still on disk (see --keep) as a\n"
	 "recording in ~/doze-traces, with a picture of the screen and the page of doze report.\n"
	 "--on saves the last 30 s in the same way when a condition becomes true: futile>SHARE\n"
	 "(of the wakes), p99>TIME (from a post to the start of its job), asleep>SHARE (of the\n"
	 "workers' time, while a job waited), or hang. A condition is measured over the last\n"
	 "second, or over the time after \"for\". In a duel, --on watches both runs. With\n"
	 "--attach, only the screen and the verdicts are saved; the events stay on the relay's\n"
	 "disk.\n"
	 "\n"
	 "--duel runs PROG twice, under two policies, and shows one run above the other. Each\n"
	 "run gets half of the CPUs; with a single CPU, or with --turns, the runs take turns.\n"
	 "The screen shows which of these applies.\n"
	 "\n"
	 "Exit code: 0 success; 1 PROG failed; 2 no terminal; 3 PROG or LTTng could not be\n"
	 "started, or the relay is gone; 4 events were lost; 128+n PROG or doze was killed by\n"
	 "signal n.",
     .examples = "  doze live -- ./a.out --fast        watch a.out\n"
		 "  doze live --policy=tickle          watch the demo under another policy\n"
		 "  doze live --any -- node app.js     watch a program without libdoze\n"
		 "  doze live --pid 4711               watch a running service\n"
		 "  doze live --duel jec,tickle -- ./a.out\n"
		 "  doze live --on 'futile>0.5 for 1s' --keep=10min -- ./a.out\n"
		 "  doze live --attach                 choose a session to watch\n"
		 "  doze live --attach lab7:5344       choose one on another machine"},
    {.name = "record",
     .args = "[-o DIR] [--any] [--for TIME] [-- PROG ARGS | --pid PID]",
     .summary = "record a trace of PROG, of a running process, or of the demo 'burst'",
     .run = cmd_record,
     .own = cmd_record_options,
     .takes = DOZE_TAKES_PROG_OPTIONS | DOZE_TAKES_OUTPUT | DOZE_TAKES_JSON | DOZE_TAKES_PROG,
     .max = -1,
     .details =
	 "Uses a running LTTng session daemon, or starts one and stops it afterwards.\n"
	 "PROG reads doze's standard input; its output goes to DIR/program.log.\n"
	 "\n"
	 "--detail=states costs a busy pool next to nothing. --detail=jobs adds each job that\n"
	 "runs on a worker other than its poster, or for which a worker was woken, and counts\n"
	 "the other jobs; fork-join work takes at most twice as long. --detail=all adds every\n"
	 "job and every search; work takes 20 to 100 times as long. A command that needs a\n"
	 "higher level than was recorded names that level.\n"
	 "\n"
	 "--any records a program that does not use libdoze, without recompiling it: its threads'\n"
	 "waits on condition variables, semaphores and futexes, and the calls that wake them. A\n"
	 "preloaded library sees these calls, so doze refuses a program that cannot be preloaded:\n"
	 "one that is statically linked, is built for musl or for another machine, has the\n"
	 "set-user-ID bit or file capabilities, or uses AddressSanitizer in a shared library that\n"
	 "is not preloaded first (--any -- env LD_PRELOAD=libasan.so.8 PROG). Without --follow,\n"
	 "doze records only PROG itself, not the programs that it starts. If PROG uses libdoze,\n"
	 "the trace also has libdoze's own events. Without PROG, --any records the demo\n"
	 "'textbook'.\n"
	 "\n"
	 "--pid records a process that already runs, if it uses libdoze or was started with\n"
	 "'doze run --any'. Within a second, the trace has the state of each worker. Ctrl-C or\n"
	 "--for ends the recording, but never the process. When --for ends the recording of a\n"
	 "PROG, PROG gets SIGTERM.\n"
	 "\n"
	 "Exit code: 0 recorded; 1 PROG failed or never started a pool; 3 PROG or LTTng\n"
	 "could not be started; 4 events were lost; 128+n PROG or doze was killed by signal n.",
     .examples = "  doze record -- ./a.out             record into ~/doze-traces\n"
		 "  doze record -o t --detail=jobs -- ./a.out\n"
		 "  doze record --any -- node app.js   record a program without libdoze\n"
		 "  doze record --pid 4711 --for 10s   record a running service for 10 s\n"
		 "  doze record --follow -- make test  record a program that a script starts"},
    {.name = "replay",
     .last = true,
     .args = "[DIR [DIR]]",
     .summary = "show one or two recorded traces in the terminal viewer",
     .run = cmd_replay,
     .takes = DOZE_TAKES_SHARED | DOZE_TAKES_MOUSE | DOZE_TAKES_SUMMARY,
     .own = doze_tui_own_options,
     .min = 1,
     .max = 2,
     .details =
	 "Press '?' in the viewer for its keys. Without a terminal, use --once.\n"
	 "\n"
	 "Two recordings are shown as a duel: one above the other, aligned at their marks, with a\n"
	 "running score: wakes, wakes in vain, CPU time, and the 99th percentile of the time from\n"
	 "a post to its job. Tab switches to the other recording; Enter shows the current one\n"
	 "alone.",
     .examples = "  doze replay                        the last recording\n"
		 "  doze replay --once t               one screen, without a terminal\n"
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
	 "Space continues, Backspace goes back, 1 to 4 answer a question, and the viewer's other\n"
	 "keys work as usual. The viewer hides what comes later and counts the right answers. A\n"
	 "lesson is a text file; labs/lessons/README.md describes how to write one.",
     .examples = "  doze lesson                        list the lessons\n"
		 "  doze lesson four-states            run one\n"
		 "  doze lesson ./mine.lesson          run a lesson of your own"},
    {.name = "diagnose",
     .last = true,
     .args = "[DIR]",
     .summary = "list what went wrong, most important cause first",
     .view = &doze_diagnose_view,
     .min = 1,
     .max = 1,
     .details =
	 "The first line is the verdict: the most important statement. It is followed by each\n"
	 "cause with its cost in worker time (the sum over workers) and its share of the usable\n"
	 "time (what the CPUs could have given the workers), the evidence and the command that\n"
	 "shows it, what to change, and how certain the cause is. --from and --to select the part\n"
	 "of the trace to diagnose.\n"
	 "\n"
	 "Kinds: hang, standstill (all running jobs wait, and nothing begins or ends), breach (of\n"
	 "the protocol), losses (of events), asleep (jobs waited while workers slept), storm,\n"
	 "chain (other wakes in vain), burn (search without work), crowded (more workers than\n"
	 "CPUs), pinned (workers share few CPUs because of their masks), throttled (by a CPU\n"
	 "quota), offcpu (jobs waited for locks or files, or slept), serial (one worker alone),\n"
	 "small (jobs smaller than a wake), outside (the pool waited for an outside thread).\n"
	 "viz/explain/README.md defines them.\n"
	 "\n"
	 "--fail-if takes a kind (the condition holds if that kind is listed), a kind with a\n"
	 "limit for its share of the usable time (serial>20%), or job-delay-p50 or job-delay-p99\n"
	 "with a time (job-delay-p99>1ms).\n"
	 "\n"
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
	 "TIME (20ms): the longest job delay or wake in progress at that time. JOB (0x2a, as\n"
	 "'babeltrace2 DIR' prints it): why the job started when it did. WORKER (w3): the\n"
	 "longest time that a job or a wake waited for that worker, or the job that waited\n"
	 "longest while the worker slept; --from and --to choose the range. Without\n"
	 "a question: the longest delay of all.\n"
	 "\n"
	 "The first line is the answer. Then comes the chain, backwards in time: each event with\n"
	 "the rule of the policy that led to it, and the command that shows it. Below level\n"
	 "'all', the trace is certain to have only the jobs that were posted while a worker "
	 "slept;\n"
	 "record with --detail=all to ask about any job. viz/explain/why.md defines the causes.\n"
	 "\n"
	 "Exit code: 0; 2 the trace has no such time or job; 4 events were lost or are missing,\n"
	 "or the trace ends before its pool stopped; 3 the trace cannot be read.",
     .examples =
	 "  doze why                           the longest delay of the last recording\n"
	 "  doze why t 20ms                    what was late at that time\n"
	 "  doze why t 0x10000000002a          one job\n"
	 "  doze why --from=1s --to=2s t w3    the longest delay of worker 3 in that range"},
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
	 "share of the time for which the worker was active.\n"
	 "\n"
	 "Exit code 4: events were lost or are missing, or the trace ends before its pool stopped.",
     .examples = "  doze timeline t                    the whole trace\n"
		 "  doze timeline --from=20ms --to=30ms --worker=0-3 t"},
    {.name = "storms",
     .last = true,
     .args = "[DIR]",
     .summary = "report wakeup storms, futile wakes and latencies",
     .view = &doze_storms_view,
     .min = 1,
     .max = 1,
     .details =
	 "The output begins with a summary: how many storms there were, the worst one, its\n"
	 "cause, its cost, and what to change. A storm is one decision that woke many workers,\n"
	 "more than it published jobs, and most of them in vain. viz/model/README.md defines\n"
	 "each measure.\n"
	 "\n"
	 "--from and --to select the wakes that were notified in that range (their verdicts may\n"
	 "come later), the storms and under-wakes that began in it, and the time that the\n"
	 "workers spent in each state within it. --worker selects the wakes and states of those\n"
	 "workers, the storms that they caused or were woken in, and the under-wakes of their\n"
	 "posts. doze still reads the whole trace, so earlier events determine the states, and\n"
	 "lost events anywhere affect the exit code.\n"
	 "\n"
	 "Measures for --fail-if: futile amplification herd storms burnt burn wakes\n"
	 "near-misses under-wakes awake-p99 job-p99 findings lost.\n"
	 "\n"
	 "'burnt' is wall time in seconds: how long the workers that a storm woke in vain\n"
	 "searched for jobs. It is not CPU time; on a busy machine, those workers spent most of\n"
	 "it waiting for a CPU.\n"
	 "\n"
	 "'findings' counts the findings of 'doze check'; 'under-wakes' needs --detail all.\n"
	 "\n"
	 "Exit code: 0; 1 a --fail-if condition holds; 4 none holds, but events were lost, the\n"
	 "trace ends early, or it lacks the data for a condition.",
     .examples = "  doze storms                        the last recording\n"
		 "  doze storms --brief --fail-if='storms>0' t\n"
		 "  doze storms --json t | jq .storms  for your own programs"},
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
	 "worker; doze prints how many other findings there are. Only reported findings affect "
	 "the\n"
	 "exit code, but lost events count anywhere in the trace.\n"
	 "\n"
	 "Exit code: 0 no findings; 1 findings; 4 none, but events were lost or are missing, the\n"
	 "trace ends early, or the timestamps do not determine the order of the events.",
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
	 "Prints every measure with its difference, for the whole run and for each phase. If\n"
	 "both traces have the same doze_mark()s, these divide the run into phases; otherwise,\n"
	 "the phases are quarters of the run. Percentiles and the longest chain cover the whole\n"
	 "run only; the critical path is not computed for quarters. Wakes, with their verdicts,\n"
	 "and storms are counted in the phase in which they began. With several recordings per\n"
	 "side, doze prints means with 95 % confidence intervals. A measure that a recording\n"
	 "lacks is '-' (null in JSON). doze warns when the numbers of workers or the levels of\n"
	 "detail differ.\n"
	 "\n"
	 "Exit code 4: events were lost in one of the traces, or one ends early.",
     .examples = "  doze compare before after          two recordings\n"
		 "  doze compare a1 a2 a3 vs b1 b2 b3  with confidence intervals"},
    {.name = "whatif",
     .last = true,
     .args = "[DIR]",
     .summary = "predict the effect of another policy or number of workers",
     .view = &doze_whatif_view,
     .min = 1,
     .max = 1,
     .details =
	 "Replays the recorded jobs, with their durations and dependencies, in a simulated pool:\n"
	 "under each policy, and with fewer and more workers, or with the settings given by\n"
	 "--policy, --workers and --cpus. The output begins with the answer. The error of each\n"
	 "prediction comes from how well the simulation reproduces the recorded run, which the\n"
	 "output shows. The recording needs level all. --verify runs and records the command\n"
	 "twice more, once with the recorded setting and once with the best proposal, and states\n"
	 "how far off the prediction was. --posts needs only level states: it applies each\n"
	 "policy's wake rule to each recorded post, but ignores what the different wakes would\n"
	 "have changed afterwards.\n"
	 "\n"
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
	 "histograms, and an explanation of whatever is under the cursor; press ? for the keys.\n"
	 "An existing FILE is replaced once the new one is complete.\n"
	 "\n"
	 "Exit code 4: written, but events were lost or the trace ends early, as the page states.",
     .examples = "  doze report t -o t.html            write the page\n"
		 "  doze report -o last.html           write the page of the last recording"},
    {.name = "export",
     .last = true,
     .args = "--format=FORMAT [-o FILE] [DIR]",
     .summary = "convert a trace for other programs",
     .view = &doze_export_view,
     .min = 1,
     .max = 1,
     .details =
	 "perfetto       JSON for ui.perfetto.dev: states, counters, an arrow per woken worker\n"
	 "csv            a table of states, wakes with verdicts, storms, marks, losses\n"
	 "json           JSON Lines: each event with all its fields\n"
	 "svg            a picture of the lanes, with wakes and storms\n"
	 "trace-compass  an analysis file for Eclipse Trace Compass, with instructions\n\n"
	 "Without -o, doze writes to standard output. An existing FILE is replaced once the new\n"
	 "one is complete; a device or a pipe is written directly.\n\n"
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
	 "The workloads are small programs that use the library, except 'textbook', which does\n"
	 "without it for 'doze record --any'. Each is designed to show one behaviour.\n"
	 "'doze demo --list' lists them; 'doze demo NAME --help' lists the options of one. A\n"
	 "workload checks its own result and exits with 1 if it is wrong.",
     .examples = "  doze demo --list                   list the workloads\n"
		 "  doze demo burst --bursts=3         run one"},
    {.name = "run",
     .args = "[--any] -- PROG ARGS",
     .summary = "run PROG so that it can be recorded later, with --pid",
     .run = cmd_run,
     .takes = DOZE_TAKES_POLICY | DOZE_TAKES_WORKERS | DOZE_TAKES_PROG,
     .own = cmd_run_options,
     .min = 1,
     .max = -1,
     .details =
	 "Replaces itself with PROG, which keeps this process's number, terminal and\n"
	 "environment. Nothing is recorded until 'doze record --pid' or 'doze live --pid' asks\n"
	 "for it. A program that uses libdoze needs this only if it does not find libdoze's\n"
	 "tracepoints by itself. A program without libdoze needs --any; 'doze help record' says\n"
	 "which programs cannot be recorded.\n\n"
	 "Exit code: that of PROG; 3 PROG cannot be started.",
     .examples = "  doze run --any -- ./server &       start a service\n"
		 "  doze record --pid $! --for 10s     and record it, now or tomorrow"},
    {.name = "doctor",
     .args = "",
     .summary = "check this machine and explain how to fix any problems",
     .run = cmd_doctor,
     .takes = DOZE_TAKES_JSON | DOZE_TAKES_COLOR,
     .own = cmd_doctor_options,
     .details =
	 "Checks programs, libraries, permissions, shared memory, disk, network, limits, the\n"
	 "session daemon and leftovers from earlier runs, then records a small workload.\n\n"
	 "Exit code: 0 ready; 1 at least one check failed.",
     .examples = "  doze doctor                        check this machine"},
    {.name = "completion",
     .args = "bash | zsh",
     .summary = "print the completion script of a shell",
     .run = cmd_completion,
     .min = 1,
     .max = 1,
     .details = "'make install' installs the scripts where the shells look for them.",
     .examples = "  doze completion bash > ~/.local/share/bash-completion/completions/doze\n"
		 "                                     for you alone, without an installation"},
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
