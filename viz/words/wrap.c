/*
 * SPDX-License-Identifier: MIT
 *
 * wrap.c - see wrap.h.
 */
#include "wrap.h"

#include <stdlib.h>
#include <string.h>

#include "../trace/utf8.h"

void doze_wrap(FILE *out, const char *text, int indent)
{
	size_t column = 0;

	while (*text) {
		size_t blanks = strspn(text, " "), word = strcspn(text + blanks, " \n");

		if (text[blanks] == '\n') {
			fputc('\n', out);
			text += blanks + 1;
			column = 0;
			continue;
		}
		size_t columns = doze_utf8_columns(text + blanks, word);
		if (column && column + blanks + columns > DOZE_TEXT_COLUMNS) {
			fprintf(out, "\n%*s", indent, "");
			column = (size_t)indent;
			text += blanks;
			blanks = 0;
		}
		fwrite(text, 1, blanks + word, out);
		column += blanks + columns;
		text += blanks + word;
	}
}

FILE *doze_wrap_begin(struct doze_wrapped *w, FILE *out)
{
	*w = (struct doze_wrapped){.out = out};
	w->lines = open_memstream(&w->text, &w->size);
	return w->lines ? w->lines : out;
}

void doze_wrap_end(struct doze_wrapped *w)
{
	if (!w->lines)
		return;
	fclose(w->lines);
	if (w->text)
		doze_wrap(w->out, w->text, 0);
	free(w->text);
}
