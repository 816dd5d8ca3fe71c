/*
 * SPDX-License-Identifier: MIT
 *
 * frame.h - pictures of the viewer without a terminal: events written by hand (tests/unit/story.h)
 * go in, a grid comes out. The clock is the trace's own, so every picture is exact.
 */
#ifndef DOZE_TESTS_TUI_FRAME_H
#define DOZE_TESTS_TUI_FRAME_H

#include "../../viz/tui/keys.h"
#include "../../viz/tui/scene.h"
#include "../unit/suite.h"

/* One scene at a time; begin makes it anew. */
extern struct tui_scene scene;
extern struct tui_grid grid;

/** Events of a story, a line each; also `TIME lost SINCE COUNT`. */
void feed(const char *story);
/** A new scene, then feed. */
void begin(const char *story, bool live, bool ascii);
/** Draws at a size, as often as it takes to settle. */
void draw(int w, int h);
/** The row of the picture that begins with this after its first column, as text; "" none. */
const char *row(const char *begins);
/** Whether the picture has this text somewhere within a row. */
bool shows(const char *what);
/** Presses keys; a newline is Enter. */
void press(const char *keys);
/** suite_main with a UTF-8 locale, and frees the scene at the end. */
int frame_main(const char *name, const struct suite_test *, size_t count, int argc, char **argv);

/** A worker that is active, idle, sleepy, sleeping for 10 cells each; 65 us fit 65 cells at 80x24.
 */
extern const char four_states[];

#endif
