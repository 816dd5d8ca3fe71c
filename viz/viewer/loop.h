/*
 * SPDX-License-Identifier: MIT
 *
 * loop.h - the data of the viewer's main loop (run.c), and when and what it draws (loop_draw.c).
 */
#ifndef DOZE_TUI_LOOP_H
#define DOZE_TUI_LOOP_H

#include "archive.h"
#include "duel.h"
#include "feed.h"
#include "scan.h"
#include "tui.h"

struct tui_loop {
	const struct doze_tui_options *opt;
	struct tui_scene scene;
	/* `second` reads the other recording of a duel; otherwise null */
	struct tui_feed *feed, *second;
	struct tui_duel duel;
	struct tui_watch watch[2]; /* the triggers of each run; there are two runs in a duel */
	struct tui_archive archive;
	struct tui_scan scan;
	struct tui_grid grid;
	int feed_fd, second_fd, signal_fd;
	int64_t drawn_at, numbers_at, draw_cost, ticked_at, played_at;
	/* live: smallest difference (wall clock minus trace clock) so far, but at most 0 */
	int64_t skew;
	bool urgent; /* draw the next frame at once, for example because a key was pressed */
	bool dirty, attached, finished, quit, hangup;
	const char *why; /* reason for exiting: the trace lacks the selected part; or null */
};

/** Returns the scene that receives the keys. */
struct tui_scene *tui_loop_active(struct tui_loop *);
/** Returns the time until the next frame is due, in ns; 0 means now. */
int64_t tui_loop_due_in(struct tui_loop *);
/** Draws a frame if something has changed and a frame is due. */
void tui_loop_draw(struct tui_loop *);

#endif
