/*
 * SPDX-License-Identifier: MIT
 *
 * scene_open.c - creates a scene from the options of the command line.
 */
#include "duel.h"
#include "scene.h"
#include "tui.h"

bool tui_scene_open(struct tui_scene *s, const struct doze_tui_options *opt, bool ascii)
{
	s->look = tui_look(ascii);
	s->title = opt->title;
	s->program = opt->name;
	s->detail = opt->detail;
	s->from_ns = opt->selection->from;
	s->to_ns = opt->selection->to;
	s->has_output = opt->program_log != NULL;
	s->can_save = opt->save && !opt->events_at;
	s->status = (struct tui_status){.live = opt->live, .loading = !opt->live, .behind_ns = -1};
	tui_view_init(&s->view, opt->live);
	tui_view_set_workers(&s->view, &opt->selection->workers, opt->selection->list);
	s->history = tui_history_new();
	if (!s->history)
		return false;
	s->lesson.file = opt->lesson;
	s->history->live = opt->live;
	s->history->selection = opt->selection;
	s->history->tape = opt->lesson ? &s->lesson.tape : NULL;
	return true;
}

bool tui_duel_open(struct tui_duel *d, struct tui_scene *first, const struct doze_tui_options *opt,
		   bool ascii)
{
	if (!tui_scene_open(&d->second, opt, ascii))
		return false;
	d->side[0] = first;
	d->side[1] = &d->second;
	d->label[0] = opt->duel[0];
	d->label[1] = opt->duel[1];
	d->how = opt->duel_how;
	d->second.title = opt->second_title;
	if (opt->second)
		return true;
	d->split = (struct tui_split){.policy = {opt->duel[0], opt->duel[1]},
				      .to = {first->history, d->second.history}};
	first->history->split = &d->split;
	return true;
}
