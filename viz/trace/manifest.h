/*
 * SPDX-License-Identifier: MIT
 *
 * manifest.h - the manifest of a recording: what was recorded, and which files it consists of. It
 * makes a missing, truncated or changed file detectable, and shows whether a recording is complete.
 *
 * It is a text file, doze.manifest, in the recording's folder (README.md has an example).
 */
#ifndef DOZE_VIZ_READER_MANIFEST_H
#define DOZE_VIZ_READER_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOZE_MANIFEST "doze.manifest"

/** Facts about the recording that the files themselves do not show. Pointers are borrowed. */
struct doze_manifest {
	char *const *argv; /* the recorded command; ends with null */
	const char *detail;
	unsigned cpus;
	bool complete; /* no event was lost, and the program was not killed */
};

/** Writes the manifest of the finished recording in dir. Returns 0, or -1 with one line in err. */
int doze_manifest_write(const char *dir, const struct doze_manifest *, char *err, size_t err_size);

enum doze_manifest_verdict {
	DOZE_MANIFEST_NONE,     /* no manifest, or none that this version can read */
	DOZE_MANIFEST_COMPLETE, /* all files are as recorded, and the recording is complete */
	DOZE_MANIFEST_PARTIAL,  /* all files are as recorded, but the recording is not complete */
	DOZE_MANIFEST_DAMAGED,  /* a file is missing, truncated or changed; `what` names it */
};

/** Receives the progress of a check: bytes read so far, and bytes of all files. */
struct doze_checking {
	void (*report)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/** Compares the files in dir with the manifest in dir or in one of the four folders above it. Reads
 * all files completely. checking: null, or what to call after each block. what: receives a few
 * words about the first difference. */
enum doze_manifest_verdict doze_manifest_check(const char *dir, const struct doze_checking *,
					       char *what, size_t size);

/** Copies the recorded command from the manifest to text, its arguments separated by blanks.
 * Returns whether the manifest has one. */
bool doze_manifest_command(const char *dir, char *text, size_t size);
/** Returns the recorded command's arguments, owned by the caller and terminated by null. Returns
 * null if there is no manifest or no memory. */
char **doze_manifest_argv(const char *dir, size_t *count);
/** Returns the number of CPUs of the recorded machine, or 0 if the manifest does not contain it. */
unsigned doze_manifest_cpus(const char *dir);

/* ---- Detects stream files that are missing from a trace: deleted, or not copied ---- */

/** Returns whether the folder shows that a file is missing. LTTng writes CHANNEL_0, CHANNEL_1 …
 * without gaps, one file per CPU even if the CPU is idle, and index/NAME.idx for each. A missing
 * last file cannot be detected if its index is missing, too. */
bool doze_stream_absent(const char *dir);

#endif
