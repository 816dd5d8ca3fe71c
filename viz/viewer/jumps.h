/*
 * SPDX-License-Identifier: MIT
 *
 * jumps.h - keys that move the cursor to an event, transition, storm or mark. Each key saves the
 * old place for undo. If there is no target, the scene's message reports that.
 */
#ifndef DOZE_TUI_JUMPS_H
#define DOZE_TUI_JUMPS_H

#include "keys.h"

enum tui_answer tui_jump_event(struct tui_scene *, int key);        /* keys [ and ] */
enum tui_answer tui_jump_search_again(struct tui_scene *, int key); /* keys n and N */
enum tui_answer tui_jump_transition(struct tui_scene *, int key);   /* keys , and . */
/* key m: sets a bookmark at the cursor, or removes the bookmark there */
enum tui_answer tui_jump_bookmark(struct tui_scene *, int key);
enum tui_answer tui_jump_next_mark(struct tui_scene *, int key); /* key ' */

/** Shows the message that a search has wrapped around: to the first `what` (a noun) if forward,
 * otherwise to the last one. */
void tui_say_wrapped(struct tui_scene *, bool forward, const char *what);

/** Finds the time of the worker's next (forward) or previous transition from t. Returns false if
 * there is none. */
bool tui_transition_of(const struct tui_scene *, const struct doze_worker_view *, bool forward,
		       int64_t t, int64_t *to);

/** Moves the cursor to a time after the first event: "90", "1.5s", "20ms", "1:30:00". If the whole
 * trace was visible, shows only a few seconds. Shows a message if the text is not a time. */
void tui_jump_time(struct tui_scene *, const char *text);

#endif
