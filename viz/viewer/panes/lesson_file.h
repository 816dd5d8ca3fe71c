/*
 * SPDX-License-Identifier: MIT
 *
 * lesson_file.h - reads a lesson: a text file with a recording, and steps that show a moment of it,
 * explain it, and ask what comes next. labs/lessons/README.md describes the format.
 */
#ifndef DOZE_TUI_LESSON_FILE_H
#define DOZE_TUI_LESSON_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "../screen/scene.h"

enum { DOZE_LESSON_CHOICES = 4 };

enum doze_lesson_place_kind {
	DOZE_LESSON_PLACE_time,  /* ns since the first event */
	DOZE_LESSON_PLACE_end,   /* the recording's end */
	DOZE_LESSON_PLACE_storm, /* the beginning of the n-th storm */
	DOZE_LESSON_PLACE_event, /* the n-th event of one kind */
	DOZE_LESSON_PLACE_state, /* a worker's n-th entry into a state */
};

/** A moment of a recording. Described by an event or a state rather than by a time, it can also be
 * found in another recording of the same program. */
struct doze_lesson_place {
	enum doze_lesson_place_kind kind;
	int what;     /* the kind of event, or the worker's state */
	int worker;   /* for a state: the worker that enters it */
	unsigned nth; /* counting from 1 */
	int64_t plus; /* added to the time of the event or state, ns; may be negative */
};

/** A step of a lesson. The strings belong to the lesson. */
struct doze_lesson_step {
	int line; /* line number in the file */
	struct doze_lesson_place at;
	int64_t window;                   /* length of the window, ns of trace time; 0: everything
					   * up to the moment */
	int worker;                       /* worker to select; -1: do not change the selection */
	int pane;                         /* pane to show with the text; -1: none */
	const char *text, *ask, *because; /* `ask` and `because` may be null */
	const char *choice[DOZE_LESSON_CHOICES]; /* answers to `ask` */
	int choices, right; /* number of choices, and index of the correct one */
};

struct doze_lesson {
	char *bytes;                                  /* owned; the text of the file */
	unsigned number;                              /* position of the lesson in the course */
	const char *title, *about, *recording, *next; /* `about` and `next` may be null */
	size_t steps;
	struct doze_lesson_step step[DOZE_LESSON_STEPS];
};

/** Reads a lesson, to be freed with doze_lesson_free. On failure, returns null and writes one line
 * to err. */
struct doze_lesson *doze_lesson_read(const char *path, char *err, size_t err_size);
/** Frees a lesson; null is allowed. */
void doze_lesson_free(struct doze_lesson *);

/** Parses "12ms", "end", "storm 1", "post 2" or "w1 sleeping 3", each optionally followed by "+
 * 5us" or "- 5us". Returns null, or a description of valid moments. */
const char *doze_lesson_place_parse(char *text, struct doze_lesson_place *);
/** Writes a moment in the format of lesson files. Returns out. */
char *doze_lesson_place_text(const struct doze_lesson_place *, char *out, size_t size);

#endif
