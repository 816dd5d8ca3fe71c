/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_replay.c - `doze replay DIR`: the viewer on a recorded trace.
 */
#include "cmd.h"
#include "tui_options.h"

int cmd_replay(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	struct doze_tui_options view;
	struct doze_tui_result result;
	char err[512];
	int code = doze_options_parse(cmd, &o, argc, argv);

	if (code >= 0)
		return code;
	view = doze_tui_from(&o);
	view.title = o.operands[0];
	view.reader = doze_reader_open_dir(o.operands[0], err, sizeof err);
	if (!view.reader) {
		doze_complain("%s", err);
		return DOZE_EXIT_INPUT;
	}
	code = doze_tui_run(&view, &result);
	if (code == DOZE_EXIT_OK && result.status == DOZE_READER_END &&
	    !doze_reader_saw_doze(view.reader)) {
		doze_complain("%s: the trace has no doze events: record one with 'doze record'",
			      o.operands[0]);
		code = DOZE_EXIT_INPUT;
	}
	if (!result.abandoned)
		doze_reader_free(view.reader);
	return code;
}
