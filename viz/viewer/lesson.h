/*
 * SPDX-License-Identifier: MIT
 *
 * lesson.h - runs a lesson: the teacher steps with Space, the class answers with 1 to 4.
 *
 * Each step feeds a new history up to the step's moment. The model therefore does not know any
 * later event, and no part of the screen can reveal one.
 */
#ifndef DOZE_TUI_LESSON_H
#define DOZE_TUI_LESSON_H

#include "keys.h"

/** Begins the lesson of the scene. Call it when the whole recording has been read. Returns false,
 * with one line in s->lesson.problem, if the recording lacks one of the lesson's moments. */
bool tui_lesson_begin(struct tui_scene *);
/** Handles a key and sets *answer. Returns false if the lesson does not use the key. */
bool tui_lesson_key(struct tui_scene *, int key, enum tui_answer *answer);
/** Moves the window to the step's moment, once per step. Call it when the width is known. */
void tui_lesson_frame(struct tui_scene *);
/** Returns whether the scene has a lesson that has begun. */
bool tui_lesson_on(const struct tui_scene *);
/** Returns the pane to show below the step's text, or -1. */
int tui_lesson_pane(const struct tui_scene *);
/** Returns the number of rows that the step's text needs at the given width. */
int tui_lesson_rows(const struct tui_scene *, int width);

#endif
