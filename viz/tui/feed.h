/*
 * SPDX-License-Identifier: MIT
 *
 * feed.h - starts the reader's thread and moves its events from the queue into the history.
 *
 * All functions are called on the main thread; the reader's thread only fills the queue. It blocks
 * every signal, so that handlers (ncurses has some) run on the main thread.
 */
#ifndef DOZE_TUI_FEED_H
#define DOZE_TUI_FEED_H

#include "../reader/reader.h"
#include "history.h"

struct tui_feed;

/** How long to wait between two drains of a recording. A recording is read as fast as possible, so
 * its reader would signal nearly every event if a thread waited for the next one; that costs more
 * than the event. In this time the queue does not fill up. */
enum { TUI_BULK_MS = 1 };

/** Progress of the reader. */
struct tui_feed_state {
	bool attached; /* live: the reader is attached to the relay */
	bool gone;     /* live: the relay is lost, and the feed waits until it returns */
	bool done;     /* the reader has returned, and all its events have been processed */
	enum doze_reader_status status; /* valid when done */
};

/** Starts the reader (not owned). *fd becomes readable when events are queued. Returns null when no
 * thread can be created. url: when the reader loses its relay, the feed's thread opens this URL
 * again and again, and continues with another reader (owned by the feed); null: it ends. */
struct tui_feed *tui_feed_start(struct doze_reader *, const char *url, int *fd);
/** Processes queued events for at most about budget_ms, and none later than `until` (ns, trace
 * time). Returns true if it processed any. */
bool tui_feed_drain(struct tui_feed *, struct tui_history *, int budget_ms, int64_t until);
/** From now on a drain ends the feed at the first event that is more than `after` ns of trace time
 * later than the first one, and sets the history's clock to that moment. */
void tui_feed_limit(struct tui_feed *, int64_t after);
const struct tui_feed_state *tui_feed_state(const struct tui_feed *);
/** Stops the reader within wait_ms and frees the feed. Returns false when the reader is stuck in a
 * call that does not return; then thread, queue and reader must not be touched until the process
 * exits. */
bool tui_feed_stop(struct tui_feed *, int wait_ms);

#endif
