/*
 * SPDX-License-Identifier: MIT
 *
 * keys.c - see keys.h. The table is at the foot; a line there is a key, its help and its function.
 */
#include "keys.h"

#include <stdio.h>
#include <string.h>

#include "describe.h"

/* ---- the program, the screen ---- */

static enum tui_answer quit(struct tui_scene *s, int key)
{
	(void)s;
	(void)key;
	return TUI_QUIT;
}

static enum tui_answer help(struct tui_scene *s, int key)
{
	(void)key;
	s->view.help = !s->view.help;
	return TUI_GO_ON;
}

static enum tui_answer redraw(struct tui_scene *s, int key)
{
	(void)s;
	(void)key;
	return TUI_REDRAW;
}

static enum tui_answer pause_view(struct tui_scene *s, int key)
{
	(void)key;
	if (s->view.playing)
		s->view.playing = false;
	else
		s->view.paused = !s->view.paused;
	return TUI_GO_ON;
}

static enum tui_answer back(struct tui_scene *s, int key)
{
	(void)key;
	if (s->view.help)
		s->view.help = false;
	else
		tui_view_back(&s->view, s->status.live);
	return TUI_GO_ON;
}

/* ---- time ---- */

static enum tui_answer follow(struct tui_scene *s, int key)
{
	(void)key;
	tui_view_remember(&s->view);
	s->view.paused = false;
	tui_view_follow(&s->view);
	return TUI_GO_ON;
}

/* From the cursor, or from the left edge when there is none or nothing is left to play. */
static enum tui_answer play(struct tui_scene *s, int key)
{
	struct tui_view *v = &s->view;

	(void)key;
	v->playing = !v->playing;
	if (!v->playing)
		return TUI_GO_ON;
	tui_view_remember(v);
	if (!v->at.has_cursor || v->at.cursor >= v->last)
		tui_view_goto(v, tui_view_left(v));
	return TUI_GO_ON;
}

static enum tui_answer zoom(struct tui_scene *s, int key)
{
	tui_view_remember(&s->view);
	if (key == '0')
		tui_view_fit(&s->view);
	else
		tui_view_zoom(&s->view, key == '-' ? -1 : 1);
	return TUI_GO_ON;
}

static enum tui_answer step(struct tui_scene *s, int key)
{
	tui_view_step(&s->view, key == TUI_KEY_LEFT || key == 'h' ? -1 : 1);
	return TUI_GO_ON;
}

static enum tui_answer page(struct tui_scene *s, int key)
{
	int64_t half = s->view.cells / 2 + 1;

	tui_view_remember(&s->view);
	tui_view_pan(&s->view, key == TUI_KEY_PAGE_UP || key == 'H' ? -half : half);
	return TUI_GO_ON;
}

static enum tui_answer ends(struct tui_scene *s, int key)
{
	tui_view_remember(&s->view);
	if (key == 'g' || key == TUI_KEY_HOME)
		tui_view_goto(&s->view, s->view.first);
	else if (s->status.live)
		tui_view_follow(&s->view);
	else
		tui_view_goto(&s->view, s->view.last);
	return TUI_GO_ON;
}

static enum tui_answer undo(struct tui_scene *s, int key)
{
	(void)key;
	tui_view_undo(&s->view);
	return TUI_GO_ON;
}

/* ---- jumping by what happened ---- */

static void jump(struct tui_scene *s, bool found, int64_t t, const char *what)
{
	if (!found) {
		snprintf(s->message, sizeof s->message, "no %s there", what);
		return;
	}
	tui_view_remember(&s->view);
	tui_view_goto(&s->view, t);
}

/* Newest first or oldest first from the focus: the next event that fits; null when none does. */
static const struct tui_event *next_event(const struct tui_scene *s, bool forward,
					  bool (*fits)(const struct tui_scene *,
						       const struct tui_event *))
{
	const struct tui_ring *r = &s->history->events;
	int64_t t = tui_view_focus(&s->view);
	size_t i = forward ? tui_ring_after(r, t) : tui_ring_after(r, t - 1) - 1;

	for (; i < r->count; i += forward ? 1 : (size_t)-1) {
		const struct tui_event *e = tui_ring_at(r, i);

		if (e->at <= s->now.clock && fits(s, e))
			return e;
	}
	return NULL;
}

static bool is_shown(const struct tui_scene *s, const struct tui_event *e)
{
	return tui_view_shows(&s->view, e->ev.worker);
}

static bool is_found(const struct tui_scene *s, const struct tui_event *e)
{
	char line[TUI_LINE], text[TUI_LINE + 32], who[16];

	tui_describe_event(s, e, line, sizeof line);
	snprintf(text, sizeof text, "%s %s", tui_who(who, sizeof who, e->ev.worker), line);
	return is_shown(s, e) && strstr(text, s->view.search);
}

static enum tui_answer event(struct tui_scene *s, int key)
{
	const struct tui_event *e = next_event(s, key == ']', is_shown);

	jump(s, e != NULL, e ? e->at : 0, "event");
	return TUI_GO_ON;
}

static enum tui_answer search_again(struct tui_scene *s, int key)
{
	const struct tui_event *e;

	if (!s->view.search[0])
		return TUI_GO_ON;
	e = next_event(s, key == 'n', is_found);
	jump(s, e != NULL, e ? e->at : 0, "such event");
	return TUI_GO_ON;
}

static bool last_span_before(const struct tui_ring *r, int64_t t, int64_t *from)
{
	for (size_t i = tui_ring_after(r, t); i != (size_t)-1; i--) {
		const struct tui_span *span = tui_ring_at(r, i);

		if (span && span->from < t) {
			*from = span->from;
			return true;
		}
	}
	return false;
}

static bool first_span_after(const struct tui_ring *r, int64_t t, int64_t *from)
{
	for (size_t i = tui_ring_after(r, t); i < r->count; i++) {
		const struct tui_span *span = tui_ring_at(r, i);

		if (span->from > t) {
			*from = span->from;
			return true;
		}
	}
	return false;
}

/* The state that a worker is in now is no span of the history yet. */
static bool transition_of(const struct tui_scene *s, const struct doze_worker_view *w, bool forward,
			  int64_t t, int64_t *to)
{
	static const struct tui_ring none;
	bool started = w->state != DOZE_STATE_none;
	const struct tui_ring *r =
	    w->key.row < s->history->n_lanes ? &s->history->lanes[w->key.row].spans : &none;

	*to = w->since;
	if (forward)
		return first_span_after(r, t, to) || (started && w->since > t);
	return (started && w->since < t) || last_span_before(r, t, to);
}

static enum tui_answer transition(struct tui_scene *s, int key)
{
	const struct doze_worker_view *w = tui_selected(s);
	int64_t to = 0;
	bool found = w && transition_of(s, w, key == '.', tui_view_focus(&s->view), &to);

	jump(s, found && to <= s->now.clock, to, "transition");
	return TUI_GO_ON;
}

static enum tui_answer storm(struct tui_scene *s, int key)
{
	const struct tui_ring *r = &s->history->storms;
	int64_t t = tui_view_focus(&s->view);
	const struct tui_storm *item = key == 's' ? tui_ring_at(r, tui_ring_after(r, t))
						  : tui_ring_at(r, tui_ring_after(r, t - 1) - 1);

	jump(s, item && item->storm.to <= s->now.clock, item ? item->at : 0, "storm");
	return TUI_GO_ON;
}

static enum tui_answer bookmark(struct tui_scene *s, int key)
{
	(void)key;
	tui_view_bookmark(&s->view, tui_view_focus(&s->view));
	return TUI_GO_ON;
}

/* The next bookmark or program mark after the focus, round to the first. */
static enum tui_answer next_mark(struct tui_scene *s, int key)
{
	const struct tui_ring *r = &s->history->marks;
	int64_t t = tui_view_focus(&s->view), best = INT64_MAX, first = INT64_MAX;

	(void)key;
	for (size_t i = 0; i < r->count + s->view.n_bookmarks; i++) {
		int64_t at = i < r->count ? ((struct tui_event *)tui_ring_at(r, i))->at
					  : s->view.bookmarks[i - r->count];

		if (at > t && at < best)
			best = at;
		if (at < first)
			first = at;
	}
	jump(s, first != INT64_MAX, best != INT64_MAX ? best : first, "mark");
	return TUI_GO_ON;
}

/* ---- lanes and panes ---- */

static enum tui_answer select_lane(struct tui_scene *s, int key)
{
	if (key == TUI_KEY_UP || key == 'k')
		s->view.selected -= s->view.selected > 0;
	else if (s->view.selected + 1 < s->now.n_lanes)
		s->view.selected++;
	return TUI_GO_ON;
}

static enum tui_answer pane(struct tui_scene *s, int key)
{
	int n = s->has_output ? TUI_PANE_COUNT : TUI_PANE_COUNT - 1;
	int move = key == TUI_KEY_BACKTAB ? n - 1 : 1;

	s->view.pane = (enum tui_pane)(((int)s->view.pane + move) % n);
	return TUI_GO_ON;
}

static enum tui_answer pane_number(struct tui_scene *s, int key)
{
	s->view.pane = (enum tui_pane)(key - '1');
	return TUI_GO_ON;
}

static enum tui_answer explain(struct tui_scene *s, int key)
{
	(void)key;
	s->view.pane = s->view.pane == TUI_EXPLAIN ? TUI_EVENTS : TUI_EXPLAIN;
	return TUI_GO_ON;
}

static enum tui_answer wakes(struct tui_scene *s, int key)
{
	(void)key;
	s->view.marks = !s->view.marks;
	return TUI_GO_ON;
}

static enum tui_answer ask(struct tui_scene *s, int key)
{
	s->prompt = key == '/' ? "search events for" : "show only workers (like 0-3,6; empty: all)";
	s->typed[0] = '\0';
	return TUI_GO_ON;
}

/* ---- typing ---- */

static void typed(struct tui_scene *s)
{
	bool is_search = s->prompt[0] == 's' && s->prompt[1] == 'e';

	s->prompt = NULL;
	if (is_search) {
		snprintf(s->view.search, sizeof s->view.search, "%s", s->typed);
		search_again(s, 'n');
	} else if (!tui_view_set_filter(&s->view, s->typed)) {
		snprintf(s->message, sizeof s->message, "not a list of workers: %.60s", s->typed);
	}
}

static void type(struct tui_scene *s, int key)
{
	size_t len = strlen(s->typed);

	if (key == TUI_KEY_ESC)
		s->prompt = NULL;
	else if (key == TUI_KEY_ENTER || key == '\r')
		typed(s);
	else if ((key == TUI_KEY_BACKSPACE || key == '\b') && len > 0)
		s->typed[len - 1] = '\0';
	else if (key >= ' ' && key < 127 && len + 1 < sizeof s->typed)
		snprintf(s->typed + len, sizeof s->typed - len, "%c", key);
}

enum tui_answer tui_key_press(struct tui_scene *s, int key)
{
	s->message[0] = '\0';
	if (s->prompt) {
		type(s, key);
		return TUI_GO_ON;
	}
	for (const struct tui_key *k = tui_keys; k->help; k++)
		for (size_t i = 0; i < sizeof k->keys / sizeof *k->keys && k->keys[i]; i++)
			if (k->keys[i] == key)
				return k->run(s, key);
	return TUI_GO_ON;
}

/* ---- mouse ---- */

static void click_tab(struct tui_scene *s, int x)
{
	for (int i = 0; i < TUI_PANE_COUNT; i++)
		if (x >= s->areas.tab_x[i] && x < s->areas.tab_end[i])
			s->view.pane = (enum tui_pane)i;
}

void tui_mouse_press(struct tui_scene *s, int x, int y, int wheel)
{
	const struct tui_areas *a = &s->areas;
	int64_t t = tui_view_left(&s->view) + (x - a->lane_x) * s->view.at.per_cell;
	int lane = y - a->lanes_y;

	if (s->view.help)
		return;
	if (y == a->tabs_y && !wheel)
		click_tab(s, x);
	if (x < a->lane_x || x >= a->lane_x + s->view.cells || y >= a->tabs_y)
		return;
	if (lane >= 0 && lane < a->lanes_n)
		s->view.selected = s->view.first_lane + (size_t)lane;
	tui_view_remember(&s->view);
	tui_view_goto(&s->view, t);
	if (wheel)
		tui_view_zoom(&s->view, wheel);
}

const struct tui_key tui_keys[] = {
    {"q", "quit (also F10)", "quit", {'q', TUI_KEY_F10}, quit},
    {"?", "this help (also F1)", "help", {'?', TUI_KEY_F1}, help},
    {"Space", "pause; events go on", "pause", {' '}, pause_view},
    {"p", "play from the cursor", "play", {'p'}, play},
    {"f", "follow the newest event", "follow", {'f'}, follow},
    {"+ -", "zoom in, out at the cursor", "zoom", {'+', '-', '='}, zoom},
    {"0", "fit the whole trace", "fit", {'0'}, zoom},
    {"arrows", "move the cursor (also h l)", "move", {TUI_KEY_LEFT, TUI_KEY_RIGHT, 'h', 'l'}, step},
    {"up down",
     "choose a worker (also k j)",
     NULL,
     {TUI_KEY_UP, TUI_KEY_DOWN, 'k', 'j'},
     select_lane},
    {"PgUp PgDn",
     "scroll in time (also H L)",
     "scroll",
     {TUI_KEY_PAGE_UP, TUI_KEY_PAGE_DOWN, 'H', 'L'},
     page},
    {"g G", "begin, end (also Home End)", NULL, {'g', 'G', TUI_KEY_HOME, TUI_KEY_END}, ends},
    {"Tab", "next pane", "pane", {TUI_KEY_TAB, TUI_KEY_BACKTAB}, pane},
    {"1 ... 7", "pane by its number", NULL, {'1', '2', '3', '4', '5', '6', '7'}, pane_number},
    {"Enter e", "why is the worker so?", "explain", {TUI_KEY_ENTER, 'e', '\r'}, explain},
    {"[ ]", "last, next event", "event", {'[', ']'}, event},
    {", .", "its last, next transition", "step", {',', '.'}, transition},
    {"s S", "next, last wakeup storm", "storm", {'s', 'S'}, storm},
    {"/", "search the events", "search", {'/'}, ask},
    {"n N", "next, last one found", NULL, {'n', 'N'}, search_again},
    {"\\", "show only some workers", "filter", {'\\'}, ask},
    {"m", "bookmark, on and off", "mark", {'m'}, bookmark},
    {"'", "next mark or bookmark", NULL, {'\''}, next_mark},
    {"w", "wake marks, on and off", NULL, {'w'}, wakes},
    {"u", "undo the last move", "undo", {'u'}, undo},
    {"Esc", "back; no cursor; follow", NULL, {TUI_KEY_ESC}, back},
    {"Ctrl-L", "draw the screen anew", NULL, {'\f'}, redraw},
    {NULL, NULL, NULL, {0}, NULL},
};
