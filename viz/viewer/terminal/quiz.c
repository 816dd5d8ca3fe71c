/*
 * SPDX-License-Identifier: MIT
 *
 * quiz.c - see keys.h.
 *
 * The key for a state is the first letter of its name in a trace, except y for sleepy.
 */
#include "keys.h"

#include <stdio.h>

#include "../panes/panes.h"
#include "../screen/phrases.h"

static const struct {
	int key;
	enum doze_state state;
} answers[] = {{'a', DOZE_STATE_active},   {'i', DOZE_STATE_idle},    {'y', DOZE_STATE_sleepy},
	       {'s', DOZE_STATE_sleeping}, {'b', DOZE_STATE_blocked}, {'x', DOZE_STATE_stopped}};

enum { ANSWERS = sizeof answers / sizeof *answers };

enum tui_answer tui_quiz_toggle(struct tui_scene *s, int key)
{
	struct tui_quiz *l = &s->quiz;

	(void)key;
	if (l->on) {
		l->on = false;
		snprintf(s->message, sizeof s->message, "%u of %u right", l->right, l->asked);
		return TUI_GO_ON;
	}
	*l = (struct tui_quiz){.on = true};
	s->view.playing = false;
	tui_view_remember(&s->view);
	if (!s->view.at.has_cursor || s->view.at.cursor >= s->view.last)
		tui_view_goto(&s->view, tui_view_left(&s->view));
	tui_pane_show(s, TUI_PANE_explain);
	return TUI_GO_ON;
}

static void judge(struct tui_scene *s, const struct doze_worker_view *w, enum doze_state guess,
		  int64_t next)
{
	struct tui_quiz *l = &s->quiz;
	bool unknown;
	enum doze_state now = tui_state_at(s, w->key.row, next, &unknown);
	bool right = guess == now;

	l->asked++;
	l->right += right;
	snprintf(s->message, sizeof s->message, "%s: w%d %s", right ? "Right" : "No",
		 (int)w->key.index, tui_state_phrase(s, now));
	tui_view_goto(&s->view, next);
	tui_pane_show(s, TUI_PANE_explain);
}

bool tui_quiz_key(struct tui_scene *s, int key)
{
	const struct doze_worker_view *w = tui_selected(s);
	int64_t next;

	if (!s->quiz.on || !w)
		return false;
	for (int i = 0; i < ANSWERS; i++) {
		if (answers[i].key != key)
			continue;
		if (tui_transition_of(s, w, true, tui_view_focus(&s->view), &next))
			judge(s, w, answers[i].state, next);
		else
			snprintf(s->message, sizeof s->message, "it does not change again");
		return true;
	}
	return false;
}

void tui_quiz_question(const struct tui_scene *s, char *out, size_t size)
{
	const struct doze_worker_view *w = tui_selected(s);
	bool unknown;

	out[0] = '\0';
	if (!s->quiz.on || !w)
		return;
	snprintf(out, size,
		 " w%d %s: what next? a works, i searches, y about to sleep, s sleeps, x stopped "
		 "(%u of %u right; P ends) ",
		 (int)w->key.index,
		 tui_state_phrase(s, tui_state_at_focus(s, w->key.row, &unknown)), s->quiz.right,
		 s->quiz.asked);
}
