/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_live.c - `doze live [-- PROG ARGS]` and `doze live --attach [URL]`: the viewer on a running
 * program.
 *
 * The order matters. The session starts while the program is held at its gate; the viewer attaches
 * to the relay; only then does the program run, so the viewer misses none of its events. When the
 * program has exited, the LTTng session is destroyed, which lets the viewer read to the end of the
 * trace. The viewer stays until the user quits; then the relay is stopped.
 */
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../reader/reader.h"
#include "../session/duel.h"
#include "../session/files.h"
#include "../session/outcome.h"
#include "../session/session.h"
#include "../tui/tui.h"
#include "attach.h"
#include "black_box.h"
#include "cmd.h"
#include "live_options.h"
#include "options.h"
#include "tui_options.h"

#define ONCE_MS 1000 /* for --once without a time, because the program may run forever */
#define POLL_MS 50
enum { PAUSE_S = 5, CATCH_UP_S = 60 };

struct live {
	struct doze_session *session;
	const char *program; /* the path of PROG */
	char line[160];      /* text that describe() returns */
	time_t forget_at;    /* --keep: when to delete next, s; 0: not yet */
};

/* ---- the viewer's callbacks; main thread ---- */

static void open_gate(void *ctx)
{
	struct live *l = ctx;
	doze_session_go(l->session);
}

/** Deletes the parts that are older than --keep, once a second. If this process was stopped for a
 * while, the viewer first reads what was written meanwhile. */
static void forget(struct live *l)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!cmd_live_given.keep.ns || now.tv_sec < l->forget_at)
		return;
	if (l->forget_at && now.tv_sec > l->forget_at + PAUSE_S) {
		l->forget_at = now.tv_sec + CATCH_UP_S;
		return;
	}
	l->forget_at = now.tv_sec + 1;
	doze_session_forget(doze_session_relayed(l->session), cmd_live_given.keep.ns);
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
	const struct live *l = ctx;
	const struct cmd_black_box box = {
	    .from = doze_session_relayed(l->session), .program = l->program, .since = from};
	return cmd_black_box_save(&box, folder, size, err, err_size);
}

/* ---- the run ---- */

/** Checks for a terminal before anything is started. */
static bool has_screen(const struct doze_tui_options *t)
{
	if (t->once || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return true;
	doze_complain("live: no terminal: the viewer needs one: use --once for one screen, or "
		      "'doze record' and 'doze timeline'");
	return false;
}

static struct doze_tui_options viewer_options(const struct doze_options *o)
{
	struct doze_tui_options t = doze_tui_from(o);
	t.live = true;
	if (t.once_ms < 0)
		t.once_ms = ONCE_MS;
	return t;
}

static void ignore(void *ctx, const struct doze_live_session *s)
{
	(void)ctx, (void)s;
}

/** Checks that the relay still answers. An interactive user sees how far the screen lags behind,
 * but with --once a stalled relay looks like an idle program. */
static int check_relay(const char *url)
{
	char err[512];
	if (doze_live_sessions(url, ignore, NULL, err, sizeof(err)) >= 0)
		return DOZE_EXIT_OK;
	doze_complain("live: %s: the screen may lack the latest events", err);
	return DOZE_EXIT_INCONCLUSIVE;
}

/** Runs the viewer. Frees the reader, unless the reader's thread still uses it; then the process is
 * about to exit. */
static int show(const struct doze_tui_options *t, const char *url)
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

/** Runs the viewer on the session's relay. Returns the viewer's exit code. */
static int view(struct live *l, struct doze_tui_options *t, int signals)
{
	char err[512];
	t->reader = doze_reader_open_live(doze_session_url(l->session), err, sizeof(err));
	if (!t->reader) {
		doze_complain("live: %s", err);
		return DOZE_EXIT_INPUT;
	}
	t->title = doze_session_name(l->session);
	t->program_log = doze_session_log(l->session);
	t->archive = doze_session_relayed(l->session);
	t->attached = open_gate;
	t->program = describe;
	t->save = save;
	t->triggers = &cmd_live_given.on;
	t->bell = cmd_live_given.bell;
	t->banner = cmd_live_given.banner;
	t->ctx = l;
	/* From now on the viewer handles signals, because it must restore the terminal first. */
	doze_signals_release(signals);
	return show(t, doze_session_url(l->session));
}

/** Prints the program's status and last line after the viewer has restored the terminal. The log is
 * deleted soon after. */
static void print_outcome(const struct live *l, char *const *program)
{
	const struct doze_session_state *s = doze_session_poll(l->session);
	char status[128], last[200];
	if (!s->ended)
		return;
	doze_report_status(s, status, sizeof(status));
	doze_last_line(doze_session_log(l->session), last, sizeof(last));
	printf("program: %s %s%s%s\n", program[0], status, *last ? "; last line of output: " : "",
	       last);
}

/** Returns the program as a user would type it: without its folder, with its first arguments. */
static const char *name_of(char *const *argv)
{
	static char text[40];
	const char *slash = strrchr(argv[0], '/');
	int n = snprintf(text, sizeof(text), "%s", slash && slash[1] ? slash + 1 : argv[0]);
	for (size_t i = 1; argv[i] && n > 0 && (size_t)n < sizeof(text); i++) {
		if ((size_t)n + 1 + strlen(argv[i]) >= sizeof(text))
			break; /* do not cut an argument */
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %s", argv[i]);
	}
	return text;
}

/** With --once, a program whose screen was printed continues until it exits or a signal arrives. */
static void wait_for_program(struct live *l, int signals)
{
	struct pollfd fd = {.fd = signals, .events = POLLIN};

	while (!doze_session_poll(l->session)->ended && poll(&fd, 1, POLL_MS) == 0)
		;
}

static void name_duel(struct doze_tui_options *t)
{
	t->duel[0] = cmd_live_given.duel[0];
	t->duel[1] = cmd_live_given.duel[1];
	t->duel_how = cmd_live_given.turns || !doze_duel_has_cpus() ? "one run after the other"
								    : "each has half of the CPUs";
}

static int watch_program(const struct doze_options *o, char *const *program, const char *log)
{
	static const char *const details[] = {"states", "jobs", "all"};
	struct doze_tui_options t = viewer_options(o);
	char err[512];
	if (!has_screen(&t))
		return DOZE_EXIT_USAGE;
	t.detail = details[o->detail];
	t.name = name_of(program);
	name_duel(&t);
	if (o->count && t.once && !t.once_given)
		t.once_ms = -1; /* until the program exits */
	int signals = doze_signals_catch();
	const struct doze_session_options so = {
	    .detail = o->detail,
	    .live_timer_us = DOZE_LIVE_TIMER_US,
	    .keep = cmd_live_given.keep,
	    .argv = program,
	    .policy = o->policy,
	    .duel = {cmd_live_given.duel[0], cmd_live_given.duel[1]},
	    .duel_turns = cmd_live_given.turns,
	    .workers = o->workers,
	    .program_log = log,
	    .interrupt_fd = signals,
	};
	struct live l = {.session = doze_session_start(&so, err, sizeof(err)),
			 .program = program[0]};
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
	struct doze_session_state last;
	bool ended_itself = doze_session_poll(l.session)->ended;
	doze_session_stop(l.session, &last);
	last.ended = ended_itself; /* don't report a kill that we made ourselves */
	doze_report_problems("live", program[0], &last);
	return rc ? rc : doze_report_code(&last);
}

/** Returns the absolute path of --program-log, because the supervisor has another working
 * directory, or null without that option. */
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

/** Opens a session. Returns the viewer's reader, or null after an error message. */
static struct doze_reader *open_url(const char *url)
{
	char err[512];
	struct doze_reader *r = doze_reader_open_live(url, err, sizeof(err));
	if (!r)
		doze_complain("live: %s", err);
	return r;
}

/** Returns /HOST/SESSION of a URL, for the title of a pane. */
static const char *short_name(const char *url)
{
	const char *host = strstr(url, "/host/");
	return host ? host + strlen("/host/") : url;
}

/** Shows two sessions, possibly of two hosts, one above the other. */
static int watch_two(const struct doze_options *o)
{
	struct doze_tui_options t = viewer_options(o);
	if (!has_screen(&t))
		return DOZE_EXIT_USAGE;
	t.title = o->operands[0];
	t.second_title = o->operands[1];
	t.duel[0] = short_name(t.title);
	t.duel[1] = short_name(t.second_title);
	t.duel_how = "two sessions";
	t.reader = open_url(t.title);
	t.second = t.reader ? open_url(t.second_title) : NULL;
	if (!t.once) {
		t.reopen = t.title;
		t.second_reopen = t.second_title;
	}
	if (t.second)
		return show(&t, t.title);
	doze_reader_free(t.reader);
	return DOZE_EXIT_INPUT;
}

static int watch_url(const struct doze_options *o, const char *url)
{
	struct doze_tui_options t = viewer_options(o);
	if (!has_screen(&t))
		return DOZE_EXIT_USAGE;
	t.reader = open_url(url);
	if (!t.reader)
		return DOZE_EXIT_INPUT;
	t.title = url;
	t.reopen = t.once ? NULL : url;
	return show(&t, url);
}

/** Lists the sessions of a relay (null: of all relays on this machine), and shows the one that the
 * user chooses. */
static int choose(const struct doze_options *o, const char *relay)
{
	char url[800];
	int rc = doze_attach_list(relay, o->json, url, sizeof(url));
	return rc == DOZE_EXIT_OK && url[0] ? watch_url(o, url) : rc;
}

/** Writes HOST:PORT as a URL. Returns whether the operand names a relay and no session. */
static bool is_relay(const char *operand, char *url, size_t size)
{
	if (strstr(operand, "/host/"))
		return false;
	snprintf(url, size, "%s%s", strstr(operand, "://") ? "" : "net://", operand);
	return true;
}

static int attach(const struct doze_options *o)
{
	char relay[300];
	if (o->count > 2) {
		doze_complain(
		    "live: unexpected argument '%s': usage: doze live --attach [URL [URL]]",
		    o->operands[2]);
		return DOZE_EXIT_USAGE;
	}
	if (o->count == 2)
		return watch_two(o);
	if (o->count == 0)
		return choose(o, NULL);
	if (is_relay(o->operands[0], relay, sizeof(relay)))
		return choose(o, relay);
	return watch_url(o, o->operands[0]);
}

int cmd_live(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);
	if (rc < 0)
		rc = cmd_live_check();
	if (rc >= 0)
		return rc;
	if (cmd_live_attach)
		return attach(&o);
	if (o.json) {
		doze_complain(
		    "live: --json applies to the list of sessions: use it with --attach, or "
		    "'doze record' and 'doze storms --json'");
		return DOZE_EXIT_USAGE;
	}
	/* Runs for longer than a user would watch, and is killed when the user quits the viewer. */
	char *const *demo = doze_demo_program("phases", "--rounds=1000");
	return watch_program(&o, o.count ? o.operands : demo, log_path());
}
