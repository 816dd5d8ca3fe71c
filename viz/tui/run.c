/*
 * SPDX-License-Identifier: MIT
 *
 * run.c - the viewer's main loop: wait, process events, handle keys, draw.
 *
 * One poll waits for a key, events, a signal or a tick. After a key the whole screen is drawn at
 * once. Otherwise the picture is drawn when a new column may have begun, at most 15 times per
 * second, and everything else 4 times per second: nobody reads faster, and a frame costs time and
 * bytes. A paused screen is not drawn; events are still read.
 */
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../text/complain.h"
#include "../views/selection_text.h"
#include "clock.h"
#include "feed.h"
#include "keys.h"
#include "lesson.h"
#include "once.h"
#include "output.h"
#include "term.h"

enum {
	FRAME_MS = 66,    /* at most 15 pictures per second */
	NUMBERS_MS = 250, /* numbers and lists */
	PLAY_MS = 30,     /* playing: one step of the cursor */
	TICK_MS = 100,    /* live: time passes */
	DRAIN_MS = 8,     /* of events, before keys are handled */
	STOP_MS = 1000,   /* for the reader to stop; then its thread is abandoned */
};

struct loop {
	const struct doze_tui_options *opt;
	struct tui_scene scene;
	struct tui_feed *feed;
	struct tui_grid grid;
	int feed_fd, signal_fd;
	int64_t drawn_at, numbers_at, draw_cost, ticked_at, played_at;
	int64_t skew; /* live: the smallest wall clock minus trace clock, if below 0 */
	bool urgent;  /* the user waits for the next frame */
	bool dirty, attached, finished, quit, hangup;
	const char *why; /* the trace does not have the selected part: the viewer exits */
};

/* ---- events ---- */

static void take_state(struct loop *l)
{
	const struct tui_feed_state *f = tui_feed_state(l->feed);
	struct tui_status *st = &l->scene.status;

	if (f->attached && !l->attached) {
		l->attached = true;
		if (l->opt->attached)
			l->opt->attached(l->opt->ctx);
	}
	if (f->done && !l->finished) {
		l->finished = true;
		st->loading = false;
		st->ended = true;
		st->failed = f->status == DOZE_READER_ERROR;
		st->error = st->failed ? doze_reader_error(l->opt->reader) : NULL;
		if (f->status == DOZE_READER_END)
			tui_history_finish(l->scene.history);
		if (f->status == DOZE_READER_END && !l->opt->live)
			l->why = doze_selection_problem(l->opt->selection, l->scene.history->model,
							true);
		if (f->status == DOZE_READER_END && l->opt->lesson && !tui_lesson_begin(&l->scene))
			l->why = l->scene.lesson.problem;
		l->quit |= l->why != NULL;
		l->dirty = l->urgent = true;
	}
}

static void take_events(struct loop *l)
{
	if (tui_feed_drain(l->feed, l->scene.history, DRAIN_MS, INT64_MAX))
		l->dirty = true;
	take_state(l);
}

/* When the trace clock is ahead of ours, the clocks of the hosts differ; that is not a delay. */
static void measure_behind(struct loop *l)
{
	int64_t clock = l->scene.history->clock, diff = tui_wall_ns() - clock;

	if (!l->opt->live || clock == 0) {
		l->scene.status.behind_ns = -1;
		return;
	}
	if (diff < l->skew)
		l->skew = diff;
	l->scene.status.behind_ns = diff - l->skew;
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
	measure_behind(l);
	l->dirty = true;
}

/* Moves the cursor by the time since the last call. */
static void play(struct loop *l)
{
	int64_t now = tui_now_ns(), since = l->played_at;

	l->played_at = l->scene.view.playing ? now : 0;
	if (!since || !l->scene.view.playing)
		return; /* not playing, or just started */
	tui_view_play(&l->scene.view, now - since);
	l->dirty = true;
}

static void take_keys(struct loop *l)
{
	for (int key; (key = tui_term_key()) != TUI_KEY_NONE; l->dirty = l->urgent = true) {
		if (key == TUI_KEY_MOUSE) {
			struct tui_mouse m = tui_term_mouse();

			tui_mouse_press(&l->scene, m.x, m.y, m.wheel);
			continue;
		}
		switch (tui_key_press(&l->scene, key)) {
		case TUI_QUIT:
			l->quit = true;
			return;
		case TUI_REDRAW:
			tui_term_disturbed();
			break;
		case TUI_GO_ON:
			break;
		}
	}
}

/* ---- drawing ---- */

/* How long a frame stays. A picture changes when a column begins, and not at all while the user
 * looks at the past. */
static int64_t frame_ns(const struct loop *l)
{
	const struct tui_view *v = &l->scene.view;
	int64_t most = NUMBERS_MS * 1000000LL, ns = FRAME_MS * 1000000LL;

	if (v->playing)
		return ns;
	if (l->scene.status.loading || !(v->at.follow || v->at.fit))
		return most;
	ns = v->at.per_cell > ns ? v->at.per_cell : ns;
	ns = 2 * l->draw_cost > ns ? 2 * l->draw_cost : ns; /* half of the time is for events */
	return ns < most ? ns : most;
}

/* When the next frame is due, ns from now; 0: now. */
static int64_t due_in(const struct loop *l)
{
	int64_t left = l->drawn_at + frame_ns(l) - tui_now_ns();

	return l->urgent || left < 0 ? 0 : left;
}

static void draw_frame(struct loop *l, int64_t now, bool all)
{
	l->scene.steady = !all;
	tui_scene_update(&l->scene);
	if (all) {
		tui_draw(&l->scene, &l->grid);
		l->numbers_at = now;
	} else {
		tui_draw_picture(&l->scene, &l->grid);
	}
	tui_term_show(&l->grid);
}

static void draw(struct loop *l)
{
	int64_t begun = tui_now_ns();
	bool resized;
	int w, h;

	if (!l->dirty || due_in(l) > 0 ||
	    (l->scene.view.paused && !l->scene.view.playing && !l->urgent))
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

/* ---- waiting ---- */

static int wait_ms(const struct loop *l)
{
	int live = l->opt->live ? TICK_MS : -1;

	if (l->scene.view.playing)
		return PLAY_MS;
	if (!l->dirty || (l->scene.view.paused && !l->urgent))
		return live;
	return (int)(due_in(l) / 1000000) + 1;
}

static void wait_for_something(struct loop *l)
{
	struct pollfd fds[] = {{.fd = l->signal_fd, .events = POLLIN},
			       {.fd = STDIN_FILENO, .events = POLLIN},
			       {.fd = l->feed_fd, .events = POLLIN}};

	if (poll(fds, 3, wait_ms(l)) < 0 && errno != EINTR)
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
		tick(l);
		play(l);
		draw(l);
		if (!l->quit && !tui_signal_seen())
			wait_for_something(l);
	}
}

/* ---- setting up, ending ---- */

static int set_up(struct loop *l, const struct doze_tui_options *opt)
{
	struct tui_scene *s = &l->scene;
	bool ascii;

	setlocale(LC_ALL, "");
	ascii = opt->ascii || !tui_term_unicode();
	l->opt = opt;
	l->grid.ascii = ascii;
	s->look = tui_look(ascii);
	s->title = opt->title;
	s->program = opt->name;
	s->detail = opt->detail;
	s->from_ns = opt->selection->from;
	s->to_ns = opt->selection->to;
	s->has_output = opt->program_log != NULL;
	s->status = (struct tui_status){.live = opt->live, .loading = !opt->live, .behind_ns = -1};
	tui_view_init(&s->view, opt->live);
	tui_view_set_workers(&s->view, &opt->selection->workers, opt->selection->list);
	s->history = tui_history_new();
	s->lesson.file = opt->lesson;
	if (s->history) {
		s->history->live = opt->live;
		s->history->tape = opt->lesson ? &s->lesson.tape : NULL;
	}
	l->feed = s->history ? tui_feed_start(opt->reader, &l->feed_fd) : NULL;
	if (!l->feed) {
		doze_complain(
		    "viewer: out of memory or threads: close other programs and try again");
		return DOZE_EXIT_INPUT;
	}
	return 0;
}

static struct doze_tui_result result_of(const struct loop *l)
{
	const struct tui_feed_state *f = tui_feed_state(l->feed);
	const struct doze_totals *t = doze_model_totals(l->scene.history->model);

	return (struct doze_tui_result){
	    .status = f->done ? f->status : DOZE_READER_STOPPED,
	    .signal = l->hangup ? SIGHUP : tui_signal_seen(),
	    .saw_loss = t->discarded > 0 || l->scene.history->losses.count > 0,
	    .truncated = t->truncated,
	    .events = t->events,
	    .next_lesson = l->scene.lesson.go_on,
	};
}

/* A successful stop frees the feed, so copy its results first. */
static int tear_down(struct loop *l, struct doze_tui_result *r)
{
	*r = result_of(l);
	r->abandoned = !tui_feed_stop(l->feed, STOP_MS);
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
	struct loop l = {.feed_fd = -1, .signal_fd = -1};
	struct doze_tui_result mine = {.status = DOZE_READER_STOPPED};
	int code = doze_tui_check(opt);

	if (code == 0)
		code = set_up(&l, opt);
	if (code == 0) {
		int ended;

		code =
		    opt->once ? tui_once(opt, &l.scene, l.feed, l.feed_fd, l.grid.ascii) : show(&l);
		ended = tear_down(&l, &mine);
		code = code ? code : ended;
	}
	if (result)
		*result = mine;
	tui_history_free(l.scene.history);
	tui_scene_free(&l.scene);
	tui_grid_free(&l.grid);
	return code;
}
