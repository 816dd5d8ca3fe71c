/*
 * SPDX-License-Identifier: MIT
 *
 * summary.h - what doze found when it read a whole recording, in a file beside the recording, so
 * that it need not be read again.
 *
 * The file is .doze-summary in the recording's folder (Babeltrace takes any file whose name does
 * not begin with a dot for a stream) or, if that belongs to another user or cannot be written,
 * doze/summary-NUMBER in $XDG_CACHE_HOME or ~/.cache. It is only an aid: nothing is lost with it,
 * and errors are not reported. It is valid for the build of doze that wrote it and as long as each
 * file of the recording has its size, its times and its inode; then a copy of a recording has no
 * valid summary, and a summary that came with a recording from elsewhere is never used. The file
 * must also belong to the user. It is replaced atomically.
 *
 * The file has parts, which are written by different commands, and are compressed and checked
 * separately. Together they take at most a hundredth of the recording; a part that does not fit,
 * and any part of a small recording, is not written.
 *
 * Main thread only.
 */
#ifndef DOZE_VIZ_SUMMARY_H
#define DOZE_VIZ_SUMMARY_H

#include <limits.h>
#include <stdint.h>

#include "../model/saved.h"

/** A recording with less is read faster than a user notices. */
#define DOZE_SUMMARY_LEAST (INT64_C(32) << 20)

enum doze_summary_part {
	DOZE_SUMMARY_analysis, /* for storms and diagnose */
	DOZE_SUMMARY_viewer,
	DOZE_SUMMARY_ranges, /* for ranges of time and phases (ranges.h) */
	DOZE_SUMMARY_PARTS
};

/** A recording, as it was when it was opened. */
struct doze_summary {
	char dir[PATH_MAX];
	uint64_t identity; /* changes with any file of the recording */
	uint64_t bytes;    /* size of all its files */
};

/** Examines the recording in `dir`. least: the smallest recording, in bytes, that has a summary.
 * Returns false if it can have none. */
bool doze_summary_open(struct doze_summary *, const char *dir, uint64_t least);
/** Reads a part, which the caller then loads and frees. Returns false if there is none. */
bool doze_summary_read(const struct doze_summary *, enum doze_summary_part, struct doze_saved *);
/** Returns how many bytes a part may have before it is compressed. */
uint64_t doze_summary_room(const struct doze_summary *);
/** Writes a part, unless the recording has changed since it was opened. Returns false if the part
 * is too large; other errors are ignored. */
bool doze_summary_write(const struct doze_summary *, enum doze_summary_part,
			const struct doze_saved *);

#endif
