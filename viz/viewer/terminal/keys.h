/*
 * SPDX-License-Identifier: MIT
 *
 * keys.h - the table of keys and their functions, from which help and footer are generated; the
 * names of keys; jumps, slow motion and the quiz.
 */
#ifndef DOZE_TUI_KEYS_H
#define DOZE_TUI_KEYS_H

#include "../panes/panes.h"

struct tui_key {
	const char *name, *help; /* name as shown in the help; a null help ends the table */
	const char *foot;        /* word for the footer, or null if the footer omits the key */
	int keys[9];             /* the keys that run the function */
	enum tui_answer (*run)(struct tui_scene *, int key);
};

extern const struct tui_key tui_keys[];

/** Handles a click or the wheel. A click on a lane selects its worker and sets the cursor; a click
 * on a tab shows that pane. The wheel zooms at the pointer (wheel 1: in). */
void tui_mouse_press(struct tui_scene *, int x, int y, int wheel);
/** Runs the function of a key; unknown keys have no effect. */
enum tui_answer tui_key_press(struct tui_scene *, int key);

/* ---- the names of keys, for --keys ---- */

/** Reads the next key from *text and advances *text. A key is a character, or a name such as
 * <Enter>. Returns 0 at the end of the text, or -1 for an unknown name. */
int tui_next_key(const char **text);

/*
 * ---- jumps: keys that move the cursor to an event, transition, storm or mark. Each saves the old
 * place for undo. If there is no target, the scene's message reports that.
 */

enum tui_answer tui_jump_event(struct tui_scene *, int key);        /* keys [ and ] */
enum tui_answer tui_jump_search_again(struct tui_scene *, int key); /* keys n and N */
enum tui_answer tui_jump_transition(struct tui_scene *, int key);   /* keys , and . */
/* key m: sets a bookmark at the cursor, or removes the bookmark there */
enum tui_answer tui_jump_bookmark(struct tui_scene *, int key);
enum tui_answer tui_jump_next_mark(struct tui_scene *, int key); /* key ' */

/** Finds the time of the worker's next (forward) or previous transition from t. Returns false if
 * there is none. */
bool tui_transition_of(const struct tui_scene *, const struct doze_worker_view *, bool forward,
		       int64_t t, int64_t *to);

/** Moves the cursor to a time after the first event: "90", "1.5s", "20ms", "1:30:00". If the whole
 * trace was visible, shows only a few seconds. Shows a message if the text is not a time. */
void tui_jump_time(struct tui_scene *, const char *text);

/*
 * ---- slow motion of a storm: the screen freezes, zooms to the storm, and its fan-out
 * appears one worker at a time as the cursor moves.
 */

/** Keys s and S: play the next or the previous storm. After the last one, s plays the first. */
enum tui_answer tui_slow_motion_storm(struct tui_scene *, int key);
/** Keys < and >: slow down and speed up, from 1/10 to 1/100,000 of real time. */
enum tui_answer tui_slow_motion_speed(struct tui_scene *, int key);

/*
 * ---- the quiz: the screen ends at the cursor, and the viewer asks for the next state of
 * the selected worker. When the user has answered, the viewer shows that state and the rule that
 * led to it.
 */

/** Key P: starts the quiz at the cursor, or at the left edge if there is no cursor; ends a running
 * quiz. */
enum tui_answer tui_quiz_toggle(struct tui_scene *, int key);
/** Handles a key that answers the question. Returns false for any other key. */
bool tui_quiz_key(struct tui_scene *, int key);
/** Writes the question as one line into out, or "" if no quiz is running. */
void tui_quiz_question(const struct tui_scene *, char *out, size_t size);

#endif
