/*
 * SPDX-License-Identifier: MIT
 *
 * error.c - the text of each thread's last error.
 */
#include <stdarg.h>
#include <stdio.h>

#include "config.h"

static _Thread_local char text[256];

int doze_error_set(int code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return code;
}

const char *doze_last_error(void)
{
	return text;
}
