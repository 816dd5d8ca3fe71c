/*
 * SPDX-License-Identifier: MIT
 *
 * once.h - one picture as plain text, without a terminal.
 */
#ifndef DOZE_TUI_ONCE_H
#define DOZE_TUI_ONCE_H

#include "feed.h"
#include "scene.h"
#include "tui.h"

/** Takes events in for as long as the options say, then prints one frame to standard output.
 * Returns 0, or an exit code after a complaint. The scene and the feed stay the caller's. */
int tui_once(const struct doze_tui_options *, struct tui_scene *, struct tui_feed *, int feed_fd,
	     bool ascii);

#endif
