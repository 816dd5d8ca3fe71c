/*
 * SPDX-License-Identifier: MIT
 *
 * pools.c - lists the pools of all processes. Enter shows only the selected pool; a second
 * Enter shows all pools again.
 */
#include <inttypes.h>
#include <stdio.h>

#include "../../words/pool_words.h"
#include "../screen/phrases.h"
#include "panes.h"

enum { PID_X = 6, POOL_X = 15, POLICY_X = 21, WORKERS_X = 31, STATE_X = 41 };

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	(void)order;
	for (size_t i = 0; i < doze_model_pools(s->history->model); i++)
		tui_list_add(l, (struct tui_item){.id = i + 1,
						  .what = doze_model_pool(s->history->model, i)});
}

static void head(const struct tui_scene *s, struct tui_textbox *p)
{
	bool crews = tui_is_foreign(s);

	tui_text(p->g, p->x, p->y, p->end, TUI_BOLD, crews ? "crew" : "pool");
	tui_text(p->g, p->x + PID_X, p->y, p->end, TUI_BOLD, "process");
	tui_text(p->g, p->x + POOL_X, p->y, p->end, TUI_BOLD, "id");
	tui_text(p->g, p->x + POLICY_X, p->y, p->end, TUI_BOLD, crews ? "" : "policy");
	tui_text(p->g, p->x + WORKERS_X, p->y, p->end, TUI_BOLD, crews ? "threads" : "workers");
	tui_text(p->g, p->x + STATE_X, p->y++, p->end, TUI_BOLD, "state");
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct doze_pool_view *p = item->what;
	bool only = s->view.pool == item->id;
	const char *name = doze_pool_name(s->history->model, (uint32_t)item->id - 1);
	const char *colon = name[0] ? ": " : "";

	tui_textf(g, x, y, end, only ? TUI_SELECT : TUI_PLAIN, "%" PRIu64, item->id);
	tui_textf(g, x + PID_X, y, end, TUI_PLAIN, "%" PRId32, p->vpid);
	tui_textf(g, x + POOL_X, y, end, TUI_PLAIN, "%" PRIu32, p->pool);
	if (!doze_pool_is_crew(p))
		tui_text(g, x + POLICY_X, y, end, TUI_PLAIN, p->policy);
	tui_textf(g, x + WORKERS_X, y, end, TUI_PLAIN, "%" PRIu32, p->workers);
	if (doze_pool_is_crew(p))
		tui_textf(g, x + STATE_X, y, end, TUI_PLAIN,
			  "%s: %" PRIu32 " of %" PRIu32 " wait%s", p->name,
			  p->in_state[DOZE_STATE_sleeping],
			  p->in_state[DOZE_STATE_sleeping] + p->in_state[DOZE_STATE_idle] +
			      p->in_state[DOZE_STATE_active],
			  only ? " (shown alone)" : "");
	else if (p->stopped)
		tui_textf(g, x + STATE_X, y, end, TUI_DIM, "%s%sstopped", name, colon);
	else
		tui_textf(g, x + STATE_X, y, end, TUI_PLAIN,
			  "%s%s%" PRIu32 " work, %" PRIu32 " search, %" PRIu32 " sleep%s", name,
			  colon, p->in_state[DOZE_STATE_active],
			  p->in_state[DOZE_STATE_idle] + p->in_state[DOZE_STATE_sleepy],
			  p->in_state[DOZE_STATE_sleeping], only ? " (shown alone)" : "");
}

static void act(struct tui_scene *s, const struct tui_item *item)
{
	s->view.pool = s->view.pool == item->id ? 0 : item->id;
	s->view.selected = s->view.first_lane = 0;
	if (s->view.pool)
		snprintf(s->message, sizeof s->message,
			 "only pool %" PRIu64 ": Enter again shows "
			 "all",
			 item->id);
}

const struct tui_pane_type tui_pane_pools = {
    .name = "pools",
    .what = "the pools of all processes; Enter shows one of them alone",
    .list = list,
    .head = head,
    .row = row,
    .nothing = "no pool has started",
    .whole = true,
    .verb = "show it alone",
    .act = act,
};
