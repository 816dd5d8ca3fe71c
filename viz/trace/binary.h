/*
 * SPDX-License-Identifier: MIT
 *
 * binary.h - an executable or shared object of a traced process, as LTTng lists it when a recording
 * starts (the events lttng_ust_statedump:bin_info and :build_id). It is needed to find the source
 * lines of callers.
 */
#ifndef DOZE_VIZ_BINARY_H
#define DOZE_VIZ_BINARY_H

#include <stddef.h>
#include <stdint.h>

enum { DOZE_BUILD_ID = 32 }; /* bytes; a longer id is truncated */

/** A binary. Two events describe it, in any order: one has its path and size, the other its
 * build-id. */
struct doze_binary {
	uint32_t host;
	int32_t vpid;
	uint64_t base; /* address of its first byte in the process */
	uint64_t size; /* bytes; 0 in the event with the build-id */
	/* Absolute path; null in the event with the build-id. */
	const char *path;
	size_t id_length; /* bytes; 0 in the event with the path */
	uint8_t id[DOZE_BUILD_ID];
};

#endif
