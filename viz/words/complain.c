/*
 * SPDX-License-Identifier: MIT
 *
 * complain.c - see complain.h.
 */
#include <stdarg.h>
#include <stdio.h>

#include "../trace/utf8.h"
#include "complain.h"

void doze_complain(const char *fmt, ...)
{
	/* One write per message, so that messages of several processes do not mix. */
	char line[1024], clean[1024];
	va_list args;
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	/* A message may contain a name that the user, a program or a network chose. */
	doze_text_clean(clean, sizeof(clean), line);
	fprintf(stderr, "doze: %s\n", clean);
}
