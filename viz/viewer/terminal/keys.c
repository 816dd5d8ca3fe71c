/*
 * SPDX-License-Identifier: MIT
 *
 * keys.c - see keys.h. The table at the end has one line per key: its names, help text and
 * function.
 */
#include "keys.h"

#include <stdio.h>
#include <string.h>

#include "../panes/panes.h"
#include "tui.h"

/* ---- the names of keys, for --keys ---- */

static const struct {
	const char *name;
	int key;
} names[] = {
    {"<Enter>", TUI_KEY_ENTER}, {"<Esc>", TUI_KEY_ESC},      {"<Tab>", TUI_KEY_TAB},
    {"<Up>", TUI_KEY_UP},       {"<Down>", TUI_KEY_DOWN},    {"<Left>", TUI_KEY_LEFT},
    {"<Right>", TUI_KEY_RIGHT}, {"<PgUp>", TUI_KEY_PAGE_UP}, {"<PgDn>", TUI_KEY_PAGE_DOWN}};

int tui_next_key(const char **text)
{
	if (**text != '<' || !(*text)[1])
		return **text ? (unsigned char)*(*text)++ : 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t len = strlen(names[i].name);

		if (strncmp(*text, names[i].name, len) != 0)
			continue;
		*text += len;
		return names[i].key;
	}
	return -1;
}

bool doze_tui_keys_known(const char *keys)
{
	int key;

	do
		key = tui_next_key(&keys);
	while (key > 0);
	return key == 0;
}

/* ---- exit, help, pause, save ---- */

/* Exits. In a live session with findings that have not been saved, the first press only offers to
 * save them. */
static enum tui_answer quit(struct tui_scene *s, int key)
{
	(void)key;
	if (!s->can_save || s->saved || s->asked || !s->now.totals.findings)
		return TUI_QUIT;
	s->asked = true;
	snprintf(s->message, sizeof s->message,
		 "there are findings: ! saves the session; q again quits and deletes it");
	return TUI_GO_ON;
}

/* Shows or hides the help, the rows of wakes, or everything but the pane. */
static enum tui_answer toggle(struct tui_scene *s, int key)
{
	bool *shown = key == 'w' ? &s->view.marks : key == 'z' ? &s->view.big : &s->view.help;

	*shown = !*shown;
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
	else if (tui_pane_close(s))
		return TUI_GO_ON;
	else if (s->view.big)
		s->view.big = false;
	else
		tui_view_back(&s->view, s->status.live);
	return TUI_GO_ON;
}

static enum tui_answer save(struct tui_scene *s, int key)
{
	(void)key;
	snprintf(s->message, sizeof s->message, "only 'doze live' with a program can save");
	return TUI_SAVE;
}

/* ---- moving in time ---- */

static enum tui_answer follow(struct tui_scene *s, int key)
{
	(void)key;
	tui_view_remember(&s->view);
	s->view.paused = false;
	tui_view_follow(&s->view);
	return TUI_GO_ON;
}

/* Starts playback at the cursor, or at the left edge if there is no cursor or the cursor is at the
 * end. */
static enum tui_answer play(struct tui_scene *s, int key)
{
	struct tui_view *v = &s->view;

	(void)key;
	v->playing = !v->playing;
	v->slow = v->stop_at = 0;
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
	tui_view_pan(&s->view, key == 'H' ? -half : half);
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

/* ---- lanes and panes ---- */

static enum tui_answer select_lane(struct tui_scene *s, int key)
{
	if (key == 'k')
		s->view.selected -= s->view.selected > 0;
	else if (s->view.selected + 1 < s->now.n_lanes)
		s->view.selected++;
	return TUI_GO_ON;
}

/* The keys Up, Down, PageUp and PageDown: scroll the help, or move through the pane's rows. If the
 * pane has no rows, they select a worker. */
static enum tui_answer move(struct tui_scene *s, int key)
{
	int rows = s->layout.pane_n > 2 ? s->layout.pane_n - 2 : 1;
	int by = key == TUI_KEY_UP          ? -1
		 : key == TUI_KEY_DOWN      ? 1
		 : key == TUI_KEY_PAGE_UP   ? -rows
		 : key == TUI_KEY_PAGE_DOWN ? rows
					    : 0;

	if (s->view.help)
		s->view.help_scroll += s->view.help_scroll + by >= 0 ? by : -s->view.help_scroll;
	else if (tui_pane_at(s->view.pane)->list)
		tui_pane_move(s, by);
	else
		select_lane(s, by < 0 ? 'k' : 'j');
	return TUI_GO_ON;
}

static enum tui_answer pane(struct tui_scene *s, int key)
{
	int move = key == TUI_KEY_BACKTAB ? TUI_PANE_COUNT - 1 : 1, to = s->view.pane;

	do
		to = (to + move) % TUI_PANE_COUNT;
	while (!tui_pane_exists(s, to));
	tui_pane_show(s, to);
	return TUI_GO_ON;
}

static enum tui_answer pane_number(struct tui_scene *s, int key)
{
	tui_pane_show(s, key - '1');
	return TUI_GO_ON;
}

/* Opens the row at the cursor. In a pane without rows, shows the explanation of the selected
 * worker. */
static enum tui_answer open_row(struct tui_scene *s, int key)
{
	(void)key;
	if (!tui_pane_open(s) && s->view.pane != TUI_PANE_explain)
		tui_pane_show(s, TUI_PANE_explain);
	return TUI_GO_ON;
}

/* Switches between the story and the explanation, or the events. */
static enum tui_answer from_story(struct tui_scene *s, int key)
{
	int other = key == 'e' ? TUI_PANE_explain : TUI_PANE_events;

	tui_pane_show(s, s->view.pane == other ? TUI_PANE_story : other);
	return TUI_GO_ON;
}

static enum tui_answer sort(struct tui_scene *s, int key)
{
	tui_pane_sort(s, key == 'O');
	return TUI_GO_ON;
}

static const char search_prompt[] = "search events for",
		  time_prompt[] = "go to the time (90, 1.5s, 20ms or 1:30:00)",
		  filter_prompt[] = "show only workers (for example 0-3,6; empty: all)";

static enum tui_answer ask(struct tui_scene *s, int key)
{
	s->prompt = key == '/' ? search_prompt : key == 't' ? time_prompt : filter_prompt;
	s->typed[0] = '\0';
	return TUI_GO_ON;
}

/* ---- prompts ---- */

static void typed(struct tui_scene *s)
{
	bool is_search = s->prompt == search_prompt, is_time = s->prompt == time_prompt;

	s->prompt = NULL;
	if (is_search) {
		snprintf(s->view.search, sizeof s->view.search, "%s", s->typed);
		tui_search_update(s);
		tui_jump_search_again(s, 'n');
		tui_pane_show(s, TUI_PANE_search);
	} else if (is_time) {
		tui_jump_time(s, s->typed);
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
	enum tui_answer answer;

	s->message[0] = s->banner[0] = '\0';
	if (s->prompt) {
		type(s, key);
		return TUI_GO_ON;
	}
	if (tui_lesson_key(s, key, &answer))
		return answer;
	if (tui_quiz_key(s, key))
		return TUI_GO_ON;
	for (const struct tui_key *k = tui_keys; k->help; k++)
		for (size_t i = 0; i < sizeof k->keys / sizeof *k->keys && k->keys[i]; i++)
			if (k->keys[i] == key)
				return k->run(s, key);
	return TUI_GO_ON;
}

/* ---- the mouse ---- */

static void click_tab(struct tui_scene *s, int x)
{
	for (int i = 0; i < TUI_PANE_COUNT; i++)
		if (x >= s->areas.tab_x[i] && x < s->areas.tab_end[i])
			tui_pane_show(s, i);
}

void tui_mouse_press(struct tui_scene *s, int x, int y, int wheel)
{
	const struct tui_areas *a = &s->areas;
	int64_t t = tui_view_left(&s->view) + (x - a->lane_x) * s->view.at.per_cell;
	int lane = a->lane_h ? (y - a->lanes_y) / a->lane_h : 0;

	if (s->view.help)
		return;
	if (y == a->tabs_y && !wheel)
		click_tab(s, x);
	if (y >= a->pane_y && y < a->pane_y + a->pane_n && wheel)
		tui_pane_move(s, -wheel);
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
    {"?", "this help (also F1)", "help", {'?', TUI_KEY_F1}, toggle},
    {"Space", "pause the screen", "pause", {' '}, pause_view},
    {"p", "play from the cursor", "play", {'p'}, play},
    {"f", "follow the newest event", "follow", {'f'}, follow},
    {"+ -", "zoom in, out at the cursor", "zoom", {'+', '-', '='}, zoom},
    {"0", "fit the whole trace", "fit", {'0'}, zoom},
    {"arrows", "move the cursor (also h l)", "move", {TUI_KEY_LEFT, TUI_KEY_RIGHT, 'h', 'l'}, step},
    {"up down",
     "choose a row (or PgUp PgDn)",
     NULL,
     {TUI_KEY_UP, TUI_KEY_DOWN, TUI_KEY_PAGE_UP, TUI_KEY_PAGE_DOWN},
     move},
    {"Enter", "open the row; Esc closes it", NULL, {TUI_KEY_ENTER, '\r'}, open_row},
    {"o O", "next sort order; reverse it", NULL, {'o', 'O'}, sort},
    {"z", "maximise the pane, restore", NULL, {'z'}, toggle},
    {"k j", "select a worker", NULL, {'k', 'j'}, select_lane},
    {"H L", "scroll in time", NULL, {'H', 'L'}, page},
    {"g G", "start, end (also Home End)", NULL, {'g', 'G', TUI_KEY_HOME, TUI_KEY_END}, ends},
    {"t", "go to a time", "time", {'t'}, ask},
    {"Tab", "next pane", "pane", {TUI_KEY_TAB, TUI_KEY_BACKTAB}, pane},
    {"1 ... 8",
     "go to a pane by number",
     NULL,
     {'1', '2', '3', '4', '5', '6', '7', '8'},
     pane_number},
    {"e", "explain the worker's state", "explain", {'e'}, from_story},
    {"E", "switch to events or story", NULL, {'E'}, from_story},
    {"[ ]", "previous, next event", "event", {'[', ']'}, tui_jump_event},
    {", .", "previous, next transition", "step", {',', '.'}, tui_jump_transition},
    {"s S", "play next, previous storm", "storm", {'s', 'S'}, tui_slow_motion_storm},
    {"< >", "slow motion: slower, faster", NULL, {'<', '>'}, tui_slow_motion_speed},
    {"P", "quiz: predict the state", NULL, {'P'}, tui_quiz_toggle},
    {"/", "search the events", "search", {'/'}, ask},
    {"n N", "next, previous match", NULL, {'n', 'N'}, tui_jump_search_again},
    {"\\", "filter the workers", "filter", {'\\'}, ask},
    {"m", "set or remove a bookmark", "mark", {'m'}, tui_jump_bookmark},
    {"'", "next mark or bookmark", NULL, {'\''}, tui_jump_next_mark},
    {"w", "show or hide wakes", NULL, {'w'}, toggle},
    {"!", "save the session so far", NULL, {'!'}, save},
    {"u", "undo the last move", "undo", {'u'}, undo},
    {"Esc", "back; hide cursor; follow", NULL, {TUI_KEY_ESC}, back},
    {"Ctrl-L", "redraw the screen", NULL, {'\f'}, redraw},
    {NULL, NULL, NULL, {0}, NULL},
};
