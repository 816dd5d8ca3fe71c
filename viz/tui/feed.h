/*
 * SPDX-License-Identifier: MIT
 *
 * feed.h - the reader's thread, and emptying its queue into the history.
 *
 * Everything here is called on the main thread; the thread that it starts only fills the queue.
 * That thread blocks every signal, so that handlers (ncurses has some) run on the main thread.
 */
#ifndef DOZE_TUI_FEED_H
#define DOZE_TUI_FEED_H

#include "../reader/reader.h"
#include "history.h"

struct tui_feed;

/** What has come of the reading so far. */
struct tui_feed_state {
	bool attached; /* live: the reader stands at the relay */
	bool done;     /* the reader's run has returned, and all it delivered has been taken in */
	enum doze_reader_status status; /* when done */
};

/** Starts to run the reader (weak). *fd becomes readable when something came. Null: no thread. */
struct tui_feed *tui_feed_start(struct doze_reader *, int *fd);
/** Takes in what waits, for about budget_ms at most, and nothing later than `until` (ns, trace
 * time). Returns true when something was taken in. */
bool tui_feed_drain(struct tui_feed *, struct tui_history *, int budget_ms, int64_t until);
const struct tui_feed_state *tui_feed_state(const struct tui_feed *);
/** Ends the reading within wait_ms and frees the feed. False: the reader is stuck in a call that
 * does not return; thread, queue and reader must then be left alone until the process exits. */
bool tui_feed_stop(struct tui_feed *, int wait_ms);

#endif
