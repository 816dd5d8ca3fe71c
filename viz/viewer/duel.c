/*
 * SPDX-License-Identifier: MIT
 *
 * duel.c - see duel.h.
 */
#include "duel.h"

#include <stdio.h>
#include <string.h>

#include "panes.h"

/* ---- aligning the times of the runs ---- */

static const struct tui_event *mark_at(const struct tui_scene *s, size_t i)
{
	return tui_ring_at(&s->history->marks, i);
}

/* Returns the number of earlier marks with the same text as mark i. */
static size_t occurrence(const struct tui_scene *s, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < i; k++)
		n += strcmp(mark_at(s, k)->note, mark_at(s, i)->note) == 0;
	return n;
}

/* Returns the nth mark of the scene that has this text, or null. */
static const struct tui_event *same_mark(const struct tui_scene *s, const char *note, size_t nth)
{
	for (size_t i = 0; i < s->history->marks.count; i++) {
		const struct tui_event *e = mark_at(s, i);

		if (strcmp(e->note, note) == 0 && nth-- == 0)
			return e;
	}
	return NULL;
}

int64_t tui_duel_shift(const struct tui_scene *a, const struct tui_scene *b, char *where,
		       size_t size)
{
	const struct tui_ring *marks = &a->history->marks;

	for (size_t i = tui_ring_after(marks, tui_view_focus(&a->view)); i-- > 0;) {
		const struct tui_event *in_a = mark_at(a, i);
		const struct tui_event *in_b = same_mark(b, in_a->note, occurrence(a, i));

		if (!in_b)
			continue;
		snprintf(where, size, "aligned at mark '%s'", in_a->note);
		return in_b->at - in_a->at;
	}
	snprintf(where, size, "aligned at their first events");
	if (!a->now.totals.events || !b->now.totals.events)
		return 0;
	return b->view.origin - a->view.origin;
}

/* ---- the names of the runs ---- */

static const char *policy_of(const struct tui_scene *s)
{
	return doze_model_pools(s->history->model) ? doze_model_pool(s->history->model, 0)->policy
						   : "";
}

const char *tui_duel_label(const struct tui_duel *d, int side)
{
	const char *mine = policy_of(d->side[side]), *other = policy_of(d->side[!side]);

	return d->split.policy[0] || !*mine || !*other || strcmp(mine, other) == 0 ? d->label[side]
										   : mine;
}

/* ---- the windows of the runs ---- */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Makes the scene `to` show the same span as `from`. shift: what to add to a time in `from` to get
 * the corresponding time in `to`. */
static void copy_view(const struct tui_scene *from, struct tui_scene *to, int64_t shift)
{
	struct tui_view *v = &to->view;

	v->at = from->view.at;
	v->at.right += shift;
	v->at.cursor += shift;
	v->at.follow = v->at.fit = false;
	v->cells = from->view.cells;
	v->paused = from->view.paused;
	v->marks = from->view.marks;
	v->playing = false;
}

void tui_duel_update(struct tui_duel *d)
{
	struct tui_scene *a = d->side[d->active], *b = d->side[!d->active];
	struct tui_view *v = &a->view;
	int64_t shift, first;

	d->side[1]->status = d->side[0]->status;
	b->steady = a->steady;
	tui_scene_update(a);
	tui_scene_update(b);
	if (d->alone)
		return;
	shift = tui_duel_shift(a, b, d->aligned, sizeof d->aligned);
	first = b->view.first - shift;
	/* Extend the range by a margin: a window begins at a cell boundary, so the first event
	 * could otherwise be outside it. */
	if (first < v->first)
		first -= (v->last - first) / v->cells;
	/* The range ends with the run that ends later. */
	if (b->now.totals.events)
		tui_view_extent(v, v->origin, least(v->first, first),
				-least(-v->last, shift - b->now.clock));
	copy_view(a, b, shift);
}

/* ---- keys ---- */

/* Returns whether the key is for panes or prompts, which the screen of a duel does not have. */
static bool is_for_panes(int key)
{
	return key > 0 && key < 128 && strchr("/\\nNeEzPoO123456789", key) != NULL;
}

enum tui_answer tui_duel_key(struct tui_duel *d, int key)
{
	struct tui_scene *s = d->side[d->active];

	s->banner[0] = '\0';
	if (d->alone && key == TUI_KEY_BACKSPACE && !s->prompt) {
		d->alone = false;
		return TUI_GO_ON;
	}
	if (d->alone || s->view.help)
		return tui_key_press(s, key);
	if (key == TUI_KEY_TAB || key == TUI_KEY_BACKTAB) {
		d->side[!d->active]->view.at.follow = s->view.at.follow;
		d->side[!d->active]->view.at.fit = s->view.at.fit;
		d->active = !d->active;
	} else if (key == TUI_KEY_ENTER || key == '\r') {
		d->alone = true;
		snprintf(s->message, sizeof s->message, "%s alone: Backspace returns to the duel",
			 tui_duel_label(d, d->active));
	} else if (key == TUI_KEY_UP || key == TUI_KEY_DOWN) {
		return tui_key_press(s, key == TUI_KEY_UP ? 'k' : 'j');
	} else if (!is_for_panes(key)) {
		return tui_key_press(s, key);
	}
	return TUI_GO_ON;
}

void tui_duel_free(struct tui_duel *d)
{
	tui_history_free(d->second.history);
	tui_scene_free(&d->second);
}
