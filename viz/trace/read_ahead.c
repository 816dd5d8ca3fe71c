/*
 * SPDX-License-Identifier: MIT
 *
 * read_ahead.c - see read_ahead.h.
 *
 * The threads share a ring of batches. A batch belongs to the reader's thread while it is filled,
 * and to the caller while its items are delivered; both take the lock per batch, not per item. The
 * reader decodes each event into its place in a batch, which owns copies of the event's strings.
 *
 * A thread that finds the ring empty or full waits until it is half full: waking a thread for each
 * batch would take as long as examining the batch's events.
 */
#include "read_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "error_line.h"
#include "masked_thread.h"
#include "reader_int.h"

/* A batch is small enough for the processor's cache. TEXT is the size of a block of strings, in
 * bytes; a longer string gets a separate block. */
enum { BATCHES = 8, HALF = BATCHES / 2, ITEMS = 512, TEXT = 4096 };

struct item {
	enum doze_decoded what; /* EVENT, LOSS or BINARY */
	union {
		struct doze_event event;
		struct doze_loss loss;
		struct doze_binary binary;
	} u;
};

struct text_block {
	struct text_block *next;
	size_t size, used;
	char text[];
};

struct batch {
	size_t items;
	struct text_block *texts; /* owned; the first block is kept for the next use */
	struct item item[ITEMS];
};

struct ahead {
	struct doze_reader *reader;
	pthread_mutex_t lock;
	pthread_cond_t changed;

	/* Protected by the lock. `full` batches, beginning with batch `first`, are full. */
	size_t first, full;
	bool done;

	/* Used by the reader's thread, and by the caller once that thread has ended. */
	struct batch *filling;
	struct item *next; /* the next free item in `filling` */
	enum doze_reader_status status;
	bool no_memory;

	struct batch batch[BATCHES];
};

/* ---- strings ---- */

static char *room_for(struct batch *b, size_t size)
{
	struct text_block *t = b->texts;
	size_t least = size > TEXT ? size : TEXT;

	if (!t || t->size - t->used < size) {
		t = malloc(sizeof(*t) + least);
		if (!t)
			return NULL;
		*t = (struct text_block){.next = b->texts, .size = least};
		b->texts = t;
	}
	t->used += size;
	return t->text + t->used - size;
}

static void clear_texts(struct batch *b)
{
	while (b->texts && b->texts->next) {
		struct text_block *t = b->texts;

		b->texts = t->next;
		free(t);
	}
	if (b->texts)
		b->texts->used = 0;
}

/* Replaces a borrowed string by a copy. Returns false if out of memory. */
static bool own_text(struct batch *b, const char **text)
{
	size_t size = strlen(*text) + 1;
	char *copy = room_for(b, size);

	if (copy)
		*text = memcpy(copy, *text, size);
	return copy != NULL;
}

static bool own_texts(struct batch *b, struct item *i)
{
	const char **text[DOZE_EVENT_TEXTS];

	if (i->what == DOZE_DECODED_BINARY)
		return !i->u.binary.path || own_text(b, &i->u.binary.path);
	if (i->what != DOZE_DECODED_EVENT || !doze_event_has_texts(&i->u.event))
		return true;
	doze_event_texts(&i->u.event, text);
	for (int t = 0; t < DOZE_EVENT_TEXTS; t++)
		if (text[t] && *text[t] && !own_text(b, text[t]))
			return false;
	return true;
}

/* ---- the reader's thread ---- */

static void begin_batch(struct ahead *a)
{
	pthread_mutex_lock(&a->lock);
	if (a->full == BATCHES)
		while (a->full > HALF)
			pthread_cond_wait(&a->changed, &a->lock);
	a->filling = &a->batch[(a->first + a->full) % BATCHES];
	pthread_mutex_unlock(&a->lock);
	a->next = a->filling->item;
	clear_texts(a->filling);
}

static void end_batch(struct ahead *a, bool done)
{
	a->filling->items = (size_t)(a->next - a->filling->item);
	pthread_mutex_lock(&a->lock);
	a->full++;
	a->done = done;
	if (done || a->full == HALF)
		pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

/* Completes the current item, into which the reader has already decoded the event, and makes the
 * reader decode the following event into the next item. */
static void put(struct ahead *a, enum doze_decoded what)
{
	if (a->no_memory)
		return;
	a->next->what = what;
	if (!own_texts(a->filling, a->next)) {
		a->no_memory = true;
		doze_reader_stop(a->reader);
		return;
	}
	if (++a->next == a->filling->item + ITEMS) {
		end_batch(a, false);
		begin_batch(a);
	}
	a->reader->into = &a->next->u.event;
}

static void put_event(void *ctx, const struct doze_event *e)
{
	(void)e;
	put(ctx, DOZE_DECODED_EVENT);
}

static void put_discarded(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct ahead *a = ctx;

	a->next->u.loss = (struct doze_loss){.from = from, .to = to, .count = count};
	put(a, DOZE_DECODED_LOSS);
}

static void put_binary(void *ctx, const struct doze_binary *b)
{
	struct ahead *a = ctx;

	a->next->u.binary = *b;
	put(a, DOZE_DECODED_BINARY);
}

static void *read_thread(void *arg)
{
	static const struct doze_reader_sink sink = {
	    .event = put_event, .discarded = put_discarded, .binary = put_binary};
	struct ahead *a = arg;

	begin_batch(a);
	a->reader->into = &a->next->u.event;
	a->status = doze_reader_run(a->reader, &sink, a);
	end_batch(a, true);
	return NULL;
}

/* ---- the caller's thread ---- */

static void deliver(const struct batch *b, const struct doze_reader_sink *sink, void *ctx)
{
	for (const struct item *i = b->item; i < b->item + b->items; i++) {
		if (i->what == DOZE_DECODED_EVENT)
			sink->event(ctx, &i->u.event);
		else if (i->what == DOZE_DECODED_BINARY && sink->binary)
			sink->binary(ctx, &i->u.binary);
		else if (i->what == DOZE_DECODED_LOSS && sink->discarded)
			sink->discarded(ctx, i->u.loss.from, i->u.loss.to, i->u.loss.count);
	}
}

static void deliver_all(struct ahead *a, const struct doze_reader_sink *sink, void *ctx)
{
	pthread_mutex_lock(&a->lock);
	for (;;) {
		if (!a->full)
			while (a->full < HALF && !a->done)
				pthread_cond_wait(&a->changed, &a->lock);
		if (!a->full)
			break;
		pthread_mutex_unlock(&a->lock);
		deliver(&a->batch[a->first], sink, ctx);
		pthread_mutex_lock(&a->lock);
		a->first = (a->first + 1) % BATCHES;
		if (--a->full == HALF)
			pthread_cond_signal(&a->changed);
	}
	pthread_mutex_unlock(&a->lock);
}

static void free_ahead(struct ahead *a)
{
	for (int i = 0; i < BATCHES; i++) {
		clear_texts(&a->batch[i]);
		free(a->batch[i].texts);
	}
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

static enum doze_reader_status status_of(const struct ahead *a)
{
	struct doze_reader *r = a->reader;

	if (!a->no_memory)
		return a->status;
	doze_line(r->error, sizeof(r->error),
		  "out of memory while reading %s: close other programs", r->where);
	return DOZE_READER_ERROR;
}

enum doze_reader_status doze_reader_run_ahead(struct doze_reader *r,
					      const struct doze_reader_sink *sink, void *ctx)
{
	struct ahead *a = calloc(1, sizeof(*a));
	enum doze_reader_status status;
	pthread_t thread;

	if (!a)
		return doze_reader_run(r, sink, ctx);
	a->reader = r;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	if (doze_masked_thread(&thread, read_thread, a) == 0) {
		deliver_all(a, sink, ctx);
		pthread_join(thread, NULL);
		status = status_of(a);
	} else {
		status = doze_reader_run(r, sink, ctx);
	}
	free_ahead(a);
	return status;
}
