/*
 * SPDX-License-Identifier: MIT
 *
 * wrap.c - see wrap.h.
 */
#include "wrap.h"

#include <string.h>

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
		if (column && column + blanks + word > DOZE_TEXT_COLUMNS) {
			fprintf(out, "\n%*s", indent, "");
			column = (size_t)indent;
			text += blanks;
			blanks = 0;
		}
		fwrite(text, 1, blanks + word, out);
		column += blanks + word;
		text += blanks + word;
	}
}
