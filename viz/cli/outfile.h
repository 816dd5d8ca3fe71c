/*
 * SPDX-License-Identifier: MIT
 *
 * outfile.h - the file of -o. The output is written to a temporary file in the same folder, which
 * is renamed when it is complete. After an error, a signal or a write to a full disk, an existing
 * file is therefore unchanged, and no partial file is left behind.
 *
 *	rc = doze_out_open(&o, name);
 *	if (rc)
 *		return rc;
 *	rc = write_something(o.file);
 *	return doze_out_close(&o, rc);
 *
 * Links are followed, and their target is replaced. A device or a pipe is written directly. Main
 * thread only, one file at a time per process, because the signal handler that removes the
 * temporary file knows only one.
 */
#ifndef DOZE_VIZ_OUTFILE_H
#define DOZE_VIZ_OUTFILE_H

#include <limits.h>
#include <stdio.h>

struct doze_out {
	FILE *file;
	const char *name; /* as given by the user, for messages; borrowed */
	/* Path with links resolved; empty for standard output, and for a device or pipe, which is
	 * written directly. */
	char target[PATH_MAX];
	char part[PATH_MAX];
};

/** Opens the file; null or "-" stands for standard output. Returns 0, or exit code 3 with a message
 * on stderr if the file cannot be written. Opening a pipe blocks until the pipe has a reader. */
int doze_out_open(struct doze_out *, const char *name);
/** Closes the file. rc is the writer's exit code: 3 discards the file, any other code keeps it.
 * Returns rc, or exit code 3 with a message on stderr if the file could not be written. */
int doze_out_close(struct doze_out *, int rc);

#endif
