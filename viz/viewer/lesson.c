/*
 * SPDX-License-Identifier: MIT
 *
 * lesson.c - see lesson.h.
 */
#include "lesson.h"

#include <stdio.h>
#include <string.h>

#include "panes.h"

/* The last 1/MARGIN of the window is later than the step's moment and therefore empty. */
enum { MARGIN = 8 };

bool tui_lesson_on(const struct tui_scene *s)
{
	return s->lesson.file && s->lesson.begun;
}

/* ---- moments ---- */

static bool is_the_event(const struct doze_moment *m, const struct doze_event *e)
{
	if (m->kind == DOZE_MOMENT_event)
		return (int)e->kind == m->what;
	return e->kind == DOZE_EV_worker_state && e->worker == m->worker &&
	       (int)e->u.state.to == m->what;
}

static bool find_event(const struct tui_tape *t, const struct doze_moment *m, int64_t *at)
{
	unsigned n = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->item[i].kind != TUI_ITEM_EVENT || !is_the_event(m, &t->item[i].ev))
			continue;
		*at = t->item[i].ev.ts;
		if (++n == m->nth)
			return true;
	}
	return false;
}

static bool find_storm(const struct tui_history *h, const struct doze_moment *m, int64_t *at)
{
	const struct tui_storm *storm = tui_ring_at(&h->storms, m->nth - 1);

	if (storm)
		*at = storm->at;
	return storm != NULL;
}

/* Finds a moment of a recording. h is the history of the whole recording. */
static bool find_moment(const struct tui_tape *t, const struct tui_history *h,
			const struct doze_moment *m, int64_t *at)
{
	bool found = true;

	*at = doze_model_totals(h->model)->first_ts;
	if (m->kind == DOZE_MOMENT_end)
		*at = h->clock;
	else if (m->kind == DOZE_MOMENT_storm)
		found = find_storm(h, m, at);
	else if (m->kind != DOZE_MOMENT_time)
		found = find_event(t, m, at);
	*at += m->plus;
	return found && *at <= h->clock;
}

/* ---- steps ---- */

static const struct doze_lesson_step *current(const struct tui_scene *s)
{
	return &s->lesson.file->step[s->lesson.step];
}

/* Replaces the history with one that ends at the current step. Keeps the old one if memory runs
 * out. */
static void show_step(struct tui_scene *s)
{
	const struct doze_lesson_step *step = current(s);
	struct tui_history *h = tui_history_new();

	if (!h) {
		snprintf(s->message, sizeof s->message, "out of memory");
		return;
	}
	tui_tape_feed(&s->lesson.tape, h, s->lesson.at[s->lesson.step]);
	tui_history_free(s->history);
	s->history = h;
	s->list.count = 0; /* drop the list's rows, because they point into the freed history */
	s->found = (struct tui_found){.numbers = s->found.numbers};
	s->found.numbers.count = 0;
	s->view.search[0] = '\0';
	s->view.playing = false;
	s->view.slow = 0;
	s->view.n_undo = 0;
	s->view.first_lane = 0;
	if (step->worker >= 0)
		s->view.selected = (size_t)step->worker;
	tui_pane_show(s, TUI_PANE_lesson);
	s->lesson.framed = false;
	s->lesson.scroll = 0;
}

bool tui_lesson_begin(struct tui_scene *s)
{
	struct tui_lesson *l = &s->lesson;
	char moment[64];

	for (size_t i = 0; i < l->file->steps; i++) {
		const struct doze_lesson_step *step = &l->file->step[i];

		if (l->tape.too_long) {
			snprintf(l->problem, sizeof l->problem,
				 "the recording has more than %d events: record a shorter run",
				 TUI_TAPE_MAX);
			return false;
		}
		if (find_moment(&l->tape, s->history, &step->at, &l->at[i]))
			continue;
		snprintf(l->problem, sizeof l->problem, "line %d: the recording has no '%s'",
			 step->line, doze_moment_text(&step->at, moment, sizeof moment));
		return false;
	}
	l->begun = true;
	show_step(s);
	return true;
}

void tui_lesson_frame(struct tui_scene *s)
{
	struct tui_lesson *l = &s->lesson;
	int64_t window;

	if (!tui_lesson_on(s) || l->framed)
		return;
	window = current(s)->window;
	l->framed = true;
	if (window == 0)
		window = (l->at[l->step] - s->view.first) * (MARGIN + 1) / MARGIN;
	tui_view_frame(&s->view, l->at[l->step], window, MARGIN);
}

static bool is_open(const struct tui_scene *s)
{
	return !s->lesson.over && current(s)->ask && !s->lesson.answer[s->lesson.step];
}

/* Shows the answer. The question counts as asked, even if the user did not guess. */
static void answer(struct tui_scene *s, int guess)
{
	struct tui_lesson *l = &s->lesson;

	l->answer[l->step] = guess;
	l->asked++;
	l->right += guess == current(s)->right + 1;
}

static enum tui_answer forward(struct tui_scene *s)
{
	struct tui_lesson *l = &s->lesson;

	if (is_open(s)) {
		answer(s, TUI_LESSON_SHOWN);
	} else if (l->step + 1 < l->file->steps) {
		l->step++;
		show_step(s);
	} else if (!l->over) {
		l->over = true;
		tui_pane_show(s, TUI_PANE_lesson);
	} else if (l->file->next) {
		l->go_on = true;
		return TUI_QUIT;
	}
	return TUI_GO_ON;
}

static void backward(struct tui_scene *s)
{
	struct tui_lesson *l = &s->lesson;

	if (l->over) {
		l->over = false;
	} else if (l->step > 0) {
		l->step--;
		show_step(s);
	}
}

/* Handles the keys Up and Down, which scroll a text that does not fit. */
static bool scroll(struct tui_scene *s, int key)
{
	int rows = s->layout.pane_n, most = tui_lesson_rows(s, s->layout.main_w) - rows;
	int by = key == TUI_KEY_UP          ? -1
		 : key == TUI_KEY_DOWN      ? 1
		 : key == TUI_KEY_PAGE_UP   ? -rows
		 : key == TUI_KEY_PAGE_DOWN ? rows
					    : 0;
	int to = s->lesson.scroll + by;

	if (!by)
		return false;
	s->lesson.scroll = to < 0 || most < 0 ? 0 : to > most ? most : to;
	return true;
}

/* Returns whether the key is a digit. Outside a lesson, digits switch between panes. In a lesson, a
 * digit that is not a valid answer must not do so. */
static bool is_digit(int key)
{
	return key >= '0' && key <= '9';
}

bool tui_lesson_key(struct tui_scene *s, int key, enum tui_answer *what)
{
	*what = TUI_GO_ON;
	if (!tui_lesson_on(s) || s->view.help)
		return false;
	if (key == ' ')
		*what = forward(s);
	else if (key == TUI_KEY_BACKSPACE || key == '\b')
		backward(s);
	else if (is_open(s) && key >= '1' && key < '1' + current(s)->choices)
		answer(s, key - '0');
	else
		return s->view.pane == TUI_PANE_lesson && (scroll(s, key) || is_digit(key));
	return true;
}

int tui_lesson_pane(const struct tui_scene *s)
{
	return tui_lesson_on(s) && !s->lesson.over ? current(s)->pane : -1;
}
