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
#include <string.h>
#include <unistd.h>

#include "../show/selected.h"
#include "../words/complain.h"
#include "clock.h"
#include "incident.h"
#include "keys.h"
#include "lesson.h"
#include "loop.h"
#include "once.h"
#include "output.h"
#include "term.h"

enum {
	PLAY_MS = 30,   /* time between two steps of the cursor while playing */
	TICK_MS = 100,  /* live: time between two updates without events */
	DRAIN_MS = 8,   /* maximum time for which events are processed before keys are handled */
	STOP_MS = 1000, /* maximum time for the reader to stop; its thread is then abandoned */
};

/* ---- processing events ---- */

static void finish(struct tui_loop *l)
{
	tui_history_finish(tui_newest(&l->scene));
	if (l->opt->duel[0])
		tui_history_finish(l->duel.second.history);
}

static void take_state(struct tui_loop *l)
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
		if (f->status == DOZE_READER_END && !l->opt->live)
			l->why = doze_selection_problem(l->opt->selection,
							tui_newest(&l->scene)->model, true);
		if (f->status == DOZE_READER_END && l->opt->lesson && !tui_lesson_begin(&l->scene))
			l->why = l->scene.lesson.problem;
		l->quit |= l->why != NULL;
		l->dirty = l->urgent = true;
	}
}

static void take_events(struct tui_loop *l)
{
	if (tui_feed_drain(l->feed, tui_newest(&l->scene), DRAIN_MS))
		l->dirty = true;
	if (l->second && tui_feed_drain(l->second, l->duel.second.history, DRAIN_MS))
		l->dirty = true;
	take_state(l);
}

/* Measures how far the session lags behind real time. The trace's clock may be ahead of this
 * machine's clock, if the hosts' clocks differ; that offset is subtracted. */
static void measure_behind(struct tui_loop *l)
{
	int64_t clock = tui_newest(&l->scene)->clock, diff = tui_wall_ns() - clock;

	if (!l->opt->live || clock == 0) {
		l->scene.status.behind_ns = -1;
		return;
	}
	if (diff < l->skew)
		l->skew = diff;
	l->scene.status.behind_ns = diff - l->skew;
}

/* Checks the triggers of --on, in a duel for each run. */
static void watch_runs(struct tui_loop *l)
{
	struct tui_watched run = {&l->watch[0], &l->scene, NULL};

	for (int i = 0; l->grid.w && i < (l->opt->duel[0] ? 2 : 1); i++) {
		if (l->opt->duel[0])
			run = (struct tui_watched){&l->watch[i], l->duel.side[i],
						   tui_duel_label(&l->duel, i)};
		l->urgent |= tui_incident_watch(l->opt, &run, tui_loop_active(l), &l->grid);
	}
}

static void tick(struct tui_loop *l)
{
	int64_t now = tui_now_ns();

	if (!l->opt->live || now - l->ticked_at < TICK_MS * 1000000LL)
		return;
	l->ticked_at = now;
	if (l->opt->program)
		l->scene.status.program = l->opt->program(l->opt->ctx);
	if (l->opt->program_log)
		l->dirty |= tui_output_read(&l->scene.output, l->opt->program_log);
	measure_behind(l);
	watch_runs(l);
	if (tui_incident_problem(l->opt, tui_loop_active(l)))
		l->urgent = true;
	l->dirty = true;
}

/* While the view is playing, moves the cursor by the time that has passed since the last call. */
static void play(struct tui_loop *l)
{
	int64_t now = tui_now_ns(), since = l->played_at;

	struct tui_view *v = &tui_loop_active(l)->view;

	l->played_at = v->playing ? now : 0;
	if (!since || !v->playing)
		/* the view is not playing, or this is the first call since playing started */
		return;
	tui_view_play(v, now - since);
	l->dirty = true;
}

/* Returns the time of the session's first event. In a duel in which the runs take turns, the first
 * run has that event. */
static int64_t first_event(const struct tui_loop *l)
{
	return doze_model_totals(tui_newest(&l->scene)->model)->first_ts;
}

static void take_keys(struct tui_loop *l)
{
	for (int key; (key = tui_term_key()) != TUI_KEY_NONE; l->dirty = l->urgent = true) {
		if (key == TUI_KEY_MOUSE) {
			struct tui_mouse m = tui_term_mouse();

			if (!l->opt->duel[0] || l->duel.alone)
				tui_mouse_press(tui_loop_active(l), m.x, m.y, m.wheel);
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
			tui_incident_save(l->opt, tui_loop_active(l), first_event(l), &l->grid);
			break;
		case TUI_GO_ON:
			break;
		}
	}
}

/* ---- waiting for events and keys ---- */

/* Returns whether events are read from disk, at full speed. */
static bool reads_in_bulk(const struct tui_loop *l)
{
	return l->scene.status.loading || l->archive.load.feed || l->scan.load.feed;
}

static int wait_ms(struct tui_loop *l)
{
	int live = l->opt->live ? TICK_MS : -1;

	if (reads_in_bulk(l))
		return TUI_BULK_MS;
	if (tui_loop_active(l)->view.playing)
		return PLAY_MS;
	if (!l->dirty || (tui_loop_active(l)->view.paused && !l->urgent))
		return live;
	return (int)(tui_loop_due_in(l) / 1000000) + 1;
}

static void wait_for_something(struct tui_loop *l)
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

static void loop_run(struct tui_loop *l)
{
	while (!l->quit && !l->hangup && !tui_signal_seen()) {
		take_events(l);
		take_keys(l);
		if (tui_archive_step(&l->archive, &l->scene))
			l->dirty = l->urgent = true;
		l->dirty |= tui_scan_step(&l->scan, &l->archive, &l->scene);
		tick(l);
		play(l);
		tui_loop_draw(l);
		if (!l->quit && !tui_signal_seen())
			wait_for_something(l);
	}
}

/* ---- start and end of the viewer ---- */

/* Opens a duel. Its second recording has its own feed. */
static bool open_duel(struct tui_loop *l, bool ascii)
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
static void open_archive(struct tui_loop *l)
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

static int set_up(struct tui_loop *l, const struct doze_tui_options *opt)
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
		l->feed = tui_feed_start(opt->reader, opt->reopen, &l->feed_fd);
	}
	if (!l->feed) {
		doze_complain(
		    "viewer: not enough memory or threads: close other programs and try again");
		return DOZE_EXIT_INPUT;
	}
	return 0;
}

static struct doze_tui_result result_of(const struct tui_loop *l)
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
static int tear_down(struct tui_loop *l, struct doze_tui_result *r)
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

static int show(struct tui_loop *l)
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
	struct tui_loop l = {.feed_fd = -1,
			     .second_fd = -1,
			     .signal_fd = -1,
			     .archive.load.fd = -1,
			     .scan.load.fd = -1};
	struct doze_tui_result mine = {.status = DOZE_READER_STOPPED};
	int code = doze_tui_check(opt);

	if (code == 0)
		code = set_up(&l, opt);
	if (code == 0) {
		int ended;

		code = opt->once
			   ? tui_once(&(struct tui_once){.opt = opt,
							 .scene = &l.scene,
							 .duel = opt->duel[0] ? &l.duel : NULL,
							 .feed = l.feed,
							 .second = l.second,
							 .feed_fd = l.feed_fd,
							 .ascii = l.grid.ascii})
			   : show(&l);
		ended = tear_down(&l, &mine);
		code = code ? code : ended;
	}
	if (result)
		*result = mine;
	tui_scan_end(&l.scan);
	tui_archive_close(&l.archive, &l.scene);
	tui_history_free(l.scene.history);
	tui_duel_free(&l.duel);
	tui_scene_free(&l.scene);
	tui_grid_free(&l.grid);
	return code;
}
