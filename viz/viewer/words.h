/*
 * SPDX-License-Identifier: MIT
 *
 * words.h - phrases that several panes use.
 */
#ifndef DOZE_TUI_WORDS_H
#define DOZE_TUI_WORDS_H

#include "scene.h"

/** Returns whether the trace is of a program without libdoze. Most words then differ. */
bool tui_is_foreign(const struct tui_scene *);

enum { TUI_TIME_W = 13, TUI_NAME = TUI_WORD };

/** Writes a worker's name to out (TUI_NAME bytes): "w3"; "2w3" if there are several pools, as on
 * its lane; "outside" for -1. Returns out. */
char *tui_worker_name(const struct tui_scene *, const struct doze_worker_key *, char *out);
/** Writes the name of a waker, as tui_worker_name does. For an outside thread, writes its name or,
 * if that is unknown, its tid. */
char *tui_waker_name(const struct tui_scene *, const struct doze_worker_key *pool, int32_t worker,
		     int32_t vtid, char *out);
/** Writes a time, right-aligned in TUI_TIME_W columns starting at x. Returns the column after the
 * gap that follows. */
int tui_put_time(const struct tui_scene *, struct tui_grid *, int x, int y, int64_t at);
/** Formats a duration with the look's micro sign. Returns one of eight static buffers, which are
 * reused in turn. */
const char *tui_ns(const struct tui_scene *, int64_t ns);

/** Returns what a worker in a state does, such as "searches", in the words of the legend. */
const char *tui_state_word(const struct tui_scene *, enum doze_state);
/** Returns a phrase for what a worker does in a state, followed by the state's name in the trace if
 * that differs: "searches (idle)", "is about to sleep (sleepy)". */
const char *tui_state_phrase(const struct tui_scene *, enum doze_state);
/** Writes a set of reasons (bits 1 << enum doze_reason) in plain words, such as "a job was found,
 * woken". Returns out. */
const char *tui_reasons(const struct tui_scene *, uint32_t reasons, char *out, size_t size);
/** Returns a verdict's name; "in vain" for a futile wake, as in the legend. */
const char *tui_verdict_word(const struct tui_scene *, enum doze_verdict);
/** Returns which time the counts over the whole trace cover: "so far" while the trace grows,
 * otherwise "whole run". */
const char *tui_scope(const struct tui_scene *);

/** Writes what the waker did, such as "w0 posts 2 jobs". out has room for DOZE_EVENT_LINE bytes.
 * Returns out. */
char *tui_deed(const struct tui_scene *, const struct tui_decision *, char *out);
/** Writes the results of a decision's wakes: "2 of 3 in vain". */
char *tui_outcome(const struct tui_scene *, const struct tui_decision *, char *out);
/** Returns the verdict that stands for the whole decision: futile if any of its wakes was futile,
 * otherwise the best verdict. */
enum doze_verdict tui_decision_verdict(const struct tui_decision *);
/** Returns whether the decision passes the filters. */
bool tui_decision_shown(const struct tui_scene *, const struct tui_decision *);
/** Returns the pool of a decision, or null. */
const struct doze_pool_view *tui_decision_pool(const struct tui_scene *,
					       const struct tui_decision *);

#endif
