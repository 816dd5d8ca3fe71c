/*
 * SPDX-License-Identifier: MIT
 *
 * form.h - a completed form: lines `ID: answer`; empty lines and lines that begin with # are
 * ignored.
 */
#ifndef DOZE_LABS_FORM_H
#define DOZE_LABS_FORM_H

#include <stddef.h>

#define FORM_ANSWERS 64
#define FORM_TEXT    64

struct form {
	struct {
		char id[16];
		char text[FORM_TEXT]; /* without white space at both ends; "" = not answered */
		int line;
	} answers[FORM_ANSWERS];
	size_t count;
};

/** Reads a form. Returns 0, or -1 with a message in err that names the line. */
int form_read(struct form *, const char *path, char *err, size_t err_size);
/** Returns the answer to a question, or "" if there is none. */
const char *form_answer(const struct form *, const char *id);

#endif
