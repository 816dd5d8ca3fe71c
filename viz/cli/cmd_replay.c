/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_replay.c - `doze replay DIR [DIR]`: the viewer on a recorded trace, or on two of them.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../show/load_trace.h"
#include "../show/progress.h"
#include "../show/summary.h"
#include "../trace/manifest.h"
#include "cmd.h"
#include "options.h"

enum { NAME_WIDTH = 40 };

/* Returns the recorded command as a user would type it: the program without its folder, and as many
 * arguments as fit. Returns null if the recording does not name the program. */
static const char *program_name(const char *dir)
{
	static char text[1024];
	char *name, *slash, *blank;

	if (!doze_manifest_command(dir, text, sizeof text))
		return NULL;
	blank = strchr(text, ' ');
	if (blank)
		*blank = '\0';
	slash = strrchr(text, '/');
	name = slash && slash[1] ? slash + 1 : text;
	if (blank)
		*blank = ' ';
	while (strlen(name) > NAME_WIDTH && (blank = strrchr(name, ' ')))
		*blank = '\0'; /* do not truncate an argument */
	return name;
}

/* Returns the last component of a path, or the whole path if it has only one. */
static const char *folder_name(const char *path, char *text, size_t size)
{
	size_t len = strlen(path);
	const char *slash;

	while (len > 1 && path[len - 1] == '/')
		len--;
	snprintf(text, size, "%.*s", (int)len, path);
	slash = strrchr(text, '/');
	return slash && slash[1] ? slash + 1 : text;
}

static int open_second(const struct doze_options *o, struct doze_tui_options *view)
{
	static char names[2][PATH_MAX];
	char err[512];

	if (o->count < 2)
		return DOZE_EXIT_OK;
	for (int i = 0; i < 2; i++)
		view->duel[i] = folder_name(o->operands[i], names[i], sizeof names[i]);
	view->duel_how = "two recordings";
	view->second_title = o->operands[1];
	view->second = doze_progress_open(o->operands[1], err, sizeof err);
	return view->second ? DOZE_EXIT_OK : cmd_fail(DOZE_EXIT_INPUT, "%s", err);
}

/* Returns whether a recording that was read to its end contains events of doze. If not, prints a
 * message. */
static bool has_doze(const struct doze_reader *r, const char *dir)
{
	if (!r || doze_reader_saw_doze(r))
		return true;
	doze_complain("%s: the trace has no doze events: record a trace with 'doze record'", dir);
	return false;
}

static int run(const struct doze_options *o, struct doze_tui_options *view)
{
	struct doze_tui_result result;
	int code = doze_tui_run(view, &result);

	if (code == DOZE_EXIT_OK && result.status == DOZE_READER_END &&
	    (!has_doze(view->reader, o->operands[0]) ||
	     !has_doze(view->second, view->second_title)))
		code = DOZE_EXIT_INPUT;
	if (!result.abandoned) {
		doze_reader_free(view->reader);
		doze_reader_free(view->second);
	}
	return code;
}

/* ---- the summary ---- */

/* Returns the history that an earlier reading of the recording has saved, or null. */
static struct tui_history *known(const struct doze_summary *y)
{
	struct doze_saved s;
	struct tui_history *h = NULL;

	if (!doze_summary_read(y, DOZE_SUMMARY_viewer, &s))
		return NULL;
	h = tui_history_load(&s);
	doze_saved_free(&s);
	return h;
}

enum { LEAST = 1 << 16 }; /* a picture that must be coarser than this would show little */

/* Saves the history. How well it can be compressed is not known in advance. */
static void save(void *ctx, struct tui_history *h)
{
	const struct doze_summary *y = ctx;
	bool fits = false;

	if (doze_model_totals(h->model)->unknown_events)
		return;
	for (uint64_t most = doze_summary_room(y); !fits && most >= LEAST; most /= 2) {
		struct doze_saved s = {0};

		tui_history_saved(h, most, &s);
		fits = doze_summary_write(y, DOZE_SUMMARY_viewer, &s);
		doze_saved_free(&s);
	}
}

/* Makes the viewer start from the summary, if there is one, or else write one. */
static void use_summary(const struct doze_options *o, struct doze_summary *y,
			struct doze_tui_options *view)
{
	if (o->no_summary || o->count > 1 || doze_selection_by_pool(&o->selection) ||
	    view->once_given || !doze_summary_open(y, o->operands[0], DOZE_SUMMARY_LEAST))
		return;
	view->known = known(y);
	view->read = save;
	view->ctx = y;
}

int cmd_replay(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	struct doze_tui_options view;
	static struct doze_summary summary;
	char err[512];
	int code = doze_options_parse(cmd, &o, argc, argv);

	if (code >= 0)
		return code;
	if (o.phase && o.count > 1)
		return cmd_fail(DOZE_EXIT_USAGE,
				"replay: --phase: a phase has different times in each recording: "
				"use --from and --to");
	code = o.phase ? doze_load_phase(o.operands[0], o.phase, o.no_summary, &o.selection)
		       : DOZE_EXIT_OK;
	if (code != DOZE_EXIT_OK)
		return code;
	view = doze_tui_from(&o);
	view.title = view.archive = o.operands[0];
	view.name = program_name(o.operands[0]);
	use_summary(&o, &summary, &view);
	if (!view.known)
		view.reader = doze_progress_open(o.operands[0], err, sizeof err);
	if (!view.reader && !view.known)
		return cmd_fail(DOZE_EXIT_INPUT, "%s", err);
	code = open_second(&o, &view);
	if (code == DOZE_EXIT_OK)
		return run(&o, &view);
	doze_reader_free(view.reader);
	return code;
}
