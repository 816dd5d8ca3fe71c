/*
 * SPDX-License-Identifier: MIT
 *
 * tui.h - the terminal viewer of `doze live` and `doze replay`.
 *
 * Threads: call doze_tui_run on the main thread, where ncurses runs. It starts one thread for the
 * reader (Babeltrace can block for seconds), which only fills a queue. The main thread feeds the
 * queued events to the model, then draws the screen: the views read the model and never write it.
 * All callbacks below run on the main thread.
 *
 * The terminal is restored on return, on a fatal signal, and while suspended.
 */
#ifndef DOZE_VIZ_TUI_H
#define DOZE_VIZ_TUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../model/model.h"
#include "../reader/reader.h"
#include "lesson_file.h"
#include "trigger.h"

enum doze_tui_color { DOZE_TUI_COLOR_AUTO, DOZE_TUI_COLOR_ALWAYS, DOZE_TUI_COLOR_NEVER };

/** What to watch and how to show it. Zeroed memory with `reader`, `title` and `selection` set gives
 * the defaults. No pointer is owned, and all must stay valid until doze_tui_run has returned. */
struct doze_tui_options {
	struct doze_reader
	    *reader;        /* open, not yet running; the caller frees it, but see `abandoned` */
	const char *title;  /* what is watched: the trace folder or the session's name */
	const char *name;   /* of the traced program, or null */
	const char *detail; /* "states", "jobs", "all"; null: unknown */
	bool live;          /* follow the newest event, show how far behind the view is */

	enum doze_tui_color color; /* AUTO: a non-empty NO_COLOR and TERM=dumb disable colours */
	bool no_mouse;             /* leave the mouse to the terminal, to select and copy text */
	bool ascii;                /* no byte above 126, in any locale */

	const struct doze_lesson *lesson; /* a lesson on the recording; null: none */
	const char *lesson_name;          /* for its error messages: the lesson's file */

	/* A duel: two runs, one above the other. Live, both are in the trace of `reader`, and the
	 * labels are their policies; otherwise `second` is the recording of the second run. */
	const char *duel[2];        /* labels; null: no duel */
	const char *duel_how;       /* how the runs share the machine, in a few words */
	struct doze_reader *second; /* open, not yet running */
	const char *second_title;

	/* Live: the URLs of the readers, to open them again when they lose their relay; null: the
	 * viewer shows the error and ends. */
	const char *reopen, *second_reopen;

	/* The part of the trace to show. If the recorded trace, or the part that `once` reads,
	 * has no such part, the viewer prints an error and returns exit code 2. */
	const struct doze_selection *selection;

	/* once: needs no terminal. Processes events for once_ms (live: of real time; a recorded
	 * trace: of the trace's time, < 0: to its end), then prints one frame to standard output
	 * as plain text. */
	bool once;
	bool once_given; /* the user gave the time */
	int64_t once_ms;
	const char *svg;  /* write the frame to this file, as a picture; null: print it as text */
	const char *keys; /* keys to press first: characters, and names such as <Enter>; or null */
	unsigned width, height; /* size of that frame; 0: COLUMNS and LINES, else 80x24 */

	/* The traced program, live only; may all be null. */
	const char *archive; /* folder of the trace on disk, for parts older than those in memory */
	const char *program_log; /* file with its standard output and error, for the output pane */
	void (*attached)(void *ctx); /* called once when the reader is attached to the relay */
	/** Called about ten times a second: one short line on the traced program's state
	 * ("running, pid 12", "exited with 0"), or null. Must not block. Borrowed. */
	const char *(*program)(void *ctx);
	/** Key `!` and triggers, live only, may be null: saves what the session has on disk since
	 * `from` (trace time; INT64_MIN: all of it). Writes the folder into `folder`, which gets
	 * the screen as well, or an error message into `err`. Returns 0 or -1. */
	int (*save)(void *ctx, int64_t from, char *folder, size_t size, char *err, size_t err_size);
	/** May be null. Begins to write the page of `doze report` into a folder that `save` has
	 * filled, about the events since `from` (trace time; INT64_MIN: all of them). `first`: the
	 * session's first event. Must not wait. */
	void (*report)(void *ctx, const char *folder, int64_t from, int64_t first);
	/** May be null. Called about ten times a second: one line about a page that could not be
	 * written, or null. Must not wait. Borrowed until the next call. */
	const char *(*report_problem)(void *ctx);
	/* `save` makes a folder only, because the events are somewhere else ("the relay of URL"):
	 * a trigger saves the screen and the verdicts, and the key `!` refuses. Null: it saves. */
	const char *events_at;
	const struct doze_triggers *triggers; /* null: no triggers; they need `save` */
	bool bell, banner; /* how to report a fired trigger, besides the message */
	void *ctx;
};

/** How the viewer ended. */
struct doze_tui_result {
	enum doze_reader_status status; /* STOPPED: the user quit, or a signal arrived */
	int signal;                     /* the signal that ended it, or 0: exit with 128 + signal */
	bool abandoned; /* the reader's thread did not stop: do not free the reader, only exit */
	bool saw_loss;  /* events were discarded */
	bool truncated; /* a pool started and did not stop (valid after END) */
	uint64_t events;
	bool next_lesson; /* the user continued to the lesson's `next` */
};

/** Returns whether the names in a list of keys for `keys` are known. */
bool doze_tui_keys_known(const char *keys);

/** Checks whether doze_tui_run can show a screen: returns 0, or 2 after an error message on stderr
 * (no terminal, and not `once`). For callers that start other programs before the viewer. */
int doze_tui_check(const struct doze_tui_options *);

/** Shows the trace until the user quits. Returns an exit code of viz/cli/cmd.h: 0, 2 without a
 * usable terminal, 3 when the reader failed, 128 + n after signal n; the error message is already
 * on stderr then. Main thread only, one at a time; `result` may be null. */
int doze_tui_run(const struct doze_tui_options *, struct doze_tui_result *result);

#endif
