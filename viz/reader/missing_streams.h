/*
 * SPDX-License-Identifier: MIT
 *
 * absent.h - stream files that should be in a trace's folder and are not: deleted, or not copied.
 */
#ifndef DOZE_VIZ_READER_ABSENT_H
#define DOZE_VIZ_READER_ABSENT_H

#include <stdbool.h>

/** Whether the folder shows that a file is gone: LTTng writes CHANNEL_0, CHANNEL_1 … without a
 * hole, a file for each CPU, also for one on which nothing happened, and index/NAME.idx for each.
 * The last CPU's file, gone with its index, leaves no sign here. */
bool doze_stream_absent(const char *dir);

#endif
