/*
 * SPDX-License-Identifier: MIT
 *
 * missing_streams.h - detects stream files that are missing from a trace: deleted, or not copied.
 */
#ifndef DOZE_VIZ_READER_ABSENT_H
#define DOZE_VIZ_READER_ABSENT_H

#include <stdbool.h>

/** Returns whether the folder shows that a file is missing. LTTng writes CHANNEL_0, CHANNEL_1 …
 * without a gap, one file per CPU, also for an idle CPU, and index/NAME.idx for each. If the last
 * CPU's file is missing together with its index, nothing shows it. */
bool doze_stream_absent(const char *dir);

#endif
