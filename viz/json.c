/*
 * SPDX-License-Identifier: MIT
 *
 * json.c - the one thing about JSON that printf cannot do.
 */
#include "json.h"

void doze_json_text(FILE *f, const char *text)
{
	if (!text) {
		fputs("null", f);
		return;
	}
	putc('"', f);
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			fprintf(f, "\\%c", *c);
		else if (*c < 0x20 || *c == 0x7f)
			fprintf(f, "\\u%04x", *c);
		else
			putc(*c, f);
	}
	putc('"', f);
}
