/*
 * SPDX-License-Identifier: MIT
 *
 * fan_out.h - draws the wakes of a decision as a tree.
 */
#ifndef DOZE_TUI_FAN_OUT_H
#define DOZE_TUI_FAN_OUT_H

#include "paper.h"
#include "scene.h"

/** Draws one line per woken worker: when it woke up, and when it started a job or for how long it
 * searched. */
void tui_fan_out(const struct tui_scene *, const struct tui_decision *, struct tui_paper *);

#endif
