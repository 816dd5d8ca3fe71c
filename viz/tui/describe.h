/*
 * SPDX-License-Identifier: MIT
 *
 * describe.h - events and wakes in words: one line for a list, sentences for the explain pane.
 */
#ifndef DOZE_TUI_DESCRIBE_H
#define DOZE_TUI_DESCRIBE_H

#include "scene.h"

enum { TUI_LINE = 200, TUI_SENTENCE = 480 };

/** "outside" for -1, else "w3". Returns out. */
char *tui_who(char *out, size_t size, int32_t worker);
/** An event as one line, without time and worker: "post injector 1 job, idle 0, sleeping 7". */
void tui_describe_event(const struct tui_scene *, const struct tui_event *, char *out, size_t size);
/** Counters of a word in words: "JEC 12 (even), inactive 7, sleeping 6". */
void tui_describe_word(const struct doze_pool_view *, uint64_t word, char *out, size_t size);

#endif
