/*
 * SPDX-License-Identifier: MIT
 *
 * missing_streams.h - detects stream files that are missing from a trace: deleted, or not copied.
 */
#ifndef DOZE_VIZ_MISSING_STREAMS_H
#define DOZE_VIZ_MISSING_STREAMS_H

#include <stdbool.h>

/** Returns whether the folder shows that a file is missing. LTTng writes CHANNEL_0, CHANNEL_1 …
 * without gaps, one file per CPU even if the CPU is idle, and index/NAME.idx for each. A missing
 * last file cannot be detected if its index is missing, too. */
bool doze_stream_absent(const char *dir);

#endif
