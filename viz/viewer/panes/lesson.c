/*
 * SPDX-License-Identifier: MIT
 *
 * lesson.c - runs a lesson, and draws the text of its current step and its question with the
 * answers. draw.c draws the pane that belongs to the step below them.
 */
#include <stdio.h>
#include <string.h>

#include "lesson_file.h"
#include "panes.h"

/* The last 1/MARGIN of the window is later than the step's moment and therefore empty. */
enum { MARGIN = 8 };

bool tui_lesson_on(const struct tui_scene *s)
{
	return s->lesson.file && s->lesson.begun;
}

/* ---- moments ---- */

static bool is_the_event(const struct doze_lesson_place *m, const struct doze_event *e)
{
	if (m->kind == DOZE_LESSON_PLACE_event)
		return (int)e->kind == m->what;
	return e->kind == DOZE_EV_worker_state && e->worker == m->worker &&
	       (int)e->u.state.to == m->what;
}

static bool find_event(const struct tui_recording *t, const struct doze_lesson_place *m,
		       int64_t *at)
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

static bool find_storm(const struct tui_history *h, const struct doze_lesson_place *m, int64_t *at)
{
	const struct tui_storm *storm = tui_ring_at(&h->storms, m->nth - 1);

	if (storm)
		*at = storm->at;
	return storm != NULL;
}

/* Finds a moment of a recording. h is the history of the whole recording. */
static bool find_moment(const struct tui_recording *t, const struct tui_history *h,
			const struct doze_lesson_place *m, int64_t *at)
{
	bool found = true;

	*at = doze_model_totals(h->model)->first_ts;
	if (m->kind == DOZE_LESSON_PLACE_end)
		*at = h->clock;
	else if (m->kind == DOZE_LESSON_PLACE_storm)
		found = find_storm(h, m, at);
	else if (m->kind != DOZE_LESSON_PLACE_time)
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
	tui_recording_feed(&s->lesson.recording, h, s->lesson.at[s->lesson.step]);
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

		if (l->recording.too_long) {
			snprintf(l->problem, sizeof l->problem,
				 "the recording has more than %d events: record a shorter run",
				 TUI_RECORDING_MAX);
			return false;
		}
		if (find_moment(&l->recording, s->history, &step->at, &l->at[i]))
			continue;
		snprintf(l->problem, sizeof l->problem, "line %d: the recording has no '%s'",
			 step->line, doze_lesson_place_text(&step->at, moment, sizeof moment));
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

/* ---- the pane ---- */

enum { ANSWER_W = 3, ROWS_MAX = 1000 };

static bool exists(const struct tui_scene *s)
{
	return tui_lesson_on(s);
}

static void say_head(const struct tui_scene *s, struct tui_textbox *p)
{
	const struct tui_lesson *l = &s->lesson;
	char score[48] = "";
	int x = tui_textf(p->g, p->x, p->y, p->end, TUI_BOLD, "%zu/%zu  %s", l->step + 1,
			  l->file->steps, l->file->title);
	int width = 0;

	if (l->asked)
		width = snprintf(score, sizeof score, "%u of %u right", l->right, l->asked);
	if (p->end - width - 1 > x)
		tui_text(p->g, p->end - width - 1, p->y, p->end, TUI_BOLD, score);
	p->y++;
}

static void say_choice(const struct tui_scene *s, const struct doze_lesson_step *step,
		       struct tui_textbox *p, int i)
{
	int given = s->lesson.answer[s->lesson.step];
	enum tui_style style = !given             ? TUI_PLAIN
			       : i == step->right ? TUI_WAKE
			       : i == given - 1   ? TUI_FUTILE
						  : TUI_DIM;

	tui_textf(p->g, p->x, p->y, p->end, given == i + 1 ? TUI_SELECT : TUI_BOLD, "%d", i + 1);
	p->x += ANSWER_W;
	tui_say(p, style, step->choice[i]);
	p->x -= ANSWER_W;
}

static void say_judgement(const struct tui_scene *s, const struct doze_lesson_step *step,
			  struct tui_textbox *p)
{
	int given = s->lesson.answer[s->lesson.step];
	const char *because = step->because ? step->because : "";

	if (!given)
		return;
	if (given == step->right + 1)
		tui_sayf(p, TUI_WAKE, "Right. %s", because);
	else if (given == TUI_LESSON_SHOWN)
		tui_sayf(p, TUI_PLAIN, "Answer: %d. %s", step->right + 1, because);
	else
		tui_sayf(p, TUI_FUTILE, "No: %d. %s", step->right + 1, because);
}

static void say_end(const struct tui_scene *s, struct tui_textbox *p)
{
	const struct tui_lesson *l = &s->lesson;

	tui_sayf(p, TUI_BOLD, "End of the lesson: %u of %u answers were right.", l->right,
		 l->asked);
	if (l->file->next)
		tui_sayf(p, TUI_PLAIN, "Space begins the next lesson, %s. q quits.", l->file->next);
	else
		tui_say(p, TUI_PLAIN, "q quits.");
}

static void say_step(const struct tui_scene *s, struct tui_textbox *p)
{
	const struct doze_lesson_step *step = &s->lesson.file->step[s->lesson.step];

	say_head(s, p);
	tui_say(p, TUI_PLAIN, step->text);
	if (!step->ask)
		return;
	tui_say(p, TUI_BOLD, step->ask);
	for (int i = 0; i < step->choices; i++)
		say_choice(s, step, p, i);
	say_judgement(s, step, p);
}

static void say_all(const struct tui_scene *s, struct tui_textbox *p)
{
	p->x++;
	if (s->lesson.over)
		say_end(s, p);
	else
		say_step(s, p);
	p->x--;
}

/* Copies rows of text to the box, as many as fit, beginning with row `first`. */
static void copy_rows(const struct tui_grid *from, int first, struct tui_textbox *p)
{
	for (; p->y < p->bottom && first < from->h; first++, p->y++)
		for (int x = p->x; x < p->end; x++) {
			const struct tui_cell *c = &from->cells[first * from->w + x - p->x];

			tui_put(p->g, x, p->y, c->ch, (enum tui_style)c->style);
		}
}

static void draw(const struct tui_scene *s, struct tui_textbox *p)
{
	struct tui_grid all = {.ascii = p->g->ascii};
	struct tui_textbox long_box = {.g = &all, .end = p->end - p->x};

	if (!tui_lesson_on(s))
		return;
	long_box.bottom = tui_lesson_rows(s, long_box.end);
	if (long_box.bottom <= p->bottom - p->y) {
		say_all(s, p);
	} else if (tui_grid_resize(&all, long_box.end, long_box.bottom) == 0) {
		say_all(s, &long_box);
		copy_rows(&all, s->lesson.scroll, p);
		if (s->lesson.scroll < all.h - (p->bottom - p->y))
			tui_put(p->g, p->end - 1, p->bottom - 1, s->glyphs->more, TUI_DIM);
	}
	tui_grid_free(&all);
}

int tui_lesson_rows(const struct tui_scene *s, int width)
{
	struct tui_grid nowhere = {0}; /* draw into an empty grid, only to count the rows */
	struct tui_textbox p = {.g = &nowhere, .end = width, .bottom = ROWS_MAX};

	if (tui_lesson_on(s))
		say_all(s, &p);
	return p.y;
}

const struct tui_pane_type tui_pane_lesson = {
    .name = "lesson",
    .what = "the text of the lesson (doze lesson)",
    .draw = draw,
    .exists = exists,
};
