/*
 * SPDX-License-Identifier: MIT
 *
 * incident.h - key `!`: saves the session so far, with the screen as a picture and a short report.
 */
#ifndef DOZE_TUI_INCIDENT_H
#define DOZE_TUI_INCIDENT_H

#include "scene.h"
#include "tui.h"

/** Saves, and says in the scene's message where, or why not. */
void tui_incident_save(const struct doze_tui_options *, struct tui_scene *,
		       const struct tui_grid *);

#endif
