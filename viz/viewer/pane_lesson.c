/*
 * SPDX-License-Identifier: MIT
 *
 * pane_lesson.c - draws the text of a lesson's step and its question with the answers. draw.c draws
 * the pane that belongs to the step below them.
 */
#include <stdio.h>

#include "lesson.h"
#include "panes.h"

enum { ANSWER_W = 3, ROWS_MAX = 1000 };

static bool exists(const struct tui_scene *s)
{
	return tui_lesson_on(s);
}

static void say_head(const struct tui_scene *s, struct tui_paper *p)
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
		       struct tui_paper *p, int i)
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
			  struct tui_paper *p)
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

static void say_end(const struct tui_scene *s, struct tui_paper *p)
{
	const struct tui_lesson *l = &s->lesson;

	tui_sayf(p, TUI_BOLD, "End of the lesson: %u of %u answers were right.", l->right,
		 l->asked);
	if (l->file->next)
		tui_sayf(p, TUI_PLAIN, "Space begins the next lesson, %s. q quits.", l->file->next);
	else
		tui_say(p, TUI_PLAIN, "q quits.");
}

static void say_step(const struct tui_scene *s, struct tui_paper *p)
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

static void say_all(const struct tui_scene *s, struct tui_paper *p)
{
	p->x++;
	if (s->lesson.over)
		say_end(s, p);
	else
		say_step(s, p);
	p->x--;
}

/* Copies rows of text to the paper, as many as fit, beginning with row `first`. */
static void copy_rows(const struct tui_grid *from, int first, struct tui_paper *p)
{
	for (; p->y < p->bottom && first < from->h; first++, p->y++)
		for (int x = p->x; x < p->end; x++) {
			const struct tui_cell *c = &from->cells[first * from->w + x - p->x];

			tui_put(p->g, x, p->y, c->ch, (enum tui_style)c->style);
		}
}

static void draw(const struct tui_scene *s, struct tui_paper *p)
{
	struct tui_grid all = {.ascii = p->g->ascii};
	struct tui_paper long_paper = {.g = &all, .end = p->end - p->x};

	if (!tui_lesson_on(s))
		return;
	long_paper.bottom = tui_lesson_rows(s, long_paper.end);
	if (long_paper.bottom <= p->bottom - p->y) {
		say_all(s, p);
	} else if (tui_grid_resize(&all, long_paper.end, long_paper.bottom) == 0) {
		say_all(s, &long_paper);
		copy_rows(&all, s->lesson.scroll, p);
		if (s->lesson.scroll < all.h - (p->bottom - p->y))
			tui_put(p->g, p->end - 1, p->bottom - 1, s->look->more, TUI_DIM);
	}
	tui_grid_free(&all);
}

int tui_lesson_rows(const struct tui_scene *s, int width)
{
	struct tui_grid nowhere = {0}; /* draw into an empty grid, only to count the rows */
	struct tui_paper p = {.g = &nowhere, .end = width, .bottom = ROWS_MAX};

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
