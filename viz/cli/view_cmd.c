/*
 * SPDX-License-Identifier: MIT
 *
 * view_cmd.c - runs a command that shows a recorded trace: parses its options, feeds the trace to
 * the model and the view, and computes the exit code.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../model/part.h"
#include "../show/load_trace.h"
#include "../show/ranges.h"
#include "../show/selected.h"
#include "../show/summary.h"
#include "../show/view.h"
#include "cmd.h"
#include "last_recording.h"
#include "options.h"

struct doze_out {
	FILE *file;
	const char *name; /* as given by the user, for messages; borrowed */
	/* Path with links resolved; empty for standard output, and for a device or pipe, which is
	 * written directly. */
	char target[PATH_MAX];
	char part[PATH_MAX];
};

/*
 * ---- The file of -o. The output is written to a temporary file in the same folder, which
 * is renamed when it is complete. After an error, a signal or a write to a full disk, an existing
 * file is therefore unchanged, and no partial file is left behind.
 *
 * Links are followed, and their target is replaced. A device or a pipe is written directly. Main
 * thread only, one file at a time per process, because the signal handler that removes the
 * temporary file knows only one.
 */

enum { MAX_LINKS = 40 };

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define ENDING (sizeof ending / sizeof ending[0])
/* The temporary file that the signal handler removes. The path changes only while no handler is
 * installed. */
static char doomed[PATH_MAX];
static struct sigaction earlier[ENDING], earlier_size;

static const char *advice(int error)
{
	switch (error) {
	case EISDIR:
		return "give the name of a file in it";
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return "free some space, or give another path with -o";
	case ENOENT:
	case ENOTDIR:
		return "create the folder, or give another path with -o";
	default:
		return "give another path with -o";
	}
}

static int cannot_write(const struct doze_out *o, int error)
{
	return cmd_fail(DOZE_EXIT_INPUT, "cannot write %s: %s: %s", o->name,
			error == EISDIR ? "is a folder" : strerror(error), advice(error));
}

/* ---- removing the temporary file on a signal ---- */

static void on_end(int sig)
{
	(void)unlink(doomed);
	/* SA_RESETHAND has restored the default action, so this terminates the program. */
	(void)raise(sig);
}

static void guard(const char *part)
{
	struct sigaction remove = {.sa_handler = on_end, .sa_flags = (int)SA_RESETHAND};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	memcpy(doomed, part, sizeof doomed);
	sigemptyset(&remove.sa_mask);
	sigemptyset(&ignore.sa_mask);
	for (size_t i = 0; i < ENDING; i++) {
		(void)sigaction(ending[i], NULL, &earlier[i]);
		if (earlier[i].sa_handler == SIG_DFL)
			(void)sigaction(ending[i], &remove, NULL);
	}
	/* Make a write beyond the file size limit fail instead of killing the program. */
	(void)sigaction(SIGXFSZ, &ignore, &earlier_size);
}

static void unguard(void)
{
	for (size_t i = 0; i < ENDING; i++)
		(void)sigaction(ending[i], &earlier[i], NULL);
	(void)sigaction(SIGXFSZ, &earlier_size, NULL);
}

/* Creates and opens the temporary file. Signals are blocked until the handler has its name, so that
 * no signal can leave the file behind. */
static int make_guarded(char *part)
{
	sigset_t end, before;
	int fd, error;

	sigemptyset(&end);
	for (size_t i = 0; i < ENDING; i++)
		sigaddset(&end, ending[i]);
	sigprocmask(SIG_BLOCK, &end, &before);
	fd = mkostemp(part, O_CLOEXEC);
	error = errno;
	if (fd >= 0)
		guard(part);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return fd;
}

/* ---- opening the file ---- */

/* Replaces the path of a link by the link's target. Returns 0 or an errno value. */
static int follow(char *path, size_t size)
{
	char to[PATH_MAX], whole[2 * PATH_MAX];
	const char *slash = strrchr(path, '/');
	ssize_t n = readlink(path, to, sizeof to - 1);
	int folder = slash ? (int)(slash + 1 - path) : 0;

	if (n < 0)
		return errno;
	to[n] = 0;
	snprintf(whole, sizeof whole, "%.*s%s", to[0] == '/' ? 0 : folder, path, to);
	if (strlen(whole) >= size)
		return ENAMETOOLONG;
	strcpy(path, whole);
	return 0;
}

/* Resolves the target. Follows links itself, because realpath() fails for a link whose target does
 * not exist. Returns 0 or an errno value. */
static int resolve(char *path, size_t size)
{
	struct stat st;

	for (int i = 0; i < MAX_LINKS; i++) {
		int error;

		if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
			return 0;
		error = follow(path, size);
		if (error)
			return error;
	}
	return ELOOP;
}

static int open_directly(struct doze_out *o)
{
	/* The target is a device or a pipe, so do not create or truncate it. */
	int fd = open(o->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	o->target[0] = 0;
	if (fd >= 0)
		o->file = fdopen(fd, "w");
	if (o->file)
		return 0;
	return cannot_write(o, errno);
}

static mode_t fresh_mode(void)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	return 0666 & ~mask;
}

/* Opens the temporary file in the target's folder, so that it can be renamed to the target. */
static int open_part(struct doze_out *o, mode_t mode)
{
	int fd, length = snprintf(o->part, sizeof o->part, "%s.XXXXXX", o->target);

	if (length < 0 || (size_t)length >= sizeof o->part)
		return cannot_write(o, ENAMETOOLONG);
	fd = make_guarded(o->part);
	if (fd < 0)
		return cannot_write(o, errno);
	if (fchmod(fd, mode) == 0)
		o->file = fdopen(fd, "w");
	if (o->file)
		return 0;
	(void)cannot_write(o, errno);
	(void)close(fd);
	(void)unlink(o->part);
	unguard();
	return DOZE_EXIT_INPUT;
}

/* Opens the file; null or "-" stands for standard output. Returns 0, or exit code 3 with a message
 * on stderr if the file cannot be written. Opening a pipe blocks until the pipe has a reader. */
static int doze_out_open(struct doze_out *o, const char *name)
{
	struct stat st;
	int error;

	*o = (struct doze_out){.name = name};
	if (!name || !strcmp(name, "-")) {
		o->name = "standard output";
		o->file = stdout;
		return 0;
	}
	if (strlen(name) >= sizeof o->target)
		return cannot_write(o, ENAMETOOLONG);
	strcpy(o->target, name);
	error = resolve(o->target, sizeof o->target);
	if (error)
		return cannot_write(o, error);
	if (stat(o->target, &st) != 0)
		return errno == ENOENT ? open_part(o, fresh_mode()) : cannot_write(o, errno);
	if (S_ISDIR(st.st_mode))
		return cannot_write(o, EISDIR);
	if (!S_ISREG(st.st_mode))
		return open_directly(o);
	/* rename() does not check whether the file itself is writable. */
	if (access(o->target, W_OK) != 0)
		return cannot_write(o, errno);
	return open_part(o, st.st_mode & 07777);
}

/* ---- closing the file ---- */

/* Flushes and closes the file. Returns 0 or an errno value. */
static int end_file(FILE *file)
{
	int error = 0;

	errno = 0;
	if (fflush(file) != 0 || ferror(file))
		error = errno ? errno : EIO;
	if (file != stdout && fclose(file) != 0 && !error)
		error = errno;
	/* The caller reports the error, so main must not report it again. */
	if (file == stdout && error) {
		__fpurge(file);
		clearerr(file);
	}
	return error;
}

/* Closes the file. rc is the writer's exit code: 3 discards the file, any other code keeps it.
 * Returns rc, or exit code 3 with a message on stderr if the file could not be written. */
static int doze_out_close(struct doze_out *o, int rc)
{
	int error = end_file(o->file);

	if (!error && o->target[0] && rc != DOZE_EXIT_INPUT && rename(o->part, o->target) != 0)
		error = errno;
	if (o->target[0] && (error || rc == DOZE_EXIT_INPUT))
		(void)unlink(o->part);
	if (o->target[0])
		unguard();
	/* If the writer failed, it has already reported its error. */
	return error && rc != DOZE_EXIT_INPUT ? cannot_write(o, error) : rc;
}

static size_t terminal_columns(void)
{
	struct winsize ws;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		return ws.ws_col;
	return 80;
}

static struct doze_view_request request_of(const struct doze_view *v, const struct doze_options *o)
{
	struct doze_view_request r = {
	    .selection = o->selection,
	    .columns = terminal_columns(),
	    .trace = o->operands[0],
	    .output = o->output,
	    .phase = o->phase,
	    .out = stdout,
	    .json = o->json,
	    .no_summary = o->no_summary,
	};

	/* A view that prints plain text uses ASCII only with --ascii; a view that draws also does
	 * so if the locale is not UTF-8. */
	r.palette.ascii = o->ascii || (v->takes & DOZE_VIEW_DRAWS && !doze_locale_utf8());
	r.palette.color = doze_options_color(o, STDOUT_FILENO);
	return r;
}

static int no_memory(const struct doze_view *v, const char *advice)
{
	return cmd_fail(DOZE_EXIT_INPUT, "%s: not enough memory: %s", v->name, advice);
}

/* Writes the view's output. Returns the exit code. */
static int show(const struct doze_view *v, void *state, struct doze_model *m,
		const struct doze_view_request *r)
{
	const char *problem = doze_selection_problem(&r->selection, m, true);

	if (problem)
		return cmd_fail(DOZE_EXIT_USAGE, "%s: %s", v->name, problem);
	doze_view_print(v, state, m, r);
	if (v->failed && v->failed(state))
		return no_memory(v, "record a shorter run");
	return DOZE_EXIT_OK;
}

static int conclude(const struct doze_view *v, const void *state, const struct doze_model *m,
		    const char *trace)
{
	int found = v->judge ? v->judge(state, m) : 0;
	int conclusive = v->takes & DOZE_VIEW_DECIDES ? 0 : doze_load_conclusive(trace, m);

	return found ? found : conclusive;
}

/* ---- the summary of the recording ---- */

/* m: null if the view could not be opened. */
static void close_view(const struct doze_view *v, void *state, struct doze_model *m)
{
	if (v->close)
		v->close(state);
	doze_model_free(m);
}

/* Returns a model that answers from the summary, or null. */
static struct doze_model *from_summary(const struct doze_view *v, void *state,
				       const struct doze_view_request *r,
				       const struct doze_summary *y)
{
	struct doze_saved s;
	struct doze_model *m;
	bool ok;

	if (!doze_summary_read(y, DOZE_SUMMARY_analysis, &s))
		return NULL;
	m = v->open(state, r);
	if (m)
		v->saved(state, &s);
	ok = m && !s.failed && s.at == s.size;
	doze_saved_free(&s);
	if (ok)
		return m;
	close_view(v, state, m);
	return NULL;
}

static struct doze_model *from_part(const struct doze_view *v, void *state,
				    const struct doze_view_request *r,
				    const struct doze_ranges *ranges,
				    const struct doze_ranges_part *part, struct doze_saved whole)
{
	struct doze_model *m = v->open(state, r);

	if (m && doze_ranges_read(ranges, v, state, part, &whole, m))
		return m;
	close_view(v, state, m);
	return NULL;
}

/* Returns null if the recording must be read from its beginning. A view that follows the events may
 * need more than the nearest point before the range. */
static struct doze_model *from_points(const struct doze_view *v, void *state,
				      const struct doze_view_request *r,
				      const struct doze_selection *range,
				      const struct doze_ranges *ranges,
				      const struct doze_saved *whole)
{
	struct doze_ranges_part part = {.trace = r->trace, .range = *range, .lead = 1};
	struct doze_model *m = from_part(v, state, r, ranges, &part, *whole);

	while (!m && v->follows && part.lead <= ranges->count) {
		part.lead *= 4;
		m = from_part(v, state, r, ranges, &part, *whole);
	}
	return m;
}

static struct doze_model *from_range(const struct doze_view *v, void *state,
				     const struct doze_view_request *r,
				     const struct doze_selection *range,
				     const struct doze_summary *y)
{
	struct doze_saved whole, points = {0};
	struct doze_ranges ranges = {0};
	struct doze_model *m = NULL;

	if (!doze_summary_read(y, DOZE_SUMMARY_analysis, &whole))
		return NULL;
	if (doze_summary_read(y, DOZE_SUMMARY_ranges, &points))
		doze_ranges_saved(&ranges, &points);
	if (ranges.count && !points.failed)
		m = from_points(v, state, r, range, &ranges, &whole);
	doze_ranges_free(&ranges);
	doze_saved_free(&points);
	doze_saved_free(&whole);
	return m;
}

/* Writes the points from which ranges can be read, or as many of them as fit. */
static void ranges_to_summary(struct doze_ranges *ranges, const struct doze_summary *y)
{
	bool fits = false;

	while (!fits) {
		struct doze_saved s = {0};

		doze_ranges_saved(ranges, &s);
		fits = doze_summary_write(y, DOZE_SUMMARY_ranges, &s) || !doze_ranges_thin(ranges);
		doze_saved_free(&s);
	}
}

/* Events that this build of doze does not know are reported each time. */
static void to_summary(const struct doze_view *v, void *state, const struct doze_model *m,
		       struct doze_ranges *ranges, const struct doze_summary *y)
{
	struct doze_saved s = {0};
	bool fits;

	if (doze_model_totals(m)->unknown_events)
		return;
	v->saved(state, &s);
	fits = doze_summary_write(y, DOZE_SUMMARY_analysis, &s);
	doze_saved_free(&s);
	if (fits && doze_model_is_plain(m))
		ranges_to_summary(ranges, y);
}

/* A view that reads a whole recording, and notes the states of the model meanwhile. */
struct noting {
	const struct doze_view *view;
	void *state;
	struct doze_ranges ranges;
};

static void feed_noting(void *ctx, struct doze_model *m, const struct doze_event *e)
{
	struct noting *n = ctx;

	doze_ranges_note(&n->ranges, m, e);
	doze_view_feed(n->view, n->state, m, e);
}

static int read_noting(const struct doze_view *v, void *state, const struct doze_view_request *r,
		       const struct doze_summary *y, struct doze_model *m)
{
	struct noting n = {.view = v, .state = state};
	int rc = doze_load(r->trace, m, feed_noting, &n);

	if (rc == DOZE_EXIT_OK)
		to_summary(v, state, m, &n.ranges, y);
	doze_ranges_free(&n.ranges);
	return rc;
}

static bool may_be_whole(const struct doze_view *v, const void *state,
			 const struct doze_view_request *r)
{
	return v->whole && v->whole(state, r);
}

static bool may_be_range(const struct doze_view *v, const void *state,
			 const struct doze_view_request *r, struct doze_selection *range)
{
	*range = r->selection;
	return v->part && !doze_selection_by_pool(range) && v->part(state, r, range) &&
	       (range->from > 0 || range->to < INT64_MAX);
}

/* Feeds the trace to the view, or has the view load the summary. Returns the model, owned by the
 * caller, or null if out of memory, and stores the exit code in *rc. */
static struct doze_model *load(const struct doze_view *v, void *state,
			       const struct doze_view_request *r, int *rc)
{
	struct doze_summary y;
	struct doze_selection part;
	bool whole = may_be_whole(v, state, r), range = may_be_range(v, state, r, &part);
	bool any = (whole || range) && !r->no_summary &&
		   doze_summary_open(&y, r->trace, DOZE_SUMMARY_LEAST);
	struct doze_model *m = NULL;

	*rc = DOZE_EXIT_OK;
	if (any)
		m = whole ? from_summary(v, state, r, &y) : from_range(v, state, r, &part, &y);
	if (m)
		return m;
	m = v->open(state, r);
	if (!m)
		*rc = no_memory(v, "close other programs");
	else if (any && whole)
		*rc = read_noting(v, state, r, &y, m);
	else
		*rc = doze_load(r->trace, m, v->feed, state);
	return m;
}

static int run_view(const struct doze_view *v, void *state, const struct doze_view_request *r)
{
	int rc;
	struct doze_model *m = load(v, state, r, &rc);

	rc = rc ? rc : show(v, state, m, r);

	if (!rc && !(v->takes & DOZE_VIEW_WRITES))
		fflush(r->out);
	if (!rc)
		rc = conclude(v, state, m, r->trace);
	close_view(v, state, m);
	return rc;
}

/* Opens the output file before reading the trace, so that an unwritable file is reported at
 * once. */
static int run_into_file(const struct doze_view *v, void *state, struct doze_view_request *r)
{
	struct doze_out out;
	int rc = doze_out_open(&out, r->output);

	if (rc)
		return rc;
	r->out = out.file;
	rc = doze_out_close(&out, run_view(v, state, r));
	if (rc != DOZE_EXIT_INPUT && v->written && out.file != stdout)
		printf("%s: %s\n", r->output, v->written);
	return rc;
}

static int refuse(const struct doze_view *v, const void *state, const struct doze_view_request *r)
{
	const char *why = v->refuse ? v->refuse(state, r) : NULL;

	if (!why)
		return -1;
	return cmd_fail(DOZE_EXIT_USAGE, "%s: %s", v->name, why);
}

/* If the view answers questions, passes it the operand after DIR. A single operand is the question
 * if no file has that name; the view then shows the last recording. Returns -1 to continue, or the
 * exit code after an error. */
static int ask(const struct doze_view *v, void *state, struct doze_options *o)
{
	const char *operand = o->count > 1 ? o->operands[1] : o->operands[0], *valid;

	if (!v->ask || (o->count == 1 && !access(operand, F_OK)))
		return -1;
	if (o->count == 1 && !cmd_recording_last())
		return cmd_fail(
		    DOZE_EXIT_INPUT,
		    "%s: %s: there is no such folder, and no previous recording to use instead",
		    v->name, operand);
	valid = v->ask(state, operand);
	if (valid)
		return cmd_fail(DOZE_EXIT_USAGE,
				"%s: '%s' is neither a folder nor a question: give %s", v->name,
				operand, valid);
	if (o->count == 1)
		o->operands[0] = (char *)cmd_recording_last();
	return -1;
}

int cmd_view(const struct doze_cmd *cmd, int argc, char **argv)
{
	const struct doze_view *v = cmd->view;
	void *state = doze_view_state(v);
	struct doze_view_request r;
	struct doze_options o;
	int rc;

	if (!state)
		return no_memory(v, "close other programs");
	rc = doze_options_parse_view(cmd, &o, state, argc, argv);
	if (rc < 0)
		rc = ask(v, state, &o);
	if (rc < 0) {
		r = request_of(v, &o);
		rc = refuse(v, state, &r);
	}
	if (rc < 0)
		rc = v->precheck ? v->precheck(state, &r) : -1;
	if (rc < 0 && o.phase) {
		rc = doze_load_phase(r.trace, o.phase, o.no_summary, &r.selection);
		rc = rc ? rc : -1;
	}
	if (rc < 0)
		rc = v->takes & DOZE_VIEW_WRITES ? run_into_file(v, state, &r)
						 : run_view(v, state, &r);
	free(state);
	return rc;
}
