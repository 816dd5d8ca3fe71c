/*
 * SPDX-License-Identifier: MIT
 *
 * form.c - see form.h.
 */
#include "form.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Trims white space at both ends and returns the new beginning. */
static char *trim(char *text)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	n = strlen(text);
	while (n > 0 && isspace((unsigned char)text[n - 1]))
		n--;
	text[n] = 0;
	return text;
}

const char *form_answer(const struct form *form, const char *id)
{
	for (size_t i = 0; i < form->count; i++)
		if (!strcmp(form->answers[i].id, id))
			return form->answers[i].text;
	return "";
}

/* Adds the answer in a line to the form. Returns null, or a description of the error in the
 * line. */
static const char *add_line(struct form *form, char *text, int line)
{
	char *colon = strchr(text, ':'), *id = text, *answer;

	if (!colon)
		return "the line is neither a comment (#) nor 'ID: answer'";
	*colon = 0;
	id = trim(id);
	answer = trim(colon + 1);
	if (!*id || strlen(id) >= sizeof form->answers[0].id)
		return "the part before the colon is not the ID of a question";
	if (strlen(answer) >= FORM_TEXT)
		return "the answer is too long: give a number or one word";
	if (form->count == FORM_ANSWERS)
		return "too many answers";
	for (size_t i = 0; i < form->count; i++)
		if (!strcmp(form->answers[i].id, id))
			return "this question has two answers: delete one";
	snprintf(form->answers[form->count].id, sizeof form->answers[0].id, "%s", id);
	snprintf(form->answers[form->count].text, FORM_TEXT, "%s", answer);
	form->answers[form->count++].line = line;
	return NULL;
}

int form_read(struct form *form, const char *path, char *err, size_t err_size)
{
	char buffer[512];
	int line = 0, rc = 0;
	FILE *file = fopen(path, "r");

	*form = (struct form){0};
	if (!file) {
		snprintf(err, err_size, "%s: %s: give the file with your answers", path,
			 strerror(errno));
		return -1;
	}
	while (!rc && fgets(buffer, sizeof buffer, file)) {
		char *text = trim(buffer);
		const char *wrong;

		line++;
		if (!*text || *text == '#')
			continue;
		wrong = add_line(form, text, line);
		if (wrong) {
			snprintf(err, err_size, "%s:%d: %s", path, line, wrong);
			rc = -1;
		}
	}
	fclose(file);
	return rc;
}
