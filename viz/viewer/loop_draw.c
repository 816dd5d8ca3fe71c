/*
 * SPDX-License-Identifier: MIT
 *
 * loop_draw.c - see loop.h: a frame is drawn immediately after a key, and otherwise at a limited
 * rate.
 */
#include "clock.h"
#include "loop.h"
#include "term.h"

enum {
	FRAME_MS = 66,    /* at most 15 frames per second */
	NUMBERS_MS = 250, /* minimum time between two updates of numbers and lists */
};

struct tui_scene *tui_loop_active(struct tui_loop *l)
{
	return l->opt->duel[0] ? l->duel.side[l->duel.active] : &l->scene;
}

/* Returns the minimum time between two frames. The lanes move by a column at a time, or not at all
 * while the user looks at an earlier time. */
static int64_t frame_ns(struct tui_loop *l)
{
	const struct tui_view *v = &tui_loop_active(l)->view;
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

int64_t tui_loop_due_in(struct tui_loop *l)
{
	int64_t left = l->drawn_at + frame_ns(l) - tui_now_ns();

	return l->urgent || left < 0 ? 0 : left;
}

static void draw_frame(struct tui_loop *l, int64_t now, bool all)
{
	struct tui_scene *s = tui_loop_active(l);

	s->steady = !all;
	if (all)
		l->numbers_at = now;
	if (l->opt->duel[0]) {
		tui_duel_update(&l->duel);
		(all ? tui_duel_draw : tui_duel_draw_picture)(&l->duel, &l->grid);
	} else {
		tui_scene_update(s);
		(all ? tui_draw : tui_draw_picture)(s, &l->grid);
	}
	tui_term_show(&l->grid);
}

void tui_loop_draw(struct tui_loop *l)
{
	int64_t begun = tui_now_ns();
	const struct tui_view *v = &tui_loop_active(l)->view;
	bool resized;
	int w, h;

	if (!l->dirty || tui_loop_due_in(l) > 0 || (v->paused && !v->playing && !l->urgent))
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
