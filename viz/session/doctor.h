/*
 * SPDX-License-Identifier: MIT
 *
 * doctor.h - the checks of `doze doctor`. Each check examines one thing and adds findings, which
 * the command (viz/cli/cmd_doctor.c) prints. To add a check, write a function and list it in the
 * table at the end of doctor.c, before the trial.
 */
#ifndef DOZE_VIZ_DOCTOR_H
#define DOZE_VIZ_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum doctor_verdict {
	DOCTOR_OK,
	DOCTOR_NOTE, /* the checked feature works, but with a limitation */
	DOCTOR_BAD,  /* the checked feature does not work */
};

struct doctor_finding {
	const char *check; /* name of the check; static */
	enum doctor_verdict verdict;
	char text[400]; /* what the check found */
	char fix[400];  /* how to fix it; "" if nothing needs fixing */
};

#define DOCTOR_FINDINGS_MAX 64

struct doctor {
	struct doctor_finding findings[DOCTOR_FINDINGS_MAX];
	size_t count, bad; /* bad: findings with the verdict DOCTOR_BAD */
	const char *check; /* name of the current check */
};

/** Runs all checks. With `trial`, also records a small built-in workload and reads its trace, which
 * takes a second or two. */
void doctor_run(struct doctor *, bool trial);

#endif
