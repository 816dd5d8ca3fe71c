/*
 * SPDX-License-Identifier: MIT
 *
 * doctor.h - what `doze doctor` looks at. A check looks at one thing and adds findings; the command
 * (viz/cli/cmd_doctor.c) runs all of them and prints. Adding a check is writing one function and
 * one line in the table at the foot of checks.c.
 */
#ifndef DOZE_VIZ_DOCTOR_H
#define DOZE_VIZ_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum doctor_verdict {
	DOCTOR_OK,
	DOCTOR_NOTE, /* works, but worth knowing */
	DOCTOR_BAD,  /* something will not work */
};

struct doctor_finding {
	const char *check; /* static */
	enum doctor_verdict verdict;
	char text[400]; /* what was seen */
	char mend[400]; /* what to do about it; "" when there is nothing to do */
};

#define DOCTOR_FINDINGS_MAX 64

struct doctor {
	struct doctor_finding findings[DOCTOR_FINDINGS_MAX];
	size_t count;
	const char *check; /* the one that runs now */
};

struct doctor_check {
	const char *name;
	void (*run)(struct doctor *);
};

/** Adds a finding of the running check; mend may be null. Too many are dropped. */
void doctor_say(struct doctor *, enum doctor_verdict, const char *mend, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/** All checks but the trial; ends with name == NULL. */
extern const struct doctor_check doctor_checks[];

/** Parts of the table: daemons.c. */
void doctor_session_daemon(struct doctor *);
void doctor_leftovers(struct doctor *);
/** trial.c: records a small built-in workload for real and reads it. Takes a second or two. */
void doctor_trial(struct doctor *);

#endif
