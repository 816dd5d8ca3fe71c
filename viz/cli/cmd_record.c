/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_record.c - `doze record -o DIR [-- PROG ARGS]`: records a trace of a program that it starts
 * or, with --pid, of a process that already runs.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../session/files.h"
#include "../session/outcome.h"
#include "../session/running.h"
#include "../session/session.h"
#include "../trace/manifest.h"
#include "../trace/reader.h"
#include "../words/quote.h"
#include "../words/temp.h"
#include "cmd.h"
#include "last_recording.h"
#include "options.h"

#define INTERRUPT_GRACE_MS 2000

static bool follow, any;
static pid_t pid;             /* record this process; 0: start a program */
static int64_t duration = -1; /* ns; -1: until the program exits */

static const char *check_for(const char *value, void *target)
{
	int64_t ns = 0;
	const char *allowed = doze_check_duration(value, &ns);

	if (allowed || ns < 1000000)
		return "a time of at least 1ms, such as 10s or 500ms";
	*(int64_t *)target = ns;
	return NULL;
}

const struct doze_option cmd_record_options[] = {
    {"pid", 0, "PID", "record a process that already runs, without restarting it", doze_check_pid,
     &pid},
    {"for", 0, "TIME", "end the recording after TIME, such as 10s", check_for, &duration},
    {"any", 0, NULL, "record a program that does not use libdoze", doze_check_flag, &any},
    {"follow", 0, NULL, "also record the programs that PROG starts", doze_check_flag, &follow},
    {0},
};

struct recording {
	struct doze_options options;
	char named[PATH_MAX]; /* folder of the recording if the user gave no -o */
	char dir[PATH_MAX], log[PATH_MAX];
	bool made_dir;
	char *const *program;
	int signals, signal; /* signals: descriptor; signal: number of the signal that
			      * interrupted doze, or 0 */
	bool cut;            /* doze ended the recording while the program ran */
	struct doze_session_state state;
	struct doze_reader *reader; /* while find_pool runs */
	bool saw_pool;
	char unreadable[400]; /* why the trace cannot be read; "" if it can */
};

/* ---- the recording's folder ---- */

/** Returns whether an existing folder is empty. The folder must be empty, so that a recording never
 * mixes with another trace or overwrites it. */
static bool is_empty(const char *dir)
{
	DIR *d = opendir(dir);
	if (!d)
		return false;
	int entries = 0;
	while (readdir(d))
		entries++;
	closedir(d);
	return entries <= 2;
}

static int complain_dir(const char *dir, int err)
{
	return cmd_fail(DOZE_EXIT_INPUT, "record: %s: %s: give another folder with -o", dir,
			err == EEXIST ? "exists and is not empty" : strerror(err));
}

static int make_dir(struct recording *r)
{
	const char *dir = r->options.output;
	r->made_dir = mkdir(dir, 0755) == 0;
	if (!r->made_dir && (errno != EEXIST || !is_empty(dir)))
		return complain_dir(dir, errno);
	/* Make the path absolute, because the daemons have another working directory. */
	if (!realpath(dir, r->dir))
		return complain_dir(dir, errno);
	if ((size_t)snprintf(r->log, sizeof(r->log), "%s/program.log", r->dir) >= sizeof(r->log))
		return complain_dir(dir, ENAMETOOLONG);
	return -1;
}

static void unmake_dir(const struct recording *r)
{
	if (r->made_dir)
		doze_temp_remove(r->dir);
}

/* ---- running the program ---- */

/** Returns the timeout of a poll that ends at a point in time; at most a minute. */
static int poll_until(int64_t until)
{
	int64_t left = until - doze_now_ms();
	return left < 0 ? 0 : left < 60000 ? (int)left : 60000;
}

/** Waits until the program exits, or for the time of --for. Passes the first signal on to the
 * program and gives it some time to exit; a second signal ends the wait. With --pid, the first
 * signal ends the wait, and the process does not get it. */
static void wait_for_program(struct recording *r, struct doze_session *s)
{
	int64_t until = duration < 0 ? INT64_MAX : doze_now_ms() + duration / 1000000;
	while (!doze_session_poll(s)->ended && doze_now_ms() < until) {
		struct pollfd p[] = {{.fd = doze_session_fd(s), .events = POLLIN},
				     {.fd = r->signals, .events = POLLIN}};
		poll(p, 2, poll_until(until));
		int sig = doze_signals_next(r->signals);
		if (!sig)
			continue;
		bool last = pid || r->signal;
		/* Ctrl-C is the usual way to end a recording of a running process. */
		if (!r->signal && !(pid && sig == SIGINT))
			r->signal = sig;
		if (last)
			break;
		until = doze_now_ms() + INTERRUPT_GRACE_MS;
		doze_session_signal(s, sig);
	}
	r->cut = !doze_session_poll(s)->ended && (pid || !r->signal);
}

static int run(struct recording *r)
{
	char err[512];
	struct doze_session_options so = {
	    .detail = r->options.detail,
	    .output = r->dir,
	    .argv = r->program,
	    .pid = pid,
	    .policy = r->options.policy,
	    .workers = r->options.workers,
	    .program_log = r->log,
	    .keep_stdin = true,
	    .follow = follow,
	    .any = any,
	    .interrupt_fd = r->signals,
	};
	struct doze_session *s = doze_session_start(&so, err, sizeof(err));
	if (!s) {
		r->signal = doze_signals_next(r->signals);
		if (!r->signal)
			doze_complain("record: %s", err);
		return r->signal ? 128 + r->signal : DOZE_EXIT_INPUT;
	}
	doze_session_go(s);
	wait_for_program(r, s);
	if (r->cut)
		doze_session_cut(s);
	else
		doze_session_finish(s);
	doze_session_stop(s, &r->state);
	/* Do not report how doze ended the program. */
	r->state.ended &= !r->cut;
	return -1;
}

/* ---- reading the trace ---- */

static void on_event(void *ctx, const struct doze_event *e)
{
	struct recording *r = ctx;
	/* The first event of a pool is enough: do not read the rest of a long trace. */
	if (e->kind == DOZE_EV_unknown || e->kind == DOZE_EV_mark)
		return;
	r->saw_pool = true;
	doze_reader_stop(r->reader);
}

static void find_pool(struct recording *r)
{
	if (!doze_report_has_streams(r->dir))
		return;
	const struct doze_reader_sink sink = {.event = on_event};
	r->reader = doze_reader_open_dir(r->dir, r->unreadable, sizeof(r->unreadable));
	if (!r->reader)
		return;
	if (doze_reader_run(r->reader, &sink, r) == DOZE_READER_ERROR)
		snprintf(r->unreadable, sizeof(r->unreadable), "%s", doze_reader_error(r->reader));
	doze_reader_free(r->reader);
}

/* ---- writing the manifest ---- */

/* Returns whether a signal killed the program, perhaps while it was writing an event. In that case
 * the sub-buffer of that CPU is never completed, and LTTng drops up to a second of its events
 * without reporting the loss. */
static bool was_killed(const struct doze_session_state *s)
{
	return s->ended && WIFSIGNALED(s->status);
}

/* Returns whether the program's end cannot have made the trace incomplete. */
static bool ended_well(const struct recording *r)
{
	const struct doze_session_state *s = &r->state;

	return r->cut || (s->ended && !s->status_unknown && !was_killed(s));
}

static bool is_complete(const struct doze_session_state *s)
{
	return !s->daemon_lost && !s->discarded && !s->problem[0];
}

static void write_manifest(const struct recording *r)
{
	const struct doze_session_state *s = &r->state;
	const struct doze_manifest m = {
	    .argv = r->program,
	    .detail = doze_detail_names[r->options.detail],
	    .cpus = (unsigned)sysconf(_SC_NPROCESSORS_CONF),
	    .complete = is_complete(s) && ended_well(r),
	};
	char err[512];

	if (doze_manifest_write(r->dir, &m, err, sizeof err) != 0)
		doze_complain("record: %s", err);
}

/* ---- reporting the result ---- */

/** Returns a description of the folder's contents. */
static const char *trace_outcome(const struct recording *r)
{
	if (r->saw_pool)
		return is_complete(&r->state) ? "recorded" : "partly recorded";
	return r->state.problem[0] || r->unreadable[0] ? "nothing readable" : "no pool recorded";
}

static void report_text(const struct recording *r, const char *status)
{
	struct stat st;
	printf("%s: ", trace_outcome(r));
	doze_quote_text(stdout, r->options.output);
	printf("\nprogram: ");
	doze_quote_text(stdout, r->program[0]);
	if (pid)
		printf(" (pid %d)", (int)pid);
	printf(" %s", status);
	if (!pid && stat(r->log, &st) == 0 && st.st_size > 0) {
		printf("; output: ");
		doze_quote_text(stdout, r->options.output);
		printf("/program.log");
	}
	putchar('\n');
}

static void report_json(const struct recording *r, const char *status)
{
	const struct doze_session_state *s = &r->state;
	printf("{\"trace\":");
	doze_quote_json(stdout, r->dir);
	printf(",\"program\":");
	doze_quote_json(stdout, r->program[0]);
	if (pid) {
		printf(",\"pid\":%d", (int)pid);
	} else {
		printf(",\"log\":");
		doze_quote_json(stdout, r->log);
	}
	printf(",\"status\":");
	doze_quote_json(stdout, status);
	if (s->ended && !s->status_unknown && WIFEXITED(s->status))
		printf(",\"exit\":%d", WEXITSTATUS(s->status));
	if (s->ended && WIFSIGNALED(s->status))
		printf(",\"signal\":%d", WTERMSIG(s->status));
	printf(",\"discarded\":%" PRIu64 ",\"forked\":%s,\"pool\":%s,\"complete\":%s}\n",
	       s->discarded, s->forked ? "true" : "false", r->saw_pool ? "true" : "false",
	       is_complete(s) && ended_well(r) ? "true" : "false");
}

/** Returns whether LTTng aborted the killed program: its libraries fail an assertion when they find
 * that the program has closed one of their descriptors. */
static bool lttng_aborted(const struct recording *r)
{
	char last[256];

	if (WTERMSIG(r->state.status) != SIGABRT)
		return false;
	doze_last_line(r->log, last, sizeof(last));
	return strstr(last, "shmp_object_destroy: Assertion");
}

static void report_kill(const struct recording *r)
{
	doze_complain("record: %s was killed by signal %d: the trace may lack each CPU's last "
		      "second of events",
		      r->program[0], WTERMSIG(r->state.status));
	if (lttng_aborted(r))
		doze_complain("record: %s: LTTng aborted it, probably because it closed LTTng's "
			      "descriptors: let it close only its own (LTTng protects them from "
			      "close and closefrom, but not from close_range)",
			      r->program[0]);
}

/** Reports why the trace may have no pool, and what to do. */
static void complain_empty(const struct recording *r)
{
	if (r->unreadable[0]) {
		doze_complain("record: %s", r->unreadable);
		return;
	}
	if (pid) {
		doze_complain("record: process %d: the trace is empty: libdoze reports its state "
			      "every half second: record for longer, or try 'doze doctor'",
			      (int)pid);
		return;
	}
	doze_complain(
	    "record: %s: the trace is empty: the program %s", r->program[0],
	    r->state.forked ? "started other processes, which are not recorded: add --follow"
	    : any ? "exited before it could be traced, or a program that it executed could not be "
		    "(see its output): try 'doze doctor'"
		  : "created no pool of libdoze: add --any to record a program without libdoze; if "
		    "it is linked with libdoze, see its output and try 'doze doctor'");
}

static int report(struct recording *r)
{
	char status[128];
	if (r->cut)
		snprintf(status, sizeof(status), "%s",
			 pid ? "still running" : "ended by doze after the recording");
	else
		doze_report_status(&r->state, status, sizeof(status));
	/* With --follow, do not warn that the program forked, because its children are traced,
	 * too. */
	r->state.forked &= !follow;
	doze_report_problems("record", r->program[0], &r->state);
	if (r->state.exec_errno) {
		unmake_dir(r);
		return DOZE_EXIT_INPUT;
	}
	if (was_killed(&r->state))
		report_kill(r);
	find_pool(r);
	write_manifest(r);
	if (r->saw_pool)
		cmd_recording_remember(r->dir);
	(r->options.json ? report_json : report_text)(r, status);
	/* An incomplete trace, which was reported above, cannot show that no pool was started. */
	bool no_pool = !r->saw_pool && !r->state.problem[0];
	if (no_pool)
		complain_empty(r);
	if (r->signal)
		return 128 + r->signal;
	int rc = doze_report_code(&r->state);
	if (rc != DOZE_EXIT_OK || !no_pool)
		return rc;
	return r->unreadable[0] ? DOZE_EXIT_INPUT : DOZE_EXIT_FINDINGS;
}

/* Checks that the options can be combined. Returns -1 to continue, or the exit code after an error
 * message. */
static int check_options(const struct doze_options *o)
{
	const char *refused = !pid         ? NULL
			      : o->count   ? "PROG"
			      : o->policy  ? "--policy"
			      : o->workers ? "--workers"
			      : follow     ? "--follow"
					   : NULL;

	if (!refused)
		return -1;
	return cmd_fail(DOZE_EXIT_USAGE,
			"record: %s applies only to a program that doze starts: omit it or --pid",
			refused);
}

int cmd_record(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct recording r = {0};
	int rc = doze_options_parse(cmd, &r.options, argc, argv);
	if (rc >= 0)
		return rc;
	rc = check_options(&r.options);
	if (rc >= 0)
		return rc;
	r.program = pid               ? doze_running_argv(pid)
		    : r.options.count ? r.options.operands
		    : any             ? cmd_demo_textbook(r.options.workers, 0)
				      : doze_demo_program("burst", NULL);
	if (!r.options.output && cmd_recording_name(r.named, sizeof r.named, r.program[0]))
		r.options.output = r.named;
	if (!r.options.output)
		return cmd_fail(DOZE_EXIT_USAGE,
				"record: no folder for the trace: give -o DIR, or set HOME");
	rc = make_dir(&r);
	if (rc >= 0)
		return rc;
	r.signals = doze_signals_catch();
	rc = run(&r);
	if (rc >= 0)
		unmake_dir(&r);
	else
		rc = report(&r);
	doze_signals_release(r.signals);
	return rc;
}
