/*
 * SPDX-License-Identifier: MIT
 *
 * live.h - see live.c; doze_live_sessions is in reader.h.
 */
#ifndef DOZE_VIZ_READER_LIVE_H
#define DOZE_VIZ_READER_LIVE_H

#include <stdbool.h>
#include <stddef.h>

/** Returns whether the session of a live URL exists and has no viewer. If not, writes one line to
 * err. */
bool doze_live_check(const char *url, char *err, size_t err_size);

#endif
