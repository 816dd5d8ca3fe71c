/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_live.c - `doze live [-- PROG ARGS]` and `doze live --attach [URL]`: the viewer on a running
 * program.
 *
 * The order matters. The session starts while the forked child still waits to execute the program;
 * the viewer attaches to the relay; only then does the program run, so the viewer misses none of
 * its events. When the program has exited, the LTTng session is destroyed, which lets the viewer
 * read to the end of the trace. The viewer stays until the user quits; then the relay is stopped.
 */
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../session/files.h"
#include "../session/outcome.h"
#include "../session/program.h"
#include "../session/running.h"
#include "../session/session.h"
#include "../trace/reader.h"
#include "../viewer/store/trigger.h"
#include "../viewer/terminal/tui.h"
#include "../words/quote.h"
#include "cmd.h"
#include "incident.h"
#include "last_recording.h"
#include "options.h"

/* ---- The options of `doze live` that no other command has ---- */

bool cmd_live_attach;

/* The options that the user gave, set by doze_options_parse. */
static struct {
	const char *duel[2]; /* the two policies; null: no duel */
	bool turns;
	bool any;  /* PROG does not use libdoze */
	pid_t pid; /* watch this process; 0: start PROG */
	struct doze_triggers on;
	bool bell, banner;
	struct doze_session_keep keep;
	const char *program_log;
} cmd_live_given;

/* Parses "P1,P2", the two policies. */
static const char *check_duel(const char *value, void *target)
{
	static char text[2][64];
	const char *allowed = NULL;
	int n = 0;

	(void)target;
	if (sscanf(value, "%63[^,],%63[^,]%n", text[0], text[1], &n) != 2 || value[n])
		return "two policies, such as jec,tickle";
	for (int i = 0; i < 2 && !allowed; i++)
		allowed = doze_check_policy(text[i], &cmd_live_given.duel[i]);
	if (allowed)
		return allowed;
	return cmd_live_given.duel[0] == cmd_live_given.duel[1] ? "two different policies" : NULL;
}

/* Parses a size, a time, or "all". */
static const char *check_keep(const char *value, void *target)
{
	static const struct {
		const char *unit;
		bool size;
		double factor;
	} units[] = {{"K", true, 1024}, {"M", true, 1 << 20}, {"G", true, 1 << 30},
		     {"s", false, 1e9}, {"min", false, 6e10}, {"h", false, 3.6e12}};
	char *end;
	double n = strtod(value, &end);

	(void)target;
	cmd_live_given.keep =
	    (struct doze_session_keep){.ns = strcmp(value, "all") == 0 ? INT64_MAX : 0};
	if (cmd_live_given.keep.ns)
		return NULL;
	if (strspn(value, "0123456789.") != (size_t)(end - value))
		end = NULL; /* strtod would also accept " -3" and "0x3" */
	for (size_t i = 0; end && i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(end, units[i].unit) == 0 && n * units[i].factor >= 1 && n < 1e6) {
			if (units[i].size)
				cmd_live_given.keep.bytes = (uint64_t)(n * units[i].factor);
			else
				cmd_live_given.keep.ns = (int64_t)(n * units[i].factor);
			return NULL;
		}
	return "a size such as 500M or 2G, a time such as 90s, 10min or 1h, or all";
}

const struct doze_option cmd_live_options[] = {
    {"attach", 'a', NULL, "watch a running session; without a URL, choose one", doze_check_flag,
     &cmd_live_attach},
    {"any", 0, NULL, "watch a program that does not use libdoze", doze_check_flag,
     &cmd_live_given.any},
    {"pid", 0, "PID", "watch a process that already runs, without restarting it", doze_check_pid,
     &cmd_live_given.pid},
    {"duel", 0, "P1,P2", "run PROG under two policies, one above the other", check_duel, NULL},
    {"turns", 0, NULL, "with --duel: one run after the other, on all CPUs", doze_check_flag,
     &cmd_live_given.turns},
    {"keep", 0, "SIZE|TIME", "how far back to keep the trace on disk: 500M, 10min, all", check_keep,
     NULL},
    {"on", 0, "CONDITION",
     "save the last 30 s when a condition holds: 'futile>0.5 for 1s' (repeatable)",
     doze_check_trigger, &cmd_live_given.on},
    {"bell", 0, NULL, "with --on: also ring the terminal bell", doze_check_flag,
     &cmd_live_given.bell},
    {"banner", 0, NULL, "with --on: also show a banner in alarm colours until a key is pressed",
     doze_check_flag, &cmd_live_given.banner},
    {"program-log", 0, "FILE", "keep PROG's output in FILE", doze_check_string,
     &cmd_live_given.program_log},
    {0},
};

/* Returns the option that cannot be combined with --pid, or null. */
static const char *not_with_pid(const struct doze_options *o)
{
	if (!cmd_live_given.pid)
		return NULL;
	return o->count                     ? "PROG"
	       : cmd_live_attach            ? "--attach"
	       : cmd_live_given.duel[0]     ? "--duel"
	       : cmd_live_given.program_log ? "--program-log"
	       : o->policy                  ? "--policy"
	       : o->workers                 ? "--workers"
					    : NULL;
}

/* Checks that the options can be combined. Returns -1 to continue, or the exit code after an error
 * message. */
static int cmd_live_check(const struct doze_options *o)
{
	const char *problem = NULL;
	if (not_with_pid(o))
		return cmd_fail(DOZE_EXIT_USAGE,
				"live: --pid watches a process that already runs: omit %s",
				not_with_pid(o));
	if (cmd_live_given.on.count == 0 && (cmd_live_given.bell || cmd_live_given.banner))
		problem = "--bell and --banner report a condition: add one with --on";
	else if (cmd_live_attach && (cmd_live_given.keep.bytes || cmd_live_given.keep.ns))
		problem = "--keep applies only to a session that doze records: omit the option";
	else if (cmd_live_given.any && cmd_live_attach)
		problem = "--any applies only to a program that doze starts: omit the option";
	else if (cmd_live_given.any && cmd_live_given.duel[0])
		problem =
		    "--duel compares policies of libdoze, which --any does not need: omit one "
		    "of the two";
	if (!problem)
		return -1;
	return cmd_fail(DOZE_EXIT_USAGE, "live: %s", problem);
}

/* ---- what all viewers of `doze live` have in common ---- */

/* Duration of --once without a time: the program may run forever. */
enum { ONCE_MS = 1000 };

/* Checks that there is a terminal before anything is started. */
static bool cmd_live_has_screen(const struct doze_tui_options *t)
{
	if (t->once || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return true;
	doze_complain("live: the viewer needs a terminal: use --once for one screen, or "
		      "'doze record' and 'doze timeline'");
	return false;
}

/* Returns viewer options with the settings that all forms of `doze live` take from the command
 * line. */
static struct doze_tui_options cmd_live_viewer(const struct doze_options *o)
{
	struct doze_tui_options t = doze_tui_from(o);
	t.live = true;
	if (t.once_ms < 0)
		t.once_ms = ONCE_MS;
	t.triggers = &cmd_live_given.on;
	t.bell = cmd_live_given.bell;
	t.banner = cmd_live_given.banner;
	return t;
}

static void ignore(void *ctx, const struct doze_live_session *s)
{
	(void)ctx, (void)s;
}

/** Checks that the relay still answers. An interactive user can see how far the screen lags behind,
 * but with --once a stalled relay looks like an idle program. */
static int check_relay(const char *url)
{
	char err[512];
	if (doze_live_sessions(url, ignore, NULL, err, sizeof(err)) >= 0)
		return DOZE_EXIT_OK;
	return cmd_fail(DOZE_EXIT_INCONCLUSIVE, "live: %s: the screen may lack the latest events",
			err);
}

/* Runs the viewer. Frees the readers, unless a reader's thread still uses one; in that case the
 * process is about to exit. Returns the exit code. */
static int cmd_live_show(const struct doze_tui_options *t, const char *url)
{
	struct doze_tui_result result = {0};
	int rc = doze_tui_run(t, &result);
	if (!result.abandoned) {
		doze_reader_free(t->reader);
		doze_reader_free(t->second);
	}
	if (rc == DOZE_EXIT_OK && t->once && result.status == DOZE_READER_STOPPED)
		rc = check_relay(url);
	return rc == DOZE_EXIT_OK && result.saw_loss ? DOZE_EXIT_INCONCLUSIVE : rc;
}

/* ---- --attach: the viewer on one or two running sessions ---- */

/** Opens a session. Returns the viewer's reader, or null after an error message. */
static struct doze_reader *open_url(const char *url)
{
	char err[512];
	struct doze_reader *r = doze_reader_open_live(url, err, sizeof(err));
	if (!r)
		doze_complain("live: %s", err);
	return r;
}

/** Returns the part /HOST/SESSION of a URL, for the title of a pane. */
static const char *short_name(const char *url)
{
	const char *host = strstr(url, "/host/");
	return host ? host + strlen("/host/") : url;
}

/** Creates the folder for an incident in a session whose events are on its relay's disk. */
static int make_folder(void *ctx, int64_t from, char *folder, size_t size, char *err,
		       size_t err_size)
{
	(void)from;
	return cmd_recording_make(folder, size, ctx, err, err_size);
}

/** Shows a session, or two of them, possibly on two hosts, one above the other. --on saves the
 * screen, but no events. */
static int watch(const struct doze_options *o, const char *url, const char *second)
{
	struct doze_tui_options t = cmd_live_viewer(o);
	if (!cmd_live_has_screen(&t))
		return DOZE_EXIT_USAGE;
	t.title = url;
	t.reader = open_url(url);
	t.save = make_folder;
	t.events_at = "the session's relay";
	t.ctx = (void *)short_name(url);
	t.reopen = t.once ? NULL : url;
	if (second) {
		t.second_title = second;
		t.second = t.reader ? open_url(second) : NULL;
		t.duel[0] = short_name(url);
		t.duel[1] = short_name(second);
		t.duel_how = "two sessions";
		t.events_at = "the relays of both sessions";
		t.second_reopen = t.once ? NULL : second;
	}
	if (t.reader && (t.second || !second))
		return cmd_live_show(&t, url);
	doze_reader_free(t.reader);
	return DOZE_EXIT_INPUT;
}

/** Lists the sessions of a relay (null: of all relays on this machine) and shows the one that the
 * user chooses. */
static int choose(const struct doze_options *o, const char *relay)
{
	char url[800];
	int rc = cmd_attach_list(relay, o->json, url, sizeof(url));
	if (rc != DOZE_EXIT_OK || url[0])
		return rc == DOZE_EXIT_OK ? watch(o, url, NULL) : rc;
	/* On a terminal, the user was asked and chose none. */
	if (!cmd_live_given.on.count || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return rc;
	return cmd_fail(DOZE_EXIT_USAGE, "live: --on needs a session: give its URL");
}

/** Converts an operand HOST:PORT to a URL. Returns whether the operand names a relay without a
 * session. */
static bool is_relay(const char *operand, char *url, size_t size)
{
	if (strstr(operand, "/host/"))
		return false;
	snprintf(url, size, "%s%s", strstr(operand, "://") ? "" : "net://", operand);
	return true;
}

/* Runs `doze live --attach`: watches running sessions. Returns the exit code. */
static int cmd_live_watch(const struct doze_options *o)
{
	char relay[300];
	if (o->count > 2)
		return cmd_fail(
		    DOZE_EXIT_USAGE,
		    "live: unexpected argument '%s': usage: doze live --attach [URL [URL]]",
		    o->operands[2]);
	if (o->count == 2)
		return watch(o, o->operands[0], o->operands[1]);
	if (o->count == 0)
		return choose(o, NULL);
	if (is_relay(o->operands[0], relay, sizeof(relay)))
		return choose(o, relay);
	return watch(o, o->operands[0], NULL);
}

#define POLL_MS 50
enum { PAUSE_S = 5, CATCH_UP_S = 60 };

struct live {
	struct doze_session *session;
	struct cmd_black_box box; /* box.program: path of PROG */
	struct cmd_pages pages;
	char line[160];    /* the text that describe() returns */
	int64_t forget_at; /* --keep: next time to delete old data, in s; 0: not set yet */
};

/* ---- callbacks of the viewer, on the main thread ---- */

static void open_gate(void *ctx)
{
	struct live *l = ctx;
	doze_session_go(l->session);
}

/** Once a second, deletes the parts that are older than --keep allows. If this process was stopped
 * for a while, the viewer first reads what was written during that time. */
static void forget(struct live *l)
{
	int64_t now = doze_now_ms() / 1000;
	if (!cmd_live_given.keep.ns || now < l->forget_at)
		return;
	if (l->forget_at && now > l->forget_at + PAUSE_S) {
		l->forget_at = now + CATCH_UP_S;
		return;
	}
	l->forget_at = now + 1;
	doze_session_forget(doze_session_places(l->session)->relayed, cmd_live_given.keep.ns);
}

static const char *describe(void *ctx)
{
	struct live *l = ctx;
	forget(l);
	const struct doze_session_state *s = doze_session_poll(l->session);
	if (s->ended && !s->finished)
		doze_session_finish_soon(l->session);
	if (s->daemon_lost)
		return s->ended ? "exited, after tracing had stopped" : "running, no longer traced";
	doze_report_status(s, l->line, sizeof(l->line));
	return l->line;
}

static int save(void *ctx, int64_t from, char *folder, size_t size, char *err, size_t err_size)
{
	struct live *l = ctx;
	l->box.from = doze_session_places(l->session)->relayed;
	l->box.since = from;
	return cmd_black_box_save(&l->box, folder, size, err, err_size);
}

/** Starts to write the report page. Its times are relative to the recording's first event: the
 * session's first event or, if --keep has deleted that event, one near the beginning of the data on
 * disk. */
static void begin_page(void *ctx, const char *folder, int64_t from, int64_t first)
{
	struct live *l = ctx;
	int64_t begins = first > l->box.begins ? first : l->box.begins;
	cmd_page_begin(&l->pages, folder, from > begins ? from - begins : 0);
}

static const char *page_problem(void *ctx)
{
	struct live *l = ctx;
	return cmd_page_poll(&l->pages);
}

/* ---- running the viewer and the program ---- */

/** Runs the viewer on the session's relay. Returns the viewer's exit code. */
static int view(struct live *l, struct doze_tui_options *t, int signals)
{
	t->reader = open_url(doze_session_places(l->session)->url);
	if (!t->reader)
		return DOZE_EXIT_INPUT;
	t->title = doze_session_places(l->session)->name;
	t->program_log = cmd_live_given.pid ? NULL : doze_session_places(l->session)->log;
	t->archive = doze_session_places(l->session)->relayed;
	t->attached = open_gate;
	t->program = describe;
	t->save = save;
	t->report = begin_page;
	t->report_problem = page_problem;
	t->ctx = l;
	/* From this point, the viewer handles signals, because it must restore the terminal
	 * first. */
	doze_signals_release(signals);
	return cmd_live_show(t, doze_session_places(l->session)->url);
}

/** Prints the program's status and last line after the viewer has restored the terminal. The log is
 * deleted soon afterwards. */
static void print_outcome(const struct live *l, char *const *program)
{
	const struct doze_session_state *s = doze_session_poll(l->session);
	char status[128], last[200];
	if (!s->ended)
		return;
	doze_report_status(s, status, sizeof(status));
	doze_last_line(doze_session_places(l->session)->log, last, sizeof(last));
	printf("program: ");
	doze_quote_text(stdout, program[0]);
	printf(" %s%s", status, *last ? "; last line of output: " : "");
	doze_quote_text(stdout, last);
	putchar('\n');
}

/** Suggests --any if the program has recorded nothing at all: then the relay has no files of it. */
static void suggest_any(const struct live *l)
{
	char sessions[PATH_MAX];

	(void)snprintf(sessions, sizeof(sessions), "%s/*/*",
		       doze_session_places(l->session)->relayed);
	if (!cmd_live_given.any && !cmd_live_given.pid &&
	    !doze_session_poll(l->session)->exec_errno && !doze_report_has_streams(sessions))
		doze_complain(
		    "live: %s: the program created no pool of libdoze: add --any to watch "
		    "a program without libdoze",
		    l->box.program);
}

/** Returns the command as a user would type it: the program without its folder, and its first
 * arguments. */
static const char *name_of(char *const *argv)
{
	static char text[40];
	const char *slash = strrchr(argv[0], '/');
	int n = snprintf(text, sizeof(text), "%s", slash && slash[1] ? slash + 1 : argv[0]);
	for (size_t i = 1; argv[i] && n > 0 && (size_t)n < sizeof(text); i++) {
		if ((size_t)n + 1 + strlen(argv[i]) >= sizeof(text))
			break; /* do not truncate an argument */
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %s", argv[i]);
	}
	return text;
}

/** With --once, after the screen has been printed, waits until the program exits or a signal
 * arrives. */
static void wait_for_program(struct live *l, int signals)
{
	struct pollfd fd = {.fd = signals, .events = POLLIN};

	while (!doze_session_poll(l->session)->ended && poll(&fd, 1, POLL_MS) == 0)
		;
}

static struct doze_session_options
session_options(const struct doze_options *o, char *const *program, const char *log, int signals)
{
	return (struct doze_session_options){
	    .detail = o->detail,
	    .live_timer_us = DOZE_LIVE_TIMER_US,
	    .keep = cmd_live_given.keep,
	    .argv = program,
	    .pid = cmd_live_given.pid,
	    .policy = o->policy,
	    .duel = {cmd_live_given.duel[0], cmd_live_given.duel[1]},
	    .duel_turns = cmd_live_given.turns,
	    .workers = o->workers,
	    .program_log = log,
	    .any = cmd_live_given.any,
	    .interrupt_fd = signals,
	};
}

static int watch_program(const struct doze_options *o, char *const *program, const char *log)
{
	struct doze_tui_options t = cmd_live_viewer(o);
	struct doze_session_state last;
	char err[512];
	if (!cmd_live_has_screen(&t))
		return DOZE_EXIT_USAGE;
	t.detail = doze_detail_names[o->detail];
	t.name = name_of(program);
	t.duel[0] = cmd_live_given.duel[0];
	t.duel[1] = cmd_live_given.duel[1];
	t.duel_how = cmd_live_given.turns || !doze_duel_has_cpus() ? "one run after the other"
								   : "each has half of the CPUs";
	if (o->count && t.once && !t.once_given)
		t.once_ms = -1; /* until the program exits */
	int signals = doze_signals_catch();
	const struct doze_session_options so = session_options(o, program, log, signals);
	struct live l = {.session = doze_session_start(&so, err, sizeof(err)),
			 .box.program = program[0]};
	if (!l.session) {
		int sig = doze_signals_next(signals);
		if (!sig)
			doze_complain("live: %s", err);
		return sig ? 128 + sig : DOZE_EXIT_INPUT;
	}
	int rc = view(&l, &t, signals);
	int again = doze_signals_catch(); /* no signal may interrupt the clean-up */
	if (rc == DOZE_EXIT_OK && t.once && o->count)
		wait_for_program(&l, again);
	print_outcome(&l, program);
	if (rc == DOZE_EXIT_OK)
		suggest_any(&l);
	bool ended_itself = doze_session_poll(l.session)->ended;
	doze_session_stop(l.session, &last);
	last.ended = ended_itself; /* do not report a kill by doze itself */
	doze_report_problems("live", program[0], &last);
	cmd_page_end(&l.pages, rc < 128, again);
	return rc ? rc : doze_report_code(&last);
}

/** Returns the path given with --program-log, or null without that option. Makes the path absolute,
 * because the supervisor has a different working directory. */
static const char *log_path(void)
{
	static char path[PATH_MAX];
	char cwd[PATH_MAX];
	if (!cmd_live_given.program_log || cmd_live_given.program_log[0] == '/' ||
	    !getcwd(cwd, sizeof(cwd)))
		return cmd_live_given.program_log;
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", cwd, cmd_live_given.program_log) >=
	    sizeof(path))
		return cmd_live_given.program_log;
	return path;
}

int cmd_live(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);
	if (rc < 0)
		rc = cmd_live_check(&o);
	if (rc >= 0)
		return rc;
	if (cmd_live_attach)
		return cmd_live_watch(&o);
	if (o.json)
		return cmd_fail(
		    DOZE_EXIT_USAGE,
		    "live: --json applies to the list of sessions: use it with --attach, or "
		    "use 'doze record' and 'doze storms --json'");
	/* The demo runs for longer than a user would watch. Quitting the viewer kills it. */
	char *const *demo = cmd_live_given.any ? cmd_demo_textbook(o.workers, 1000000)
					       : doze_demo_program("phases", "--rounds=1000");
	return watch_program(&o,
			     cmd_live_given.pid ? doze_running_argv(cmd_live_given.pid)
			     : o.count          ? o.operands
						: demo,
			     log_path());
}
