/*
 * SPDX-License-Identifier: MIT
 *
 * error_line.h - error lines of the reader.
 */
#ifndef DOZE_VIZ_READER_ERROR_LINE_H
#define DOZE_VIZ_READER_ERROR_LINE_H

#include <stddef.h>

/** Works like snprintf, but never fails, and replaces control characters, so that an error fits on
 * one line. */
void doze_line(char *line, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/** Clears the error that the last Babeltrace call left on this thread, and copies the message of
 * its root cause to line, or "unknown cause" if there is none. */
void doze_bt_cause(char *line, size_t size);

#endif
