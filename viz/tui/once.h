/*
 * SPDX-License-Identifier: MIT
 *
 * once.h - prints one screen as plain text, without a terminal.
 */
#ifndef DOZE_TUI_ONCE_H
#define DOZE_TUI_ONCE_H

#include "feed.h"
#include "scene.h"
#include "tui.h"

/** Processes events for as long as the options say, then prints one frame to standard output.
 * Returns 0, or an exit code after an error message. The caller keeps scene and feed. */
int tui_once(const struct doze_tui_options *, struct tui_scene *, struct tui_feed *, int feed_fd,
	     bool ascii);

#endif
