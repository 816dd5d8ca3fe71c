/*
 * SPDX-License-Identifier: MIT
 *
 * dry_run.h - runs a function in a child process first, to find out whether it crashes.
 */
#ifndef DOZE_VIZ_DRY_RUN_H
#define DOZE_VIZ_DRY_RUN_H

#include <stdbool.h>

/** Runs fn(arg) in a silent child process with at most a few seconds of CPU time. Returns true if
 * fn returned, or false if it crashed or did not return. Also returns true if no child could be
 * created, because the result is then unknown. */
bool doze_trial(void (*fn)(void *arg), void *arg);

#endif
