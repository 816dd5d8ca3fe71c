/*
 * SPDX-License-Identifier: MIT
 *
 * scan.h - searches, on disk, the part of a trace that is no longer in memory. Reads a few seconds
 * at a time, which bounds the memory and leaves time to respond to keys. Matches are stored in
 * scene.found.disk.
 */
#ifndef DOZE_TUI_SCAN_H
#define DOZE_TUI_SCAN_H

#include "archive.h"

struct tui_scan {
	struct tui_load load;
	char text[TUI_TEXT]; /* the text being searched */
	int64_t next;        /* everything before this time has been searched */
	bool full; /* the search has ended: too many matches, or the disk cannot be read */
};

/** Continues the search on disk for the view's search text while the search pane is shown. Returns
 * whether the screen changes. Main thread only. */
bool tui_scan_step(struct tui_scan *, struct tui_archive *, struct tui_scene *);
void tui_scan_end(struct tui_scan *);

#endif
