/*
 * SPDX-License-Identifier: MIT
 *
 * archive_test.c - viz/viewer: a part of a trace read from disk looks the same as in a trace read
 * from its beginning.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/screen.h"
#include "tests/fixtures/synthetic_pool.h"
#include "viz/viewer/panes/panes.h"
#include "viz/viewer/screen/archive.h"
#include "viz/viewer/screen/parts.h"

enum { EVENTS = 120000, WIDTH = 120, HEIGHT = 40 };
#define SECOND INT64_C(1000000000)

static struct doze_packet_index packets;
static char dir[200];

/* ---- reading ---- */

static void feed_event(void *ctx, const struct doze_event *e)
{
	tui_history_feed(ctx, e);
}

static void feed_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	tui_history_discarded(ctx, from, to, count);
}

static void read_into(struct tui_history *h, const char *folder)
{
	static const struct doze_reader_sink sink = {.event = feed_event, .discarded = feed_loss};
	char err[200];
	struct doze_reader *r = doze_reader_open_dir(folder, err, sizeof err);

	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_EQUAL(doze_reader_run(r, &sink, h), DOZE_READER_END);
	doze_reader_free(r);
}

/* Opens a scene on the whole trace. If `live` is set, old events are discarded, as in a live
 * session. */
static struct tui_history *whole(bool live)
{
	begin("", false, true);
	scene.history->live = live;
	tui_history_take_checkpoints(scene.history);
	read_into(scene.history, dir);
	return scene.history;
}

static struct tui_history *part(struct tui_history *all, int64_t from, int64_t to)
{
	struct tui_disk_read load;
	struct tui_history *h;
	char err[200];

	CU_ASSERT_FATAL(tui_disk_read_begin(&load, &packets, all, from, to, err, sizeof err));
	while (!tui_disk_read_drain(&load, 5))
		;
	h = load.into;
	load.into = NULL;
	tui_disk_read_end(&load);
	return h;
}

/* ---- comparing ---- */

static bool same_cells(const struct tui_cell *a, const struct tui_cell *b)
{
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		if (a[i].ch != b[i].ch || a[i].style != b[i].style)
			return false;
	return true;
}

/* Returns whether the pane looks the same for `some`, which holds a part of the trace, as for
 * `all`, with the cursor at t and a window of the given width. */
static bool looks_same(struct tui_history *all, struct tui_history *some, int64_t t, int64_t width,
		       int pane)
{
	static struct tui_cell cells[WIDTH * HEIGHT];

	scene.newest = all;
	scene.view.pane = pane;
	scene.history = all;
	draw(WIDTH, HEIGHT);
	tui_view_frame(&scene.view, t, width, 3);
	memset(scene.view.list, 0, sizeof scene.view.list);
	scene.list.count = 0;
	draw(WIDTH, HEIGHT);
	memcpy(cells, grid.cells, sizeof cells);
	scene.history = some;
	scene.list.count = 0;
	draw(WIDTH, HEIGHT);
	scene.history = all;
	return same_cells(cells, grid.cells);
}

static void same_picture(void)
{
	static const int panes[] = {TUI_PANE_story, TUI_PANE_events, TUI_PANE_explain,
				    TUI_PANE_automaton};
	struct tui_history *all = whole(false);
	int64_t first = doze_model_totals(all->model)->first_ts, last = all->clock;

	CU_ASSERT(last - first > 8 * SECOND);
	CU_ASSERT(all->n_checkpoints > 4);
	for (int64_t t = first + 2 * SECOND; t < last - SECOND; t += 1234567891) {
		struct tui_history *some = part(all, t - SECOND, t + SECOND);

		for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
			CU_ASSERT(looks_same(all, some, t, 800000000, panes[i]));
			CU_ASSERT(looks_same(all, some, t, 30000000, panes[i]));
			CU_ASSERT(looks_same(all, some, t, 200000, panes[i]));
		}
		/* Proves that the comparison can fail. */
		CU_ASSERT(!looks_same(all, some, t + 2 * SECOND, 30000000, TUI_PANE_story) ||
			  t + 2 * SECOND > last);
		tui_history_free(some);
	}
	scene.newest = NULL;
}

/* The marks of the whole trace are shown, but only the events of the part. */
static void marks_of_the_whole(void)
{
	struct tui_history *all = whole(false), *some;
	int64_t last = all->clock;

	for (int i = 0; i < 3; i++)
		tui_history_feed(all, &(struct doze_event){.kind = DOZE_EV_mark,
							   .ts = last + (i + 1) * 10000000,
							   .worker = -1,
							   .u.mark.text = "here"});
	some = part(all, last - SECOND, last);
	CU_ASSERT_EQUAL(some->marks.count, 0);
	scene.newest = all;
	scene.history = all;
	draw(WIDTH, HEIGHT);
	tui_view_frame(&scene.view, last, 100000000, 3);
	scene.history = some;
	draw(WIDTH, HEIGHT);
	CU_ASSERT(shows("here"));
	scene.history = all;
	tui_history_free(some);
	scene.newest = NULL;
}

/* Opens the archive, searches, and reads the disk until the search has ended. */
static void search_the_disk(struct tui_archive *a, struct tui_disk_search *scan,
			    struct tui_history *all)
{
	tui_archive_open(a, dir, all);
	scene.newest = all;
	draw(WIDTH, HEIGHT);
	press("/w5 sleepy\n");
	for (int i = 0; i < 10000 && (!i || scene.found.on_disk || scan->load.feed); i++) {
		(void)tui_disk_search_step(scan, a, &scene);
		draw(WIDTH, HEIGHT);
	}
}

/* Checks that a finished search has no more steps, and that a new search does not begin with the
 * old matches. */
static void search_changes(void)
{
	struct tui_history *all = whole(true);
	struct tui_archive a;
	struct tui_disk_search scan = {.load.fd = -1};

	search_the_disk(&a, &scan, all);
	CU_ASSERT(scene.found.disk.count > 0);
	CU_ASSERT(!tui_disk_search_step(&scan, &a, &scene));
	press("/no such event\n");
	CU_ASSERT_EQUAL(scene.found.disk.count, 0);
	tui_disk_search_end(&scan);
	tui_archive_close(&a, &scene);
	scene.newest = NULL;
}

/* Without a checkpoint, nothing is known about a worker before its first event. */
static void late_start(void)
{
	struct tui_history *all = whole(false), *some;
	int64_t t = doze_model_totals(all->model)->first_ts + 5 * SECOND;

	tui_history_drop_checkpoints(all);
	some = part(all, t - SECOND, t + SECOND);
	CU_ASSERT_EQUAL_FATAL(doze_model_workers(some->model), doze_model_workers(all->model));
	for (size_t row = 0; row < some->n_lanes; row++) {
		const struct tui_span *span = tui_span_at(&some->lanes[row], t);

		CU_ASSERT(span && !span->unknown);
	}
	tui_history_free(some);
	scene.newest = NULL;
}

/* ---- the archive ---- */

/* Moves to t and lets the archive complete its reads. */
static void go(struct tui_archive *a, int64_t t, int64_t width)
{
	tui_view_frame(&scene.view, t, width, 3);
	draw(WIDTH, HEIGHT);
	tui_archive_wait(a, &scene);
	draw(WIDTH, HEIGHT);
}

static void reads_discarded_events(void)
{
	struct tui_history *all = whole(true);
	int64_t first = doze_model_totals(all->model)->first_ts;
	struct tui_archive a;

	/* The live history has discarded early events. */
	CU_ASSERT(tui_history_kept(all) > first + 3 * SECOND);
	tui_archive_open(&a, dir, all);
	scene.newest = all;
	draw(WIDTH, HEIGHT);
	scene.view.pane = TUI_PANE_events;
	go(&a, first + 3 * SECOND, 30000000);
	CU_ASSERT_PTR_EQUAL(scene.history, a.past);
	CU_ASSERT_PTR_NOT_EQUAL(a.past, NULL);
	CU_ASSERT(a.past->events.count > 5000);
	CU_ASSERT(shows("sleeping"));
	CU_ASSERT_STRING_EQUAL(scene.disk, "");
	CU_ASSERT_EQUAL(scene.now.totals.events, doze_model_totals(all->model)->events);
	press("tx\n");
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "not a time: x"));
	press("t0:02.5\n");
	CU_ASSERT_EQUAL(scene.view.at.cursor, first + 2500000000);
	press("t9000000000\n"); /* this time would overflow */
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.message, "not a time: 9"));
	go(&a, all->clock, 30000000); /* this time is still in memory */
	CU_ASSERT_PTR_EQUAL(scene.history, all);
	tui_archive_close(&a, &scene);
	scene.newest = NULL;
}

/* In a window of the whole run, only the part around the cursor is read back; the lanes show the
 * whole run. */
static void reads_around_the_cursor(void)
{
	struct tui_history *all = whole(true);
	int64_t first = doze_model_totals(all->model)->first_ts, t = first + 3 * SECOND;
	struct tui_archive a;

	tui_archive_open(&a, dir, all);
	scene.newest = all;
	scene.view.pane = TUI_PANE_events;
	draw(WIDTH, HEIGHT);
	tui_view_fit(&scene.view);
	draw(WIDTH, HEIGHT);
	tui_archive_wait(&a, &scene);
	CU_ASSERT_PTR_EQUAL(scene.history, all); /* the focus is at the end */
	tui_view_goto(&scene.view, t);
	draw(WIDTH, HEIGHT);
	CU_ASSERT(tui_view_left(&scene.view) <= first);
	tui_archive_wait(&a, &scene);
	draw(WIDTH, HEIGHT);
	CU_ASSERT_PTR_EQUAL(scene.history, a.past);
	CU_ASSERT(a.from <= t - SECOND && a.to > t);
	CU_ASSERT_FALSE(shows("no longer stored"));
	for (size_t i = 0; i < scene.now.n_lanes; i++) {
		struct doze_cell cells[WIDTH];

		tui_lane_cells(&scene, scene.now.lanes[i], cells);
		for (int64_t c = tui_view_cell(&scene.view, first + 10000000);
		     c < tui_view_cell(&scene.view, all->clock); c++)
			CU_ASSERT(doze_cell_gist(&cells[c]).kind != DOZE_STATE_none);
	}
	tui_archive_close(&a, &scene);
	scene.newest = NULL;
}

/* ---- a saved history ---- */

static struct tui_history *saved_and_loaded(struct tui_history *all, uint64_t most)
{
	struct doze_saved s = {0};
	struct tui_history *h;

	tui_history_finish(all);
	tui_history_saved(all, most, &s);
	CU_ASSERT_FALSE(s.failed);
	s.loads = true;
	h = tui_history_load(&s);
	CU_ASSERT_EQUAL(s.at, s.size);
	doze_saved_free(&s);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	return h;
}

/* Returns the time that the worker in this row spent in a state, as the overview has it. */
static double time_in(const struct tui_overview *o, uint32_t row, int state, int64_t to)
{
	struct doze_cell c = {0};

	tui_overview_states(o, row, o->origin, to, &c);
	return (double)c.share[state];
}

static uint64_t wakes_of(const struct tui_overview *o, uint32_t row, int64_t to)
{
	struct tui_tally t = {0};
	uint64_t n = 0;

	tui_overview_wakes(o, row, o->origin, to, &t);
	for (int k = 0; k < TUI_WAKE_KINDS; k++)
		n += t.n[k];
	return n;
}

static void is_saved(void)
{
	struct tui_history *all = whole(true), *h = saved_and_loaded(all, 1 << 22);
	int64_t end = all->clock + 4 * SECOND;
	struct tui_overview o = {0};

	CU_ASSERT_EQUAL(h->clock, all->clock);
	CU_ASSERT_EQUAL(h->ending, all->ending);
	CU_ASSERT_EQUAL(h->n_checkpoints, all->n_checkpoints);
	CU_ASSERT_EQUAL(h->pairs.count, all->pairs.count);
	CU_ASSERT_EQUAL(h->marks.count, all->marks.count);
	CU_ASSERT_EQUAL(h->storms.count, all->storms.count);
	CU_ASSERT_EQUAL(h->events.dropped, all->events.dropped + all->events.count);
	CU_ASSERT_EQUAL(memcmp(doze_model_totals(h->model), doze_model_totals(all->model),
			       sizeof(struct doze_totals)),
			0);
	CU_ASSERT_FATAL(tui_history_overview(all, &o));
	for (uint32_t row = 0; row < all->n_lanes; row++) {
		const struct doze_worker_view *w = doze_model_worker(all->model, row);

		CU_ASSERT_EQUAL(wakes_of(&h->dropped, row, end), wakes_of(&o, row, end));
		CU_ASSERT(wakes_of(&o, row, end) >= all->lanes[row].wakes.count);
		CU_ASSERT_EQUAL(doze_model_worker(h->model, row)->wakes, w->wakes);
		for (int k = DOZE_STATE_none + 1; k < DOZE_STATE_COUNT; k++) {
			double t = time_in(&h->dropped, row, k, end);

			CU_ASSERT(t <= 1.0001 * (double)w->total[k]);
			CU_ASSERT(t >= 0.9999 * (double)w->total[k]);
		}
	}
	tui_overview_free(&o);
	tui_history_free(h);
}

/* The panes need events, which are read back with the saved checkpoints. */
static void is_read_back(void)
{
	struct tui_history *all = whole(false), *h = saved_and_loaded(all, 1 << 22);
	int64_t first = doze_model_totals(all->model)->first_ts;

	for (int64_t t = first + 2 * SECOND; t < all->clock - SECOND; t += 1734567891) {
		struct tui_history *some = part(h, t - SECOND, t + SECOND);

		CU_ASSERT(looks_same(all, some, t, 800000000, TUI_PANE_story));
		CU_ASSERT(looks_same(all, some, t, 30000000, TUI_PANE_events));
		CU_ASSERT(looks_same(all, some, t, 30000000, TUI_PANE_explain));
		tui_history_free(some);
	}
	tui_history_free(h);
	scene.newest = NULL;
}

/* Opens the viewer on a loaded history: it shows the lanes of the whole run, and the events at its
 * end. */
static void opens_at_once(void)
{
	struct tui_history *all = whole(false), *h = saved_and_loaded(all, 1 << 22);
	struct tui_archive a;

	tui_archive_open(&a, dir, h);
	scene.newest = scene.history = h;
	scene.status.live = scene.status.loading = false;
	scene.view.pane = TUI_PANE_events;
	tui_view_fit(&scene.view);
	draw(WIDTH, HEIGHT);
	CU_ASSERT_EQUAL(scene.list.count, 0);
	tui_archive_wait(&a, &scene);
	draw(WIDTH, HEIGHT);
	CU_ASSERT_PTR_EQUAL(scene.history, a.past);
	CU_ASSERT(scene.list.count > 1000);
	CU_ASSERT_EQUAL(scene.now.totals.events, doze_model_totals(all->model)->events);
	CU_ASSERT_FALSE(shows("no longer stored"));
	tui_archive_close(&a, &scene);
	scene.history = all;
	scene.newest = NULL;
	tui_history_free(h);
}

/* Few bytes make the picture coarser, and leave out checkpoints. */
static void is_saved_in_few_bytes(void)
{
	struct tui_history *all = whole(true), *h = saved_and_loaded(all, 1 << 14);

	CU_ASSERT(tui_overview_cell_ns(&h->dropped) > 4 * tui_overview_cell_ns(&all->dropped));
	CU_ASSERT(h->n_checkpoints > 0 && h->n_checkpoints < all->n_checkpoints);
	for (uint32_t row = 0; row < all->n_lanes; row++)
		CU_ASSERT(wakes_of(&h->dropped, row, all->clock + 100 * SECOND) > 0);
	tui_history_free(h);
}

/* The first and the last round are on disk, but no longer in the memory of the live history. */
static void searches_all(void)
{
	struct tui_history *all = whole(true);
	struct tui_archive a;
	struct tui_disk_search scan = {.load.fd = -1};
	size_t matches = 0;

	search_the_disk(&a, &scan, all);
	CU_ASSERT(!scene.found.on_disk);
	for (size_t i = 0; i < scene.found.disk.count; i++) {
		const struct tui_event *e = tui_ring_at(&scene.found.disk, i);

		CU_ASSERT_EQUAL(e->ev.worker, 5);
		matches += e->ev.kind == DOZE_EV_worker_state;
	}
	CU_ASSERT(matches > 500 && scene.found.numbers.count > 0);
	press("gn");
	CU_ASSERT(scene.view.at.cursor - a.index.from < SECOND);
	tui_disk_search_end(&scan);
	tui_archive_close(&a, &scene);
	scene.newest = NULL;
}

/* ---- excerpts ---- */

struct count {
	int64_t from, to;
	uint64_t inside, outside;
};

static void count_event(void *ctx, const struct doze_event *e)
{
	struct count *c = ctx;

	if (e->ts >= c->from && e->ts <= c->to)
		c->inside++;
	else
		c->outside++;
}

static void ignore_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	(void)ctx, (void)from, (void)to, (void)count;
}

static struct count count_in(const char *folder, int64_t from, int64_t to)
{
	static const struct doze_reader_sink sink = {.event = count_event,
						     .discarded = ignore_loss};
	struct count c = {.from = from, .to = to};
	char err[200];
	struct doze_reader *r = doze_reader_open_dir(folder, err, sizeof err);

	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_EQUAL(doze_reader_run(r, &sink, &c), DOZE_READER_END);
	doze_reader_free(r);
	return c;
}

static void excerpt_is_complete(void)
{
	int64_t from = packets.from + 3 * SECOND, to = packets.from + 4 * SECOND;
	struct count all = count_in(dir, from, to), some;
	char err[200], folder[200];

	snprintf(folder, sizeof folder, "%s", scratch("excerpt"));
	CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0755), 0);
	CU_ASSERT_EQUAL(doze_excerpt(&packets, from, to, folder, err, sizeof err), 0);
	some = count_in(folder, from, to);
	CU_ASSERT(all.inside > 5000);
	CU_ASSERT_EQUAL(some.inside, all.inside);
	/* The packets at both ends contain events outside the excerpt. */
	CU_ASSERT(some.outside < all.inside);
	CU_ASSERT(doze_packet_index_bytes(&packets, from, to) <
		  doze_packet_index_bytes(&packets, INT64_MIN, INT64_MAX) / 5);
}

static const struct suite_test tests[] = {
    {"an excerpt contains all events of its span and few others", excerpt_is_complete},
    {"a part that is read from a checkpoint is drawn as in the whole trace", same_picture},
    {"without a checkpoint, a worker is known from its first event", late_start},
    {"a part that is read from disk is drawn with the marks of the whole trace",
     marks_of_the_whole},
    {"a search finds events that are only on disk", searches_all},
    {"a finished search has no further steps, and a new search clears the old matches",
     search_changes},
    {"the archive reads only events that memory no longer holds", reads_discarded_events},
    {"in a window of the whole run, the archive reads around the cursor", reads_around_the_cursor},
    {"a history is saved with its totals, lists and an overview of everything", is_saved},
    {"what a loaded history lacks is read back as from the beginning", is_read_back},
    {"the viewer opens with a loaded history and reads back the end", opens_at_once},
    {"a history is saved in few bytes", is_saved_in_few_bytes},
};

int main(int argc, char **argv)
{
	static struct synthetic_pool pool = {
	    .events = EVENTS, .workers = 6, .woken = 3, .useful = 1, .cpus = 4};
	const struct trace_writer_options options = {.per_packet = 500};
	char err[200];
	int code;

	scratch_begin();
	snprintf(dir, sizeof dir, "%s", scratch("trace"));
	if (trace_writer_write(dir, &options, synthetic_pool_next, &pool) != 0 ||
	    doze_packet_index_update(&packets, dir, err, sizeof err) != 0)
		return 1;
	code = screen_main("tui archive", tests, sizeof tests / sizeof tests[0], argc, argv);
	doze_packet_index_free(&packets);
	scratch_end();
	return code;
}
