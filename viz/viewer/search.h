/*
 * SPDX-License-Identifier: MIT
 *
 * search.h - finds events by their text, in the whole history.
 */
#ifndef DOZE_TUI_SEARCH_H
#define DOZE_TUI_SEARCH_H

#include "scene.h"

/** Returns whether an event passes the filters and contains the search text. */
bool tui_search_matches(const struct tui_scene *, const struct tui_event *);
/** Searches new events, or all events if the search text has changed. */
void tui_search_update(struct tui_scene *);

#endif
