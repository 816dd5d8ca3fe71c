/*
 * SPDX-License-Identifier: MIT
 *
 * ranges.c - see ranges.h.
 */
#include "ranges.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../explain/symbols.h"
#include "../model/part.h"
#include "../trace/packets.h"
#include "../trace/read_ahead.h"
#include "../trace/reader.h"
#include "../words/temp.h"
#include "progress.h"

enum {
	FIRST_EVERY = 1 << 14, /* events between two points at first */
	MOST_BYTES = 32 << 20, /* of all points in memory */
};

/* ---- Noting the points ---- */

void doze_ranges_free(struct doze_ranges *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->point[i].state);
	free(r->mark);
	*r = (struct doze_ranges){0};
}

bool doze_ranges_thin(struct doze_ranges *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (i % 2) {
			r->point[kept++] = r->point[i];
			continue;
		}
		r->bytes -= r->point[i].size;
		free(r->point[i].state);
	}
	r->count = kept;
	r->every *= 2;
	return kept > 0;
}

static void add_point(struct doze_ranges *r, struct doze_model *m)
{
	struct doze_saved s = {0};

	doze_model_running_saved(m, &s);
	if (s.failed) {
		doze_saved_free(&s);
		return;
	}
	r->point[r->count++] = (struct doze_ranges_point){
	    .ts = doze_model_totals(m)->last_ts, .state = s.data, .size = s.size};
	r->bytes += s.size;
}

static bool has_room(struct doze_ranges *r)
{
	size_t room = r->room ? 2 * r->room : 16;
	struct doze_ranges_mark *more;

	if (r->marks < r->room)
		return true;
	more = room > DOZE_RANGES_MARKS ? NULL : realloc(r->mark, room * sizeof *more);
	if (!more)
		return false;
	r->mark = more;
	r->room = room;
	return true;
}

static void add_mark(struct doze_ranges *r, int64_t ts, const char *text)
{
	struct doze_ranges_mark *m;

	r->marks_missing |= strlen(text) >= sizeof m->text || !has_room(r);
	if (r->marks_missing)
		return;
	m = &r->mark[r->marks++];
	*m = (struct doze_ranges_mark){.ts = ts};
	strcpy(m->text, text);
}

bool doze_ranges_phase(const struct doze_ranges *r, const char *name, struct doze_selection *s)
{
	size_t i = 0;

	while (i < r->marks && strcmp(r->mark[i].text, name) != 0)
		i++;
	/* What is missing comes after the marks that were kept. */
	if (i == r->marks || (i + 1 == r->marks && r->marks_missing))
		return false;
	s->from = r->mark[i].ts - r->first;
	s->to = i + 1 < r->marks ? r->mark[i + 1].ts - r->first : INT64_MAX;
	return true;
}

void doze_ranges_note(struct doze_ranges *r, struct doze_model *m, const struct doze_event *e)
{
	if (!r->events++) {
		r->first = e->ts;
		r->every = r->every ? r->every : FIRST_EVERY;
		r->next = r->every;
	}
	/* A point is between two events with different times, so that its time tells which events
	 * it contains. */
	if (r->events > r->next && e->ts > r->last) {
		if (r->count == DOZE_RANGES_POINTS || r->bytes > MOST_BYTES)
			(void)doze_ranges_thin(r);
		add_point(r, m);
		r->next = r->events + r->every;
	}
	r->last = e->ts;
	if (e->kind == DOZE_EV_mark)
		add_mark(r, e->ts, e->u.mark.text);
}

static void marks_saved(struct doze_ranges *r, struct doze_saved *s)
{
	if (!doze_saved_array(s, r->mark, r->marks) || !doze_saved_value(s, r->marks_missing))
		return;
	r->room = r->marks;
	for (size_t i = 0; i < r->marks; i++)
		r->mark[i].text[sizeof r->mark[i].text - 1] = 0;
}

static void point_saved(struct doze_ranges_point *p, struct doze_saved *s)
{
	(void)doze_saved_value(s, p->ts);
	(void)doze_saved_array(s, p->state, p->size);
}

void doze_ranges_saved(struct doze_ranges *r, struct doze_saved *s)
{
	size_t count = r->count;

	(void)doze_saved_value(s, r->first);
	(void)doze_saved_value(s, r->last);
	marks_saved(r, s);
	if (!doze_saved_value(s, count) || count > DOZE_RANGES_POINTS) {
		(void)doze_saved_fail(s);
		return;
	}
	for (size_t i = 0; i < count && !s->failed; i++) {
		if (s->loads)
			r->point[r->count++] = (struct doze_ranges_point){0};
		point_saved(&r->point[i], s);
	}
}

/* ---- An interrupted read removes its temporary files before the program ends ---- */

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { ENDING = sizeof ending / sizeof ending[0] };

static volatile sig_atomic_t interrupted;
static struct doze_reader *volatile interrupts; /* not owned */
static struct sigaction earlier[ENDING];

static void on_end(int sig)
{
	interrupted = sig;
	if (interrupts)
		doze_reader_stop(interrupts);
}

static void catch_signals(void)
{
	struct sigaction stop = {.sa_handler = on_end};

	interrupted = 0;
	sigemptyset(&stop.sa_mask);
	for (int i = 0; i < ENDING; i++) {
		(void)sigaction(ending[i], NULL, &earlier[i]);
		if (earlier[i].sa_handler != SIG_IGN)
			(void)sigaction(ending[i], &stop, NULL);
	}
}

static void release_signals(void)
{
	for (int i = 0; i < ENDING; i++)
		(void)sigaction(ending[i], &earlier[i], NULL);
	if (interrupted)
		(void)raise(interrupted);
}

/* ---- Reading a range ---- */

/* How much is read behind the range at first, because what began in it usually ends soon. */
#define FIRST_TAIL INT64_C(5000000)
/* At most this much is copied at once, unless the packets of a millisecond have more. */
#define PIECE_BYTES (UINT64_C(64) << 20)
#define PIECE_LEAST INT64_C(1000000)

struct range {
	struct doze_model *model;
	const struct doze_view *view;
	void *state; /* of the view */
	struct doze_reader *reader;
	int64_t first;       /* the beginning of the recording */
	int64_t after, upto; /* the piece that is being read: after < ts <= upto */
	int64_t to;          /* the end of the range */
	uint64_t events;
	bool over;    /* the piece's last event was fed */
	bool settled; /* nothing is in progress that began in the range */
	bool failed;
	struct doze_progress progress;
};

static bool view_settled(const struct range *g)
{
	return !g->view->follows || g->view->follows->settled(g->model);
}

static void on_event(void *ctx, const struct doze_event *e)
{
	struct range *g = ctx;

	if (e->ts <= g->after || g->over)
		return;
	if (!g->events)
		doze_model_begin(g->model, g->first);
	if (g->events++ % 4096 == 0)
		doze_progress_show(&g->progress, doze_progress_now(), "reading",
				   &(struct doze_reached){.ts = {e->ts}, .events = g->events});
	g->over = e->ts > g->upto;
	if (!g->over)
		doze_view_feed(g->view, g->state, g->model, e);
	if (e->ts > g->to)
		g->settled = doze_model_is_settled_by(g->model, g->to) && view_settled(g);
	g->over |= g->settled;
	if (g->over)
		doze_reader_stop(g->reader);
}

/* The whole recording has no losses. */
static void on_discarded(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	(void)from, (void)to, (void)count;
	((struct range *)ctx)->failed = true;
}

static bool run_reader(struct range *g, const char *folder)
{
	static const struct doze_reader_sink sink = {.event = on_event, .discarded = on_discarded};
	char err[512];
	enum doze_reader_status status = DOZE_READER_ERROR;

	g->over = false;
	g->reader = doze_reader_open_dir(folder, err, sizeof err);
	interrupts = g->reader;
	doze_progress_begin(&g->progress, doze_progress_now(), folder, NULL);
	if (g->reader && !interrupted)
		status = doze_reader_run_ahead(g->reader, &sink, g);
	doze_progress_end(&g->progress);
	interrupts = NULL;
	doze_reader_free(g->reader);
	return status != DOZE_READER_ERROR && !interrupted;
}

/* Reads the events of a piece, whose packets are copied to a temporary folder. */
static bool read_piece(struct range *g, const struct doze_packet_index *x)
{
	char folder[128], err[512];
	bool ok;

	if (doze_temp_make(folder, sizeof folder) != 0)
		return false;
	ok = doze_excerpt(x, g->after, g->upto, folder, err, sizeof err) == 0 &&
	     run_reader(g, folder);
	doze_temp_remove(folder);
	return ok && !g->failed;
}

/* Returns the end of the next piece. */
static int64_t piece_end(const struct doze_packet_index *x, int64_t after, int64_t upto)
{
	int64_t from = after > x->from ? after : x->from, low = from + PIECE_LEAST, high = upto;

	if (low >= high || doze_packet_index_bytes(x, from, upto) <= PIECE_BYTES)
		return upto;
	while (high - low > PIECE_LEAST) {
		int64_t middle = low + (high - low) / 2;

		if (doze_packet_index_bytes(x, from, middle) <= PIECE_BYTES)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Reads up to the end of the range, and then further until all has settled. */
static bool read_pieces(struct range *g, const struct doze_packet_index *x, int64_t last)
{
	for (int64_t tail = FIRST_TAIL; !g->settled && g->after < last; tail *= 8) {
		int64_t end = g->to < last - tail ? g->to + tail : last;

		while (!g->settled && g->after < end) {
			g->upto = piece_end(x, g->after, end);
			if (!read_piece(g, x))
				return false;
			g->after = g->upto;
		}
	}
	return true;
}

/* Returns null if the part begins with the recording. */
static const struct doze_ranges_point *point_before(const struct doze_ranges *r, int64_t from,
						    size_t lead)
{
	size_t n = 0;

	while (n < r->count && r->point[n].ts < from)
		n++;
	return n >= lead ? &r->point[n - lead] : NULL;
}

static bool continue_from(const struct doze_ranges_point *p, struct range *g)
{
	const struct doze_view_follows *follows = g->view->follows;
	struct doze_saved s = {.loads = true};

	doze_model_part_begin(g->model, follows);
	g->after = p ? p->ts : INT64_MIN;
	if (!p)
		return true;
	s.data = p->state;
	s.size = p->size;
	doze_model_running_saved(g->model, &s);
	if (follows)
		follows->begin(g->model);
	return !s.failed && s.at == s.size;
}

static bool read_range(const struct doze_ranges *r, struct range *g,
		       const struct doze_ranges_part *part)
{
	const struct doze_selection *sel = &part->range;
	int64_t length = r->last - r->first;
	struct doze_packet_index x = {0};
	char err[512];
	bool ok;

	if (sel->from > length)
		return false; /* the view says so */
	g->to = r->first + (sel->to < length ? sel->to : length);
	catch_signals();
	ok = doze_packet_index_update(&x, part->trace, err, sizeof err) == 0 && x.from <= x.to &&
	     continue_from(point_before(r, r->first + sel->from, part->lead), g) &&
	     read_pieces(g, &x, r->last);
	doze_packet_index_free(&x);
	release_signals();
	return ok;
}

bool doze_ranges_read(const struct doze_ranges *r, const struct doze_view *v, void *state,
		      const struct doze_ranges_part *part, struct doze_saved *whole,
		      struct doze_model *m)
{
	struct range g = {.model = m, .view = v, .state = state, .first = r->first};

	if (!read_range(r, &g, part))
		return false;
	if (!g.settled) /* the range goes on to the end of the recording */
		doze_model_finish(m, doze_model_totals(m)->last_ts);
	if (!doze_model_part_finish(m, whole))
		return false;
	doze_symbols_saved(m, whole);
	if (v->rest)
		v->rest(state, whole);
	return !whole->failed && (!v->follows || v->follows->end(m));
}
