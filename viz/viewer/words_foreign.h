/*
 * SPDX-License-Identifier: MIT
 *
 * words_foreign.h - the words of words.h for programs without libdoze: threads wait, or are not in
 * a wait that doze sees. Nothing is said about their work.
 */
#ifndef DOZE_TUI_WORDS_FOREIGN_H
#define DOZE_TUI_WORDS_FOREIGN_H

#include "words.h"

/** Return the word or the phrase for a state, or null if the usual one fits. */
const char *tui_foreign_state(enum doze_state);
const char *tui_foreign_phrase(enum doze_state);
const char *tui_foreign_reason(enum doze_reason);
/** Returns what a verdict means. */
const char *tui_foreign_meaning(enum doze_verdict);
/** Write what a waker did, and with which result, as tui_deed and tui_outcome do. */
char *tui_foreign_deed(const struct tui_scene *, const struct tui_decision *, const char *who,
		       char *out);
char *tui_foreign_outcome(const struct tui_decision *, char *out);
/** Returns the function and line of a decision's call, or "". */
const char *tui_foreign_place(const struct tui_scene *, const struct tui_decision *);

#endif
