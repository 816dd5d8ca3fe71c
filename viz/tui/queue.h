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
 * The queue is bounded: when it is full the reader waits, so a burst costs time ("behind" grows on
 * the screen; the relay keeps the data on disk) but never an event. Closing the queue releases a
 * waiting reader.
 */
#ifndef DOZE_TUI_QUEUE_H
#define DOZE_TUI_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "../event/event.h"

enum tui_item_kind {
	TUI_ITEM_EVENT,
	TUI_ITEM_LOST,     /* with from, to, count */
	TUI_ITEM_QUIET,    /* `to` is the trace's clock */
	TUI_ITEM_ATTACHED, /* the reader is attached to the relay */
	TUI_ITEM_GONE,     /* the relay is lost; the feed waits until it returns */
	TUI_ITEM_BACK,     /* another reader is attached to it */
	TUI_ITEM_DONE      /* doze_reader_run has returned; status in `count` */
};

enum { TUI_ITEM_TEXT = 64, TUI_ITEM_STRINGS = 3, TUI_QUEUE_ITEMS = 1 << 13 };

struct tui_fed {
	enum tui_item_kind kind;
	int64_t from, to;
	uint64_t count;
	struct doze_event ev; /* strings point into text[] after tui_queue_take */
	char text[TUI_ITEM_STRINGS][TUI_ITEM_TEXT];
};

/** Copies an item, whose strings then point into the copy. */
void tui_fed_copy(struct tui_fed *to, const struct tui_fed *from);

struct tui_queue;

/** Returns an owned queue or null; *fd becomes readable when there are items. */
struct tui_queue *tui_queue_new(int *fd);
/** Call it only after the reader's thread has exited. */
void tui_queue_free(struct tui_queue *);
/** An item to put, without its texts; `ev` is borrowed, and set only for TUI_ITEM_EVENT. */
struct tui_put {
	enum tui_item_kind kind;
	int64_t from, to;
	uint64_t count;
	const struct doze_event *ev;
};
/** Copies the item with the strings of its event (truncated to TUI_ITEM_TEXT - 1 bytes). Waits
 * while the queue is full. Returns false, dropping the item, when the queue is closed. */
bool tui_queue_put(struct tui_queue *, const struct tui_put *);
/** Moves up to max items into out and returns their number. Never waits. */
size_t tui_queue_take(struct tui_queue *, struct tui_fed *out, size_t max);
/** Closes the queue: put then drops its item and does not wait. */
void tui_queue_close(struct tui_queue *);

#endif
