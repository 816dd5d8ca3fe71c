/*
 * SPDX-License-Identifier: MIT
 *
 * metadata.h - reads the text of a metadata file, and checks its packets before Babeltrace does.
 */
#ifndef DOZE_VIZ_READER_METADATA_H
#define DOZE_VIZ_READER_METADATA_H

#include <stddef.h>

/** Returns the text of DIR/metadata, owned by the caller (free). LTTng writes it in packets with
 * sizes in their headers; impossible sizes would make Babeltrace 2.0 loop forever. Returns null
 * with one line in err if the file is empty, unreadable, huge, or has such sizes. */
char *doze_metadata_read(const char *dir, char *err, size_t err_size);

#endif
