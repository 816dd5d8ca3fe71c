/*
 * SPDX-License-Identifier: MIT
 *
 * event_rows.h - draws an event as a row of a list, or on a page of its own, for several panes.
 */
#ifndef DOZE_TUI_EVENT_ROWS_H
#define DOZE_TUI_EVENT_ROWS_H

#include "../words/event_text.h"
#include "paper.h"
#include "scene.h"

/** Writes an event as one line, without its time and worker. If `explained` is true, includes the
 * ids, for which a list has no space. out has room for DOZE_EVENT_LINE bytes. Returns out. */
char *tui_event_line(const struct tui_scene *, const struct tui_event *, bool explained, char *out);

/** Returns whether the event passes the filters. */
bool tui_event_shown(const struct tui_scene *, const struct tui_event *);
/** tui_event_row draws an event as a row, tui_event_page on a page of its own. The item's `what` is
 * a struct tui_event. */
void tui_event_row(const struct tui_scene *, const struct tui_item *, struct tui_grid *, int x,
		   int y, int end);
void tui_event_detail(const struct tui_scene *, const struct tui_item *, struct tui_paper *);

#endif
