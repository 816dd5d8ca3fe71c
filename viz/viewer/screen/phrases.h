/*
 * SPDX-License-Identifier: MIT
 *
 * phrases.h - how names, times, states, decisions and events are written. A program without libdoze
 * has other words: its threads wait, or are not in a wait that doze sees, and nothing is said about
 * their work.
 */
#ifndef DOZE_TUI_PHRASES_H
#define DOZE_TUI_PHRASES_H

#include "../../words/event_text.h"
#include "grid.h"
#include "scene.h"

/** Returns whether the trace is of a program without libdoze. Most words then differ. */
bool tui_is_foreign(const struct tui_scene *);

enum { TUI_TIME_W = 13, TUI_NAME = TUI_WORD };

/** Returns a worker of the pool of a decision. */
struct doze_worker_key tui_decision_key(const struct tui_decision *, int32_t index);
/** Writes a worker's name to out (TUI_NAME bytes): "w3"; "2w3" if there are several pools, as on
 * its lane; "outside" for -1. Returns out. */
char *tui_worker_name(const struct tui_scene *, const struct doze_worker_key *, char *out);
/** Writes the name of an event's worker, as tui_worker_name does. */
char *tui_event_who(const struct tui_scene *, const struct tui_event *, char *out);
/** Writes the name of a waker, as tui_worker_name does. For an outside thread, writes its name or,
 * if that is unknown, its tid. */
char *tui_waker_name(const struct tui_scene *, const struct doze_worker_key *pool, int32_t worker,
		     int32_t vtid, char *out);
/** Writes a time, right-aligned in TUI_TIME_W columns starting at x. Returns the column after the
 * gap that follows. */
int tui_put_time(const struct tui_scene *, struct tui_grid *, int x, int y, int64_t at);
/** Formats a duration with the micro sign of the glyphs. Returns one of eight static buffers, which
 * are reused in turn. */
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
/** Returns what a verdict means, as a sentence. */
const char *tui_verdict_meaning(const struct tui_scene *, enum doze_verdict);
/** Returns which time the counts over the whole trace cover: "so far" while the trace grows,
 * otherwise "whole run". */
const char *tui_scope(const struct tui_scene *);

/** Writes what the waker did, such as "w0 posts 2 jobs". out has room for DOZE_EVENT_LINE bytes.
 * Returns out. */
char *tui_deed(const struct tui_scene *, const struct tui_decision *, char *out);
/** Writes the results of a decision's wakes: "2 of 3 in vain". */
char *tui_outcome(const struct tui_scene *, const struct tui_decision *, char *out);
/** Returns whether the decision passes the filters. */
bool tui_decision_shown(const struct tui_scene *, const struct tui_decision *);
/** Returns the pool of a decision, or null. */
const struct doze_pool_view *tui_decision_pool(const struct tui_scene *,
					       const struct tui_decision *);

/* ---- events as rows ---- */

/** Writes an event as one line, without its time and worker. If `explained` is true, includes the
 * ids, for which a list has no space. out has room for DOZE_EVENT_LINE bytes. Returns out. */
char *tui_event_line(const struct tui_scene *, const struct tui_event *, bool explained, char *out);

/** Returns whether the event passes the filters. */
bool tui_event_shown(const struct tui_scene *, const struct tui_event *);
/** tui_event_row draws an event as a row, tui_event_detail on a page of its own. The item's `what`
 * is a struct tui_event. */
void tui_event_row(const struct tui_scene *, const struct tui_item *, struct tui_grid *, int x,
		   int y, int end);
void tui_event_detail(const struct tui_scene *, const struct tui_item *, struct tui_textbox *);

/* ---- the fan-out: the wakes of a decision as a tree ---- */

/** Draws one line per woken worker: when it woke up, and when it started a job or for how long it
 * searched. */
void tui_fan_out(const struct tui_scene *, const struct tui_decision *, struct tui_textbox *);

#endif
