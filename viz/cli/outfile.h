/*
 * SPDX-License-Identifier: MIT
 *
 * outfile.h - what -o FILE names: written beside it and put into its place when it is whole, so
 *that an error, a full disk or a signal leaves the earlier file as it was and nothing else behind.
 *
 *	rc = doze_out_open(&o, name);
 *	if (rc)
 *		return rc;
 *	rc = write_something(o.file);
 *	return doze_out_close(&o, rc);
 *
 * Links are followed, their target is replaced. A device or a pipe is written to as it is. One at a
 * time in a process, from the main thread: signals that end the program remove the part.
 */
#ifndef DOZE_VIZ_OUTFILE_H
#define DOZE_VIZ_OUTFILE_H

#include <limits.h>
#include <stdio.h>

struct doze_out {
	FILE *file;
	const char *name;      /* borrowed: as given, for messages */
	char target[PATH_MAX]; /* links resolved; empty: standard output, or written directly */
	char part[PATH_MAX];
};

/** null or "-" is standard output. Returns 0, or exit code 3 when it cannot be written, which has
 * been said on stderr, in one line. Opening a pipe waits for its reader. */
int doze_out_open(struct doze_out *, const char *name);
/** Ends it. `rc` is the exit code of what was written: 3 throws it away, any other keeps it.
 * Returns rc, or exit code 3 when it could not be written; that has been said then. */
int doze_out_close(struct doze_out *, int rc);

#endif
