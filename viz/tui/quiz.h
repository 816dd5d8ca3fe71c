/*
 * SPDX-License-Identifier: MIT
 *
 * quiz.h - the quiz: the screen ends at the cursor, the viewer asks for the next state of the
 * selected worker, and the answer shows it, with the rule.
 */
#ifndef DOZE_TUI_QUIZ_H
#define DOZE_TUI_QUIZ_H

#include "keys.h"

/** Key P: ends the quiz, or starts it at the cursor, or at the left edge if there is no cursor. */
enum tui_answer tui_quiz_toggle(struct tui_scene *, int key);
/** Handles an answer. Returns false if the key is not an answer. */
bool tui_quiz_key(struct tui_scene *, int key);
/** Writes the question as one line into out, or "" if there is no quiz. */
void tui_quiz_question(const struct tui_scene *, char *out, size_t size);

#endif
