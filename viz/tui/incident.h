/*
 * SPDX-License-Identifier: MIT
 *
 * incident.h - saves a live session as a recording, with the screen as a picture, a summary, and
 * the page of `doze report` about the last 30 s. The key `!` saves everything on disk, a trigger
 * the last 30 s.
 */
#ifndef DOZE_TUI_INCIDENT_H
#define DOZE_TUI_INCIDENT_H

#include "scene.h"
#include "tui.h"

/** Saves the whole session. The scene's message says where, or why that failed. */
void tui_incident_save(const struct doze_tui_options *, struct tui_scene *,
		       const struct tui_grid *);

/** Asks whether a page of an incident could not be written. If so, says why in the scene's message
 * and returns true. */
bool tui_incident_problem(const struct doze_tui_options *, struct tui_scene *);

/** Checks the triggers of --on. When one fires, saves the last 30 s with the newest screen, in the
 * size of the grid, and says so: in the scene's banner with --banner, else in its message; and by
 * the bell with --bell. Returns whether one has fired. */
bool tui_incident_watch(const struct doze_tui_options *, struct tui_watch *, struct tui_scene *,
			const struct tui_grid *);

#endif
