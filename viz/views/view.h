/*
 * SPDX-License-Identifier: MIT
 *
 * view.h - a view of a recorded trace. One struct doze_view is a command of doze
 * (viz/cli/view_cmd.c) and, when DOZE_VIEWS lists it, a sink of the Babeltrace plug-in
 * (viz/plugin/view_sink.c).
 *
 * A view's state is a block of `size` bytes that the caller allocates, fills with `defaults` and
 * lets the view's options write to. The calls follow each other in the order of the members below:
 * precheck, open, feed for each event, print or json once the model has finished, failed, judge,
 * close. All are made on the main thread.
 */
#ifndef DOZE_VIZ_VIEW_H
#define DOZE_VIZ_VIEW_H

#include <stdio.h>

#include "../model/model.h"
#include "../text/option_values.h"
#include "../text/palette.h"

/** The views that are sinks of the plug-in, too: X(name, description of the component class). */
#define DOZE_VIEWS(X)                                                                              \
	X(timeline, "Print the lanes of the workers as text")                                      \
	X(storms, "Report wakes, wakeup storms, futile wakes, latencies")                          \
	X(check, "Check the trace against the rules of its sleep policy")

/** What a view is to show, and where. Pointers are borrowed. */
struct doze_view_request {
	struct doze_selection selection;
	struct doze_palette palette;
	size_t columns;     /* of the terminal, else 80 */
	const char *trace;  /* its folder; null: none was given */
	const char *output; /* -o; null: none was given */
	FILE *out;          /* open when the view is */
	bool json;
};

/** An option of one view. A list ends with option.name == NULL. */
struct doze_view_option {
	struct doze_option option; /* `target` is unused */
	size_t offset;             /* of the option's target in the view's state */
	enum { DOZE_VIEW_BOTH, DOZE_VIEW_COMMAND, DOZE_VIEW_SINK } only; /* where it exists */
};

/** Which of the shared options a view takes. --json follows from `json`. */
enum {
	DOZE_VIEW_SELECTS = 1 << 0, /* --from, --to, --worker */
	DOZE_VIEW_DRAWS = 1 << 1,   /* --color, --ascii */
	DOZE_VIEW_WRITES = 1 << 2,  /* -o */
};

struct doze_view {
	const char *name;
	unsigned takes;
	const struct doze_view_option *options; /* null: none */
	size_t size;                            /* of the state */
	const void *defaults;                   /* of `size` bytes; null: zeros */

	/** The command only, before the trace is read: -1 to go on, or the exit code to return at
	 * once. A usage error has been printed on stderr then. May be null. */
	int (*precheck)(const void *state, const struct doze_view_request *);
	/** Creates the model that feeds the state. Returns it, owned by the caller, or null when
	 * memory is short. */
	struct doze_model *(*open)(void *state, const struct doze_view_request *);
	/** Hands one event to the model, and looks at it before and after. Null: doze_model_feed
	 * alone. */
	void (*feed)(void *state, struct doze_model *, const struct doze_event *);
	/** Write the finished model to request->out. json is null where there is none. */
	void (*print)(void *state, const struct doze_model *, const struct doze_view_request *);
	void (*json)(void *state, const struct doze_model *, const struct doze_view_request *);
	/** Whether memory ran out, so that what was written is not whole. May be null. */
	bool (*failed)(const void *state);
	/** The exit code for what the view found, on top of doze_load_conclusive. May be null. */
	int (*judge)(const void *state, const struct doze_model *);
	/** Frees what the state owns, also when open failed or was not called. May be null. */
	void (*close)(void *state);

	const char *written; /* printed behind the name of -o once that file is whole; or null */
};

#define DOZE_DECLARE_VIEW(id, description) extern const struct doze_view doze_##id##_view;
DOZE_VIEWS(DOZE_DECLARE_VIEW)

/** Returns an owned state with the view's defaults, or null when memory is short; free() it. */
void *doze_view_state(const struct doze_view *);

#endif
