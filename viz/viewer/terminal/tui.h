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

#include "../../model/model.h"
#include "../../trace/reader.h"
#include "../store/trigger.h"

struct doze_lesson;

enum doze_tui_color { DOZE_TUI_COLOR_AUTO, DOZE_TUI_COLOR_ALWAYS, DOZE_TUI_COLOR_NEVER };

/** What to watch and how to show it. Initialise with zeros, and set `reader`, `title` and
 * `selection` for the defaults. No pointer is owned; all of them must stay valid until doze_tui_run
 * has returned. */
struct doze_tui_options {
	struct doze_reader
	    *reader;       /* open but not yet running; freed by the caller, but see `abandoned` */
	const char *title; /* title of the screen: the trace folder or the session's name */
	const char *name;  /* name of the traced program, or null */
	/* A recording that was read before: its history, from which the viewer starts at once; then
	 * `reader` is null. The viewer frees it. Null: read the recording. */
	struct tui_history *known;
	/** May be null. Called once the recording was read to its end. */
	void (*read)(void *ctx, struct tui_history *);
	/* level of detail of the trace: "states", "jobs", "all"; null: unknown */
	const char *detail;
	bool live; /* follow the newest event, and show how far it lags behind real time */

	enum doze_tui_color color; /* AUTO: a non-empty NO_COLOR or TERM=dumb disables colours */
	bool no_mouse;             /* leave the mouse to the terminal, for selecting and copying
				    * text */
	bool ascii;                /* print only ASCII, whatever the locale */

	const struct doze_lesson *lesson; /* the lesson to run on the recording; null: none */
	const char *lesson_name;          /* file of the lesson, for its error messages */

	/* For a duel: two runs, one above the other. In a live duel, both are in the trace of
	 * `reader`, and the labels are their policies. Otherwise `second` is the recording of the
	 * second run. */
	const char *duel[2];        /* labels; null: no duel */
	const char *duel_how;       /* describes how the runs share the machine */
	struct doze_reader *second; /* open but not yet running */
	const char *second_title;   /* its folder */

	/* Live: the URLs with which to reconnect the readers after they lose their relay. Null: the
	 * viewer shows the error and exits. */
	const char *reopen, *second_reopen;

	/* The part of the trace to show. If the trace has no such part (with `once`, as far as it
	 * is read), the viewer prints an error and returns exit code 2. */
	const struct doze_selection *selection;

	/* `once` prints one frame to standard output as plain text and needs no terminal. The frame
	 * shows the state after once_ms: real time in a live session, trace time in a recording. In
	 * a recording, a negative value means its end. */
	bool once;
	bool once_given; /* the user gave a time with --once */
	int64_t once_ms;
	const char *svg;        /* file for the frame as a picture; null: print text */
	const char *keys;       /* keys to press first: characters or <Enter>, ...; may be null */
	unsigned width, height; /* size of that frame; 0: COLUMNS and LINES, or else 80x24 */

	/* The traced program. Live only; any of these may be null. */
	const char *archive;         /* folder of the trace, for parts no longer in memory */
	const char *program_log;     /* file with the program's standard output and error, for the
				      * output pane */
	void (*attached)(void *ctx); /* called once the reader is attached to the relay */
	/** Called about ten times a second. Returns one short line on the state of the traced
	 * program ("running, pid 12", "exited with 0"), borrowed, or null. Must not block. */
	const char *(*program)(void *ctx);
	/** For the key `!` and for triggers; live only; may be null. Saves what the session has on
	 * disk since `from` (trace time; INT64_MIN: everything). Writes the path of the new folder
	 * into `folder`, and the viewer adds its screen to that folder. Returns 0, or -1 with a
	 * message in `err`. */
	int (*save)(void *ctx, int64_t from, char *folder, size_t size, char *err, size_t err_size);
	/** May be null. Starts writing the page of `doze report` about the events since `from`
	 * (trace time; INT64_MIN: all of them) into a folder that `save` has filled. `first`: time
	 * of the session's first event. Must not block. */
	void (*report)(void *ctx, const char *folder, int64_t from, int64_t first);
	/** May be null. Called about ten times a second. Returns one line about a page that could
	 * not be written, borrowed until the next call, or null. Must not block. */
	const char *(*report_problem)(void *ctx);
	/* Null: `save` copies the events. Otherwise `save` only creates a folder, because the
	 * events are elsewhere, and this text says where ("the relay of URL"): a trigger saves the
	 * screen and the summary, and the key `!` shows an error. */
	const char *events_at;
	const struct doze_triggers *triggers; /* null: no triggers; triggers need `save` */
	bool bell, banner; /* report a trigger also with the terminal's bell, or in a banner */
	void *ctx;
};

/** Why and how the viewer exited. */
struct doze_tui_result {
	enum doze_reader_status status; /* STOPPED: the user quit, or a signal arrived */
	int signal;     /* signal that ended the viewer (exit with 128 + signal), or 0 */
	bool abandoned; /* the reader's thread did not stop: exit without freeing the reader */
	bool saw_loss;  /* events were discarded */
	bool truncated; /* a pool was started and not stopped; valid if the status is END */
	uint64_t events;
	bool next_lesson; /* the user chose to continue with the lesson's `next` */
};

/** Returns whether `keys` contains no unknown names of keys. */
bool doze_tui_keys_known(const char *keys);

/** Checks whether doze_tui_run can show a screen. Returns 0, or 2 after an error message on stderr
 * (no terminal, and not `once`). For callers that start other programs before the viewer. */
int doze_tui_check(const struct doze_tui_options *);

/** Shows the trace until the user quits. Returns an exit code of viz/cli/cmd.h: 0; 2 without a
 * usable terminal; 3 if the reader failed; 128 + n after signal n. Prints an error to stderr before
 * it returns. Main thread only, one call at a time; `result` may be null. */
int doze_tui_run(const struct doze_tui_options *, struct doze_tui_result *result);

#endif
