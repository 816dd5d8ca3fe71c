/*
 * SPDX-License-Identifier: MIT
 *
 * metadata.h - looks at the frame of a metadata file before Babeltrace does.
 */
#ifndef DOZE_VIZ_READER_METADATA_H
#define DOZE_VIZ_READER_METADATA_H

#include <stdbool.h>
#include <stddef.h>

/** Whether DIR/metadata can be handed on. LTTng writes it in packets with sizes in their headers;
 * on sizes that cannot be, Babeltrace 2.0 reads the file for ever. False, and one line into err,
 * when it is empty, cannot be read, or has such sizes. */
bool doze_metadata_check(const char *dir, char *err, size_t err_size);

#endif
