/*
 * SPDX-License-Identifier: MIT
 *
 * scratch.h - a folder for one test's files, removed at its end.
 */
#ifndef DOZE_TESTS_SCRATCH_H
#define DOZE_TESTS_SCRATCH_H

/** Makes the folder (in $TMPDIR or /tmp); exits the program when that fails. */
void scratch_begin(void);
/** Path of a file in it; up to eight results are valid at a time. */
const char *scratch(const char *name);
/** Removes the folder and all in it. */
void scratch_end(void);

#endif
