/*
 * SPDX-License-Identifier: MIT
 *
 * output.h - reads the end of the traced program's log, for the output pane.
 */
#ifndef DOZE_TUI_OUTPUT_H
#define DOZE_TUI_OUTPUT_H

#include "scene.h"

/** Reads the last TUI_OUTPUT_BYTES of the file if it has grown since the last call. If the file
 * cannot be read, keeps the previous lines. Returns whether the lines changed. Main thread only. */
bool tui_output_read(struct tui_output *, const char *path);

enum { TUI_OUTPUT_BYTES = 16384, TUI_OUTPUT_LINES = 400 };

#endif
