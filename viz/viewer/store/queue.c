/*
 * SPDX-License-Identifier: MIT
 *
 * queue.c - see queue.h.
 *
 * There is one lock. The file descriptor is written only when the queue stops being empty, so a
 * burst of a thousand events wakes the main thread once.
 */
#include "queue.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../../trace/utf8.h"
#include "history.h"

struct tui_queue {
	int fd; /* constant after creation */
	pthread_mutex_t lock;
	pthread_cond_t room;

	/* protected by the lock */
	size_t head, count;
	bool closed;
	struct tui_fed items[TUI_QUEUE_ITEMS];
};

struct tui_queue *tui_queue_new(int *fd)
{
	struct tui_queue *q = calloc(1, sizeof *q);

	if (!q)
		return NULL;
	q->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (q->fd < 0) {
		free(q);
		return NULL;
	}
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->room, NULL);
	*fd = q->fd;
	return q;
}

void tui_queue_free(struct tui_queue *q)
{
	if (!q)
		return;
	close(q->fd);
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->room);
	free(q);
}

static void copy_in(struct tui_fed *to, const struct tui_put *from)
{
	const char **s[DOZE_EVENT_TEXTS];

	to->kind = from->kind;
	to->from = from->from;
	to->to = from->to;
	to->count = from->count;
	if (from->kind != TUI_ITEM_EVENT)
		return;
	to->ev = *from->ev;
	doze_event_texts(&to->ev, s);
	for (int i = 0; i < DOZE_EVENT_TEXTS; i++)
		if (s[i])
			doze_utf8_copy(to->text[i], TUI_ITEM_TEXT, *s[i]);
}

bool tui_queue_put(struct tui_queue *q, const struct tui_put *item)
{
	bool was_empty, ok;

	pthread_mutex_lock(&q->lock);
	while (q->count == TUI_QUEUE_ITEMS && !q->closed)
		pthread_cond_wait(&q->room, &q->lock);
	ok = !q->closed;
	was_empty = q->count == 0;
	if (ok)
		copy_in(&q->items[(q->head + q->count++) % TUI_QUEUE_ITEMS], item);
	pthread_mutex_unlock(&q->lock);
	if (ok && was_empty && eventfd_write(q->fd, 1) != 0)
		return false;
	return ok;
}

/* Copies an item. The strings of the copy point into the copy. */
static void copy_fed(struct tui_fed *to, const struct tui_fed *from)
{
	const char **s[DOZE_EVENT_TEXTS];

	memcpy(to, from, offsetof(struct tui_fed, text));
	if (to->kind != TUI_ITEM_EVENT)
		return;
	doze_event_texts(&to->ev, s);
	for (int i = 0; i < DOZE_EVENT_TEXTS; i++) {
		if (!s[i])
			continue; /* most events have no strings */
		memcpy(to->text[i], from->text[i], TUI_ITEM_TEXT);
		*s[i] = to->text[i];
	}
}

size_t tui_queue_take(struct tui_queue *q, struct tui_fed *out, size_t max)
{
	size_t head, n;
	eventfd_t ignored;

	pthread_mutex_lock(&q->lock);
	head = q->head;
	n = q->count < max ? q->count : max;
	pthread_mutex_unlock(&q->lock);
	/* Only this thread takes items, so those between head and head + n do not change. Copying
	 * them without the lock does not delay the reader's thread, which locks for each event. */
	for (size_t i = 0; i < n; i++)
		copy_fed(&out[i], &q->items[(head + i) % TUI_QUEUE_ITEMS]);
	pthread_mutex_lock(&q->lock);
	q->head = (head + n) % TUI_QUEUE_ITEMS;
	q->count -= n;
	/* Reset fd while holding the lock. Otherwise this could undo the notification of a later
	 * put. */
	if (q->count == 0)
		(void)eventfd_read(q->fd, &ignored);
	pthread_cond_signal(&q->room);
	pthread_mutex_unlock(&q->lock);
	return n;
}

void tui_queue_close(struct tui_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->closed = true;
	pthread_cond_broadcast(&q->room);
	pthread_mutex_unlock(&q->lock);
}

/* ---- a recording in memory ---- */

static bool make_room(struct tui_recording *t)
{
	size_t size = t->size ? 2 * t->size : 1024;
	struct tui_fed *item;

	if (t->count < t->size)
		return true;
	item = realloc(t->item, size * sizeof *item);
	if (!item)
		return false;
	t->item = item;
	t->size = size;
	return true;
}

void tui_recording_add(struct tui_recording *t, const struct tui_fed *item)
{
	if (t->count == TUI_RECORDING_MAX || !make_room(t))
		t->too_long = true;
	else
		t->item[t->count++] = *item; /* the string pointers are set when the item is fed */
}

void tui_recording_feed(const struct tui_recording *t, struct tui_history *h, int64_t to)
{
	for (size_t i = 0; i < t->count; i++) {
		struct tui_fed item;

		copy_fed(&item, &t->item[i]);
		if (item.kind == TUI_ITEM_EVENT && item.ev.ts <= to)
			tui_history_feed(h, &item.ev);
		else if (item.kind == TUI_ITEM_LOST && item.to <= to)
			tui_history_discarded(h, item.from, item.to, item.count);
	}
	tui_history_quiet(h, to);
}

void tui_recording_free(struct tui_recording *t)
{
	free(t->item);
	*t = (struct tui_recording){0};
}
