/*
 * SPDX-License-Identifier: MIT
 *
 * outfile.h - the file of -o: written beside its target and renamed to it when it is whole, so that
 * an error, a full disk or a signal leaves an existing file unchanged and nothing else behind.
 *
 *	rc = doze_out_open(&o, name);
 *	if (rc)
 *		return rc;
 *	rc = write_something(o.file);
 *	return doze_out_close(&o, rc);
 *
 * Links are followed, and their target is replaced. A device or a pipe is written directly. One at
 *a time in a process, from the main thread: a signal that terminates the program removes the part.
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

/** name: null or "-" for standard output. Returns 0, or exit code 3 after a complaint on stderr
 * when it cannot be written. Opening a pipe waits for its reader. */
int doze_out_open(struct doze_out *, const char *name);
/** Closes it. rc is the exit code of the writer: 3 discards the file, any other keeps it. Returns
 * rc, or exit code 3 after a complaint on stderr when the file could not be written. */
int doze_out_close(struct doze_out *, int rc);

#endif
