/*
 * SPDX-License-Identifier: MIT
 *
 * run.c - the viewer's main loop: wait, process events, handle keys, draw.
 *
 * One poll waits for a key, events, a signal or a tick. After a key the whole screen is drawn at
 * once. Otherwise the parts that move with time are drawn when a new column may have begun, at most
 * 15 times per second, and everything else 4 times per second, because users do not read faster and
 * each frame costs time and bytes. A paused screen is not drawn, but events are still read.
 */
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../show/progress.h"
#include "../../show/selected.h"
#include "../../words/complain.h"
#include "../panes/panes.h"
#include "../screen/archive.h"
#include "../screen/grid.h"
#include "../screen/scene.h"
#include "../store/feed.h"
#include "draw.h"
#include "duel.h"
#include "incident.h"
#include "keys.h"
#include "term.h"
#include "tui.h"

struct loop {
	const struct doze_tui_options *opt;
	struct tui_scene scene;
	/* `second` reads the other recording of a duel; otherwise null */
	struct tui_feed *feed, *second;
	struct tui_duel duel;
	struct tui_watch watch[2]; /* the triggers of each run; there are two runs in a duel */
	struct tui_archive archive;
	struct tui_disk_search disk_search;
	struct doze_progress progress; /* of reading a recording, or both of a duel */
	struct tui_grid grid;
	int feed_fd, second_fd, signal_fd;
	int64_t drawn_at, numbers_at, draw_cost, ticked_at, played_at;
	/* live: smallest difference (wall clock minus trace clock) so far, but at most 0 */
	int64_t skew;
	bool urgent; /* draw the next frame at once, for example because a key was pressed */
	bool dirty, attached, finished, quit, hangup;
	const char *why; /* reason for exiting: the trace lacks the selected part; or null */
};

enum {
	FRAME_MS = 66,    /* at most 15 frames per second */
	NUMBERS_MS = 250, /* minimum time between two updates of numbers and lists */
};

/* Returns the scene that receives the keys. */
static struct tui_scene *active(struct loop *l)
{
	return l->opt->duel[0] ? l->duel.side[l->duel.active] : &l->scene;
}

/* Returns the minimum time between two frames. The lanes move by a column at a time, or not at all
 * while the user looks at an earlier time. */
static int64_t frame_ns(struct loop *l)
{
	const struct tui_view *v = &active(l)->view;
	int64_t most = NUMBERS_MS * 1000000LL, ns = FRAME_MS * 1000000LL;

	if (v->playing)
		return ns;
	if (l->scene.status.loading || !(v->at.follow || v->at.fit))
		return most;
	ns = v->at.per_cell > ns ? v->at.per_cell : ns;
	/* leave at least half of the main thread's time for other work than drawing */
	ns = 2 * l->draw_cost > ns ? 2 * l->draw_cost : ns;
	return ns < most ? ns : most;
}

/* Returns the time until the next frame is due, in ns; 0 means now. */
static int64_t due_in(struct loop *l)
{
	int64_t left = l->drawn_at + frame_ns(l) - tui_now_ns();

	return l->urgent || left < 0 ? 0 : left;
}

/* Draws the screen into the grid, or only the parts that move with time. */
static void draw_screen(struct loop *l, bool all)
{
	if (l->opt->duel[0]) {
		tui_duel_update(&l->duel);
		(all ? tui_duel_draw : tui_duel_draw_picture)(&l->duel, &l->grid);
	} else {
		tui_scene_update(&l->scene);
		(all ? tui_draw : tui_draw_picture)(&l->scene, &l->grid);
	}
}

static struct doze_reached reached(const struct loop *l)
{
	const struct tui_history *h[2] = {tui_newest(&l->scene), l->duel.second.history};
	struct doze_reached r = {.events = 0};

	for (int i = 0; i < 2 && h[i]; i++) {
		r.ts[i] = h[i]->clock;
		r.events += doze_model_totals(h[i]->model)->events;
	}
	return r;
}

static void draw_frame(struct loop *l, int64_t now, bool all)
{
	struct tui_scene *s = active(l);
	struct doze_reached r = reached(l);

	s->steady = !all;
	if (all)
		l->numbers_at = now;
	if (all && l->scene.status.loading)
		doze_progress_text(&l->progress, now, &r, l->scene.status.progress);
	draw_screen(l, all);
	tui_term_show(&l->grid);
}

/* Draws a frame if something has changed and a frame is due. */
static void draw_due(struct loop *l)
{
	int64_t begun = tui_now_ns();
	const struct tui_view *v = &active(l)->view;
	bool resized;
	int w, h;

	if (!l->dirty || due_in(l) > 0 || (v->paused && !v->playing && !l->urgent))
		return;
	tui_term_size(&w, &h);
	resized = w != l->grid.w || h != l->grid.h;
	if (resized && tui_grid_resize(&l->grid, w, h) != 0)
		return;
	draw_frame(l, begun,
		   resized || l->urgent || begun - l->numbers_at >= NUMBERS_MS * 1000000LL);
	l->drawn_at = tui_now_ns();
	l->draw_cost = l->drawn_at - begun;
	l->dirty = l->urgent = false;
}

/* ---- one screen as plain text, without a terminal (--once) ---- */

enum { DEFAULT_W = 80, DEFAULT_H = 24, MOST = 1000, STEP_MS = 20 };

static int size_from(unsigned given, const char *variable, int otherwise)
{
	const char *env = getenv(variable);
	long n = given ? (long)given : env ? strtol(env, NULL, 10) : 0;

	return n > 0 && n <= MOST ? (int)n : otherwise;
}

/* Makes the feeds of recordings stop at the time of --once. */
static void limit(struct loop *l)
{
	if (l->opt->live || l->opt->once_ms < 0)
		return;
	l->progress.length = l->opt->once_ms * 1000000;
	tui_feed_end_after(l->feed, l->progress.length);
	if (l->second)
		tui_feed_end_after(l->second, l->progress.length);
}

/* Shows on stderr how far the recordings have been read. */
static void show_progress(struct loop *l)
{
	struct doze_reached r = reached(l);

	if (!l->opt->live)
		doze_progress_show(&l->progress, tui_now_ns(), "reading", &r);
}

/* Measures how far the session lags behind real time. The trace's clock may be ahead of this
 * machine's clock, if the hosts' clocks differ; that offset, the smallest difference between the
 * clocks, is subtracted. */
static void measure_behind(struct tui_scene *s, int64_t *skew)
{
	int64_t clock = tui_newest(s)->clock, diff = tui_wall_ns() - clock;

	if (clock != 0 && diff < *skew)
		*skew = diff;
	s->status.behind_ns = clock != 0 ? diff - *skew : -1;
}

static void watch(struct loop *l, struct tui_watch *w, int side)
{
	const struct tui_grid like = {.w = size_from(l->opt->width, "COLUMNS", DEFAULT_W),
				      .h = size_from(l->opt->height, "LINES", DEFAULT_H),
				      .ascii = l->grid.ascii};
	const struct tui_watched run = {&w[side], l->opt->duel[0] ? l->duel.side[side] : &l->scene,
					l->opt->duel[0] ? tui_duel_label(&l->duel, side) : NULL};

	if (!tui_incident_watch(l->opt, &run, &l->scene, &like))
		return;
	doze_complain("live: %s", l->opt->banner ? l->scene.banner : l->scene.message);
	l->scene.message[0] = l->scene.banner[0] = '\0';
}

static void say_problem(struct loop *l)
{
	if (!tui_incident_problem(l->opt, &l->scene))
		return;
	doze_complain("live: %s", l->scene.message);
	l->scene.message[0] = '\0';
}

/* Returns whether all readers are attached. */
static bool all_attached(struct loop *l)
{
	return tui_feed_state(l->feed)->attached &&
	       (!l->second || tui_feed_state(l->second)->attached);
}

/* Reads the recording, or the first of two, to its end; or reads live sessions until the time of
 * --once is over. Returns the time (of tui_now_ns) at which the time of --once is over. */
static int64_t take_in(struct loop *l)
{
	const struct doze_tui_options *opt = l->opt;
	struct tui_scene *s = &l->scene;
	struct tui_feed *f = l->feed;
	struct tui_watch triggers[2] = {0};
	/* The time of --once begins again when the reader is attached, because the program starts
	 * only then. */
	int64_t end = tui_now_ns() + opt->once_ms * 1000000, skew = INT64_MAX;
	bool attached = false;

	while (!tui_feed_state(f)->done && !tui_signal_seen()) {
		/* A recording is read in bulk (TUI_BULK_MS). */
		struct pollfd fd = {.fd = opt->live ? l->feed_fd : -1, .events = POLLIN};

		if (poll(&fd, 1, opt->live ? STEP_MS : TUI_BULK_MS) < 0 && errno != EINTR)
			break;
		tui_feed_drain(f, s->history, STEP_MS);
		if (opt->live && l->second)
			tui_feed_drain(l->second, l->duel.second.history, STEP_MS);
		if (opt->live)
			measure_behind(s, &skew);
		show_progress(l);
		say_problem(l);
		for (int side = 0; side < (l->opt->duel[0] ? 2 : 1); side++)
			watch(l, triggers, side);
		if (all_attached(l) && !attached) {
			attached = true;
			end = tui_now_ns() + opt->once_ms * 1000000;
			if (opt->attached)
				opt->attached(opt->ctx);
		}
		if (opt->program)
			s->status.program = opt->program(opt->ctx);
		if (opt->live && opt->once_ms >= 0 && tui_now_ns() >= end)
			break;
	}
	return end;
}

/* Draws the screen, and again with what must be read back from disk. */
static void draw_whole(struct loop *l)
{
	draw_screen(l, true);
	if (l->opt->live)
		return;
	tui_archive_wait(&l->archive, &l->scene);
	draw_screen(l, true);
}

/* Presses the keys. Draws after each key, because the effect of the next key may depend on the
 * screen. */
static void press(struct loop *l)
{
	const char *at = l->opt->keys ? l->opt->keys : "";

	for (int key; (key = tui_next_key(&at)) > 0; draw_whole(l)) {
		if (l->opt->duel[0])
			tui_duel_key(&l->duel, key);
		else
			tui_key_press(&l->scene, key);
	}
}

static int save(const struct doze_tui_options *opt, const struct tui_grid *g)
{
	int err = tui_grid_svg(g, opt->title ? opt->title : "doze", opt->svg);

	if (err)
		doze_complain("viewer: cannot write %s: check the folder, and that the disk is not "
			      "full",
			      opt->svg);
	return err;
}

static int print(struct loop *l)
{
	const struct doze_tui_options *opt = l->opt;
	struct tui_grid *g = &l->grid;
	int err = tui_grid_resize(g, size_from(opt->width, "COLUMNS", DEFAULT_W),
				  size_from(opt->height, "LINES", DEFAULT_H));

	if (!err) {
		/* Draw twice: the first drawing sets the number of columns of the lanes in the
		 * view. */
		draw_screen(l, true);
		draw_whole(l);
		press(l);
		err = opt->svg ? save(opt, g) : tui_grid_print(g, stdout);
	}
	return err ? DOZE_EXIT_INPUT : DOZE_EXIT_OK;
}

/* Reads the second run of a duel until its end or, in a live session with a time for --once, until
 * `end`. */
static void take_second(struct loop *l, int64_t end)
{
	bool limited = l->opt->live && l->opt->once_ms >= 0;

	if (!l->opt->duel[0] || !l->second)
		return;
	struct tui_history *h = l->duel.second.history;
	while (!tui_feed_state(l->second)->done && !tui_signal_seen() &&
	       !(limited && tui_now_ns() >= end)) {
		if (!tui_feed_drain(l->second, h, STEP_MS))
			(void)poll(NULL, 0, 1);
		show_progress(l);
	}
	if (tui_feed_state(l->feed)->status == DOZE_READER_END &&
	    (!limited || tui_feed_state(l->second)->done))
		tui_history_finish(h);
}

/* Called when the whole recording was read. */
static void finish_once(struct loop *l)
{
	tui_history_finish(tui_newest(&l->scene));
	if (l->opt->read && !l->opt->known)
		l->opt->read(l->opt->ctx, tui_newest(&l->scene));
}

/* Processes events for as long as the options require, then prints one frame to standard output.
 * Returns 0, or an exit code after an error message. */
static int run_once(struct loop *l)
{
	const struct doze_tui_options *opt = l->opt;
	struct tui_scene *s = &l->scene;
	struct tui_feed *f = l->feed;
	const char *why;
	int signal_fd, code;

	if (tui_signals_open(&signal_fd) != 0)
		return DOZE_EXIT_INPUT;
	limit(l);
	take_second(l, take_in(l));
	doze_progress_end(&l->progress);
	s->status.loading = false;
	s->status.ended = tui_feed_state(f)->done;
	s->status.failed = s->status.ended && tui_feed_state(f)->status == DOZE_READER_ERROR;
	if (s->status.failed)
		s->status.error = doze_reader_error(opt->reader);
	else if (s->status.ended && tui_feed_state(f)->status == DOZE_READER_END)
		finish_once(l);
	if (s->status.ended && tui_feed_state(f)->status == DOZE_READER_STOPPED)
		s->status.ended = false; /* the reader was stopped before the end of the trace */
	if (opt->program_log)
		tui_output_read(&s->output, opt->program_log);
	why = s->status.failed ? NULL
			       : doze_selection_problem(opt->selection, s->history->model,
							s->status.ended && !opt->live);
	if (!why && opt->lesson && !s->status.failed && !tui_lesson_begin(s))
		why = s->lesson.problem;
	if (why)
		doze_complain("%s: %s",
			      opt->lesson ? opt->lesson_name
			      : opt->live ? "live"
					  : "replay",
			      why);
	code = why ? DOZE_EXIT_USAGE : print(l);
	if (code && !why && !opt->svg)
		doze_complain(
		    "viewer: cannot write the screen to standard output: is the disk full?");
	tui_signals_close();
	return code;
}

enum {
	PLAY_MS = 30,   /* time between two steps of the cursor while playing */
	TICK_MS = 100,  /* live: time between two updates without events */
	DRAIN_MS = 8,   /* maximum time for which events are processed before keys are handled */
	STOP_MS = 1000, /* maximum time for the reader to stop; its thread is then abandoned */
};

/* ---- processing events ---- */

static void finish(struct loop *l)
{
	tui_history_finish(tui_newest(&l->scene));
	if (l->opt->duel[0])
		tui_history_finish(l->duel.second.history);
}

static void take_state(struct loop *l)
{
	const struct tui_feed_state *f = tui_feed_state(l->feed);
	struct tui_status *st = &l->scene.status;

	st->gone = f->gone || (l->second && tui_feed_state(l->second)->gone);
	if (f->attached && !l->attached) {
		l->attached = true;
		if (l->opt->attached)
			l->opt->attached(l->opt->ctx);
	}
	if (f->done && (!l->second || tui_feed_state(l->second)->done) && !l->finished) {
		l->finished = true;
		st->loading = false;
		st->ended = true;
		st->failed = f->status == DOZE_READER_ERROR;
		st->error = st->failed ? doze_reader_error(l->opt->reader) : NULL;
		if (f->status == DOZE_READER_END)
			finish(l);
		if (f->status == DOZE_READER_END && l->opt->read && !l->opt->known)
			l->opt->read(l->opt->ctx, tui_newest(&l->scene));
		if (f->status == DOZE_READER_END && !l->opt->live)
			l->why = doze_selection_problem(l->opt->selection,
							tui_newest(&l->scene)->model, true);
		if (f->status == DOZE_READER_END && l->opt->lesson && !tui_lesson_begin(&l->scene))
			l->why = l->scene.lesson.problem;
		l->quit |= l->why != NULL;
		l->dirty = l->urgent = true;
	}
}

static void take_events(struct loop *l)
{
	if (tui_feed_drain(l->feed, tui_newest(&l->scene), DRAIN_MS))
		l->dirty = true;
	if (l->second && tui_feed_drain(l->second, l->duel.second.history, DRAIN_MS))
		l->dirty = true;
	take_state(l);
}

/* Checks the triggers of --on, in a duel for each run. */
static void watch_runs(struct loop *l)
{
	struct tui_watched run = {&l->watch[0], &l->scene, NULL};

	for (int i = 0; l->grid.w && i < (l->opt->duel[0] ? 2 : 1); i++) {
		if (l->opt->duel[0])
			run = (struct tui_watched){&l->watch[i], l->duel.side[i],
						   tui_duel_label(&l->duel, i)};
		l->urgent |= tui_incident_watch(l->opt, &run, active(l), &l->grid);
	}
}

static void tick(struct loop *l)
{
	int64_t now = tui_now_ns();

	if (!l->opt->live || now - l->ticked_at < TICK_MS * 1000000LL)
		return;
	l->ticked_at = now;
	if (l->opt->program)
		l->scene.status.program = l->opt->program(l->opt->ctx);
	if (l->opt->program_log)
		l->dirty |= tui_output_read(&l->scene.output, l->opt->program_log);
	measure_behind(&l->scene, &l->skew);
	watch_runs(l);
	if (tui_incident_problem(l->opt, active(l)))
		l->urgent = true;
	l->dirty = true;
}

/* While the view is playing, moves the cursor by the time that has passed since the last call. */
static void play(struct loop *l)
{
	int64_t now = tui_now_ns(), since = l->played_at;

	struct tui_view *v = &active(l)->view;

	l->played_at = v->playing ? now : 0;
	if (!since || !v->playing)
		/* the view is not playing, or this is the first call since playing started */
		return;
	tui_view_play(v, now - since);
	l->dirty = true;
}

/* Returns the time of the session's first event. In a duel in which the runs take turns, the first
 * run has that event. */
static int64_t first_event(const struct loop *l)
{
	return doze_model_totals(tui_newest(&l->scene)->model)->first_ts;
}

static void take_keys(struct loop *l)
{
	for (int key; (key = tui_term_key()) != TUI_KEY_NONE; l->dirty = l->urgent = true) {
		if (key == TUI_KEY_MOUSE) {
			struct tui_mouse m = tui_term_mouse();

			if (!l->opt->duel[0] || l->duel.alone)
				tui_mouse_press(active(l), m.x, m.y, m.wheel);
			continue;
		}
		switch (l->opt->duel[0] ? tui_duel_key(&l->duel, key)
					: tui_key_press(&l->scene, key)) {
		case TUI_QUIT:
			l->quit = true;
			return;
		case TUI_REDRAW:
			tui_term_disturbed();
			break;
		case TUI_SAVE:
			tui_incident_save(l->opt, active(l), first_event(l), &l->grid);
			break;
		case TUI_GO_ON:
			break;
		}
	}
}

/* ---- waiting for events and keys ---- */

/* Returns whether events are read from disk, at full speed. */
static bool reads_in_bulk(const struct loop *l)
{
	return l->scene.status.loading || l->archive.load.feed || l->disk_search.load.feed;
}

static int wait_ms(struct loop *l)
{
	int live = l->opt->live ? TICK_MS : -1;

	if (reads_in_bulk(l))
		return TUI_BULK_MS;
	if (active(l)->view.playing)
		return PLAY_MS;
	if (!l->dirty || (active(l)->view.paused && !l->urgent))
		return live;
	return (int)(due_in(l) / 1000000) + 1;
}

static void wait_for_something(struct loop *l)
{
	/* while a recording loads, poll with a short time-out instead of waiting for events */
	bool bulk = l->scene.status.loading;
	struct pollfd fds[] = {{.fd = l->signal_fd, .events = POLLIN},
			       {.fd = STDIN_FILENO, .events = POLLIN},
			       {.fd = bulk ? -1 : l->feed_fd, .events = POLLIN},
			       {.fd = bulk ? -1 : l->second_fd, .events = POLLIN}};

	if (poll(fds, sizeof fds / sizeof *fds, wait_ms(l)) < 0 && errno != EINTR)
		l->hangup = true;
	if (fds[1].revents & (POLLHUP | POLLERR | POLLNVAL))
		l->hangup = true;
	if (tui_signal_continued()) {
		tui_term_disturbed();
		l->dirty = l->urgent = true;
	}
}

static void loop_run(struct loop *l)
{
	while (!l->quit && !l->hangup && !tui_signal_seen()) {
		take_events(l);
		take_keys(l);
		if (tui_archive_step(&l->archive, &l->scene))
			l->dirty = l->urgent = true;
		l->dirty |= tui_disk_search_step(&l->disk_search, &l->archive, &l->scene);
		tick(l);
		play(l);
		draw_due(l);
		if (!l->quit && !tui_signal_seen())
			wait_for_something(l);
	}
}

/* ---- start and end of the viewer ---- */

/* Opens a duel. Its second recording has its own feed. */
static bool open_duel(struct loop *l, bool ascii)
{
	if (!l->opt->duel[0])
		return true;
	if (!tui_duel_open(&l->duel, &l->scene, l->opt, ascii))
		return false;
	if (l->opt->second)
		l->second = tui_feed_start(l->opt->second, l->opt->second_reopen, &l->second_fd);
	return l->second || !l->opt->second;
}

/* Opens the archive. A duel and a lesson have none: they show only what is in memory. */
static void open_archive(struct loop *l)
{
	if (l->opt->duel[0] || l->opt->lesson || !l->opt->archive)
		return;
	tui_archive_open(&l->archive, l->opt->archive, l->scene.history);
	if (!l->archive.folder)
		return;
	l->scene.disk_end = tui_archive_end(&l->archive);
	l->scene.newest = l->scene.history;
	tui_history_take_checkpoints(l->scene.history);
}

/* Begins to measure the progress. A second recording's title is its folder. */
static void open_progress(struct loop *l)
{
	doze_progress_begin(&l->progress, tui_now_ns(), l->opt->archive,
			    l->opt->second ? l->opt->second_title : NULL);
	if (l->archive.folder)
		doze_progress_use(&l->progress, &l->archive.index);
}

static int set_up(struct loop *l, const struct doze_tui_options *opt)
{
	bool ascii;

	/* Not LC_ALL: LC_NUMERIC stays "C", so that numbers are read and written alike in every
	 * locale. */
	setlocale(LC_CTYPE, "");
	ascii = opt->ascii || !tui_term_unicode();
	l->opt = opt;
	l->grid.ascii = ascii;
	if (tui_scene_open(&l->scene, opt, ascii) && open_duel(l, ascii)) {
		open_archive(l);
		open_progress(l);
		l->feed = opt->known ? tui_feed_done()
				     : tui_feed_start(opt->reader, opt->reopen, &l->feed_fd);
	}
	if (!l->feed) {
		doze_complain(
		    "viewer: not enough memory or threads: close other programs and try again");
		return DOZE_EXIT_INPUT;
	}
	return 0;
}

static struct doze_tui_result result_of(const struct loop *l)
{
	const struct tui_feed_state *f = tui_feed_state(l->feed);
	const struct doze_totals *t = doze_model_totals(tui_newest(&l->scene)->model);

	return (struct doze_tui_result){
	    .status = f->done ? f->status : DOZE_READER_STOPPED,
	    .signal = l->hangup ? SIGHUP : tui_signal_seen(),
	    .saw_loss = t->discarded > 0 || tui_newest(&l->scene)->losses.count > 0,
	    .truncated = t->truncated,
	    .events = t->events,
	    .next_lesson = l->scene.lesson.go_on,
	};
}

/* Stopping a feed frees it, so copy its results first. */
static int tear_down(struct loop *l, struct doze_tui_result *r)
{
	*r = result_of(l);
	r->abandoned = !tui_feed_stop(l->feed, STOP_MS);
	if (l->second && !tui_feed_stop(l->second, STOP_MS))
		r->abandoned = true;
	if (r->signal)
		return 128 + r->signal;
	if (r->status != DOZE_READER_ERROR)
		return DOZE_EXIT_OK;
	doze_complain("%s", doze_reader_error(l->opt->reader));
	return DOZE_EXIT_INPUT;
}

static int show(struct loop *l)
{
	if (tui_signals_open(&l->signal_fd) != 0 ||
	    tui_term_open(l->opt->color, !l->opt->no_mouse) != 0) {
		tui_signals_close();
		return DOZE_EXIT_USAGE;
	}
	l->dirty = l->urgent = true;
	loop_run(l);
	tui_term_close();
	tui_signals_close();
	if (l->why)
		doze_complain("%s: %s", l->opt->lesson ? l->opt->lesson_name : "replay", l->why);
	return l->why ? DOZE_EXIT_USAGE : DOZE_EXIT_OK;
}

int doze_tui_check(const struct doze_tui_options *opt)
{
	return opt->once || tui_term_check() == 0 ? DOZE_EXIT_OK : DOZE_EXIT_USAGE;
}

int doze_tui_run(const struct doze_tui_options *opt, struct doze_tui_result *result)
{
	struct loop l = {.feed_fd = -1,
			 .second_fd = -1,
			 .signal_fd = -1,
			 .archive.load.fd = -1,
			 .disk_search.load.fd = -1};
	struct doze_tui_result mine = {.status = DOZE_READER_STOPPED};
	int code = doze_tui_check(opt);

	if (code == 0)
		code = set_up(&l, opt);
	if (code == 0) {
		int ended;

		code = opt->once ? run_once(&l) : show(&l);
		ended = tear_down(&l, &mine);
		code = code ? code : ended;
	}
	if (result)
		*result = mine;
	doze_progress_end(&l.progress);
	tui_disk_search_end(&l.disk_search);
	tui_archive_close(&l.archive, &l.scene);
	tui_history_free(l.scene.history ? l.scene.history : opt->known);
	tui_duel_free(&l.duel);
	tui_scene_free(&l.scene);
	tui_grid_free(&l.grid);
	return code;
}
