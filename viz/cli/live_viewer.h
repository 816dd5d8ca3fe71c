/*
 * SPDX-License-Identifier: MIT
 *
 * live_viewer.h - the viewer of `doze live`, on a program that doze has started (cmd_live.c) or on
 * running sessions (live_attach.c).
 */
#ifndef DOZE_VIZ_LIVE_VIEWER_H
#define DOZE_VIZ_LIVE_VIEWER_H

#include "../viewer/tui.h"
#include "options.h"

/** Checks that there is a terminal before anything is started. */
bool cmd_live_has_screen(const struct doze_tui_options *);
/** Returns viewer options with the settings that all forms of `doze live` take from the command
 * line. */
struct doze_tui_options cmd_live_viewer(const struct doze_options *);
/** Runs the viewer. Frees the readers, unless a reader's thread still uses one; in that case the
 * process is about to exit. Returns the exit code. */
int cmd_live_show(const struct doze_tui_options *, const char *url);

/** Runs `doze live --attach`: watches running sessions. Returns the exit code. */
int cmd_live_watch(const struct doze_options *);

#endif
