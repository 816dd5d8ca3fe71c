/*
 * SPDX-License-Identifier: MIT
 *
 * incident.h - saves a live session as a recording, with the screen as a picture, a summary, and
 * the page of `doze report` about the last 30 s. The key `!` saves everything on disk, a trigger
 * the last 30 s.
 */
#ifndef DOZE_TUI_INCIDENT_H
#define DOZE_TUI_INCIDENT_H

#include "../screen/scene.h"
#include "tui.h"

/** Saves the whole session, whose first event was at `first`. Shows the folder, or why saving
 * failed, in the scene's message. */
void tui_incident_save(const struct doze_tui_options *, struct tui_scene *, int64_t first,
		       const struct tui_grid *);

/** Checks whether the page of an incident could not be written. If so, shows the reason in the
 * scene's message and returns true. */
bool tui_incident_problem(const struct doze_tui_options *, struct tui_scene *);

/** A run for which the conditions of --on are checked. */
struct tui_watched {
	struct tui_watch *watch;
	struct tui_scene *scene;
	const char *name; /* name of the run in a duel; null: there is only one run */
};

/** Checks the triggers of --on for a run. When a trigger fires, saves the last 30 s with the run's
 * newest screen, at the size of the grid, and reports this in `shown`, the scene that receives the
 * keys: in its banner with --banner, otherwise in its message. With --bell, also rings the bell.
 * Returns whether a trigger has fired. */
bool tui_incident_watch(const struct doze_tui_options *, const struct tui_watched *,
			struct tui_scene *shown, const struct tui_grid *);

#endif
