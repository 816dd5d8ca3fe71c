/*
 * SPDX-License-Identifier: MIT
 *
 * text.h - error lines of the reader.
 */
#ifndef DOZE_VIZ_READER_TEXT_H
#define DOZE_VIZ_READER_TEXT_H

#include <stddef.h>

/** snprintf that never fails and flattens control characters, so that one error is one line. */
void doze_line(char *line, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/** Takes the error that the last Babeltrace call left on this thread (always, so that none
 * lingers), and puts the message of its root cause into line; "unknown cause" without one. */
void doze_bt_cause(char *line, size_t size);

#endif
