/*
 * SPDX-License-Identifier: MIT
 *
 * tui.h - the terminal viewer: the one call that `doze live` and `doze replay` make.
 *
 * Threads: doze_tui_run belongs on the main thread and keeps ncurses there. It starts one thread of
 * its own for the reader (Babeltrace can block for seconds); that thread only fills a queue. The
 * queue is emptied into the model on the main thread, then the screen is drawn: the views read the
 * model and never write it. All callbacks below are made on the main thread.
 *
 * The terminal is put back as it was on return, on a fatal signal, and while suspended.
 */
#ifndef DOZE_VIZ_TUI_H
#define DOZE_VIZ_TUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../model/model.h"
#include "../reader/reader.h"

enum doze_tui_color { DOZE_TUI_COLOR_AUTO, DOZE_TUI_COLOR_ALWAYS, DOZE_TUI_COLOR_NEVER };

/** What to watch and how to show it; zeroed memory plus `reader`, `title` and `selection` is a good
 * start. Every pointer is weak: it must stay valid until doze_tui_run has returned. */
struct doze_tui_options {
	struct doze_reader *reader; /* opened, not yet run; the caller frees it, see `abandoned` */
	const char *title;          /* what is watched: the trace folder or the session's name */
	const char *detail;         /* "states", "jobs", "all"; null: not known */
	bool live;                  /* follow the newest event, show how far behind the view is */

	enum doze_tui_color color; /* AUTO: a non-empty NO_COLOR and TERM=dumb switch it off */
	bool no_mouse;             /* leave the mouse to the terminal (marking and copying text) */
	bool ascii;                /* no byte above 126, whatever the locale says */

	/* The part of the trace that is shown. If a recorded trace has no such part, or that of
	 * `once` has none, the viewer exits with a complaint and exit code 2. */
	const struct doze_selection *selection;

	/* once: nothing is drawn. Events are taken in for once_ms (live: of the clock on the wall;
	 * a recorded trace: of the trace's own time, < 0: to its end), then one frame is printed to
	 * standard output as plain text. Works without a terminal. */
	bool once;
	int64_t once_ms;
	unsigned width, height; /* of that frame; 0: COLUMNS, LINES, else 80x24 */

	/* The traced program, live only; may all be null. */
	const char
	    *program_log; /* file that its standard output and error go to: the output pane */
	void (*attached)(
	    void *ctx); /* called once, when the reader stands at the relay: open the gate */
	/** Called about ten times a second: one short line on the traced program's state
	 * ("running, pid 12", "exited with 0"), or null. Must not block. Borrowed. */
	const char *(*program)(void *ctx);
	void *ctx;
};

/** How it ended. */
struct doze_tui_result {
	enum doze_reader_status status; /* STOPPED: the user quit, or a signal came */
	int signal;                     /* that ended it, or 0: exit with 128 + signal */
	bool abandoned; /* the reader's thread would not stop: do not free the reader, just exit */
	bool saw_loss;  /* events were discarded */
	bool truncated; /* a pool started and did not stop (meaningful after END) */
	uint64_t events;
};

/** Whether doze_tui_run could show a picture here: 0, or 2 after a complaint on stderr (no
 * terminal, and not `once`). For whoever has much to start before the viewer. */
int doze_tui_check(const struct doze_tui_options *);

/** Shows the trace until the user quits. Returns an exit code of viz/cli/cmd.h: 0, 2 when there is
 * no usable terminal, 3 when the reader failed, 128 + n after signal n; complaints are already on
 * stderr then. Main thread only, one at a time; `result` may be null. */
int doze_tui_run(const struct doze_tui_options *, struct doze_tui_result *result);

#endif
