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

struct tui_duel;

/** What the frame shows; nothing is owned. */
struct tui_once {
	const struct doze_tui_options *opt;
	struct tui_scene *scene;
	struct tui_duel *duel; /* null: there is only one run */
	struct tui_feed *feed;
	struct tui_feed *second; /* feed of a duel's second recording, or null */
	int feed_fd;
	bool ascii;
};

/** Processes events for as long as the options require, then prints one frame to standard output.
 * Returns 0, or an exit code after an error message. The caller still owns the scene and the
 * feed. */
int tui_once(const struct tui_once *);

#endif
