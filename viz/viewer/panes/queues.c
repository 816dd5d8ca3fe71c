/*
 * SPDX-License-Identifier: MIT
 *
 * queues.c - shows how many jobs are waiting, as far as the trace records it: the number of
 * jobs that were in the queues when a worker fell asleep, and the number of jobs published minus
 * the number of jobs run.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../screen/phrases.h"
#include "panes.h"

enum { WHO_X = 15, DEPTH_X = 24, BAR_X = 32, BAR_W = 20, BAR_STEPS = 8, DEPTHS_ROWS = 7 };

static bool is_sample(const struct doze_event *e)
{
	return e->kind == DOZE_EV_worker_state && e->u.state.to == DOZE_STATE_sleeping;
}

static int64_t depth_of(const struct doze_event *e)
{
	return (int64_t)e->u.state.left_in_deques + (e->u.state.left_injected ? 1 : 0);
}

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	const struct tui_ring *r = &s->history->events;

	(void)order;
	for (size_t i = 0; !tui_is_foreign(s) && i < r->count; i++) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (is_sample(&e->ev) && tui_event_shown(s, e))
			tui_list_add(l, (struct tui_item){.at = e->at,
							  .id = r->dropped + i,
							  .sort = depth_of(&e->ev),
							  .what = e});
	}
}

/* Computes the maximum depth in each column of the lanes. Returns the maximum of all columns. */
static int64_t depths_of(const struct tui_scene *s, int64_t *depth)
{
	const struct tui_view *v = &s->view;
	const struct tui_ring *r = &s->history->events;
	int64_t most = 0;

	for (size_t i = tui_ring_after(r, tui_view_left(v) - 1); i < r->count; i++) {
		const struct tui_event *e = tui_ring_at(r, i);
		int64_t cell = tui_view_cell(v, e->at), n = depth_of(&e->ev);

		if (cell >= v->cells)
			break;
		if (cell < 0 || !is_sample(&e->ev) || !tui_event_shown(s, e))
			continue;
		depth[cell] = n > depth[cell] ? n : depth[cell];
		most = n > most ? n : most;
	}
	return most;
}

/* Draws the depth over time below the lanes: a bar wherever a worker fell asleep while jobs were
 * waiting. */
static void draw_depths(const struct tui_scene *s, struct tui_textbox *p)
{
	int64_t *depth = calloc((size_t)s->view.cells + 1, sizeof *depth), most;

	if (!depth)
		return;
	most = depths_of(s, depth);
	tui_textf(p->g, p->x, p->y, s->layout.lane_x, TUI_DIM, "depth 0-%" PRId64, most);
	for (int i = 0; most > 0 && i < s->view.cells && s->layout.lane_x + i < p->end; i++)
		if (depth[i])
			tui_put(p->g, s->layout.lane_x + i, p->y,
				s->glyphs->bar[(depth[i] * BAR_STEPS + most - 1) / most],
				TUI_FUTILE);
	p->y++;
	free(depth);
}

static void head(const struct tui_scene *s, struct tui_textbox *p)
{
	/* use the columns of the lanes if the pane is below the lanes */
	bool below = p->x < s->layout.lane_x && !s->view.big;
	const struct doze_pool_view *pool = tui_selected_pool(s);
	uint64_t run = 0, published = s->now.totals.jobs_published;

	if (tui_is_foreign(s))
		return;
	for (size_t i = 0; i < s->now.n_workers; i++)
		run += s->now.workers[i].jobs_run;
	if (pool && pool->jobs_level)
		tui_sayf(p, TUI_BOLD,
			 "%" PRId64 " jobs wait now; %s: published %" PRIu64 ", run %" PRIu64,
			 pool->jobs_waiting > 0 ? pool->jobs_waiting : 0, tui_scope(s), published,
			 run);
	else
		tui_sayf(p, TUI_BOLD,
			 "%s: published %" PRIu64 ", run %" PRIu64
			 " (waiting jobs: record with --detail=all); left behind by sleepers:",
			 tui_scope(s), published, run);
	if (below && p->bottom - p->y > DEPTHS_ROWS)
		draw_depths(s, p);
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct tui_event *e = item->what;
	int64_t depth = depth_of(&e->ev);
	char who[TUI_NAME];

	tui_put_time(s, g, x, y, e->at);
	tui_text(g, x + WHO_X, y, end, TUI_SLEEPING, tui_event_who(s, e, who));
	tui_textf(g, x + DEPTH_X, y, end, depth ? TUI_FUTILE : TUI_DIM, "%5" PRId64, depth);
	for (int i = 0; i < BAR_W && i < depth; i++)
		tui_put(g, x + BAR_X + i, y, s->glyphs->bar[4], TUI_FUTILE);
	tui_text(g, x + BAR_X + (depth < BAR_W ? (int)depth : BAR_W) + (depth > 0), y, end,
		 depth ? TUI_PLAIN : TUI_DIM,
		 !depth                        ? "nothing waits"
		 : e->ev.u.state.left_injected ? "wait in the deques and the injector"
					       : "wait in the deques");
}

static void detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	const struct tui_event *e = item->what;

	tui_event_detail(s, item, p);
	tui_sayf(p, TUI_PLAIN,
		 "When it fell asleep, it left %" PRIu32
		 " jobs in the workers' deques and %s in the injector. The owner of a deque runs "
		 "its jobs; others may steal them.",
		 e->ev.u.state.left_in_deques,
		 e->ev.u.state.left_injected ? "at least one" : "none");
}

static const char *empty(const struct tui_scene *s)
{
	return tui_is_foreign(s) ? "doze does not see the queues of this program"
				 : "no worker has gone to sleep yet";
}

const struct tui_pane_type tui_pane_queues = {
    .name = "queues",
    .what = "waiting jobs, and those that sleepers leave in the queues",
    .list = list,
    .head = head,
    .row = row,
    .empty = empty,
    .orders = {"time", "depth"},
    .verb = "explain",
    .detail = detail,
};
