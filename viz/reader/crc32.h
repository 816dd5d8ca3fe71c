/*
 * SPDX-License-Identifier: MIT
 *
 * crc32.h - the CRC-32 of zip, gzip and Ethernet, for the manifest.
 */
#ifndef DOZE_VIZ_READER_CRC32_H
#define DOZE_VIZ_READER_CRC32_H

#include <stddef.h>
#include <stdint.h>

/** Returns the checksum of the bytes so far and of these; crc is 0 for the first ones. Not while
 * another thread makes its first call. */
uint32_t doze_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
