/*
 * SPDX-License-Identifier: MIT
 *
 * layout.h - determines where each part of the screen is.
 *
 *   title     program or trace, policy, workers, lost events, delay behind real time
 *   verdict   the last second in one sentence
 *   legend    the meanings of the glyphs
 *   axis      times, the cursor's time, the scale
 *   marks     program marks and bookmarks, if there are any
 *   lanes     one per worker, scrolling with the selection; each with its wakes on tall screens
 *   wakes     of all lanes together, on short screens
 *   counters  sleeping, idle, active, JEC, if there is room
 *   tabs      the names of the panes, one of which is below
 *   pane      see panes.h
 *   message   feedback and questions
 *   footer    keys, or the text being typed
 *
 * On a wide screen a second pane is beside the lanes.
 */
#ifndef DOZE_TUI_LAYOUT_H
#define DOZE_TUI_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

enum {
	TUI_LEAST_W = 40,
	TUI_LEAST_H = 8,
	TUI_LABEL_W = 14,
	TUI_TALL = 33,  /* minimum height of a screen that shows a row of wakes per lane */
	TUI_WIDE = 150, /* minimum width of a screen with a second pane beside the lanes */
	TUI_COUNTER_ROWS = 4,
};

/** Rows and columns of the parts of the screen. A part without rows, or with row -1, is not
 * drawn. */
struct tui_layout {
	int w, h;
	int main_w;         /* columns of the lanes and the pane; the side pane is to their right */
	int lane_x, lane_w; /* first column and width of the lanes and of the time axis */
	int legend_y, axis_y, marks_y;
	int lanes_y, lanes_n; /* first row, and number of lanes that are visible */
	int lane_h;  /* rows per lane: 2 if each lane has its own row of wakes, otherwise 1 */
	int wakes_y; /* row of the shared wakes */
	int counters_y, counters_n;
	int tabs_y, pane_y, pane_n;
	/* column of the second pane, which reaches from axis_y to the message; 0: none */
	int side_x;
	int message_y, footer_y;
};

/** How much space the parts of the screen need. */
struct tui_needs {
	size_t lanes;
	bool marks, big;
	int pane; /* minimum number of rows for the pane; 0: the default */
};

void tui_lay_out(struct tui_layout *, int w, int h, const struct tui_needs *);

#endif
