/*
 * SPDX-License-Identifier: MIT
 *
 * split.h - divides the events of a live trace between two histories: one for processes whose pools
 * have the first policy, the other for processes whose pools have the second. Main thread only.
 */
#ifndef DOZE_TUI_SPLIT_H
#define DOZE_TUI_SPLIT_H

#include "history.h"

enum { TUI_SPLIT_PROCESSES = 64 };

struct tui_split {
	const char *policy[2];     /* not owned */
	struct tui_history *to[2]; /* not owned */
	struct {
		uint32_t host;
		int32_t vpid;
		int side;
	} process[TUI_SPLIT_PROCESSES];
	int processes;
};

/** Returns the history that receives an event, or null if the policy of the event's process is
 * unknown or is neither of the two. */
struct tui_history *tui_split_route(struct tui_split *, const struct doze_event *);

#endif
