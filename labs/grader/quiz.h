/*
 * SPDX-License-Identifier: MIT
 *
 * quiz.h - a lab whose answers are facts of a trace: a table of questions, and a program around it
 * that prints the form, gives hints, and grades a filled form.
 *
 * A question computes its answer from the facts when it is graded, so no answer is written down
 * anywhere, and the same lab can be given with another trace to everybody.
 */
#ifndef DOZE_LABS_QUIZ_H
#define DOZE_LABS_QUIZ_H

#include "facts.h"

enum quiz_kind {
	QUIZ_NUMBER, /* a whole number, to be hit exactly */
	QUIZ_MS,     /* milliseconds, within 2 % or 0.5 ms */
	QUIZ_WORD,   /* a word of the trace's vocabulary; case does not matter */
};

struct quiz_value {
	double number;
	const char *word;
};

struct quiz_question {
	const char *id, *text;
	enum quiz_kind kind;
	int points;
	/* Returns false when this trace does not decide the question; it is then left out. */
	bool (*answer)(const struct lab_facts *, struct quiz_value *);
	const char *hints[3]; /* a question back, the place to look at, nearly the command */
};

struct quiz {
	const char *lab; /* folder name below labs/ */
	const struct quiz_question *questions;
	size_t count;
};

/** main of the lab's grader:
 *	--form                           the empty form
 *	--hint ID LEVEL                  one hint, level 1 to 3
 *	[--json FILE] [-t ID] TRACE FORM grades FORM on TRACE
 * Exit codes of the grader: 0 full score, 1 points lost, 2 usage, 3 input, 4 events were lost. */
int quiz_main(const struct quiz *, int argc, char **argv);

#endif
