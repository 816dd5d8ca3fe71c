/*
 * SPDX-License-Identifier: MIT
 *
 * queue.h - from the reader's thread to the main thread.
 *
 * | who              | may call                                   |
 * |------------------|--------------------------------------------|
 * | reader's thread  | tui_queue_put                              |
 * | main thread      | tui_queue_take, tui_queue_close            |
 * | both             | nothing else                               |
 *
 * Bounded: when it is full the reader waits, so a burst costs time ("behind" grows on the screen;
 * the relay keeps the data on disk) and never an event. A reader that waits is let go by close.
 */
#ifndef DOZE_TUI_QUEUE_H
#define DOZE_TUI_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "../event/event.h"

enum tui_item_kind {
	TUI_ITEM_EVENT,
	TUI_ITEM_LOST,     /* from, to, count */
	TUI_ITEM_QUIET,    /* to: the trace's clock */
	TUI_ITEM_ATTACHED, /* the reader stands at the relay */
	TUI_ITEM_DONE      /* doze_reader_run has returned; status in `count` */
};

enum { TUI_ITEM_TEXT = 64, TUI_ITEM_STRINGS = 3, TUI_QUEUE_ITEMS = 1 << 13 };

struct tui_item {
	enum tui_item_kind kind;
	int64_t from, to;
	uint64_t count;
	struct doze_event ev; /* strings point into text[] after tui_queue_take */
	char text[TUI_ITEM_STRINGS][TUI_ITEM_TEXT];
};

struct tui_queue;

/** Returns an owned queue or null; *fd becomes readable when items wait. */
struct tui_queue *tui_queue_new(int *fd);
/** Only when the reader's thread has ended. */
void tui_queue_free(struct tui_queue *);
/** What to put: an item without its texts; `ev` is there for TUI_ITEM_EVENT and borrowed. */
struct tui_put {
	enum tui_item_kind kind;
	int64_t from, to;
	uint64_t count;
	const struct doze_event *ev;
};
/** Copies it, strings of the event included (cut at TUI_ITEM_TEXT - 1 bytes). Waits while the queue
 * is full. False: closed, the item is dropped. */
bool tui_queue_put(struct tui_queue *, const struct tui_put *);
/** Moves up to max items into out; returns how many. Never waits. */
size_t tui_queue_take(struct tui_queue *, struct tui_item *out, size_t max);
/** From now on put drops its item and does not wait. */
void tui_queue_close(struct tui_queue *);

#endif
