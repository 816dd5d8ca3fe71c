/*
 * SPDX-License-Identifier: MIT
 *
 * view.h - a view of a recorded trace. One struct doze_view is a command of doze
 * (viz/cli/view_cmd.c) and, when DOZE_VIEWS lists it, a sink of the Babeltrace plug-in
 * (viz/show/plugin.c).
 *
 * The caller allocates a view's state, a block of `size` bytes, fills it with `defaults` and stores
 * the options in it. It then calls the members in this order, all on the main thread: ask, refuse,
 * precheck, open, feed for each event, print or json once the model has finished, failed, judge,
 * close.
 */
#ifndef DOZE_VIZ_VIEW_H
#define DOZE_VIZ_VIEW_H

#include <stdio.h>

#include "../model/model.h"
#include "../model/saved.h"
#include "../words/option_values.h"
#include "../words/palette.h"

/** The views that are also sinks of the plug-in: X(name, description of the component class). */
#define DOZE_VIEWS(X)                                                                              \
	X(diagnose, "List what went wrong, most important cause first")                            \
	X(timeline, "Print the lanes of the workers as text")                                      \
	X(storms, "Report wakes, wakeup storms, futile wakes and latencies")                       \
	X(check, "Check the trace against the rules of its sleep policy")                          \
	X(why, "Explain a time, a job or a worker's delay by the chain of its causes")

/** What a view must show, and where to write the output. Pointers are borrowed. */
struct doze_view_request {
	struct doze_selection selection;
	struct doze_palette palette;
	size_t columns;     /* width of the terminal; 80 without a terminal */
	const char *trace;  /* folder of the trace, or null */
	const char *output; /* argument of -o, or null */
	const char *phase;  /* argument of --phase, or null; once the view is open, `selection`
			     * holds the time of the phase */
	FILE *out;          /* valid from `open` to `close` */
	bool json;
	bool no_summary; /* neither use nor write a summary of the recording */
};

/** An option of one view. A list ends with option.name == NULL. */
struct doze_view_option {
	struct doze_option option; /* `target` is unused */
	size_t offset;             /* offset of the option's target in the view's state */
	/* Where the option is available. */
	enum { DOZE_VIEW_BOTH, DOZE_VIEW_COMMAND, DOZE_VIEW_SINK } only;
};

/** Properties of a view. */
enum {
	DOZE_VIEW_DRAWS = 1 << 1,   /* the view uses the palette; otherwise doze colours the first
				     * sentence of its output */
	DOZE_VIEW_WRITES = 1 << 2,  /* the view takes -o */
	DOZE_VIEW_DECIDES = 1 << 3, /* the view's member `judge` alone determines the exit code */
};

/** The functions of a view whose observers follow a part of a recording (explain/why.h has an
 * example), instead of loading what they would have found in the whole recording. */
struct doze_view_follows {
	/** Called before the first event if the part does not begin with the recording. */
	void (*begin)(struct doze_model *);
	/** Returns whether the view needs no event after those fed so far. Called after the end of
	 * the range. */
	bool (*settled)(const struct doze_model *);
	/** Called once the model has finished. Returns false if the view needs an earlier part. */
	bool (*end)(struct doze_model *);
};

struct doze_view {
	const char *name;
	unsigned takes;
	const struct doze_view_option *options; /* the view's own options; null: none */
	size_t size;                            /* size of the state */
	const void *defaults;                   /* `size` bytes of defaults; null: zeros */

	/** Called by the command only: takes the operand after DIR, which it borrows. Returns null,
	 * or a description of valid operands. If the member is null, the view takes only DIR. */
	const char *(*ask)(void *state, const char *operand);
	/** Returns why these options cannot be combined, beginning with the name of one of them
	 * ("--from: ..."), or null if they can. For options that the view never takes, see
	 * doze_shared_refusal. May be null. */
	const char *(*refuse)(const void *state, const struct doze_view_request *);
	/** Called by the command only, before it reads the trace. Returns -1 to continue. To stop,
	 * prints a usage error to stderr and returns the exit code. May be null. */
	int (*precheck)(const void *state, const struct doze_view_request *);
	/** Returns the model that will feed the state, owned by the caller, or null if out of
	 * memory. */
	struct doze_model *(*open)(void *state, const struct doze_view_request *);
	/** Feeds one event to the model, and may examine the model before and after. Null stands
	 * for doze_model_feed. */
	void (*feed)(void *state, struct doze_model *, const struct doze_event *);
	/** Write the results of the finished model to request->out. json is null for a view without
	 * JSON output; it may be the same function, because the request says what is wanted. */
	void (*print)(void *state, const struct doze_model *, const struct doze_view_request *);
	void (*json)(void *state, const struct doze_model *, const struct doze_view_request *);
	/** Returns whether the output is incomplete because memory ran out. May be null. */
	bool (*failed)(const void *state);
	/** Returns the exit code for what the view found; 0 leaves the decision to
	 * doze_load_conclusive. May be null. */
	int (*judge)(const void *state, const struct doze_model *);
	/** Frees what the state owns, even if open failed or was not called. Afterwards, open may
	 * be called again. May be null. */
	void (*close)(void *state);

	/** A view with these two members can answer from the summary of a recording (summary.h),
	 * without reading the recording. Returns whether this request needs only what the summary
	 * has. */
	bool (*whole)(const void *state, const struct doze_view_request *);
	/** Saves the finished model and what else the view has found, or loads them into a view
	 * that was just opened (model/saved.h). */
	void (*saved)(void *state, struct doze_saved *);

	/** A view with this member can show a range of time of a recording that was read before,
	 * without reading the rest (ranges.h). Returns whether that is so for this request. range:
	 * the request's selection; a view that needs another range stores it there. */
	bool (*part)(const void *state, const struct doze_view_request *,
		     struct doze_selection *range);
	const struct doze_view_follows *follows; /* may be null */
	/** Loads what the observers of the whole trace have found, which follows the model and the
	 * symbols in the summary. The model has finished. May be null. */
	void (*rest)(void *state, struct doze_saved *);

	const char *written; /* printed after the name of the -o file once the file is complete; may
			      * be null */
};

#define DOZE_DECLARE_VIEW(id, description) extern const struct doze_view doze_##id##_view;
DOZE_VIEWS(DOZE_DECLARE_VIEW)

/** Returns a state with the view's defaults, owned by the caller (free), or null if out of
 * memory. */
void *doze_view_state(const struct doze_view *);

/** Returns the name of the first option that limits the view to some times or workers: "phase",
 * "from", "to", "worker", or null if there is none. --pool does not count as such an option. */
const char *doze_view_part_option(const struct doze_view_request *);

/** Feeds an event to the model through the view, if that takes events, or else directly. */
void doze_view_feed(const struct doze_view *, void *state, struct doze_model *,
		    const struct doze_event *);

/** A member `part` for a view that can show every range. Returns true. */
bool doze_view_any_part(const void *state, const struct doze_view_request *,
			struct doze_selection *range);

/** Prints a view's result to the request's stream: as JSON if requested, otherwise as text in the
 * request's palette. */
void doze_view_print(const struct doze_view *, void *state, const struct doze_model *,
		     const struct doze_view_request *);

/*
 * ---- The options that all commands on a recording share ----
 *
 * A table has the options that a command refuses. The command line, its help and the plug-in's
 * parameters use it.
 */

/** X(name of the option). */
#define DOZE_SHARED_OPTIONS(X)                                                                     \
	X(from)                                                                                    \
	X(to)                                                                                      \
	X(worker)                                                                                  \
	X(pool)                                                                                    \
	X(phase)                                                                                   \
	X(json)                                                                                    \
	X(color)                                                                                   \
	X(ascii)

#define DOZE_SHARED_ENUM(name) DOZE_SHARED_##name,
enum doze_shared_option { DOZE_SHARED_OPTIONS(DOZE_SHARED_ENUM) DOZE_SHARED_COUNT };

/** Returns the long name of an option. */
const char *doze_shared_name(enum doze_shared_option);

/** Returns why a command never takes an option, and what to use instead. Returns null if the
 * command takes the option, perhaps depending on other arguments (struct doze_view.refuse). A
 * command without a row in the table takes all options. */
const char *doze_shared_refusal(const char *command, const char *option);
/** Like doze_shared_refusal, for all sinks of the plug-in. */
const char *doze_shared_sink_refusal(const char *option);

#endif
