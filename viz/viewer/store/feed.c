/*
 * SPDX-License-Identifier: MIT
 *
 * feed.c - see feed.h.
 */
#include "feed.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../explain/symbols.h"
#include "../../trace/binary.h"
#include "../../trace/masked_thread.h"
#include "queue.h"

/* ---- the viewer's own clocks ---- */

static int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int64_t tui_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int64_t tui_wall_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

/*
 * ---- descriptions of binaries, on their way from the reader's thread to the model. They have no
 * fixed place among the events, and the paths in them are too long for the items of the event
 * queue.
 */

struct tui_binary {
	struct tui_binary *next;
	struct doze_binary is;
	char path[];
};

struct tui_binaries {
	pthread_mutex_t lock;     /* protects `first` */
	struct tui_binary *first; /* owned */
};

static void binaries_init(struct tui_binaries *b)
{
	pthread_mutex_init(&b->lock, NULL);
	b->first = NULL;
}

/* Called on the reader's thread. Stores a copy of the description; if out of memory, drops it. */
static void binaries_put(struct tui_binaries *b, const struct doze_binary *is)
{
	size_t length = is->path ? strlen(is->path) + 1 : 0;
	struct tui_binary *n = malloc(sizeof *n + length);

	if (!n)
		return;
	n->is = *is;
	if (is->path)
		n->is.path = memcpy(n->path, is->path, length);
	pthread_mutex_lock(&b->lock);
	n->next = b->first;
	b->first = n;
	pthread_mutex_unlock(&b->lock);
}

/* Called on the main thread. Passes the collected descriptions to the model; a null model drops
 * them. */
static void binaries_take(struct tui_binaries *b, struct doze_model *m)
{
	struct tui_binary *n, *next;

	pthread_mutex_lock(&b->lock);
	n = b->first;
	b->first = NULL;
	pthread_mutex_unlock(&b->lock);
	for (; n; n = next) {
		next = n->next;
		if (m)
			doze_symbols_add(m, &n->is);
		free(n);
	}
}

/*
 * ---- the two runs of a live duel. The first event of a pool contains its policy: pool_start or,
 * for a viewer that attaches late, a snapshot.
 */

static const char *policy_of(const struct doze_event *e)
{
	if (e->kind == DOZE_EV_pool_start)
		return e->u.pool_start.policy;
	return e->kind == DOZE_EV_snapshot ? e->u.snapshot.policy : NULL;
}

/* Returns which of the two sides has this policy, or -1. */
static int side_of(const struct tui_policy_split *s, const char *policy)
{
	for (int i = 0; i < 2; i++)
		if (policy && strcmp(policy, s->policy[i]) == 0)
			return i;
	return -1;
}

struct tui_history *tui_policy_split_route(struct tui_policy_split *s, const struct doze_event *e)
{
	int side;

	for (int i = 0; i < s->processes; i++)
		if (s->process[i].vpid == e->vpid && s->process[i].host == e->host)
			return s->to[s->process[i].side];
	side = side_of(s, policy_of(e));
	if (side < 0 || s->processes == TUI_POLICY_SPLIT_PROCESSES)
		return NULL;
	s->process[s->processes].host = e->host;
	s->process[s->processes].vpid = e->vpid;
	s->process[s->processes++].side = side;
	return s->to[side];
}

enum { BATCH = 256, RETRY_MS = 500 };

struct tui_feed {
	struct tui_queue *queue; /* owned */
	struct tui_binaries binaries;
	pthread_t thread;
	const char *url; /* not owned; null: if the relay is lost, do not reconnect */

	/* Both threads access the reader under the lock: the reader's thread replaces it, and the
	 * main thread stops it. */
	pthread_mutex_t lock;
	struct doze_reader *reader, *own; /* reader: not owned; own: owned; null or the same as
					   * reader */
	bool stop;

	/* Used only by the main thread. */
	struct tui_feed_state state;
	int64_t last; /* ignore events after this time; unused if `after` is not -1 */
	/* ignore events later than this many ns after the first event; -1: use `last` */
	int64_t after;
	bool resumes; /* the relay was lost, and no event has arrived since */
	struct tui_fed batch[BATCH];
	size_t at, n; /* number of processed items of `batch`, and number of all its items */
};

/* ---- the reader's thread ---- */

static void put_event(void *ctx, const struct doze_event *ev)
{
	struct tui_feed *f = ctx;

	tui_queue_put(f->queue, &(struct tui_put){.kind = TUI_ITEM_EVENT, .ev = ev});
}

static void put_plain(struct tui_feed *f, enum tui_item_kind kind, int64_t from, int64_t to,
		      uint64_t count)
{
	tui_queue_put(f->queue,
		      &(struct tui_put){.kind = kind, .from = from, .to = to, .count = count});
}

static void put_discarded(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	put_plain(ctx, TUI_ITEM_LOST, from, to, count);
}

static void put_binary(void *ctx, const struct doze_binary *b)
{
	struct tui_feed *f = ctx;

	binaries_put(&f->binaries, b);
}

static void put_attached(void *ctx)
{
	put_plain(ctx, TUI_ITEM_ATTACHED, 0, 0, 0);
}

static void put_quiet(void *ctx, int64_t ts)
{
	put_plain(ctx, TUI_ITEM_QUIET, 0, ts, 0);
}

static bool is_stopped(struct tui_feed *f)
{
	bool stop;

	pthread_mutex_lock(&f->lock);
	stop = f->stop;
	pthread_mutex_unlock(&f->lock);
	return stop;
}

/* Gives the feed another reader, and frees the previous one if the feed owned it. */
static void replace_reader(struct tui_feed *f, struct doze_reader *r)
{
	struct doze_reader *old = f->own;

	pthread_mutex_lock(&f->lock);
	f->reader = f->own = r;
	if (f->stop)
		/* The main thread has stopped only the old reader, so stop the new one, too. */
		doze_reader_stop(r);
	pthread_mutex_unlock(&f->lock);
	doze_reader_free(old);
}

/* Tries to open the session again until the relay is back. Returns false if the feed is stopped
 * first. */
static bool reopen(struct tui_feed *f)
{
	static const struct timespec pause = {0, RETRY_MS * 1000000L};
	struct doze_reader *r = NULL;
	char err[512];

	put_plain(f, TUI_ITEM_GONE, 0, 0, 0);
	while (!r && !is_stopped(f)) {
		(void)nanosleep(&pause, NULL);
		r = doze_reader_open_live(f->url, err, sizeof err);
	}
	if (!r)
		return false;
	replace_reader(f, r);
	put_plain(f, TUI_ITEM_BACK, 0, 0, 0);
	return true;
}

static void *feed_thread(void *arg)
{
	static const struct doze_reader_sink sink = {.event = put_event,
						     .discarded = put_discarded,
						     .binary = put_binary,
						     .attached = put_attached,
						     .quiet = put_quiet};
	struct tui_feed *f = arg;
	enum doze_reader_status status;

	do
		status = doze_reader_run(f->reader, &sink, f);
	while (status == DOZE_READER_ERROR && f->url && reopen(f));
	put_plain(f, TUI_ITEM_DONE, 0, 0, status);
	return NULL;
}

/* ---- the main thread ---- */

struct tui_feed *tui_feed_start(struct doze_reader *reader, const char *url, int *fd)
{
	struct tui_feed *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->reader = reader;
	f->url = url;
	f->last = INT64_MAX;
	f->after = -1;
	pthread_mutex_init(&f->lock, NULL);
	binaries_init(&f->binaries);
	f->queue = tui_queue_new(fd);
	if (!f->queue || doze_masked_thread(&f->thread, feed_thread, f) != 0) {
		tui_queue_free(f->queue);
		free(f);
		return NULL;
	}
	return f;
}

struct tui_feed *tui_feed_done(void)
{
	struct tui_feed *f = calloc(1, sizeof *f);

	if (f)
		f->state = (struct tui_feed_state){.done = true, .status = DOZE_READER_END};
	return f;
}

/* Processes an item other than an event, in a duel for the histories of both runs. */
static void take_plain(struct tui_history *h, const struct tui_fed *item)
{
	if (item->kind == TUI_ITEM_LOST)
		tui_history_discarded(h, item->from, item->to, item->count);
	else if (item->kind == TUI_ITEM_QUIET)
		tui_history_quiet(h, item->to);
}

/* Processes an event. Events that occurred while no relay was connected are reported as lost. */
static void take_event(struct tui_feed *f, struct tui_history *h, const struct doze_event *e)
{
	if (f->resumes)
		tui_history_discarded(h, h->clock, e->ts, 0);
	f->resumes = false;
	tui_history_feed(h, e);
}

static void take_in(struct tui_feed *f, struct tui_history *h, const struct tui_fed *item)
{
	if (h->recording)
		tui_recording_add(h->recording, item);
	if (h->split && item->kind != TUI_ITEM_EVENT)
		take_plain(h->split->to[1], item);
	if (h->split && item->kind == TUI_ITEM_EVENT)
		h = tui_policy_split_route(h->split, &item->ev);
	switch (item->kind) {
	case TUI_ITEM_EVENT:
		if (h)
			take_event(f, h, &item->ev);
		break;
	case TUI_ITEM_LOST:
		tui_history_discarded(h, item->from, item->to, item->count);
		break;
	case TUI_ITEM_QUIET:
		tui_history_quiet(h, item->to);
		break;
	case TUI_ITEM_ATTACHED:
		f->state.attached = true;
		break;
	case TUI_ITEM_GONE:
		f->state.gone = true;
		break;
	case TUI_ITEM_BACK:
		f->state.gone = false;
		f->resumes = true;
		break;
	case TUI_ITEM_DONE:
		f->state.done = true;
		f->state.status = (enum doze_reader_status)item->count;
		break;
	}
}

void tui_feed_end_at(struct tui_feed *f, int64_t moment)
{
	f->last = moment;
}

void tui_feed_end_after(struct tui_feed *f, int64_t after)
{
	f->after = after;
}

/* Returns the time after which events are ignored. */
static int64_t last_moment(const struct tui_feed *f, const struct tui_history *h)
{
	const struct doze_totals *t;

	if (f->after < 0)
		return f->last;
	t = doze_model_totals(h->model);
	return t->events > 0 ? t->first_ts + f->after : INT64_MAX;
}

bool tui_feed_drain(struct tui_feed *f, struct tui_history *h, int budget_ms)
{
	int64_t end = tui_now_ns() + (int64_t)budget_ms * 1000000;
	bool any = false;

	if (!f->queue)
		return false;
	binaries_take(&f->binaries, h->model);
	do {
		if (f->at == f->n) {
			f->at = 0;
			f->n = tui_queue_take(f->queue, f->batch, BATCH);
		}
		for (; f->at < f->n; f->at++, any = true) {
			const struct tui_fed *item = &f->batch[f->at];

			if (item->kind == TUI_ITEM_EVENT && item->ev.ts > last_moment(f, h)) {
				tui_history_quiet(h, last_moment(f, h));
				f->state.done = true;
				f->state.status = DOZE_READER_STOPPED;
				return any;
			}
			take_in(f, h, item);
		}
	} while (f->n > 0 && tui_now_ns() < end);
	return any;
}

const struct tui_feed_state *tui_feed_state(const struct tui_feed *f)
{
	return &f->state;
}

static bool join_within(struct tui_feed *f, int wait_ms)
{
	struct timespec ts;

	pthread_mutex_lock(&f->lock);
	f->stop = true;
	doze_reader_stop(f->reader);
	pthread_mutex_unlock(&f->lock);
	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += wait_ms / 1000;
	ts.tv_nsec += wait_ms % 1000 * 1000000L;
	ts.tv_sec += ts.tv_nsec / 1000000000L;
	ts.tv_nsec %= 1000000000L;
	return pthread_timedjoin_np(f->thread, NULL, &ts) == 0;
}

bool tui_feed_stop(struct tui_feed *f, int wait_ms)
{
	if (!f->queue) {
		free(f);
		return true;
	}
	tui_queue_close(f->queue);
	if (!join_within(f, wait_ms)) {
		/* do not free the feed, the queue and the reader: the thread still uses them */
		pthread_detach(f->thread);
		return false;
	}
	tui_queue_free(f->queue);
	binaries_take(&f->binaries, NULL);
	doze_reader_free(f->own);
	pthread_mutex_destroy(&f->lock);
	free(f);
	return true;
}
