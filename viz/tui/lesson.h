/*
 * SPDX-License-Identifier: MIT
 *
 * lesson.h - predict the next state: the picture ends at the cursor, the viewer asks what the
 * selected worker does next, and the answer shows it, with the rule.
 */
#ifndef DOZE_TUI_LESSON_H
#define DOZE_TUI_LESSON_H

#include "keys.h"

/** Key P: begins at the cursor (else at the left edge), or ends. */
enum tui_answer tui_lesson_toggle(struct tui_scene *, int key);
/** An answer to the question; true when the key was one. */
bool tui_lesson_key(struct tui_scene *, int key);
/** Nothing after this time may be shown: the cursor during a lesson, else `clock`. */
int64_t tui_lesson_horizon(const struct tui_scene *, int64_t clock);
/** The question as one line into out; "" when none is asked. */
void tui_lesson_question(const struct tui_scene *, char *out, size_t size);

#endif
