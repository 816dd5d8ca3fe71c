/*
 * SPDX-License-Identifier: MIT
 *
 * pane_automaton.c - the policy's states as boxes with the workers as tokens, the selected worker's
 * last step, the rule for it, the counters before and after, and the steps that the worker may make
 * next. All of this comes from the policy's descriptor.
 */
#include <stdio.h>
#include <string.h>

#include "../event/policies.h"
#include "../text/event_why.h"
#include "event_rows.h"
#include "panes.h"
#include "words.h"

enum { BOX_ROWS = 3, LEAST_BOX = 9 };

/* Returns the selected worker's last change of state up to the focus, or null. */
static const struct tui_event *last_step(const struct tui_scene *s,
					 const struct doze_worker_view *w)
{
	const struct tui_ring *r = &s->history->events;

	for (size_t i = tui_ring_after(r, tui_view_focus(&s->view)); i-- > 0;) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->ev.kind == DOZE_EV_worker_state && e->row == (int32_t)w->key.row)
			return e;
	}
	return NULL;
}

static bool was_entered(const struct tui_scene *s, enum doze_state state)
{
	for (size_t i = 0; i < s->now.n_lanes; i++)
		if (s->now.workers[s->now.lanes[i]].entered[state])
			return true;
	return false;
}

/* Lists the policy's states. Rare states are included only if a worker was in them. */
static int states_of(const struct tui_scene *s, const struct doze_policy_descriptor *d,
		     enum doze_state *out)
{
	int n = 0;

	for (int st = DOZE_STATE_active; st < DOZE_STATE_COUNT; st++)
		if (st != DOZE_STATE_stopped && doze_policy_has_state(d, (enum doze_state)st) &&
		    (st <= DOZE_STATE_sleeping || was_entered(s, (enum doze_state)st)))
			out[n++] = (enum doze_state)st;
	return n;
}

/* Draws the shown workers that are in the state, as many as fit. */
static void put_tokens(const struct tui_scene *s, struct tui_grid *g, int x, int y, int end,
		       enum doze_state state)
{
	const struct doze_worker_view *selected = tui_selected(s);
	char name[TUI_NAME];

	for (size_t i = 0; i < s->now.n_lanes; i++) {
		const struct doze_worker_view *w = &s->now.workers[s->now.lanes[i]];
		bool unknown;

		if (tui_state_at_focus(s, w->key.row, &unknown) != state || unknown)
			continue;
		tui_worker_name(s, &w->key, name);
		if (x + (int)strlen(name) > end) {
			tui_put(g, end - 1, y, s->look->more, TUI_DIM);
			return;
		}
		x = tui_text(g, x, y, end, w == selected ? TUI_SELECT : tui_state_style(state),
			     name) +
		    1;
	}
}

/* Returns the title of a state's box: if there is room, with the name that the trace and the
 * policies use. */
static const char *title_of(enum doze_state state, int room)
{
	const char *both = tui_state_phrase(state);

	return state <= DOZE_STATE_idle && (int)strlen(both) <= room ? both : tui_state_word(state);
}

static void put_box(const struct tui_scene *s, struct tui_paper *p, int x, int width,
		    enum doze_state state, enum tui_style edge)
{
	int end = x + width;

	tui_fill(p->g, x, p->y, width, s->look->rule, edge);
	tui_textf(p->g, x + 1, p->y, end, edge, " %s ", title_of(state, width - 3));
	tui_fill(p->g, x, p->y + BOX_ROWS - 1, width, s->look->rule, edge);
	for (int y = p->y + 1; y < p->y + BOX_ROWS - 1; y++) {
		tui_put(p->g, x, y, s->look->side, edge);
		tui_put(p->g, end - 1, y, s->look->side, edge);
	}
	put_tokens(s, p->g, x + 2, p->y + 1, end - 1, state);
}

static void put_boxes(const struct tui_scene *s, struct tui_paper *p,
		      const struct doze_policy_descriptor *d, const struct tui_event *step)
{
	enum doze_state states[DOZE_STATE_COUNT];
	int n = states_of(s, d, states), width = n ? (p->end - p->x) / n - 2 : 0;

	if (width < LEAST_BOX || p->bottom - p->y < BOX_ROWS)
		return;
	for (int i = 0; i < n; i++) {
		int x = p->x + i * (width + 2);
		enum tui_style edge = step && step->ev.u.state.to == states[i] ? TUI_SELECT
				      : step && step->ev.u.state.from == states[i]
					  ? TUI_BOLD
					  : tui_state_style(states[i]);

		put_box(s, p, x, width, states[i], edge);
		if (i + 1 < n)
			tui_put(p->g, x + width, p->y + 1, s->look->arrow, TUI_DIM);
	}
	p->y += BOX_ROWS;
}

/* Writes the legal steps from a state: "idle (no_work), stopped (terminate)". */
static void say_next(struct tui_paper *p, const struct doze_policy_descriptor *d, const char *who,
		     enum doze_state from)
{
	char text[TUI_SENTENCE] = "";
	int n = 0;

	for (int to = 0; to < DOZE_STATE_COUNT; to++)
		for (int why = 0; why < DOZE_REASON_COUNT; why++)
			if (d->legal[from][to] >> why & 1 && n >= 0 && (size_t)n < sizeof text)
				n += snprintf(text + n, sizeof text - (size_t)n, "%s%s (%s)",
					      n ? ", " : "", tui_state_word((enum doze_state)to),
					      doze_reason_name((enum doze_reason)why));
	if (n)
		tui_sayf(p, TUI_DIM, "Possible next states of %s: %s.", who, text);
}

static void say_step(const struct tui_scene *s, struct tui_paper *p,
		     const struct doze_pool_view *pool, const char *who, const struct tui_event *e)
{
	char text[TUI_SENTENCE], before[80], after[80];

	tui_sayf(p, TUI_BOLD, "At %s %s: %s %s %s (%s).", tui_ns(s, e->at - s->view.origin), who,
		 tui_state_word(e->ev.u.state.from), s->look->micro[0] == 'u' ? "->" : "→",
		 tui_state_word(e->ev.u.state.to), doze_reason_name(e->ev.u.state.reason));
	tui_say(p, TUI_PLAIN, doze_event_why(text, sizeof text, pool, &e->ev));
	if (e->ev.has_words)
		tui_sayf(p, TUI_PLAIN, "Counters before: %s; after: %s.",
			 doze_word_sentence(before, sizeof before, pool, e->ev.old_word),
			 doze_word_sentence(after, sizeof after, pool, e->ev.new_word));
}

static void draw(const struct tui_scene *s, struct tui_paper *p)
{
	const struct doze_worker_view *w = tui_selected(s);
	const struct doze_pool_view *pool = tui_selected_pool(s);
	const struct doze_policy_descriptor *d = doze_policy_descriptor(pool ? pool->policy : "?");
	const struct tui_event *step = w ? last_step(s, w) : NULL;
	char who[TUI_NAME];

	p->x++;
	if (!w || !pool) {
		tui_say(p, TUI_DIM, "no workers yet");
		return;
	}
	tui_worker_name(s, &w->key, who);
	put_boxes(s, p, d, step);
	if (!step) {
		tui_sayf(p, TUI_DIM,
			 "%s has made no step up to here: . and , move through its steps", who);
		return;
	}
	say_step(s, p, pool, who, step);
	say_next(p, d, who, step->ev.u.state.to);
}

const struct tui_pane_type tui_pane_automaton = {
    .name = "automaton",
    .what = "the policy's states with the workers in them, and the last step",
    .draw = draw,
};
