/*
 * SPDX-License-Identifier: MIT
 *
 * history.c - see history.h. The table of listener functions is at the end.
 */
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../explain/diagnose.h"
#include "../../model/model.h"
#include "../../show/load_trace.h"
#include "../../trace/utf8.h"

/* ---- the ring ---- */

enum { FIRST_CAP = 64 };

static void drop_oldest(struct tui_ring *r)
{
	r->head = (r->head + 1) % r->cap;
	r->count--;
	r->dropped++;
}

/* Called after the ring has grown. Moves the items that had wrapped around into the new half,
 * behind the other items. */
static void unwrap(struct tui_ring *r, size_t cap)
{
	size_t wrapped = r->head + r->count > r->cap ? r->head + r->count - r->cap : 0;
	size_t fit = wrapped < cap - r->cap ? wrapped : cap - r->cap;

	memcpy(r->data + r->cap * r->item, r->data, fit * r->item);
	memmove(r->data, r->data + fit * r->item, (wrapped - fit) * r->item);
}

/* Doubles the ring's memory. For a large ring, realloc only remaps pages, so that half a million
 * events are not copied again and again. */
static void grow(struct tui_ring *r, size_t max)
{
	size_t cap = r->cap ? r->cap * 2 : FIRST_CAP;
	char *data;

	if (cap > max)
		cap = max;
	data = cap > r->cap ? realloc(r->data, cap * r->item) : NULL;
	if (!data)
		return;
	r->data = data;
	if (r->cap)
		unwrap(r, cap);
	r->cap = cap;
}

void tui_ring_push(struct tui_ring *r, const void *item, size_t max)
{
	tui_ring_push_or(r, item, max, NULL, NULL);
}

void tui_ring_push_or(struct tui_ring *r, const void *item, size_t max,
		      void (*drop)(void *ctx, const void *item), void *ctx)
{
	if (r->count == r->cap && r->count < max)
		grow(r, max);
	if (r->cap == 0) {
		if (drop)
			drop(ctx, item);
		r->dropped++;
		return;
	}
	while (r->count > 0 && (r->count >= max || r->count == r->cap)) {
		if (drop)
			drop(ctx, tui_ring_at(r, 0));
		drop_oldest(r);
	}
	memcpy(r->data + (r->head + r->count) % r->cap * r->item, item, r->item);
	r->count++;
}

void *tui_ring_at(const struct tui_ring *r, size_t i)
{
	if (i >= r->count)
		return NULL;
	return r->data + (r->head + i) % r->cap * r->item;
}

void tui_ring_free(struct tui_ring *r)
{
	free(r->data);
	*r = (struct tui_ring){.item = r->item};
}

size_t tui_ring_after(const struct tui_ring *r, int64_t t)
{
	size_t lo = 0, hi = r->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int64_t at;

		memcpy(&at, tui_ring_at(r, mid), sizeof at);
		if (at > t)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* ---- the history ---- */

static const struct doze_model_listener listener;

static struct tui_history *history_without_model(void)
{
	struct tui_history *h = calloc(1, sizeof *h);

	if (!h)
		return NULL;
	h->events.item = h->marks.item = sizeof(struct tui_event);
	h->losses.item = sizeof(struct tui_loss);
	h->findings.item = sizeof(struct tui_finding);
	h->storms.item = sizeof(struct tui_storm);
	h->decisions.ring.item = sizeof(struct tui_decision);
	h->resumed = h->complete_from = INT64_MIN;
	h->complete_to = INT64_MAX;
	return h;
}

struct tui_history *tui_history_new(void)
{
	struct tui_history *h = history_without_model();

	if (!h)
		return NULL;
	h->model = doze_with_diagnosis(doze_model_new(&listener, h));
	if (h->model)
		return h;
	free(h);
	return NULL;
}

struct tui_history *tui_history_new_at(const struct doze_checkpoint *c)
{
	struct tui_history *h = history_without_model();

	if (!h)
		return NULL;
	h->model = doze_model_new(&listener, h);
	if (h->model && (!c || doze_checkpoint_resume(c, h->model))) {
		h->clock = c ? doze_checkpoint_ts(c) : 0;
		h->resumed = c ? doze_checkpoint_ts(c) : INT64_MIN;
		return h;
	}
	tui_history_free(h);
	return NULL;
}

void tui_history_free(struct tui_history *h)
{
	if (!h)
		return;
	doze_model_free(h->model);
	for (size_t i = 0; i < h->n_lanes; i++) {
		tui_ring_free(&h->lanes[i].spans);
		tui_ring_free(&h->lanes[i].wakes);
	}
	for (size_t i = 0; i < h->n_pools; i++)
		tui_ring_free(&h->pools[i].words);
	tui_ring_free(&h->events);
	tui_ring_free(&h->marks);
	tui_ring_free(&h->losses);
	tui_ring_free(&h->findings);
	tui_ring_free(&h->storms);
	tui_ring_free(&h->decisions.ring);
	tui_overview_free(&h->dropped);
	tui_pairs_free(&h->pairs);
	tui_history_drop_checkpoints(h);
	free(h->lanes);
	free(h->pools);
	free(h);
}

/* Returns the maximum number of items of this size per lane. Spans and wakes each have half of the
 * budget. */
static size_t lane_max(const struct tui_history *h, size_t item)
{
	size_t bytes = h->live ? TUI_LIVE_BYTES : TUI_HISTORY_BYTES;
	size_t max = bytes / 2 / item / (h->n_lanes ? h->n_lanes : 1);

	return max < TUI_LANE_MIN ? TUI_LANE_MIN : max;
}

static struct tui_lane *lane_of(struct tui_history *h, uint32_t row)
{
	if (row == UINT32_MAX) /* a wake whose target is unknown has no lane */
		return NULL;
	if (row >= h->n_lanes) {
		size_t n = (size_t)row + 1;
		struct tui_lane *lanes = realloc(h->lanes, n * sizeof *lanes);

		if (!lanes)
			return NULL;
		memset(lanes + h->n_lanes, 0, (n - h->n_lanes) * sizeof *lanes);
		for (size_t i = h->n_lanes; i < n; i++) {
			lanes[i].spans.item = sizeof(struct tui_span);
			lanes[i].wakes.item = sizeof(struct tui_wake);
		}
		h->lanes = lanes;
		h->n_lanes = n;
	}
	return &h->lanes[row];
}

static struct tui_pool_words *known_pool(const struct tui_history *h, uint32_t host, int32_t vpid,
					 uint32_t pool)
{
	for (size_t i = 0; i < h->n_pools; i++) {
		struct tui_pool_words *p = &h->pools[i];

		if (p->host == host && p->vpid == vpid && p->pool == pool)
			return p;
	}
	return NULL;
}

const struct tui_pool_words *tui_words_of(const struct tui_history *h,
					  const struct doze_pool_view *v)
{
	return known_pool(h, v->host, v->vpid, v->pool);
}

static struct tui_pool_words *pool_of(struct tui_history *h, uint32_t host, int32_t vpid,
				      uint32_t pool)
{
	struct tui_pool_words *p = known_pool(h, host, vpid, pool);

	if (p)
		return p;
	p = realloc(h->pools, (h->n_pools + 1) * sizeof *p);
	if (!p)
		return NULL;
	h->pools = p;
	p += h->n_pools++;
	*p = (struct tui_pool_words){.host = host, .vpid = vpid, .pool = pool, .ended = INT64_MAX};
	p->words.item = sizeof(struct tui_word);
	return p;
}

/* Distance of two checkpoints. The actual one may be up to twice as long, because a checkpoint
 * waits until the model has settled. That many events are read in a tenth of a second. */
#define EVERY_NS INT64_C(1000000000)
enum { EVERY_EVENTS = 1 << 16 };

/* ---- what the history contains ---- */

const struct tui_span *tui_span_at(const struct tui_lane *lane, int64_t t)
{
	const struct tui_span *s = tui_ring_at(&lane->spans, tui_ring_after(&lane->spans, t));

	return s && s->from <= t ? s : NULL;
}

int64_t tui_history_since(const struct tui_history *h)
{
	int64_t since = h->complete_from;

	for (size_t i = 0; i < h->n_lanes; i++) {
		const struct tui_ring *r = &h->lanes[i].spans;
		const struct tui_span *s = tui_ring_at(r, 0);

		if (s && r->dropped && s->from > since)
			since = s->from;
	}
	return since;
}

/* Returns the later of two times: `since`, and the oldest item of the ring if the ring has dropped
 * older ones. */
static int64_t later(int64_t since, const struct tui_ring *r)
{
	const int64_t *oldest = tui_ring_at(r, 0);

	return oldest && r->dropped && *oldest > since ? *oldest : since;
}

int64_t tui_history_kept(const struct tui_history *h)
{
	int64_t since = later(tui_history_since(h), &h->events);

	since = later(since, &h->decisions.ring);
	for (size_t i = 0; i < h->n_lanes; i++)
		since = later(since, &h->lanes[i].wakes);
	for (size_t i = 0; i < h->n_pools; i++)
		since = later(since, &h->pools[i].words);
	return since;
}

/* ---- checkpoints ---- */

/* Drops every second checkpoint. */
static void thin_out(struct tui_history *h)
{
	size_t kept = 0;

	for (size_t i = 0; i < h->n_checkpoints; i++) {
		if (i % 2 == 0)
			h->checkpoint[kept++] = h->checkpoint[i];
		else
			doze_checkpoint_free(h->checkpoint[i]);
	}
	h->n_checkpoints = kept;
	h->checkpoint_every *= 2;
	h->checkpoint_events *= 2;
}

/* Returns whether a checkpoint is due: 1; only if the model has settled: 0; not at all: -1. */
static int is_due(const struct tui_history *h, int64_t ts)
{
	int64_t ns;

	if (!h->n_checkpoints)
		return 1;
	ns = ts - doze_checkpoint_ts(h->checkpoint[h->n_checkpoints - 1]);
	if (ns >= 2 * h->checkpoint_every || h->since_checkpoint >= 2 * h->checkpoint_events)
		return 1;
	return ns >= h->checkpoint_every || h->since_checkpoint >= h->checkpoint_events ? 0 : -1;
}

/* Called before an event at ts is fed. Takes a checkpoint if one is due. */
static void check_time(struct tui_history *h, int64_t ts)
{
	struct doze_checkpoint *c;
	int due;

	h->since_checkpoint++;
	if (!h->checkpoint_every || ts <= h->clock || !doze_model_workers(h->model))
		return;
	due = is_due(h, ts);
	if (due < 0 || (!due && !doze_model_is_settled(h->model)))
		return;
	if (h->n_checkpoints == TUI_CHECKPOINTS)
		thin_out(h);
	c = doze_checkpoint_take(h->model);
	if (c)
		h->checkpoint[h->n_checkpoints++] = c;
	h->since_checkpoint = 0;
}

void tui_history_take_checkpoints(struct tui_history *h)
{
	h->checkpoint_every = EVERY_NS;
	h->checkpoint_events = EVERY_EVENTS;
}

const struct doze_checkpoint *tui_history_checkpoint(const struct tui_history *h, int64_t t)
{
	const struct doze_checkpoint *c = NULL;

	for (size_t i = 0; i < h->n_checkpoints && doze_checkpoint_ts(h->checkpoint[i]) < t; i++)
		c = h->checkpoint[i];
	return c;
}

void tui_history_drop_checkpoints(struct tui_history *h)
{
	for (size_t i = 0; i < h->n_checkpoints; i++)
		doze_checkpoint_free(h->checkpoint[i]);
	h->n_checkpoints = 0;
}

/* ---- storing events and losses ---- */

static bool is_row(const struct doze_model *m, size_t row, const struct doze_event *e)
{
	const struct doze_worker_key *k;

	if (row >= doze_model_workers(m))
		return false;
	k = &doze_model_worker(m, row)->key;
	return k->index == e->worker && k->pool == e->pool && k->vpid == e->vpid &&
	       k->host == e->host;
}

static int32_t row_of(const struct doze_model *m, const struct doze_event *e)
{
	if (e->worker < 0)
		return -1;
	if (is_row(m, (size_t)e->worker, e))
		return e->worker; /* with one pool, a worker's row is the worker's index */
	for (size_t row = 0; row < doze_model_workers(m); row++)
		if (is_row(m, row, e))
			return (int32_t)row;
	return -1;
}

/* Clears the event's string pointers, which are valid only during the call, and copies the text
 * into `note`. */
static void keep_text(struct tui_event *t)
{
	struct doze_event *e = &t->ev;
	const char *text = NULL;

	switch (e->kind) {
	case DOZE_EV_pool_start:
		text = e->u.pool_start.policy;
		e->u.pool_start.policy = e->u.pool_start.version = e->u.pool_start.name = NULL;
		break;
	case DOZE_EV_worker_start:
		text = e->u.worker_start.name;
		e->u.worker_start.name = NULL;
		break;
	case DOZE_EV_mark:
		text = e->u.mark.text;
		e->u.mark.text = NULL;
		break;
	case DOZE_EV_snapshot:
		text = e->u.snapshot.policy;
		e->u.snapshot.policy = NULL;
		break;
	default:
		break;
	}
	doze_utf8_copy(t->note, sizeof t->note, text);
}

/* Records when the pools begin to terminate: when workers are woken for termination, or when the
 * first worker stops. If a pool then still posts or runs a job, termination has not begun. */
static void note_ending(struct tui_history *h, const struct doze_event *e)
{
	bool ends = e->kind == DOZE_EV_worker_stop || e->kind == DOZE_EV_pool_stop ||
		    (e->kind == DOZE_EV_wake && e->u.wake.cause == DOZE_CAUSE_terminate) ||
		    (e->kind == DOZE_EV_worker_state && e->u.state.to == DOZE_STATE_stopped);

	if (ends && !h->ending)
		h->ending = e->ts;
	else if (e->kind == DOZE_EV_post || e->kind == DOZE_EV_pool_start ||
		 e->kind == DOZE_EV_job_start || e->kind == DOZE_EV_wake)
		h->ending = ends ? h->ending : 0;
}

static void note_end(struct tui_history *h, const struct doze_event *ev)
{
	struct tui_pool_words *p = pool_of(h, ev->host, ev->vpid, ev->pool);

	if (p)
		p->ended = ev->ts;
}

/* Stores the counters word of a snapshot, for a viewer that attached late. Only a pool's first
 * snapshot is used: a later one may be older than a step that was already reported. */
static void note_snapshot(struct tui_history *h, const struct doze_event *ev)
{
	struct tui_pool_words *p = pool_of(h, ev->host, ev->vpid, ev->pool);
	struct tui_word item = {.at = ev->ts, .word = ev->new_word};

	if (p && p->words.count == 0 && ev->u.snapshot.word.kind == DOZE_WORD_counters)
		tui_ring_push(&p->words, &item, TUI_WORDS_MAX);
}

void tui_history_feed(struct tui_history *h, const struct doze_event *ev)
{
	struct tui_event t = {.at = ev->ts, .ev = *ev};

	if (h->selection && !doze_load_takes(h->model, h->selection, ev))
		return;
	if (ev->ts <= h->resumed)
		return; /* the checkpoint already contains this event */
	check_time(h, ev->ts);
	t.ev.procname = NULL; /* the string is valid only during this call */
	h->feeding = ev;
	doze_model_feed(h->model, ev);
	h->feeding = NULL;
	if (ev->ts > h->clock)
		h->clock = ev->ts;
	t.row = row_of(h->model, ev);
	keep_text(&t);
	tui_ring_push(&h->events, &t, h->live ? TUI_LIVE_EVENTS_MAX : TUI_EVENTS_MAX);
	note_ending(h, ev);
	if (ev->kind == DOZE_EV_post)
		tui_decisions_post(&h->decisions, ev);
	if (ev->kind == DOZE_EV_pool_stop)
		note_end(h, ev);
	if (ev->kind == DOZE_EV_snapshot)
		note_snapshot(h, ev);
	if (ev->kind == DOZE_EV_mark)
		tui_ring_push(&h->marks, &t, TUI_MARKS_MAX);
}

void tui_history_discarded(struct tui_history *h, int64_t from, int64_t to, uint64_t count)
{
	/* The first packet also counts the events lost in all earlier packets, which were not
	 * read. */
	if (h->resumed == INT64_MIN || count || from > h->resumed)
		doze_model_discarded(h->model, from, to, count);
}

void tui_history_quiet(struct tui_history *h, int64_t ts)
{
	if (ts > h->clock)
		h->clock = ts;
	doze_model_clock(h->model, ts);
}

void tui_history_finish(struct tui_history *h)
{
	doze_model_finish(h->model, h->clock);
}

/* ---- what the rings drop ---- */

enum tui_wake_kind tui_wake_kind(enum doze_verdict v)
{
	switch (v) {
	case DOZE_VERDICT_futile:
		return TUI_FUTILE_WAKE;
	case DOZE_VERDICT_useful:
	case DOZE_VERDICT_latch:
		return TUI_USEFUL;
	case DOZE_VERDICT_open:
		return TUI_OPEN;
	default:
		return TUI_OTHER;
	}
}

struct tui_counters tui_counters_of(const struct doze_pool_view *p, uint64_t word)
{
	uint32_t sleeping = doze_word_sleeping(&p->layout, word);
	uint32_t inactive = doze_word_inactive(&p->layout, word);
	struct tui_counters c = {.jec = doze_word_jec(&p->layout, word),
				 .has_jec = doze_pool_has_jec(p)};

	c.count[TUI_SLEEPING_COUNT] = sleeping;
	c.count[TUI_IDLE_COUNT] = inactive > sleeping ? inactive - sleeping : 0;
	c.count[TUI_ACTIVE_COUNT] = p->workers > inactive ? p->workers - inactive : 0;
	return c;
}

uint64_t tui_toggles_beyond(uint64_t *highest, uint64_t jec)
{
	uint64_t n = jec > *highest ? jec - *highest : 0;

	if (n)
		*highest = jec;
	return n;
}

/* Returns the model's view of a pool, or null. */
static const struct doze_pool_view *pool_view(const struct tui_history *h,
					      const struct tui_pool_words *w)
{
	for (size_t i = 0; i < doze_model_pools(h->model); i++) {
		const struct doze_pool_view *p = doze_model_pool(h->model, i);

		if (p->host == w->host && p->vpid == w->vpid && p->pool == w->pool)
			return p;
	}
	return NULL;
}

/* Where a dropped item goes. */
struct destination {
	struct tui_history *h;
	uint32_t row;
	struct tui_pool_words *pool;
};

static void drop_span(void *ctx, const void *item)
{
	const struct destination *to = ctx;
	const struct tui_span *s = item;

	if (s->state < DOZE_STATE_COUNT)
		tui_overview_span(&to->h->dropped, to->row, s->from, s->to,
				  s->unknown ? (int)DOZE_CELL_UNKNOWN : s->state,
				  s->why != DOZE_REASON_start);
}

static void drop_wake(void *ctx, const void *item)
{
	const struct destination *to = ctx;
	const struct tui_wake *w = item;

	tui_overview_wake(&to->h->dropped, to->row, w->at, tui_wake_kind(w->wake.verdict),
			  w->wake.cause == DOZE_CAUSE_terminate);
}

/* Adds a word that was valid until `end`, the time of the next word. */
static void add_word(const struct destination *to, const struct tui_word *word, int64_t end)
{
	struct tui_pool_words *w = to->pool;
	const struct doze_pool_view *p = pool_view(to->h, w);
	struct tui_counters c;

	if (!p || p->layout.kind != DOZE_WORD_counters || word->at > w->ended)
		return;
	c = tui_counters_of(p, word->word);
	if (!w->words.dropped)
		w->highest_jec = c.jec;
	c.toggles = tui_toggles_beyond(&w->highest_jec, c.jec);
	tui_overview_counters(&to->h->dropped, (size_t)(w - to->h->pools), word->at,
			      end < w->ended ? end : w->ended, &c);
}

static void drop_word(void *ctx, const void *item)
{
	const struct destination *to = ctx;
	const struct tui_word *next = tui_ring_at(&to->pool->words, 1);

	if (next)
		add_word(to, item, next->at);
}

/* ---- the whole run as an overview ---- */

static void drop_lane(struct tui_history *h, uint32_t row)
{
	const struct tui_ring *spans = &h->lanes[row].spans, *wakes = &h->lanes[row].wakes;
	struct destination to = {.h = h, .row = row};

	for (size_t i = 0; i < spans->count; i++)
		drop_span(&to, tui_ring_at(spans, i));
	for (size_t i = 0; i < wakes->count; i++)
		drop_wake(&to, tui_ring_at(wakes, i));
}

static void drop_words(struct tui_history *h, struct tui_pool_words *w)
{
	struct destination to = {.h = h, .pool = w};

	for (size_t i = 0; i < w->words.count; i++) {
		const struct tui_word *next = tui_ring_at(&w->words, i + 1);

		add_word(&to, tui_ring_at(&w->words, i), next ? next->at : h->clock);
		w->words.dropped++;
	}
}

bool tui_history_overview(const struct tui_history *h, struct tui_overview *all)
{
	/* A copy with its own overview and its own counts of what the pools' rings have dropped. */
	struct tui_history part = *h;
	struct tui_pool_words *pools = h->n_pools ? malloc(h->n_pools * sizeof *pools) : NULL;

	if (!tui_overview_copy(all, &h->dropped) || (h->n_pools && !pools)) {
		free(pools);
		return false;
	}
	part.dropped = *all;
	part.pools = h->n_pools ? memcpy(pools, h->pools, h->n_pools * sizeof *pools) : NULL;
	for (size_t i = 0; i < h->n_lanes; i++)
		drop_lane(&part, (uint32_t)i);
	for (size_t i = 0; i < h->n_pools; i++)
		drop_words(&part, &part.pools[i]);
	*all = part.dropped;
	free(pools);
	return !all->incomplete;
}

/* ---- the model's listener ---- */

static void on_interval(void *ctx, const struct doze_interval *i)
{
	struct tui_history *h = ctx;
	struct tui_lane *lane = lane_of(h, i->who.row);
	struct tui_span s = {.to = i->to,
			     .from = i->from,
			     .state = (uint8_t)i->state,
			     .why = (uint8_t)i->why,
			     .unknown = i->unknown};

	if (lane && i->state != DOZE_STATE_none) /* `none` is the time before the worker's start */
		tui_ring_push_or(&lane->spans, &s, lane_max(h, sizeof s), drop_span,
				 &(struct destination){.h = h, .row = i->who.row});
}

static struct tui_wake *find_wake(struct tui_lane *lane, uint64_t id)
{
	if (id > lane->newest_wake)
		return NULL; /* the wake is new, so it need not be searched for */
	for (size_t i = lane->wakes.count; i-- > 0;) {
		struct tui_wake *w = tui_ring_at(&lane->wakes, i);

		if (w->wake.wake_id == id)
			return w;
		/* only a worker's newest wakes can still lack a verdict */
		if (lane->wakes.count - i > 256)
			break;
	}
	return NULL;
}

static void keep_in_lane(struct tui_history *h, const struct doze_wake *w)
{
	struct tui_lane *lane = lane_of(h, w->target.row);
	struct tui_wake item = {.at = w->notified ? w->notified : w->awake, .wake = *w};
	struct tui_wake *known = lane && w->wake_id ? find_wake(lane, w->wake_id) : NULL;
	const struct tui_wake *last;

	if (known)
		known->wake = *w;
	if (!lane || known)
		return;
	last = tui_ring_at(&lane->wakes, lane->wakes.count - 1);
	/* The model may report a wake late, but the ring must stay in chronological order. */
	if (last && last->at > item.at)
		item.at = last->at;
	if (w->wake_id > lane->newest_wake)
		lane->newest_wake = w->wake_id;
	tui_ring_push_or(&lane->wakes, &item, lane_max(h, sizeof item), drop_wake,
			 &(struct destination){.h = h, .row = w->target.row});
}

/* Counts a wake for the matrix. The waker is a worker of the target's pool or an outside thread. */
static void count_pair(struct tui_history *h, const struct doze_wake *w)
{
	const struct doze_event like = {.host = w->target.host,
					.vpid = w->target.vpid,
					.pool = w->target.pool,
					.worker = w->waker};

	if (w->target.index >= 0)
		tui_pairs_count(&h->pairs, row_of(h->model, &like), w->target.row,
				doze_model_workers(h->model), w->verdict == DOZE_VERDICT_futile);
}

static void keep_wake(void *ctx, const struct doze_wake *w)
{
	struct tui_history *h = ctx;

	tui_decisions_wake(&h->decisions, w);
	if (w->verdict != DOZE_VERDICT_open)
		count_pair(h, w);
	keep_in_lane(h, w);
}

static void on_finding(void *ctx, const struct doze_finding *f)
{
	struct tui_history *h = ctx;
	struct tui_finding item = {.at = f->ts, .finding = *f};

	item.finding.rule = f->rule; /* rule ids are string constants of the model */
	tui_ring_push(&h->findings, &item, TUI_MARKS_MAX);
}

static void on_counters(void *ctx, int64_t ts, uint32_t pool, uint64_t word,
			const struct doze_word_layout *layout)
{
	struct tui_history *h = ctx;
	const struct doze_event *e = h->feeding;
	struct tui_pool_words *p = e ? pool_of(h, e->host, e->vpid, pool) : NULL;
	struct tui_word item = {.at = ts, .word = word};

	(void)layout;
	if (p)
		tui_ring_push_or(&p->words, &item, TUI_WORDS_MAX, drop_word,
				 &(struct destination){.h = h, .pool = p});
}

static void on_lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct tui_history *h = ctx;
	struct tui_loss item = {.to = to, .from = from, .count = count};

	tui_ring_push(&h->losses, &item, TUI_LOSSES_MAX);
}

static void on_storm(void *ctx, const struct doze_storm *storm)
{
	struct tui_history *h = ctx;
	struct tui_storm item = {.at = storm->from, .storm = *storm};
	const struct tui_storm *last = tui_ring_at(&h->storms, h->storms.count - 1);

	/* The model reports a storm late, but the ring must stay in chronological order. */
	if (last && last->at > item.at)
		item.at = last->at;
	tui_ring_push(&h->storms, &item, TUI_MARKS_MAX);
}

static const struct doze_model_listener listener = {
    .on_storm = on_storm,
    .on_interval = on_interval,
    .on_wake = keep_wake,
    .on_verdict = keep_wake,
    .on_finding = on_finding,
    .on_counters = on_counters,
    .on_lost = on_lost,
};
