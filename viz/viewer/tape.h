/*
 * SPDX-License-Identifier: MIT
 *
 * tape.h - a recording in memory, from which a history can be fed up to any moment, any number of
 * times.
 *
 * Lessons use it: events that have not been fed are not in the model, so no number, verdict or
 * glyph on the screen can give away what comes next. Main thread only.
 */
#ifndef DOZE_TUI_TAPE_H
#define DOZE_TUI_TAPE_H

#include <stdbool.h>

#include "queue.h"

enum { TUI_TAPE_MAX = 50000 }; /* maximum number of items; a lesson's recording is small */

struct tui_history;

struct tui_tape {
	struct tui_fed *item; /* owned; in the order in which the reader delivered them */
	size_t count, size;
	bool too_long; /* the recording has more than TUI_TAPE_MAX items, or memory ran out */
};

/** Appends a copy of an item from the feed. */
void tui_tape_add(struct tui_tape *, const struct tui_fed *);
/** Feeds the items up to time `to` (ns, trace time), and sets the history's clock to `to`. */
void tui_tape_feed(const struct tui_tape *, struct tui_history *, int64_t to);
void tui_tape_free(struct tui_tape *);

#endif
