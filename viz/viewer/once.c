/*
 * SPDX-License-Identifier: MIT
 *
 * once.c - see once.h.
 */
#include "once.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "../show/selected.h"
#include "../words/complain.h"
#include "clock.h"
#include "duel.h"
#include "grid_svg.h"
#include "incident.h"
#include "key_names.h"
#include "keys.h"
#include "lesson.h"
#include "output.h"
#include "term.h"

enum { DEFAULT_W = 80, DEFAULT_H = 24, MOST = 1000, STEP_MS = 20 };

static int size_from(unsigned given, const char *variable, int otherwise)
{
	const char *env = getenv(variable);
	long n = given ? (long)given : env ? strtol(env, NULL, 10) : 0;

	return n > 0 && n <= MOST ? (int)n : otherwise;
}

/* Makes the feed of a recording stop at the time of --once. */
static void limit(const struct doze_tui_options *opt, struct tui_feed *f)
{
	if (f && !opt->live && opt->once_ms >= 0)
		tui_feed_end_after(f, opt->once_ms * 1000000);
}

/* Measures how far the session lags behind real time. As in the viewer, the smallest difference
 * between the clocks counts as their offset. */
static void measure_behind(struct tui_scene *s, int64_t *skew)
{
	int64_t diff = tui_wall_ns() - tui_newest(s)->clock;

	if (tui_newest(s)->clock == 0)
		return;
	if (diff < *skew)
		*skew = diff;
	s->status.behind_ns = diff - *skew;
}

static void watch(const struct tui_once *o, struct tui_watch *w, int side)
{
	const struct tui_grid like = {.w = size_from(o->opt->width, "COLUMNS", DEFAULT_W),
				      .h = size_from(o->opt->height, "LINES", DEFAULT_H),
				      .ascii = o->ascii};
	const struct tui_watched run = {&w[side], o->duel ? o->duel->side[side] : o->scene,
					o->duel ? tui_duel_label(o->duel, side) : NULL};

	if (!tui_incident_watch(o->opt, &run, o->scene, &like))
		return;
	doze_complain("live: %s", o->opt->banner ? o->scene->banner : o->scene->message);
	o->scene->message[0] = o->scene->banner[0] = '\0';
}

static void say_problem(const struct tui_once *o)
{
	if (!tui_incident_problem(o->opt, o->scene))
		return;
	doze_complain("live: %s", o->scene->message);
	o->scene->message[0] = '\0';
}

/* Returns whether all readers are attached. */
static bool all_attached(const struct tui_once *o)
{
	return tui_feed_state(o->feed)->attached &&
	       (!o->second || tui_feed_state(o->second)->attached);
}

/* Reads the recording, or the first of two, to its end; or reads live sessions until the time of
 * --once is over. Returns the time (of tui_now_ns) at which the time of --once is over. */
static int64_t take_in(const struct tui_once *o)
{
	const struct doze_tui_options *opt = o->opt;
	struct tui_scene *s = o->scene;
	struct tui_feed *f = o->feed;
	struct tui_watch triggers[2] = {0};
	/* The time of --once begins again when the reader is attached, because the program starts
	 * only then. */
	int64_t end = tui_now_ns() + opt->once_ms * 1000000, skew = INT64_MAX;
	bool attached = false;

	while (!tui_feed_state(f)->done && !tui_signal_seen()) {
		struct pollfd fd = {.fd = o->feed_fd, .events = POLLIN};

		if (poll(&fd, 1, STEP_MS) < 0 && errno != EINTR)
			break;
		tui_feed_drain(f, s->history, STEP_MS);
		if (opt->live && o->second)
			tui_feed_drain(o->second, o->duel->second.history, STEP_MS);
		if (opt->live)
			measure_behind(s, &skew);
		say_problem(o);
		for (int side = 0; side < (o->duel ? 2 : 1); side++)
			watch(o, triggers, side);
		if (all_attached(o) && !attached) {
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

static void draw(const struct tui_once *o, struct tui_grid *g)
{
	if (o->duel) {
		tui_duel_update(o->duel);
		tui_duel_draw(o->duel, g);
	} else {
		tui_scene_update(o->scene);
		tui_draw(o->scene, g);
	}
}

/* Presses the keys. Draws after each key, because the effect of the next key may depend on the
 * screen. */
static void press(const struct tui_once *o, struct tui_grid *g)
{
	const char *at = o->opt->keys ? o->opt->keys : "";

	for (int key; (key = tui_next_key(&at)) > 0; draw(o, g)) {
		if (o->duel)
			tui_duel_key(o->duel, key);
		else
			tui_key_press(o->scene, key);
	}
}

static int save(const struct doze_tui_options *opt, const struct tui_grid *g)
{
	FILE *f = fopen(opt->svg, "we");
	int err = f ? tui_grid_svg(g, opt->title ? opt->title : "doze", f) : -1;

	if (f && fclose(f) != 0)
		err = -1;
	if (err)
		doze_complain("viewer: cannot write %s: check the folder, and that the disk is not "
			      "full",
			      opt->svg);
	return err;
}

static int print(const struct tui_once *o)
{
	const struct doze_tui_options *opt = o->opt;
	struct tui_grid g = {.ascii = o->ascii};
	int err = tui_grid_resize(&g, size_from(opt->width, "COLUMNS", DEFAULT_W),
				  size_from(opt->height, "LINES", DEFAULT_H));

	if (!err) {
		/* Draw twice: the first drawing sets the number of columns of the lanes in the
		 * view. */
		draw(o, &g);
		draw(o, &g);
		press(o, &g);
		err = opt->svg ? save(opt, &g) : tui_grid_print(&g, stdout);
	}
	tui_grid_free(&g);
	return err ? DOZE_EXIT_INPUT : DOZE_EXIT_OK;
}

/* Reads the second run of a duel until its end or, in a live session with a time for --once, until
 * `end`. */
static void take_second(const struct tui_once *o, int64_t end)
{
	bool limited = o->opt->live && o->opt->once_ms >= 0;

	if (!o->duel || !o->second)
		return;
	struct tui_history *h = o->duel->second.history;
	while (!tui_feed_state(o->second)->done && !tui_signal_seen() &&
	       !(limited && tui_now_ns() >= end))
		if (!tui_feed_drain(o->second, h, STEP_MS))
			(void)poll(NULL, 0, 1);
	if (tui_feed_state(o->feed)->status == DOZE_READER_END &&
	    (!limited || tui_feed_state(o->second)->done))
		tui_history_finish(h);
}

int tui_once(const struct tui_once *o)
{
	const struct doze_tui_options *opt = o->opt;
	struct tui_scene *s = o->scene;
	struct tui_feed *f = o->feed;
	const char *why;
	int signal_fd, code;

	if (tui_signals_open(&signal_fd) != 0)
		return DOZE_EXIT_INPUT;
	limit(opt, f);
	limit(opt, o->second);
	take_second(o, take_in(o));
	s->status.loading = false;
	s->status.ended = tui_feed_state(f)->done;
	s->status.failed = s->status.ended && tui_feed_state(f)->status == DOZE_READER_ERROR;
	if (s->status.failed)
		s->status.error = doze_reader_error(opt->reader);
	else if (s->status.ended && tui_feed_state(f)->status == DOZE_READER_END)
		tui_history_finish(s->history);
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
	code = why ? DOZE_EXIT_USAGE : print(o);
	if (code && !why && !opt->svg)
		doze_complain(
		    "viewer: cannot write the screen to standard output: is the disk full?");
	tui_signals_close();
	return code;
}
