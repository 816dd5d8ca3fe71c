/*
 * SPDX-License-Identifier: MIT
 *
 * metadata.h - reads the text of a metadata file, and looks at its frame before Babeltrace does.
 */
#ifndef DOZE_VIZ_READER_METADATA_H
#define DOZE_VIZ_READER_METADATA_H

#include <stddef.h>

/** The text of DIR/metadata, owned by the caller (free). LTTng writes it in packets with sizes in
 * their headers; on sizes that cannot be, Babeltrace 2.0 reads the file for ever. Null, and one
 * line into err, when it is empty, cannot be read, is huge, or has such sizes. */
char *doze_metadata_read(const char *dir, char *err, size_t err_size);

#endif
