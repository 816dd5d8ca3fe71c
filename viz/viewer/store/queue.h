/*
 * SPDX-License-Identifier: MIT
 *
 * queue.h - the queue from the reader's thread to the main thread.
 *
 * | thread           | may call                                   |
 * |------------------|--------------------------------------------|
 * | reader's thread  | tui_queue_put                              |
 * | main thread      | tui_queue_take, tui_queue_close            |
 * | both             | nothing else                               |
 *
 * The queue is bounded: when it is full the reader waits, so a burst causes a delay ("behind" grows
 * on the screen; the relay keeps the data on disk) but never loses an event. Closing the queue
 * releases a waiting reader.
 */
#ifndef DOZE_TUI_QUEUE_H
#define DOZE_TUI_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "../../trace/event.h"

enum tui_item_kind {
	TUI_ITEM_EVENT,
	TUI_ITEM_LOST, /* events were lost; uses from, to and count */
	/* no event occurred up to `to`, so the trace's clock can advance to `to` */
	TUI_ITEM_QUIET,
	TUI_ITEM_ATTACHED, /* the reader is attached to the relay */
	TUI_ITEM_GONE,     /* the relay is lost; the feed tries to reconnect */
	TUI_ITEM_BACK,     /* the feed has reconnected with another reader */
	TUI_ITEM_DONE      /* doze_reader_run has returned; `count` is its status */
};

enum { TUI_ITEM_TEXT = 64, TUI_QUEUE_ITEMS = 1 << 13 };

struct tui_fed {
	enum tui_item_kind kind;
	int64_t from, to;
	uint64_t count;
	struct doze_event ev; /* after tui_queue_take, the event's strings point into text[] */
	char text[DOZE_EVENT_TEXTS][TUI_ITEM_TEXT];
};

struct tui_queue;

/** Returns a queue owned by the caller, or null. *fd becomes readable when there are items. */
struct tui_queue *tui_queue_new(int *fd);
/** Frees the queue. Call this only after the reader's thread has exited. */
void tui_queue_free(struct tui_queue *);
/** An item to put into the queue. `ev` is borrowed, and used only for TUI_ITEM_EVENT. */
struct tui_put {
	enum tui_item_kind kind;
	int64_t from, to;
	uint64_t count;
	const struct doze_event *ev;
};
/** Copies the item and its event's strings (truncated to TUI_ITEM_TEXT - 1 bytes) into the queue.
 * Waits while the queue is full. If the queue is closed, drops the item and returns false. */
bool tui_queue_put(struct tui_queue *, const struct tui_put *);
/** Moves up to max items into out. Returns their number. Never waits. */
size_t tui_queue_take(struct tui_queue *, struct tui_fed *out, size_t max);
/** Closes the queue: from now on, tui_queue_put drops items instead of waiting. */
void tui_queue_close(struct tui_queue *);

/*
 * ---- a recording in memory, from which a history can be fed up to any moment, any number of
 * times.
 *
 * Lessons use it: events that have not been fed are not in the model, so no number, verdict or
 * glyph on the screen can give away what comes next. Main thread only.
 */

enum { TUI_RECORDING_MAX = 50000 }; /* maximum number of items; a lesson's recording is small */

struct tui_history;

struct tui_recording {
	struct tui_fed *item; /* owned; in the order in which the reader delivered them */
	size_t count, size;
	bool too_long; /* the recording has more than TUI_RECORDING_MAX items, or memory ran out */
};

/** Appends a copy of an item from the feed. */
void tui_recording_add(struct tui_recording *, const struct tui_fed *);
/** Feeds the items up to time `to` (ns, trace time), and sets the history's clock to `to`. */
void tui_recording_feed(const struct tui_recording *, struct tui_history *, int64_t to);
void tui_recording_free(struct tui_recording *);

#endif
