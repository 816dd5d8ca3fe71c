/*
 * SPDX-License-Identifier: MIT
 *
 * feed.h - starts the reader's thread and moves its events from the queue into the history; in a
 * live duel, into the histories of both runs.
 *
 * All functions are called on the main thread; the reader's thread only fills the queue. That
 * thread blocks every signal, so that all handlers, including those of ncurses, run on the main
 * thread.
 */
#ifndef DOZE_TUI_FEED_H
#define DOZE_TUI_FEED_H

#include "../../trace/reader.h"
#include "history.h"

/** Returns the monotonic time in ns, from which intervals are computed. */
int64_t tui_now_ns(void);
/** Returns UTC in ns since the epoch, to compare with the trace's clock. */
int64_t tui_wall_ns(void);

struct tui_feed;

/** Time between two drains of the queue while a recording is read. The reader runs at full speed;
 * if the main thread waited for each event, the reader would have to signal nearly every one, which
 * costs more than reading it. The queue does not fill up in this time. */
enum { TUI_BULK_MS = 1 };

/** Progress of the reader. */
struct tui_feed_state {
	bool attached; /* live: the reader is attached to the relay */
	bool gone;     /* live: the relay is lost, and the feed is waiting for it to return */
	bool done;     /* the reader has finished, and all its events have been processed */
	enum doze_reader_status status; /* valid if done is true */
};

/** Starts the reader (not owned). *fd becomes readable when events are queued. Returns null if no
 * thread can be created.
 *
 * url: if the reader loses its relay, the feed's thread tries to open this URL until it succeeds,
 * and continues with another reader, which the feed owns. Null: the feed ends. */
struct tui_feed *tui_feed_start(struct doze_reader *, const char *url, int *fd);
/** Returns a feed without a reader that is already done, with the status END; null if out of
 * memory. */
struct tui_feed *tui_feed_done(void);
/** Processes queued events for at most about budget_ms. Returns true if it processed any. */
bool tui_feed_drain(struct tui_feed *, struct tui_history *, int budget_ms);
/** Sets the last moment to process (ns, trace time): draining stops at the first later event, and
 * sets the history's clock to that moment. */
void tui_feed_end_at(struct tui_feed *, int64_t moment);
/** Sets the last moment to `after` ns after the first event, which need not have arrived yet. */
void tui_feed_end_after(struct tui_feed *, int64_t after);
const struct tui_feed_state *tui_feed_state(const struct tui_feed *);
/** Stops the reader within wait_ms and frees the feed. Returns false if the reader is stuck in a
 * call that does not return: its thread then still uses the feed, queue and reader, which must not
 * be freed. */
bool tui_feed_stop(struct tui_feed *, int wait_ms);

/*
 * ---- the two runs of a live duel: divides the events of a trace between two histories, one for
 * processes whose pools have the first policy, the other for processes whose pools have the second.
 * Main thread only.
 */

enum { TUI_POLICY_SPLIT_PROCESSES = 64 };

struct tui_policy_split {
	const char *policy[2];     /* not owned */
	struct tui_history *to[2]; /* not owned */
	struct {
		uint32_t host;
		int32_t vpid;
		int side;
	} process[TUI_POLICY_SPLIT_PROCESSES];
	int processes;
};

/** Returns the history that receives an event, or null if the policy of the event's process is
 * unknown or is neither of the two. */
struct tui_history *tui_policy_split_route(struct tui_policy_split *, const struct doze_event *);

#endif
