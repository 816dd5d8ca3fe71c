/*
 * SPDX-License-Identifier: MIT
 *
 * option_values.h - an option, and the functions that parse and check its value. The command line
 * and the plug-in's component classes use the same tables of options.
 */
#ifndef DOZE_VIZ_OPTION_VALUES_H
#define DOZE_VIZ_OPTION_VALUES_H

/** Checks a value and stores it in the target. If the value is invalid, leaves the target unchanged
 * and returns a description of valid values ("a number from 1 to 9"); otherwise returns null. Main
 * thread only. */
typedef const char *doze_option_fn(const char *value, void *target);

/** One option. A list of options ends with name == NULL. */
struct doze_option {
	const char *name;  /* long name, without the dashes */
	char letter;       /* short name, or 0 */
	const char *value; /* name of its value in the help; null: a flag without a value */
	const char *help;
	doze_option_fn *check; /* one of the functions below, or a function of the option's owner */
	void *target;          /* where to store the value */
};

doze_option_fn doze_check_flag;     /* bool *; value is null */
doze_option_fn doze_check_string;   /* const char **, borrowed, not empty */
doze_option_fn doze_check_count;    /* unsigned *, 1 to 1,000,000 */
doze_option_fn doze_check_number;   /* unsigned *, 0 to 1,000,000,000 */
doze_option_fn doze_check_ratio;    /* double *, 0 to 1 */
doze_option_fn doze_check_duration; /* int64_t *, ns; "1.5" (s), "20ms", "300us", "7ns" */
doze_option_fn doze_check_pid;      /* pid_t *, from 2 */
doze_option_fn doze_check_workers;  /* unsigned *, 1 to DOZE_WORKERS_MAX of lib/config.h */

#endif
