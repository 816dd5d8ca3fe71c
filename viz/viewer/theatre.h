/*
 * SPDX-License-Identifier: MIT
 *
 * theatre.h - plays a storm in slow motion: the screen freezes, zooms to the storm, and its fan-out
 * appears one worker at a time as the cursor moves.
 */
#ifndef DOZE_TUI_THEATRE_H
#define DOZE_TUI_THEATRE_H

#include "keys.h"

/** Keys s and S: play the next or the previous storm. After the last one, s plays the first. */
enum tui_answer tui_theatre_storm(struct tui_scene *, int key);
/** Keys < and >: slow down and speed up, from 1/10 to 1/100,000 of real time. */
enum tui_answer tui_theatre_speed(struct tui_scene *, int key);

#endif
