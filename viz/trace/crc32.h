/*
 * SPDX-License-Identifier: MIT
 *
 * crc32.h - the CRC-32 that zip, gzip and Ethernet use, for the manifest.
 */
#ifndef DOZE_VIZ_READER_CRC32_H
#define DOZE_VIZ_READER_CRC32_H

#include <stddef.h>
#include <stdint.h>

/** Extends the checksum of the preceding bytes by these bytes and returns it. crc: the checksum of
 * the preceding bytes, or 0 if there are none. The first call fills a table and must have returned
 * before another thread calls this function. */
uint32_t doze_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
