/*
 * SPDX-License-Identifier: MIT
 *
 * jumps.h - keys that move the cursor to what happened. Each remembers the place it leaves, for
 * undo; when there is nothing to jump to it leaves a message instead.
 */
#ifndef DOZE_TUI_JUMPS_H
#define DOZE_TUI_JUMPS_H

#include "keys.h"

enum tui_answer tui_jump_event(struct tui_scene *, int key);        /* [ ] */
enum tui_answer tui_jump_search_again(struct tui_scene *, int key); /* n N */
enum tui_answer tui_jump_transition(struct tui_scene *, int key);   /* , . */
enum tui_answer tui_jump_storm(struct tui_scene *, int key);        /* s S */
enum tui_answer tui_jump_bookmark(struct tui_scene *, int key);     /* m: sets one, does not jump */
enum tui_answer tui_jump_next_mark(struct tui_scene *, int key);    /* ' */

/** When the worker's next (forward) or last transition from t is; false when there is none. */
bool tui_transition_of(const struct tui_scene *, const struct doze_worker_view *, bool forward,
		       int64_t t, int64_t *to);

#endif
