/*
 * SPDX-License-Identifier: MIT
 *
 * quiz.h - runs the quiz: the screen ends at the cursor, and the viewer asks for the next state of
 * the selected worker. When the user has answered, the viewer shows that state and the rule that
 * led to it.
 */
#ifndef DOZE_TUI_QUIZ_H
#define DOZE_TUI_QUIZ_H

#include "keys.h"

/** Key P: starts the quiz at the cursor, or at the left edge if there is no cursor; ends a running
 * quiz. */
enum tui_answer tui_quiz_toggle(struct tui_scene *, int key);
/** Handles a key that answers the question. Returns false for any other key. */
bool tui_quiz_key(struct tui_scene *, int key);
/** Writes the question as one line into out, or "" if no quiz is running. */
void tui_quiz_question(const struct tui_scene *, char *out, size_t size);

#endif
