/*
 * SPDX-License-Identifier: MIT
 *
 * view_cmd.c - runs a command that shows a recorded trace: parses its options, feeds the trace to
 * the model and the view, and computes the exit code.
 */
#include "view_cmd.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../show/load.h"
#include "../show/selection_text.h"
#include "../show/view.h"
#include "last_recording.h"
#include "outfile.h"

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
	};

	/* A view that prints plain text uses ASCII only with --ascii; a view that draws also does
	 * so if the locale is not UTF-8. */
	r.palette.ascii = o->ascii || (v->takes & DOZE_VIEW_DRAWS && !doze_locale_utf8());
	r.palette.color = doze_options_color(o, STDOUT_FILENO);
	return r;
}

static int no_memory(const struct doze_view *v, const char *advice)
{
	doze_complain("%s: not enough memory: %s", v->name, advice);
	return DOZE_EXIT_INPUT;
}

/* Feeds the trace to the view and writes the view's output. Returns the exit code. */
static int show(const struct doze_view *v, void *state, struct doze_model *m,
		const struct doze_view_request *r)
{
	const char *problem;
	int rc = doze_load(r->trace, m, v->feed, state);

	if (rc)
		return rc;
	problem = doze_selection_problem(&r->selection, m, true);
	if (problem) {
		doze_complain("%s: %s", v->name, problem);
		return DOZE_EXIT_USAGE;
	}
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

static int run_view(const struct doze_view *v, void *state, const struct doze_view_request *r)
{
	struct doze_model *m = v->open(state, r);
	int rc = m ? show(v, state, m, r) : no_memory(v, "close other programs");

	if (!rc && !(v->takes & DOZE_VIEW_WRITES))
		fflush(r->out);
	if (!rc)
		rc = conclude(v, state, m, r->trace);
	if (v->close)
		v->close(state);
	doze_model_free(m);
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
	doze_complain("%s: %s", v->name, why);
	return DOZE_EXIT_USAGE;
}

/* If the view answers questions, passes it the operand after DIR. A single operand is the question
 * if no file has that name; the view then shows the last recording. Returns -1 to continue, or the
 * exit code after an error. */
static int ask(const struct doze_view *v, void *state, struct doze_options *o)
{
	const char *operand = o->count > 1 ? o->operands[1] : o->operands[0], *valid;

	if (!v->ask || (o->count == 1 && !access(operand, F_OK)))
		return -1;
	if (o->count == 1 && !cmd_recording_last()) {
		doze_complain(
		    "%s: %s: there is no such folder, and no previous recording to use instead",
		    v->name, operand);
		return DOZE_EXIT_INPUT;
	}
	valid = v->ask(state, operand);
	if (valid) {
		doze_complain("%s: '%s' is neither a folder nor a question: give %s", v->name,
			      operand, valid);
		return DOZE_EXIT_USAGE;
	}
	if (o->count == 1)
		o->operands[0] = (char *)cmd_recording_last();
	return -1;
}

int doze_view_cmd(const struct doze_cmd *cmd, int argc, char **argv)
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
		rc = doze_load_phase(r.trace, o.phase, &r.selection);
		rc = rc ? rc : -1;
	}
	if (rc < 0)
		rc = v->takes & DOZE_VIEW_WRITES ? run_into_file(v, state, &r)
						 : run_view(v, state, &r);
	free(state);
	return rc;
}
