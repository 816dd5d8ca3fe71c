/*
 * SPDX-License-Identifier: MIT
 *
 * read_ahead.c - see read_ahead.h.
 *
 * Each part of the streams has its own graph, and a thread that runs it. The streams keep their
 * numbers, so that the caller can merge the parts as sink.c merges the streams of one graph.
 *
 * The thread and the caller share a ring of batches. A batch belongs to the reader's thread while
 * it is filled, and to the caller while its items are delivered; both take the lock per batch, not
 * per item. The reader decodes each event into its place in a batch, which owns copies of the
 * event's strings.
 *
 * A thread that finds the ring empty or full waits until it is half full: waking a thread for each
 * batch would take as long as examining the batch's events. The ring is long enough that the other
 * parts are rarely full while the caller waits for one.
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
enum { BATCHES = 32, HALF = BATCHES / 2, ITEMS = 512, TEXT = 4096 };

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

	/* Used by the caller. */
	struct batch *taken; /* the batch that is being delivered; null: none */
	size_t at;           /* the next item in it */
	unsigned number;     /* of the part of the trace that is read */
	pthread_t thread;

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

static void deliver(const struct item *i, const struct doze_reader_sink *sink, void *ctx)
{
	if (i->what == DOZE_DECODED_EVENT)
		sink->event(ctx, &i->u.event);
	else if (i->what == DOZE_DECODED_BINARY && sink->binary)
		sink->binary(ctx, &i->u.binary);
	else if (i->what == DOZE_DECODED_LOSS && sink->discarded)
		sink->discarded(ctx, i->u.loss.from, i->u.loss.to, i->u.loss.count);
}

/* Returns the time by which the sink (sink.c) orders an item. The description of a binary has no
 * place in the order. */
static int64_t due(const struct item *i)
{
	if (i->what == DOZE_DECODED_EVENT)
		return i->u.event.ts;
	return i->what == DOZE_DECODED_LOSS ? i->u.loss.from : INT64_MIN;
}

/* Gives the batch that has been delivered back to the reader's thread, and waits for another.
 * Returns false if there is none. */
static bool next_batch(struct ahead *a)
{
	pthread_mutex_lock(&a->lock);
	if (a->taken) {
		a->first = (a->first + 1) % BATCHES;
		if (--a->full == HALF)
			pthread_cond_signal(&a->changed);
	}
	if (!a->full)
		while (a->full < HALF && !a->done)
			pthread_cond_wait(&a->changed, &a->lock);
	a->taken = a->full ? &a->batch[a->first] : NULL;
	a->at = 0;
	pthread_mutex_unlock(&a->lock);
	return a->taken != NULL;
}

/* Makes `a->at` the position of an item, unless the reader has ended. */
static void find_item(struct ahead *a)
{
	while (a->taken && a->at == a->taken->items)
		(void)next_batch(a);
}

static bool is_before(const struct ahead *a, const struct ahead *b)
{
	int64_t x = due(&a->taken->item[a->at]), y = due(&b->taken->item[b->at]);

	return x < y || (x == y && a->number < b->number);
}

/* Finds the part whose item is due first, and the one that is due without it; null: none. */
static void find_first(struct ahead *const *part, unsigned parts, struct ahead **first,
		       struct ahead **second)
{
	*first = *second = NULL;
	for (unsigned i = 0; i < parts; i++) {
		struct ahead *a = part[i];

		if (!a->taken)
			continue;
		if (!*first || is_before(a, *first)) {
			*second = *first;
			*first = a;
		} else if (!*second || is_before(a, *second)) {
			*second = a;
		}
	}
}

/* Delivers the part's items up to the next item of the other part, or to the end of the batch. */
static void deliver_some(struct ahead *a, const struct ahead *other,
			 const struct doze_reader_sink *sink, void *ctx)
{
	const struct item *i = &a->taken->item[a->at], *end = &a->taken->item[a->taken->items];
	/* Items up to this time are due. */
	int64_t last = other ? due(&other->taken->item[other->at]) : INT64_MAX;

	last -= other && other->number < a->number && last > INT64_MIN;
	for (; i < end && due(i) <= last; i++)
		deliver(i, sink, ctx);
	a->at = (size_t)(i - a->taken->item);
}

/* Stops all parts once one of them has failed, or the whole reader was stopped. */
static void stop_if_needed(const struct doze_reader *whole, struct ahead *const *part,
			   unsigned parts)
{
	bool stop = atomic_load_explicit(&whole->stop, memory_order_relaxed);

	for (unsigned i = 0; i < parts; i++)
		stop |= !part[i]->taken && part[i]->status != DOZE_READER_END;
	for (unsigned i = 0; stop && i < parts; i++)
		doze_reader_stop(part[i]->reader);
}

/* Merges the parts as the sink merges the streams of one graph. */
static void deliver_all(const struct doze_reader *whole, struct ahead *const *part, unsigned parts,
			const struct doze_reader_sink *sink, void *ctx)
{
	struct ahead *first, *second;

	for (unsigned i = 0; i < parts; i++) {
		(void)next_batch(part[i]);
		find_item(part[i]);
	}
	for (;;) {
		find_first(part, parts, &first, &second);
		if (!first)
			return;
		deliver_some(first, second, sink, ctx);
		if (first->at < first->taken->items)
			continue;
		find_item(first);
		stop_if_needed(whole, part, parts);
	}
}

static struct ahead *new_ahead(struct doze_reader *r, unsigned number)
{
	struct ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->reader = r;
	a->number = number;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	return a;
}

static void free_ahead(struct ahead *a)
{
	if (!a)
		return;
	for (int i = 0; i < BATCHES; i++) {
		clear_texts(&a->batch[i]);
		free(a->batch[i].texts);
	}
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

/* Starts the thread. Returns false, and leaves nothing behind, if that is not possible. */
static bool start(struct ahead **a, struct doze_reader *r, unsigned number)
{
	*a = r ? new_ahead(r, number) : NULL;
	if (*a && doze_masked_thread(&(*a)->thread, read_thread, *a) == 0)
		return true;
	free_ahead(*a);
	*a = NULL;
	return false;
}

static enum doze_reader_status end(struct ahead *a)
{
	struct doze_reader *r = a->reader;

	pthread_join(a->thread, NULL);
	if (!a->no_memory)
		return a->status;
	doze_line(r->error, sizeof(r->error),
		  "out of memory while reading %s: close other programs", r->where);
	return DOZE_READER_ERROR;
}

/* ---- one part per thread ---- */

/* Opens all parts before the first thread starts. Returns false if one cannot be opened. */
static bool open_parts(const struct doze_reader *r, struct doze_reader **part, unsigned parts)
{
	for (unsigned i = 0; i < parts; i++) {
		part[i] = doze_reader_part(r, (struct doze_graph_part){i, parts});
		if (part[i])
			continue;
		while (i--)
			doze_reader_free(part[i]);
		return false;
	}
	return true;
}

/* A failure is worse than a stop, which it causes in the other parts. */
static enum doze_reader_status worse(enum doze_reader_status a, enum doze_reader_status b)
{
	return a > b ? a : b;
}

/* Ends a thread whose items are not wanted. */
static void give_up(struct ahead *a)
{
	doze_reader_stop(a->reader);
	while (next_batch(a))
		;
}

/* Returns false if the threads cannot be created. */
static bool run_parts(struct doze_reader *r, struct doze_reader **part, unsigned parts,
		      const struct doze_reader_sink *sink, void *ctx,
		      enum doze_reader_status *status)
{
	struct ahead *ahead[DOZE_READER_PARTS];
	unsigned started = 0;

	while (started < parts && start(&ahead[started], part[started], started))
		started++;
	if (started == parts)
		deliver_all(r, ahead, parts, sink, ctx);
	*status = DOZE_READER_END;
	for (unsigned i = 0; i < started; i++) {
		if (started < parts)
			give_up(ahead[i]);
		*status = worse(*status, end(ahead[i]));
		if (started == parts)
			doze_reader_add_part(r, part[i]);
		free_ahead(ahead[i]);
	}
	return started == parts;
}

static enum doze_reader_status run_one(struct doze_reader *r, const struct doze_reader_sink *sink,
				       void *ctx)
{
	struct ahead *a;
	enum doze_reader_status status;

	if (!start(&a, r, 0))
		return doze_reader_run(r, sink, ctx);
	deliver_all(r, &a, 1, sink, ctx);
	status = end(a);
	free_ahead(a);
	return status;
}

enum doze_reader_status doze_reader_run_ahead(struct doze_reader *r,
					      const struct doze_reader_sink *sink, void *ctx)
{
	struct doze_reader *part[DOZE_READER_PARTS];
	unsigned parts = doze_reader_parts(r);
	enum doze_reader_status status;
	bool ran;

	if (parts < 2 || !open_parts(r, part, parts))
		return run_one(r, sink, ctx);
	ran = run_parts(r, part, parts, sink, ctx, &status);
	for (unsigned i = 0; i < parts; i++)
		doze_reader_free(part[i]);
	return ran ? status : run_one(r, sink, ctx);
}
