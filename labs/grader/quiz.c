/*
 * SPDX-License-Identifier: MIT
 *
 * quiz.c - prints the form and the hints of a table of questions, and grades a form.
 */
#include "quiz.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "form.h"

enum { EXIT_FULL = 0, EXIT_POINTS = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_LOST = 4 };

enum outcome { GOOD, WRONG, MISSING, LEFT_OUT };
static const char *const outcome_names[] = {"good", "wrong", "missing", "no answer"};

struct quiz_run {
	const struct quiz *quiz;
	const char *only, *json, *trace, *form_path;
	struct form form;
	struct lab_facts facts;
	int score, max, outcomes[FORM_ANSWERS];
};

static const struct quiz_question *find(const struct quiz *quiz, const char *id)
{
	for (size_t i = 0; i < quiz->count; i++)
		if (!strcmp(quiz->questions[i].id, id))
			return &quiz->questions[i];
	return NULL;
}

static const char *kind_text(enum quiz_kind kind)
{
	static const char *const texts[] = {"a number", "milliseconds, within 2 %", "one word"};

	return texts[kind];
}

static int print_form(const struct quiz *quiz)
{
	printf("# Answers to labs/%s. Write each answer on its line, after the colon.\n",
	       quiz->lab);
	for (size_t i = 0; i < quiz->count; i++) {
		const struct quiz_question *q = &quiz->questions[i];

		printf("\n# %s (%s; points: %d)\n%s:\n", q->text, kind_text(q->kind), q->points,
		       q->id);
	}
	return EXIT_FULL;
}

static int complain(const struct quiz *quiz, const char *what)
{
	fprintf(stderr, "lab %s: %s\n", quiz->lab, what);
	return EXIT_USAGE;
}

static int print_list(const struct quiz *quiz)
{
	for (size_t i = 0; i < quiz->count; i++)
		printf("%s\t%d\t%s\n", quiz->questions[i].id, quiz->questions[i].points,
		       quiz->questions[i].text);
	return EXIT_FULL;
}

static int print_hint(const struct quiz *quiz, const char *id, const char *level)
{
	const struct quiz_question *q = find(quiz, id);

	if (!q)
		return complain(quiz, "no such question: the form lists the IDs");
	if (strlen(level) != 1 || *level < '1' || *level > '3')
		return complain(quiz, "the level of a hint must be 1, 2 or 3");
	printf("%s\n%s\n", q->text, q->hints[*level - '1']);
	return EXIT_FULL;
}

/* Reads a number. The text must contain nothing else: "3 or 4" is not a number. A worker may be
 * written as in the timeline (w3), and a time may have a unit. */
static bool is_number(enum quiz_kind kind, const char *text, double *number)
{
	char *end;

	if (kind == QUIZ_NUMBER && text[0] == 'w' && isdigit((unsigned char)text[1]))
		text++;
	*number = strtod(text, &end);
	if (kind == QUIZ_MS && end != text && !strcmp(end + strspn(end, " "), "ms"))
		end += strlen(end);
	return end != text && !*end && isfinite(*number);
}

/* Returns why the answer could not be compared with the right one, or an empty string. */
static const char *remark(const struct quiz_run *run, size_t i)
{
	const struct quiz_question *q = &run->quiz->questions[i];
	double number;

	if (run->outcomes[i] != WRONG || q->kind == QUIZ_WORD ||
	    is_number(q->kind, form_answer(&run->form, q->id), &number))
		return "";
	return q->kind == QUIZ_MS ? "not a number of milliseconds" : "not a number";
}

static bool matches(enum quiz_kind kind, const struct quiz_value *right, const char *text)
{
	double given;

	if (kind == QUIZ_WORD)
		return !strcasecmp(text, right->word);
	if (!is_number(kind, text, &given))
		return false;
	if (kind == QUIZ_NUMBER)
		return fabs(given - right->number) < 1e-9;
	return fabs(given - right->number) <= fmax(0.5, 0.02 * right->number);
}

static enum outcome grade_one(const struct quiz_run *run, const struct quiz_question *q)
{
	const char *text = form_answer(&run->form, q->id);
	struct quiz_value right = {0, ""};

	if (!q->answer(&run->facts, &right))
		return LEFT_OUT;
	if (!*text)
		return MISSING;
	return matches(q->kind, &right, text) ? GOOD : WRONG;
}

static void grade_all(struct quiz_run *run)
{
	for (size_t i = 0; i < run->quiz->count; i++) {
		const struct quiz_question *q = &run->quiz->questions[i];
		enum outcome outcome = LEFT_OUT;

		if (!run->only || !strcmp(run->only, q->id))
			outcome = grade_one(run, q);
		run->outcomes[i] = (int)outcome;
		if (outcome == LEFT_OUT)
			continue;
		run->max += q->points;
		run->score += outcome == GOOD ? q->points : 0;
		printf("%-8s %-8s %2d/%-2d  %s\n", q->id, outcome_names[outcome],
		       outcome == GOOD ? q->points : 0, q->points, q->text);
		if (*remark(run, i))
			printf("%20s %s\n", "your answer:", remark(run, i));
		if (outcome != GOOD)
			printf("%20s labs/lab hint %s %s 1\n", "for a hint:", run->quiz->lab,
			       q->id);
	}
	printf("\nscore: %d of %d\n", run->score, run->max);
}

/* The questions' texts contain no quotes or backslashes, so they need no escapes in JSON. */
static int write_json(const struct quiz_run *run)
{
	FILE *out = fopen(run->json, "w");
	const char *comma = "";

	if (!out) {
		fprintf(stderr, "lab %s: %s: %s\n", run->quiz->lab, run->json, strerror(errno));
		return EXIT_INPUT;
	}
	fprintf(out, "{\"lab\": \"%s\", \"score\": %d, \"max\": %d, \"tests\": [", run->quiz->lab,
		run->score, run->max);
	for (size_t i = 0; i < run->quiz->count; i++) {
		const struct quiz_question *q = &run->quiz->questions[i];

		if (run->outcomes[i] == LEFT_OUT)
			continue;
		fprintf(out,
			"%s\n  {\"name\": \"%s\", \"status\": \"%s\", \"score\": %d, \"max\": %d, "
			"\"message\": \"%s\"}",
			comma, q->id, outcome_names[run->outcomes[i]],
			run->outcomes[i] == GOOD ? q->points : 0, q->points, remark(run, i));
		comma = ",";
	}
	fprintf(out, "\n]}\n");
	if (fclose(out)) {
		fprintf(stderr, "lab %s: cannot write %s: %s\n", run->quiz->lab, run->json,
			strerror(errno));
		return EXIT_INPUT;
	}
	return EXIT_FULL;
}

static int unknown_ids(const struct quiz_run *run)
{
	for (size_t i = 0; i < run->form.count; i++) {
		if (find(run->quiz, run->form.answers[i].id))
			continue;
		fprintf(stderr, "lab %s: %s:%d: no question has the ID '%s'\n", run->quiz->lab,
			run->form_path, run->form.answers[i].line, run->form.answers[i].id);
		return EXIT_INPUT;
	}
	return EXIT_FULL;
}

static int grade(struct quiz_run *run)
{
	char err[512] = "";
	int rc;

	if (form_read(&run->form, run->form_path, err, sizeof err) ||
	    lab_facts_read(&run->facts, run->trace, err, sizeof err)) {
		fprintf(stderr, "lab %s: %s\n", run->quiz->lab, err);
		return EXIT_INPUT;
	}
	rc = unknown_ids(run);
	if (rc)
		return rc;
	if (run->facts.lost || doze_model_totals(run->facts.model)->truncated) {
		fprintf(stderr, "lab %s: %s: events are missing, so the answers are not graded\n",
			run->quiz->lab, run->trace);
		return EXIT_LOST;
	}
	grade_all(run);
	rc = run->json ? write_json(run) : EXIT_FULL;
	return rc ? rc : run->score == run->max ? EXIT_FULL : EXIT_POINTS;
}

static int parse(struct quiz_run *run, int argc, char **argv)
{
	int i = 1;

	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (!strcmp(argv[i], "--json"))
			run->json = argv[i + 1];
		else if (!strcmp(argv[i], "-t"))
			run->only = argv[i + 1];
		else
			return complain(run->quiz, "unknown option: use --json or -t");
	}
	if (argc - i != 2)
		return complain(run->quiz, "give the trace and the form");
	if (run->only && !find(run->quiz, run->only))
		return complain(run->quiz, "-t: no such question: the form lists the IDs");
	run->trace = argv[i];
	run->form_path = argv[i + 1];
	return EXIT_FULL;
}

int quiz_main(const struct quiz *quiz, int argc, char **argv)
{
	struct quiz_run run = {.quiz = quiz};
	int rc;

	if (argc == 2 && !strcmp(argv[1], "--form"))
		return print_form(quiz);
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return print_list(quiz);
	if (argc == 4 && !strcmp(argv[1], "--hint"))
		return print_hint(quiz, argv[2], argv[3]);
	rc = parse(&run, argc, argv);
	if (rc)
		return rc;
	rc = grade(&run);
	lab_facts_free(&run.facts);
	return rc;
}
