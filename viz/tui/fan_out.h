/*
 * SPDX-License-Identifier: MIT
 *
 * fan_out.h - the wakes of a decision as a tree.
 */
#ifndef DOZE_TUI_FAN_OUT_H
#define DOZE_TUI_FAN_OUT_H

#include "paper.h"
#include "scene.h"

/** Draws one line per woken worker: when it was awake, and when it started to work or how long it
 * searched. */
void tui_fan_out(const struct tui_scene *, const struct tui_decision *, struct tui_paper *);

#endif
