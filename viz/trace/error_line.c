/*
 * SPDX-License-Identifier: MIT
 *
 * error_line.c - see error_line.h. Babeltrace reports an error twice: in its log, which doze keeps
 * off the terminal, and as a chain of causes on the thread. The first cause, the root, helps the
 * user; the later ones only name the layers that the error passed through.
 */
#include <babeltrace2/babeltrace.h>
#include <stdarg.h>
#include <stdio.h>

#include "error_line.h"

void doze_line(char *line, size_t size, const char *fmt, ...)
{
	va_list ap;

	if (size == 0)
		return;
	va_start(ap, fmt);
	if (vsnprintf(line, size, fmt, ap) < 0)
		line[0] = '\0';
	va_end(ap);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = ' ';
}

/* Removes details. Babeltrace appends "part=value" dumps after a colon; the sentence before the
 * colon is the message. */
static void drop_details(char *line)
{
	for (char *c = line; *c; c++) {
		if (c[0] != ':' || c[1] != ' ')
			continue;
		for (char *d = c + 2; *d && *d != ' ' && *d != ','; d++) {
			if (*d == '=') {
				*c = '\0';
				return;
			}
		}
	}
}

void doze_bt_cause(char *line, size_t size)
{
	const bt_error *error = bt_current_thread_take_error();
	const char *message = "unknown cause";

	if (error && bt_error_get_cause_count(error) > 0)
		message = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
	doze_line(line, size, "%s", message);
	drop_details(line);
	if (error)
		bt_error_release(error);
}
