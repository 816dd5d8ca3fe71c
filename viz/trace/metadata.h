/*
 * SPDX-License-Identifier: MIT
 *
 * metadata.h - reads the text of a metadata file, and checks its packets before Babeltrace does.
 */
#ifndef DOZE_VIZ_READER_METADATA_H
#define DOZE_VIZ_READER_METADATA_H

#include <stdbool.h>
#include <stddef.h>

/** Returns the text of DIR/metadata, owned by the caller (free). LTTng writes this file in packets
 * whose headers contain their sizes; impossible sizes would send Babeltrace 2.0 into an endless
 * loop. Returns null with one line in err if the file is empty, unreadable, huge, or contains
 * impossible sizes. */
char *doze_metadata_read(const char *dir, char *err, size_t err_size);

/** Returns whether the text of a metadata file is whole but does not declare the event with which
 * each trace of doze begins. Such a trace is of another program. Any thread. */
bool doze_metadata_is_foreign(const char *text);

/** Removes the headers of packets in place, if data begins with one, and sets *size to the length
 * of the text. Returns null, or a description of the error at byte *at, which counts from its value
 * at the call (0). Any thread. */
const char *doze_metadata_unpack(char *data, size_t *size, size_t *at);

#endif
