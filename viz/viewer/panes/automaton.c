/*
 * SPDX-License-Identifier: MIT
 *
 * automaton.c - draws the policy's states as boxes, with the workers as tokens and arrows
 * between the boxes. Below, it shows the selected worker's last step, the rule for that step, the
 * counters before and after it, and the steps that the worker may take next. All of this comes from
 * the policy's descriptor.
 */
#include <stdio.h>
#include <string.h>

#include "../../trace/policies.h"
#include "../../words/event_text.h"
#include "../screen/phrases.h"
#include "panes.h"

/* LEAST_TEXT: minimum number of rows for the sentences below the boxes, if the boxes are tall. */
enum { LEAST_BOX = 9, LEAST_TEXT = 6, MOST_TOKEN_ROWS = 8 };

/* Position and size of the boxes. */
struct boxes {
	enum doze_state state[DOZE_STATE_COUNT];
	int n, x, width, rows; /* rows: height, including the borders */
};

static int left_of(const struct boxes *b, int i)
{
	return b->x + i * (b->width + 2);
}

static int middle_of(const struct boxes *b, int i)
{
	return left_of(b, i) + b->width / 2;
}

/* Returns the selected worker's last change of state that is not after the focus, or null. */
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

/* Lists the policy's states. A rare state is included only if a worker was in it. A thread of a
 * crew waits or does not; that it still holds its mutex is no state of its own. */
static int states_of(const struct tui_scene *s, const struct doze_policy_descriptor *d,
		     enum doze_state *out)
{
	int n = 0;

	for (int st = DOZE_STATE_active; st < DOZE_STATE_COUNT; st++)
		if (!(d->foreign && st == DOZE_STATE_idle) && st != DOZE_STATE_stopped &&
		    doze_policy_has_state(d, (enum doze_state)st) &&
		    (st <= DOZE_STATE_sleeping || was_entered(s, (enum doze_state)st)))
			out[n++] = (enum doze_state)st;
	return n;
}

/* Returns the state in whose box a worker is shown. */
static enum doze_state box_of(const struct tui_scene *s, enum doze_state state)
{
	return state == DOZE_STATE_idle && tui_is_foreign(s) ? DOZE_STATE_active : state;
}

/* Draws a token for each shown worker in the state, as many as fit between y and bottom. */
static void put_tokens(const struct tui_scene *s, struct tui_grid *g, int left, int y, int end,
		       int bottom, enum doze_state state)
{
	const struct doze_worker_view *selected = tui_selected(s);
	char name[TUI_NAME];
	int x = left;

	for (size_t i = 0; i < s->now.n_lanes; i++) {
		const struct doze_worker_view *w = &s->now.workers[s->now.lanes[i]];
		bool unknown;

		if (box_of(s, tui_state_at_focus(s, w->key.row, &unknown)) != state || unknown)
			continue;
		tui_worker_name(s, &w->key, name);
		if (x + (int)strlen(name) > end && y + 1 >= bottom) {
			tui_put(g, end - 1, y, s->glyphs->more, TUI_DIM);
			return;
		}
		if (x + (int)strlen(name) > end) {
			x = left;
			y++;
		}
		x = tui_text(g, x, y, end, w == selected ? TUI_SELECT : tui_state_style(state),
			     name) +
		    1;
	}
}

/* Returns whether the boxes are wide enough for both names of a state: "works (active)". */
static bool has_long_titles(const struct tui_scene *s, const struct boxes *b)
{
	for (int i = 0; i < b->n; i++)
		if ((int)strlen(tui_state_phrase(s, b->state[i])) > b->width - 3)
			return false;
	return true;
}

static void put_box(const struct tui_scene *s, struct tui_textbox *p, const struct boxes *b, int i,
		    enum tui_style edge)
{
	int x = left_of(b, i), end = x + b->width, bottom = p->y + b->rows - 1;

	tui_fill(p->g, x, p->y, b->width, s->glyphs->rule, edge);
	tui_textf(p->g, x + 1, p->y, end, edge, " %s ",
		  has_long_titles(s, b) ? tui_state_phrase(s, b->state[i])
					: tui_state_word(s, b->state[i]));
	tui_fill(p->g, x, bottom, b->width, s->glyphs->rule, edge);
	for (int y = p->y + 1; y < bottom; y++) {
		tui_put(p->g, x, y, s->glyphs->side, edge);
		tui_put(p->g, end - 1, y, s->glyphs->side, edge);
	}
	put_tokens(s, p->g, x + 2, p->y + 1, end - 1, bottom, b->state[i]);
}

/* Returns the number of rows that a box needs if all workers are in it, but at most `room`. */
static int token_rows(const struct tui_scene *s, int width, int room)
{
	char name[TUI_NAME];
	int columns = 0, rows;

	for (size_t i = 0; i < s->now.n_lanes; i++)
		columns +=
		    (int)strlen(tui_worker_name(s, &s->now.workers[s->now.lanes[i]].key, name)) + 1;
	rows = columns / (width > 8 ? width - 6 : 2) + 1;
	rows = rows < MOST_TOKEN_ROWS ? rows : MOST_TOKEN_ROWS;
	return rows < room ? rows : room < 1 ? 1 : room;
}

/* If the policy has steps from later states back to the state `to`, draws an arrow back to that
 * state's box, and the reasons for these steps. */
static void put_arrow_back(const struct tui_scene *s, struct tui_textbox *p, const struct boxes *b,
			   const struct doze_policy_descriptor *d, int to)
{
	int head = middle_of(b, to), last = head;
	uint32_t reasons = 0;
	char text[TUI_SENTENCE];

	for (int i = to + 1; i < b->n; i++) {
		uint32_t legal = d->legal[b->state[i]][b->state[to]];

		reasons |= legal;
		last = legal ? middle_of(b, i) : last;
	}
	if (last == head || p->y >= p->bottom - LEAST_TEXT)
		return;
	tui_fill(p->g, head, p->y, last - head, s->glyphs->rule, TUI_DIM);
	for (int i = to + 1; i < b->n; i++)
		if (d->legal[b->state[i]][b->state[to]])
			tui_put(p->g, middle_of(b, i), p->y,
				middle_of(b, i) < last ? s->glyphs->join : s->glyphs->turn,
				TUI_DIM);
	tui_put(p->g, head, p->y, s->glyphs->up, TUI_DIM);
	tui_reasons(s, reasons, text, sizeof text);
	if (last + 2 + (int)strlen(text) <= p->end)
		head = last;
	else
		p->y++;
	/* The reasons are to the right of the arrow if they fit there, otherwise below it, as far
	 * to the right as they fit. */
	if (head + 2 + (int)strlen(text) > p->end)
		head = p->end - (int)strlen(text) - 2;
	tui_text(p->g, head < p->x ? p->x : head + 2, p->y, p->end, TUI_DIM, text);
	p->y++;
}

static void put_boxes(const struct tui_scene *s, struct tui_textbox *p,
		      const struct doze_policy_descriptor *d, const struct tui_event *step)
{
	struct boxes b = {.x = p->x};

	b.n = states_of(s, d, b.state);
	b.width = b.n ? (p->end - p->x) / b.n - 2 : 0;
	b.rows = 2 + token_rows(s, b.width, p->bottom - p->y - LEAST_TEXT - 4);
	if (b.width < LEAST_BOX || p->bottom - p->y < b.rows)
		return;
	for (int i = 0; i < b.n; i++) {
		enum tui_style edge = step && box_of(s, step->ev.u.state.to) == b.state[i]
					  ? TUI_SELECT
				      : step && box_of(s, step->ev.u.state.from) == b.state[i]
					  ? TUI_BOLD
					  : tui_state_style(b.state[i]);

		put_box(s, p, &b, i, edge);
		if (i + 1 < b.n && d->legal[b.state[i]][b.state[i + 1]])
			tui_put(p->g, left_of(&b, i) + b.width, p->y + 1, s->glyphs->arrow,
				TUI_DIM);
	}
	p->y += b.rows;
	for (int i = 0; i < b.n; i++)
		put_arrow_back(s, p, &b, d, i);
}

/* Writes the legal steps from a state: "searches (no work found), stopped (the pool ends)". */
static void say_next(const struct tui_scene *s, struct tui_textbox *p,
		     const struct doze_policy_descriptor *d, const char *who, enum doze_state from)
{
	char text[TUI_SENTENCE] = "", why[TUI_SENTENCE];
	int n = 0;

	for (int to = 0; to < DOZE_STATE_COUNT; to++)
		if (d->legal[from][to] && n >= 0 && (size_t)n < sizeof text)
			n += snprintf(text + n, sizeof text - (size_t)n, "%s%s (%s)", n ? ", " : "",
				      tui_state_word(s, (enum doze_state)to),
				      tui_reasons(s, d->legal[from][to], why, sizeof why));
	if (n)
		tui_sayf(p, TUI_DIM, "Possible next states of %s: %s.", who, text);
}

static void say_step(const struct tui_scene *s, struct tui_textbox *p,
		     const struct doze_pool_view *pool, const char *who, const struct tui_event *e)
{
	char text[TUI_SENTENCE], before[80], after[80];

	tui_sayf(p, TUI_BOLD, "At %s %s: %s %s %s (%s).", tui_ns(s, e->at - s->view.origin), who,
		 tui_state_word(s, e->ev.u.state.from), s->glyphs->micro[0] == 'u' ? "->" : "→",
		 tui_state_word(s, e->ev.u.state.to),
		 tui_reasons(s, 1u << e->ev.u.state.reason, before, sizeof before));
	tui_say(p, TUI_PLAIN, doze_event_why(text, sizeof text, pool, &e->ev));
	if (e->ev.has_words && !doze_pool_is_crew(pool))
		tui_sayf(p, TUI_PLAIN, "Counters before: %s; after: %s.",
			 doze_word_sentence(before, sizeof before, pool, e->ev.old_word),
			 doze_word_sentence(after, sizeof after, pool, e->ev.new_word));
}

static void draw(const struct tui_scene *s, struct tui_textbox *p)
{
	const struct doze_worker_view *w = tui_selected(s);
	const struct doze_pool_view *pool = tui_selected_pool(s);
	const struct doze_policy_descriptor *d = doze_policy_descriptor(pool ? pool->policy : "?");
	const struct tui_event *step = w ? last_step(s, w) : NULL;
	char who[TUI_NAME];

	p->x++;
	if (!w || !pool) {
		tui_say(p, TUI_DIM, tui_is_foreign(s) ? "no threads yet" : "no workers yet");
		return;
	}
	tui_worker_name(s, &w->key, who);
	put_boxes(s, p, d, step);
	if (!step) {
		tui_sayf(p, TUI_DIM,
			 "%s has taken no step up to here: . and , move through its steps", who);
		return;
	}
	say_step(s, p, pool, who, step);
	say_next(s, p, d, who, step->ev.u.state.to);
	if (doze_pool_has_jec(pool))
		tui_say(
		    p, TUI_DIM,
		    "JEC: the jobs event counter. A worker that becomes sleepy makes it even, and "
		    "the next post makes it odd. A sleepy worker sleeps only if it has not "
		    "changed.");
}

const struct tui_pane_type tui_pane_automaton = {
    .name = "automaton",
    .what = "the policy's states with the workers in them, and the last step",
    .draw = draw,
};
