/*
 * SPDX-License-Identifier: MIT
 *
 * event_rows.h - events as rows of a list and as pages, for several panes.
 */
#ifndef DOZE_TUI_EVENT_ROWS_H
#define DOZE_TUI_EVENT_ROWS_H

#include "../text/event_text.h"
#include "paper.h"
#include "scene.h"

/** Writes an event as one line, without its time and worker. explained: includes the ids, for which
 * a list has no space. out has DOZE_EVENT_LINE bytes. Returns out. */
char *tui_event_line(const struct tui_scene *, const struct tui_event *, bool explained, char *out);

/** Returns whether the event passes the filters. */
bool tui_event_shown(const struct tui_scene *, const struct tui_event *);
/** Draw an event as a row and as a page. The item's `what` is a struct tui_event. */
void tui_event_row(const struct tui_scene *, const struct tui_item *, struct tui_grid *, int x,
		   int y, int end);
void tui_event_detail(const struct tui_scene *, const struct tui_item *, struct tui_paper *);

#endif
