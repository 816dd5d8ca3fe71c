/*
 * SPDX-License-Identifier: MIT
 *
 * load.h - reads one part of a trace from disk into a separate history (archive.h).
 */
#ifndef DOZE_TUI_LOAD_H
#define DOZE_TUI_LOAD_H

#include "archive.h"

/** Starts reading the events in [from, to] (ns, trace time). The model starts from the latest
 * checkpoint of `newest` before that part. On failure, returns false and writes one line to err. */
bool tui_load_begin(struct tui_load *, const struct doze_packet_index *,
		    const struct tui_history *newest, int64_t from, int64_t to, char *err,
		    size_t err_size);
/** Processes events that have arrived, for at most about budget_ms. Returns whether the part is
 * complete. */
bool tui_load_drain(struct tui_load *, int budget_ms);
/** Ends the running read, if any, and removes its temporary folder. */
void tui_load_end(struct tui_load *);

#endif
