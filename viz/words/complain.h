/*
 * SPDX-License-Identifier: MIT
 *
 * complain.h - error messages and exit codes of all commands.
 */
#ifndef DOZE_VIZ_COMPLAIN_H
#define DOZE_VIZ_COMPLAIN_H

/** Exit codes. After signal n, the exit code is 128 + n. */
enum {
	DOZE_EXIT_OK = 0,
	DOZE_EXIT_FINDINGS = 1,
	DOZE_EXIT_USAGE = 2,
	DOZE_EXIT_INPUT = 3,
	DOZE_EXIT_INCONCLUSIVE = 4,
};

/** Prints one line to stderr: "doze: what: where: what to do". */
void doze_complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
