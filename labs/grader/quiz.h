/*
 * SPDX-License-Identifier: MIT
 *
 * quiz.h - a lab whose answers are facts about a trace: a table of questions, and the program that
 * prints its form and hints and grades a completed form.
 *
 * Each question computes its answer from the facts when it is graded. So there is no answer key,
 * and every student can get a different trace.
 */
#ifndef DOZE_LABS_QUIZ_H
#define DOZE_LABS_QUIZ_H

#include "facts.h"

enum quiz_kind {
	QUIZ_NUMBER, /* an exact whole number */
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
	/* Computes the right answer. Returns false if the trace does not determine it; the question
	 * is then left out. */
	bool (*answer)(const struct lab_facts *, struct quiz_value *);
	/* Hint 1 asks a guiding question, hint 2 says where to look, and hint 3 gives almost the
	 * full command. */
	const char *hints[3];
};

struct quiz {
	const char *lab; /* folder name below labs/ */
	const struct quiz_question *questions;
	size_t count;
};

/** The main function of a lab's grader:
 *	--form                           prints the empty form
 *	--list                           prints a line for each question: ID, points and text
 *	--hint ID LEVEL                  prints one hint, level 1 to 3
 *	[--json FILE] [-t ID] TRACE FORM grades FORM on TRACE
 * Exit codes of the grader: 0 full score, 1 points lost, 2 usage, 3 input, 4 events were lost. */
int quiz_main(const struct quiz *, int argc, char **argv);

#endif
