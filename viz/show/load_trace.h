/*
 * SPDX-License-Identifier: MIT
 *
 * load_trace.h - feeds a recorded trace to a model, the first step of every offline command; says
 * whether the trace is complete.
 */
#ifndef DOZE_VIZ_LOAD_TRACE_H
#define DOZE_VIZ_LOAD_TRACE_H

#include <stdio.h>

#include "../model/model.h"

/** Feeds one event to the model, and may examine the model before and after. ctx: a view's
 * state. */
typedef void doze_feed_fn(void *ctx, struct doze_model *, const struct doze_event *);

/** Reads the whole trace in `dir`, feeds the model and finishes it. A null feed stands for
 * doze_model_feed. Returns 0; or, with a message on stderr, exit code 3 if the trace cannot be
 * read, has no doze events, or has a newer schema, or exit code 2 if it lacks the selected pool.
 * Shows its progress (progress.h) on stderr if that is a terminal. Call it on the main thread. */
int doze_load(const char *dir, struct doze_model *, doze_feed_fn *feed, void *ctx);

/** Returns whether the event belongs to the selected pool, and passes the beginning of the trace to
 * the model. doze_load forwards only matching events. A mark set outside any pool belongs to every
 * pool. */
bool doze_load_takes(struct doze_model *, const struct doze_selection *, const struct doze_event *);

/** Returns 0, or exit code 4 with a message on stderr if the finished model is inconclusive: events
 * were lost, or a pool did not stop. */
int doze_load_conclusive(const char *dir, const struct doze_model *);

/** Copies the recorded command from the recording's manifest to text. Returns text, or null if the
 * manifest has no command. */
const char *doze_load_command(const char *dir, char *text, size_t size);

/** Limits a selection to a phase: the time from the first mark with this name to the next mark, or
 * to the end. Takes the marks from the recording's summary, if there is one and no_summary is
 * false; otherwise reads the whole trace, and shows its progress as doze_load does. Returns 0, or
 * the exit code after printing an error. */
int doze_load_phase(const char *dir, const char *name, bool no_summary, struct doze_selection *);

/*
 * ---- Why a trace may be incomplete ----
 *
 * Events were lost, a table was full, a pool did not stop. A view that reports no findings must
 * also print this reason.
 */

/** Returns all reasons why the finished model is inconclusive, such as "at least 3 events were
 * lost, and the trace ends before its pool stopped", or null if there are none. The text is in a
 * static buffer, valid until the next call. */
const char *doze_inconclusive(const struct doze_model *);
/** Prints "Inconclusive: REASONS." on its own line, or nothing if the model is conclusive. */
void doze_inconclusive_line(const struct doze_model *, FILE *out);

#endif
